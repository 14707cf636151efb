//! The example of thesis 2.3.1: two objects, a cache of one, and no simple rule that is
//! always right.

use super::{Experiment, MeasureEntry, Measured};
use forebay::Observer;
use forebay::error::{Result, UserError};
use forebay_cache::toy::{BURSTY, PACED, REQUESTS, requests};
use forebay_cache::{Choice, Latency, Model, Service, Setup};
use forebay_core::{About, Exactness, Seed};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "toy",
        title: "Two objects and a cache of one, for which no simple rule is always right",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "four latencies",
        source: "Atre, thesis, chapter 2, section 2.3.1",
        params: &[],
    },
    run,
    missing: || None,
};

/// In milliseconds, which are slots.
const LATENCIES: [u64; 4] = [1, 5, 17, 22];
/// Repetitions from a cold start; their means are what the thesis prints.
const FIRST: u64 = 100;
/// A multiple of the repetitions of all cycles.
const STEADY: u64 = 12;
/// Repetitions until the cold start is over.
const WARMUP: u64 = 2;

fn run(_: &Experiment, seed: Seed, _: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    let policies = [
        ("cache bursty", format!("pin(key={BURSTY})")),
        ("cache paced", format!("pin(key={PACED})")),
        ("lru", "lru".to_owned()),
    ];
    for (name, policy) in &policies {
        let policy: Choice = policy.parse().map_err(UserError::new)?;
        for latency in LATENCIES {
            let first = total_latency(&policy, latency, 0, FIRST, seed)?;
            let steady = total_latency(&policy, latency, WARMUP, STEADY, seed)?;
            let place = format!("{name}: Z = {latency}");
            let (first_mean, requests) = (first as f64 / (FIRST * REQUESTS) as f64, STEADY * REQUESTS);
            measured.value(format!("{place}: first {FIRST} repetitions"), first_mean);
            let tenths = first * 10 / (FIRST * REQUESTS);
            measured.value(format!("{place}: first {FIRST} repetitions, cut to a tenth"), tenths as f64 / 10.0);
            measured.value(format!("{place}: steady state"), steady as f64 / requests as f64);
        }
    }
    Ok(measured)
}

fn total_latency(policy: &Choice, latency: u64, warmup: u64, repetitions: u64, seed: Seed) -> Result<u64> {
    let setup = Setup {
        model: Model::DelayedHits,
        capacity: 1,
        entries: 1,
        ways: None,
        latency: Latency::Constant(latency),
        size_change: None,
        service: Service::default(),
        warmup: warmup * REQUESTS,
        seed,
        observer: None,
    };
    let mut simulation = policy.simulation(setup).map_err(|error| UserError::new(error.message))?;
    simulation.feed(&requests(warmup + repetitions).collect::<Vec<_>>(), &[]);
    Ok(simulation.counts().total_latency)
}
