//! Theorem 2 of OpenQueue: a queue that sends the most valuable packet first (PQ_1) against queues that send in the order of
//! arrival, on two inputs that begin alike. The second goes on with `B` packets of value 2.
//!
//! Values are called like `pq-1: B = 8: first input`: the total value of what is sent, one packet in each slot.

use super::{Experiment, MeasureEntry, Measured};
use crate::policy::{engine, packets, policy};
use forebay::Observer;
use forebay::error::Result;
use forebay::output::csv;
use forebay_core::{About, Exactness, Seed};
use forebay_engine::slotted::random::{Kinds, Shape, bursty};
use forebay_engine::slotted::{Arrival, Input, Service, fifo_processing, run as transmit, weighted};
use forebay_lang::ir::PortId;

pub(crate) const ENTRY: MeasureEntry = MeasureEntry {
    about: About {
        name: "two-futures",
        title: "Competitive value of queues on two inputs that begin alike",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "two inputs for each policy",
        source: "OpenQueue, ToN 2020, Theorem 2",
        params: &[],
    },
    run,
    missing: || None,
};

const PORT: PortId = PortId(0);
const POLICIES: [&str; 4] = ["pq-1", "fifo-tail-drop", "fifo-push-out", "fifo-choosy"];
const BUFFERS: [u32; 3] = [2, 4, 8];
/// Random inputs on which PQ_1 is held against the optimum.
const INPUTS: usize = 1_000;

fn run(experiment: &Experiment, seed: Seed, _: &dyn Observer) -> Result<Measured> {
    let mut measured = Measured::default();
    let mut rows = Vec::new();
    for buffer in BUFFERS {
        let room = buffer as usize;
        let value = |name: &str, input: &Input| -> Result<u64> {
            let policy = policy(experiment, name, &vec![packets("B", room)])?;
            Ok(transmit(&mut engine(&policy, seed), PORT, input, Service::Packet).value)
        };
        let common = vec![Arrival::of_value(1), Arrival::of_value(2)];
        let burst = vec![Arrival::of_value(2); room];
        let first = Input { slots: vec![common.clone()] };
        let second = Input { slots: vec![common.clone(), burst.clone()] };
        for name in POLICIES {
            let totals = (value(name, &first)?, value(name, &second)?);
            measured.value(format!("{name}: B = {buffer}: first input"), totals.0 as f64);
            measured.value(format!("{name}: B = {buffer}: second input"), totals.1 as f64);
            rows.push(vec![name.to_owned(), buffer.to_string(), totals.0.to_string(), totals.1.to_string()]);
        }
        let best = [value("pq-1", &first)?, value("pq-1", &second)?];
        let choices = fifo_processing::choices(&common, &[&[], &[burst]], room);
        let reaches = |totals: &&Vec<u64>| totals.iter().zip(best).all(|(total, best)| *total >= best);
        measured.value(format!("FIFO choices: B = {buffer}"), choices.len() as f64);
        measured.value(
            format!("FIFO choices as good on both: B = {buffer}"),
            choices.iter().filter(reaches).count() as f64,
        );
        let most = |future: usize| choices.iter().map(|totals| totals[future]).max().unwrap_or_default();
        measured.value(format!("best FIFO with foresight: B = {buffer}: first input"), most(0) as f64);
        measured.value(format!("best FIFO with foresight: B = {buffer}: second input"), most(1) as f64);
        let mut below = 0;
        for number in 0..INPUTS {
            let shape = Shape { slots: 40, burst: 6, kinds: Kinds::Values(9) };
            let input = bursty(shape, &mut seed.stream(&format!("two-futures/{number}")));
            below += u32::from(value("pq-1", &input)? != weighted::optimum(&input, buffer));
        }
        measured.value(format!("pq-1: B = {buffer}: random inputs below the optimum"), f64::from(below));
    }
    let header = ["policy", "B", "first_input", "second_input"];
    measured.files.push(("totals.csv".to_owned(), csv::lines(&header, rows.into_iter())));
    Ok(measured)
}
