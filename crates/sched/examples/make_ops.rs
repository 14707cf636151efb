//! Writes the random op streams of `testdata/ops` again: random operations,
//! answered by the reference. The seed is fixed, so the files only change when the
//! generator does.

use forebay_core::Seed;
use forebay_core::ops::{Answer, Op, OpTarget};
use forebay_sched::queues::Reference;
use rand::RngExt;
use std::fmt::Write as _;

const CAPACITY: usize = 40;
const RANKS: u64 = 300;
const OPERATIONS: usize = 2_000;

/// The chances, out of 100, of push and pop; the rest is for the last two kinds.
struct Mix {
    name: &'static str,
    push: u32,
    pop: u32,
    pop_max: u32,
}

const MIXES: [Mix; 3] = [
    Mix { name: "random-pop", push: 52, pop: 48, pop_max: 0 },
    Mix { name: "random-both-ends", push: 52, pop: 24, pop_max: 24 },
    Mix { name: "random-remove", push: 52, pop: 24, pop_max: 10 },
];

fn main() -> std::io::Result<()> {
    for mix in MIXES {
        let path = format!("{}/../../testdata/ops/{}.ops", env!("CARGO_MANIFEST_DIR"), mix.name);
        std::fs::write(path, make(&mix))?;
    }
    Ok(())
}

fn make(mix: &Mix) -> String {
    let mut rng = Seed(1).stream(mix.name);
    let mut reference = Reference::new(CAPACITY, RANKS);
    let mut text = format!(
        "# {OPERATIONS} random operations, answered by the reference; written by the example make_ops.\n\
         capacity {CAPACITY}\nranks {RANKS}\n"
    );
    let mut next_item = 0;
    for _ in 0..OPERATIONS {
        let op = match rng.random_range(0..100) {
            n if n < mix.push => {
                next_item += 1;
                Op::Push { rank: rng.random_range(0..RANKS), item: next_item }
            }
            n if n < mix.push + mix.pop => Op::Pop,
            n if n < mix.push + mix.pop + mix.pop_max => Op::PopMax,
            _ => Op::Remove { item: rng.random_range(next_item.saturating_sub(CAPACITY as u64)..=next_item) },
        };
        let answer = reference.apply(op).expect("the reference has every operation");
        // A removal names its item already, so its answer is the rank alone.
        let line = match (op, answer) {
            (Op::Remove { .. }, Answer::Item { rank, .. }) => format!("{op} -> {rank}"),
            _ => format!("{op} -> {answer}"),
        };
        writeln!(text, "{line}").expect("writing to a string cannot fail");
    }
    text
}
