//! Competitive ratios of OpenQueue policies (Tables I and II): the packets that a policy transmits of an input that is bad for it, beside
//! the best possible. The same is measured for random inputs.
//!
//! Values are called like `crr: all queues, k = 64, B = 8: ratio`, or `… per round` for inputs made of rounds: what
//! more rounds add to the optimum, over what they add to the policy. That is what the ratio comes to in the end. `… per round, of
//! k / ln k` is that divided by k / ln k.

mod random;
mod separate_queues;
mod single_queue;

use super::{Experiment, MeasureEntry, Measured};
use crate::policy::{engine, packets, plain, policy};
use forebay::Observer;
use forebay::error::Result;
use forebay::output::csv;
use forebay_core::{About, Exactness, Seed};
use forebay_engine::slotted::search::Compared;
use forebay_engine::slotted::{Input, Service, run as transmit};
use forebay_lang::Policy;
use forebay_lang::ir::PortId;
use rayon::prelude::*;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "competitive",
        title: "Competitive ratios of OpenQueue policies on inputs that are bad for them",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "a run of each policy and its optimum for each input",
        source: "OpenQueue, ToN 2020, Tables I and II",
        params: &[],
    },
    run,
    missing: || None,
};

/// The port of all these policies.
const PORT: PortId = PortId(0);

type Function<A, B> = Box<dyn Fn(A) -> B + Send + Sync>;

/// A policy and an input on which it does badly.
struct Case {
    /// The policy's file, without `.oq`.
    policy: &'static str,
    /// The name of the input.
    input: &'static str,
    size: Size,
    /// Makes the input, with a number of rounds if it consists of rounds.
    make: Function<usize, Input>,
    /// The number of rounds, which is compared with twice as many; 0 if there are none.
    rounds: usize,
    /// Returns the best possible total.
    optimum: Function<Input, u64>,
}

/// The parameters of an input.
#[derive(Debug, Clone, Copy)]
struct Size {
    /// The most cycles of a packet.
    k: u32,
    /// The capacity of a queue in packets.
    buffer: usize,
    /// Whether there are `k` queues, or one.
    separate: bool,
}

impl Size {
    /// Returns the policy of this size. `tailDrop` as printed in Listing 2 leaves one slot of `B` unused, so `B` is one more than the
    /// capacity of a queue.
    fn policy(self, experiment: &Experiment, name: &str) -> Result<Policy> {
        let mut params = vec![packets("B", self.buffer + 1)];
        if self.separate {
            params.push(plain("k", self.k));
        }
        policy(experiment, name, &params)
    }
}

fn run(experiment: &Experiment, seed: Seed, observer: &dyn Observer) -> Result<Measured> {
    let mut cases = single_queue::cases();
    cases.extend(separate_queues::cases());
    cases.retain(|case| has(experiment, case.policy));
    let results = cases.par_iter().map(|case| measure(experiment, case, seed, observer)).collect::<Result<Vec<_>>>()?;
    let mut measured = Measured::default();
    let mut rows = Vec::new();
    for (case, (compared, per_round)) in cases.iter().zip(results) {
        let Size { k, buffer, .. } = case.size;
        let name = format!("{}: {}, k = {k}, B = {buffer}", case.policy, case.input);
        measured.value(format!("{name}: ratio"), compared.ratio());
        if let Some(per_round) = per_round {
            measured.value(format!("{name}: per round"), per_round);
            measured.value(format!("{name}: per round, of k / ln k"), per_round * f64::from(k).ln() / f64::from(k));
        }
        rows.push(vec![
            case.policy.to_owned(),
            case.input.to_owned(),
            k.to_string(),
            buffer.to_string(),
            compared.optimum.to_string(),
            compared.policy.to_string(),
            compared.ratio().to_string(),
            per_round.map_or_else(String::new, |ratio| ratio.to_string()),
        ]);
    }
    let header = ["policy", "input", "k", "B", "optimum", "transmitted", "ratio", "ratio_per_round"];
    measured.files.push(("ratios.csv".to_owned(), csv::lines(&header, rows.into_iter())));
    random::measure(experiment, seed, &mut measured, observer)?;
    Ok(measured)
}

/// Whether the experiment has this policy.
fn has(experiment: &Experiment, policy: &str) -> bool {
    experiment.file(&format!("{policy}.oq")).is_ok()
}

/// Returns the results of the input, and of more rounds of it.
fn measure(
    experiment: &Experiment,
    case: &Case,
    seed: Seed,
    observer: &dyn Observer,
) -> Result<(Compared, Option<f64>)> {
    let policy = case.size.policy(experiment, case.policy)?;
    let compared = |rounds| {
        let input = (case.make)(rounds);
        let transmitted = transmitted(&policy, &input, 1, seed);
        Compared { optimum: (case.optimum)(input), policy: transmitted }
    };
    if case.rounds == 0 || !observer.goes_on() {
        return Ok((compared(0), None));
    }
    let (few, many) = (compared(case.rounds), compared(2 * case.rounds));
    let more = Compared { optimum: many.optimum - few.optimum, policy: many.policy - few.policy };
    Ok((many, Some(more.ratio())))
}

/// Returns the number of packets of the input that the policy transmits with `cycles` cycles in a slot.
fn transmitted(policy: &Policy, input: &Input, cycles: u32, seed: Seed) -> u64 {
    transmit(&mut engine(policy, seed), PORT, input, Service::Cycles(cycles)).transmitted
}
