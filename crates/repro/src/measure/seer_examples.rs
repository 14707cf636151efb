//! Seer's worked examples (figures 1, 3 and 4), played by its protocol and its cache.
//!
//! Values are called like `figure 1: first prefetch, ns`; values that a figure does not have are 0.

use super::{Experiment, MeasureEntry, Measured};
use forebay::Observer;
use forebay::error::{Result, UserError};
use forebay_cache::seer::examples::{Way, figure_1, figure_3, figure_4};
use forebay_core::{About, Exactness, ParamError, Seed};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "seer-examples",
        title: "Seer's worked examples, played by its protocol and its cache",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "a few packets",
        source: "Seer, NSDI'24, Figures 1, 3 and 4",
        params: &[],
    },
    run,
    missing: || None,
};

fn run(_: &Experiment, _: Seed, _: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    add(&mut measured).map_err(|error| UserError::new(error.message))?;
    Ok(measured)
}

fn add(measured: &mut Measured) -> std::result::Result<(), ParamError> {
    let figure = figure_1()?;
    for (name, step) in ["first", "second"].into_iter().zip(&figure.steps) {
        measured.value(format!("figure 1: {name} prefetch, ns"), step.at.as_ns_f64());
        measured.value(format!("figure 1: {name} prefetch: evictions"), f64::from(u8::from(step.evicted.is_some())));
    }
    measured.value("figure 1: prefetches", figure.steps.len() as f64);
    measured.value("figure 1: misses of Seer", figure.seer_misses as f64);
    measured.value("figure 1: misses of LRU", figure.lru_misses as f64);

    for (name, way) in [("Seer", Way::Seer), ("gaps only", Way::GapsOnly), ("control packets only", Way::BatchesOnly)] {
        let figure = figure_3(way)?;
        let value = |measured: &mut Measured, what: &str, count: usize| {
            measured.value(format!("figure 3: {name}: {what}"), count as f64);
        };
        let ahead = figure.packets_until_control().filter(|_| figure.port.waiting() > 0);
        let control_packets = figure.port.counts().control_packets + u64::from(ahead.is_some());
        measured.value(format!("figure 3: {name}: control packets"), control_packets as f64);
        value(measured, "packet times", figure.moments.len());
        value(measured, "packets told of", figure.known());
        value(measured, "packets to wait for", ahead.unwrap_or(0));
        for (moment, which) in figure.moments.iter().zip(["T1", "T2"]) {
            value(measured, &format!("in the gap at {which}"), moment.gap.len());
            value(measured, &format!("in the control packet at {which}"), moment.control.len());
        }
    }

    let figure = figure_4()?;
    for (when, arrivals) in [("before", figure.before), ("after", figure.after)] {
        for (packet, arrival) in (1..).zip(arrivals) {
            if let Some(arrival) = arrival {
                measured.value(format!("figure 4: p{packet} {when}"), arrival as f64);
            }
        }
    }
    measured.value("figure 4: packets at another time", figure.mistimed as f64);
    Ok(())
}
