//! Runs an attack study: all repetitions of all lines, spread over cores.

use super::plan::{Line, Sent, lines};
use super::report::AttackReport;
use super::{AttackStudy, Sends};
use crate::error::Result;
use crate::scenario::Sinks;
use crate::{interrupt, progress};
use forebay_core::{Element, Seed};
use forebay_sim::attack::Strategy;
use forebay_sim::attack::applications::{LiveTrial, Workload};
use forebay_sim::attack::trial::{Measured, Span, Trial};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::cell::Cell;

/// What was measured for one line: its repetitions in order, `None` where one was interrupted.
pub(super) type Repetitions = Vec<Option<Measured>>;

/// Runs everything. The result does not depend on the number of threads.
pub(crate) fn run(study: &AttackStudy) -> Result<AttackReport> {
    let lines = lines(study);
    let of_each: Vec<u64> = lines.iter().map(|line| packets_of(study, line)).collect();
    let of_all = of_each.iter().fold(0_u64, |sum, packets| sum.saturating_add(*packets));
    let progress = progress::bar(Some(of_all.saturating_mul(study.repetitions)));
    // Repetition by repetition, handed out in order: an interrupt then leaves each line about as many as the others.
    let runs = (0..study.repetitions).flat_map(|repetition| (0..lines.len()).map(move |line| (repetition, line)));
    let mut measured = runs
        .par_bridge()
        .map(|(repetition, line)| {
            let measured = measure(study, &lines[line], repetition, of_each[line], &progress)?;
            Ok((repetition, line, measured))
        })
        .collect::<Result<Vec<_>>>()?;
    progress.finish_and_clear();
    measured.sort_unstable_by_key(|&(repetition, line, _)| (line, repetition));
    let mut by_line: Vec<Repetitions> = vec![Vec::new(); lines.len()];
    for (_, line, measured) in measured {
        by_line[line].push(measured);
    }
    Ok(AttackReport::new(study, &lines, &by_line))
}

/// About how many packets arrive in a run.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn packets_of(study: &AttackStudy, line: &Line) -> u64 {
    let innocent = study.packets.saturating_add(study.warmup);
    let seconds = study.time_of(innocent, study.innocent_bps[line.innocent]).as_secs_f64();
    let attack = line.attack.as_ref().map_or(0.0, |attacked| {
        let per_bit: f64 = match &attacked.sent {
            Sent::Jobs(attack) => {
                let shares: f64 = attack.strategies.iter().map(|strategy| strategy.share).sum();
                let of_kind = |one: &Strategy| one.share / shares / 8.0 / f64::from(one.job.size_bytes);
                attack.strategies.iter().map(of_kind).sum()
            }
            Sent::Inputs(_) => attacked.only_job().map_or(0.0, |job| 1.0 / 8.0 / f64::from(job.size_bytes)),
        };
        study.attacker.rates_bps[attacked.rate] as f64 * seconds * per_bit
    });
    innocent.saturating_add(attack as u64)
}

/// Of the traffic of a repetition, the same for every policy and rate.
pub(super) fn repetition_seed(study: &AttackStudy, repetition: u64) -> Seed {
    study.seed.part(&format!("attack/repetition/{repetition}"))
}

/// `None` if it was interrupted, since half a repetition is none.
fn measure(
    study: &AttackStudy,
    line: &Line,
    repetition: u64,
    packets: u64,
    progress: &ProgressBar,
) -> Result<Option<Measured>> {
    if interrupt::requested() {
        return Ok(None);
    }
    let seed = repetition_seed(study, repetition);
    let mut queue = study.policies[line.policy].discipline.element(seed, Sinks::new())?;
    let reported = Cell::new(0);
    let go_on = |arrived: u64| {
        progress.inc(arrived - reported.replace(arrived));
        !interrupt::requested()
    };
    let measured = play(study, line, seed, &mut *queue, &go_on);
    progress.inc(packets.saturating_sub(reported.get()));
    Ok(measured.complete.then_some(measured))
}

/// Plays a line of the traffic of `seed`.
fn play(
    study: &AttackStudy,
    line: &Line,
    seed: Seed,
    queue: &mut dyn Element,
    go_on: &dyn Fn(u64) -> bool,
) -> Measured {
    let innocent_bps = study.innocent_bps[line.innocent];
    let span =
        Span { warmup: study.time_of(study.warmup, innocent_bps), window: study.time_of(study.packets, innocent_bps) };
    let (innocent_bps, servers) = (innocent_bps as f64, study.servers);
    let attack_bps = line.attack.as_ref().map(|attacked| study.attacker.rates_bps[attacked.rate] as f64);
    let sent = line.attack.as_ref().map(|attacked| &attacked.sent);
    let workload: Option<&dyn Workload> = match (sent, &study.attacker.sends) {
        (Some(Sent::Inputs(workload)), _) => Some(&**workload),
        (None, Sends::Inputs(own)) => Some(own.workload()),
        _ => None,
    };
    if let Some(workload) = workload {
        return LiveTrial { workload, innocent_bps, attack_bps, span, servers, seed }.run(queue, go_on);
    }
    let (innocent, estimator) = (&study.innocent, study.estimator);
    let attack = sent.and_then(Sent::jobs).zip(attack_bps);
    Trial { innocent, innocent_bps, attack, span, servers, estimator, seed }.run(queue, go_on)
}
