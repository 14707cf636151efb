//! Plays one trace against many caches at once, spread over the cores.
//!
//! Online policies see the trace as a stream: each chunk is read once and fed to all
//! of them, so that memory does not grow with the trace. Offline policies need all of
//! it, and what comes after each request.

use super::attribution;
use super::plan::{Cell, Plan};
use super::reading::{CHUNK, Reading};
use super::report::Played;
use crate::error::{Result, UserError};
use crate::observer::{Meter, Observer, Unit};
use crate::requests::RequestTrace;
use forebay_cache::future::futures;
use forebay_cache::{Future, Model, Simulation};
use forebay_core::Request;
use rayon::prelude::*;

/// Everything that came of one trace: in the order of the cells. `known` is all of the
/// trace, if somebody has it.
pub(super) fn play(
    plan: &Plan,
    trace: &RequestTrace,
    cells: &[Cell],
    known: Option<&[Request]>,
    observer: &dyn Observer,
) -> Result<Vec<Played>> {
    let (offline, online): (Vec<_>, Vec<_>) = (0..cells.len()).partition(|&index| cells[index].policy.offline());
    let mut results = vec![Played::default(); cells.len()];
    let mut playing = start(plan, cells, &online)?;
    let keep = !offline.is_empty() && known.is_none();
    let bar = Meter::new(observer, Unit::Requests, None);
    let kept = stream(plan, trace, &mut playing, keep, &bar, observer)?;
    let whole = known.unwrap_or(&kept);
    finish(playing, &mut results)?;
    // Cells with one latency share what is known of the future.
    for group in offline.chunk_by(|&a, &b| cells[a].latency_index == cells[b].latency_index) {
        let mut playing = start(plan, cells, group)?;
        let latencies = cells[group[0]]
            .latency
            .prepare(plan.seed)
            .map_err(|error| UserError::argument("latency", error.to_string()))?;
        let longest = whole.iter().try_fold(0_u64, |sum, request| sum.checked_add(latencies.expected(request.key)));
        if longest.is_none() {
            return Err(too_long(whole.len() as u64));
        }
        let futures = futures(whole, |key| latencies.expected(key));
        for (chunk, futures) in whole.chunks(CHUNK).zip(futures.chunks(CHUNK)) {
            if !observer.goes_on() {
                break;
            }
            feed(&mut playing, chunk, futures);
            bar.add(chunk.len() as u64);
        }
        finish(playing, &mut results)?;
    }
    bar.finish();
    Ok(results)
}

/// A cell under way, in one of the models.
struct Playing {
    cell: usize,
    model: Model,
    simulation: Box<dyn Simulation>,
}

fn start(plan: &Plan, cells: &[Cell], chosen: &[usize]) -> Result<Vec<Playing>> {
    let both = chosen.iter().flat_map(|&cell| plan.models().iter().map(move |&model| (cell, model)));
    both.map(|(cell, model)| {
        let setup = plan.setup(&cells[cell], model);
        let simulation = cells[cell].policy.simulation(setup).map_err(|error| match error.param {
            Some(param) => UserError::argument(param, error.message),
            None => UserError::at(&cells[cell].policy, error.message),
        })?;
        Ok(Playing { cell, model, simulation })
    })
    .collect()
}

/// Feeds the trace as it is read; gives back all of it if it is to be kept.
fn stream(
    plan: &Plan,
    trace: &RequestTrace,
    playing: &mut [Playing],
    keep: bool,
    bar: &Meter<'_>,
    observer: &dyn Observer,
) -> Result<Vec<Request>> {
    let mut reading = Reading::open(trace, plan.sized)?;
    let (mut chunk, mut next) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
    let mut whole = Vec::new();
    let mut fill = |chunk: &mut Vec<Request>| {
        let more = reading.fill(chunk)?;
        let read = chunk.len();
        if let Some(sample) = plan.sample {
            chunk.retain(|request| sample.takes(request.key));
        }
        Ok::<_, UserError>((more, read))
    };
    let (mut more, mut read) = fill(&mut chunk)?;
    loop {
        // The next chunk is read while this one is played.
        let ahead = || if more { fill(&mut next) } else { Ok((false, 0)) };
        let (ahead, ()) = rayon::join(ahead, || feed(playing, &chunk, &[]));
        bar.add(read as u64);
        if keep {
            whole.extend_from_slice(&chunk);
        }
        let ended = !more;
        (more, read) = ahead?;
        chunk.clear();
        std::mem::swap(&mut chunk, &mut next);
        if ended || !observer.goes_on() {
            break;
        }
    }
    reading.warn(observer);
    Ok(whole)
}

fn feed(playing: &mut [Playing], chunk: &[Request], futures: &[Future]) {
    playing.par_iter_mut().for_each(|playing| playing.simulation.feed(chunk, futures));
}

fn finish(playing: Vec<Playing>, results: &mut [Played]) -> Result<()> {
    for Playing { cell, model, simulation } in playing {
        let result = &mut results[cell];
        let counts = simulation.counts();
        if counts.total_latency == u64::MAX {
            return Err(too_long(counts.requests));
        }
        let counts = Some(counts);
        match model {
            Model::DelayedHits => result.delayed = counts,
            Model::Classical => result.classical = counts,
        }
        if let Some(objects) = attribution::objects(simulation.into_observer()) {
            result.objects = Some(objects);
        }
    }
    Ok(())
}

/// Latencies are added up in 64 bits.
fn too_long(requests: u64) -> UserError {
    let message = format!("the latencies of {requests} requests are more than 64 bits can hold; write a shorter one");
    UserError::argument("latency", message)
}
