//! How large the optimum's flow problem is, as first written and with merged intervals (thesis 2.4.1 and 2.4.3), and how many prices
//! forebay's bound needs. The capacity plays no part. Names of values begin like `cdn: `, after the trace. They begin like `network, Z =
//! 10: ` where fetches are shorter than the gap between two packets of a train, and like `cdn, each tenth object: ` for the requests for a
//! tenth of its objects.

use super::caches::load;
use super::{Experiment, MeasureEntry, Measured};
use forebay::Observer;
use forebay::error::{Result, UserError};
use forebay_cache::belatedly::Problem;
use forebay_core::{About, Exactness, Request, Seed};
use std::collections::{BTreeMap, HashMap};

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "cache-formulations",
        title: "Number of variables of the optimum's flow problem, as first written and with merged intervals",
        exactness: Exactness::NotApplicable,
        hardware: "the trace orm-busy; without it its rows are skipped",
        cost: "the first requests of each trace, once",
        source: "Atre, thesis, sections 2.4.1, 2.4.3 and 2.4.5, Figure 2.14",
        params: &[],
    },
    run,
    missing: || None,
};

/// Traces, and where they are.
const TRACES: [(&str, &str); 4] = [
    ("network", "../network.toml"),
    ("cdn", "../cdn.toml"),
    ("storage", "../storage.toml"),
    ("orm-busy", "traces/orm-busy.trace.xz"),
];
/// As many as the thesis took.
const REQUESTS: u64 = 250_000;
/// In slots.
const LATENCY: u64 = 1_000;
/// In slots: shorter than the gap of 40 within a window of `network`.
const SHORT_LATENCY: u64 = 10;

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    for (name, trace) in TRACES {
        if let Some(why) = experiment.missing_trace(trace) {
            measured.skipped.push((name.to_owned(), why));
            continue;
        }
        let workload = load(experiment, trace, REQUESTS, seed, observer)?;
        let (requests, objects) = (&workload.requests, workload.statistics.objects);
        add(&mut measured, name, requests, objects, LATENCY)?;
        add(&mut measured, &format!("{name}, Z = {SHORT_LATENCY}"), requests, objects, SHORT_LATENCY)?;
        let (some, objects) = each_tenth_object(requests);
        add(&mut measured, &format!("{name}, each tenth object"), &some, objects, LATENCY)?;
    }
    Ok(measured)
}

/// The requests for the first, the eleventh, ... object, in the order of their first requests, and how many objects these are.
fn each_tenth_object(requests: &[Request]) -> (Vec<Request>, u64) {
    let mut numbers = HashMap::new();
    let mut is_chosen = |request: &&Request| {
        let next = numbers.len() as u64;
        (*numbers.entry(request.key).or_insert(next)).is_multiple_of(10)
    };
    let some = requests.iter().filter(&mut is_chosen).copied().collect();
    (some, (numbers.len() as u64).div_ceil(10))
}

fn add(measured: &mut Measured, trace: &str, requests: &[Request], objects: u64, latency: u64) -> Result<()> {
    let name = |what: &str| format!("{trace}: {what}");
    let merged = Merged::count(requests, latency);
    let problem = Problem::new(requests, 1, latency).map_err(|error| UserError::at(trace, error.to_string()))?;
    let (requests, objects) = (requests.len() as f64, objects as f64);
    // Every object, at every time: it stays, or it leaves; and every request: it is fetched.
    let naive = 2.0 * requests * objects + requests;
    let variables = merged.intervals as f64 + merged.ends as f64;
    measured.value(name("variables of the naive formulation"), naive);
    measured.value(name("naive variables per request and object"), naive / (requests * objects));
    measured.value(name("intervals per request"), merged.intervals as f64 / requests);
    measured.value(name("variables of the merged formulation"), variables);
    measured.value(name("merged variables per request"), variables / requests);
    measured.value(name("orders of magnitude fewer"), (naive / variables).log10());
    measured.value(name("prices of the dual per request"), problem.checkpoints() as f64 / requests);
    Ok(())
}

/// Counts of the formulation without nodes of the backing store.
#[derive(Debug, Default, PartialEq, Eq)]
struct Merged {
    /// A variable each: whether an object stays from one time at which it could enter or
    /// leave to the next.
    intervals: u64,
    /// A variable each: whether it leaves there, to be fetched at its next request.
    ends: u64,
}

impl Merged {
    fn count(requests: &[Request], latency: u64) -> Self {
        let mut times: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for request in requests {
            times.entry(request.key).or_default().push(request.time);
        }
        let mut merged = Self::default();
        let mut nodes = Vec::new();
        for times in times.values() {
            let (first, last) = (times[0], times[times.len() - 1]);
            let entered = first.saturating_add(latency);
            nodes.clear();
            // It may enter when a fetch ends, and leave after a request that it could serve.
            nodes.extend(times.iter().map(|time| time.saturating_add(latency)).filter(|&time| time <= last));
            nodes.extend(times.iter().copied().filter(|&time| time >= entered));
            nodes.sort_unstable();
            nodes.dedup();
            merged.intervals += nodes.len().saturating_sub(1) as u64;
            merged.ends += nodes.iter().filter(|&&node| node < last).count() as u64;
        }
        merged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The thesis' figure 2.11: requests at 0, 4 and 6 with fetches of 3 slots. Entered at 3
    /// and 7, leaving is worth while after 4 and 6; after 6 nobody asks any more.
    #[test]
    fn intervals_lie_between_entering_and_uses() {
        let request = |time| Request { time, key: 1, size: 1 };
        assert_eq!(Merged::count(&[0, 4, 6].map(request), 3), Merged { intervals: 2, ends: 2 });
        assert_eq!(Merged::count(&[0, 1, 2].map(request), 3), Merged::default());
        assert_eq!(Merged::count(&[request(5)], 3), Merged::default());
    }

    #[test]
    fn a_tenth_of_the_objects_keeps_all_of_its_requests() {
        let requests: Vec<Request> = (0..60).map(|time| Request { time, key: 7 * (time % 20), size: 1 }).collect();
        let (some, objects) = each_tenth_object(&requests);
        assert_eq!((some.len(), objects), (6, 2));
        assert!(some.iter().all(|request| request.key == 0 || request.key == 70));
    }
}
