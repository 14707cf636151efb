//! Every exact rank queue beside the reference: the first byte chooses the queue, so that a new queue is fuzzed at once.
//!
//! The next bytes choose capacity, ranks and parameters, the rest are operations: a byte for the kind and the bytes that it needs.

use super::FuzzTarget;
use forebay_core::ops::{Answer, Op};
use forebay_core::params::ParamValue;
use forebay_core::{Exactness, Params, Time};
use forebay_sched::queues::replay::{Replayed, SideBySide};
use forebay_sched::queues::{QUEUES, QueueEntry, QueueSize};

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "rank_queues",
    title: "Every exact rank queue answers as the reference does",
    seeds: Vec::new,
    run: compare,
    quick: 200_000,
};

/// Ranks of a bounded queue: around the borders of 64-bit words and of their
/// parents.
const RANKS: [u64; 8] = [1, 2, 63, 64, 65, 500, 4_096, 4_200];

/// Bytes, read from the front.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn next_u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes([self.next()?, self.next()?, 0, 0, 0, 0, 0, 0]))
    }
}

/// How a rank is made of two bytes.
enum Spread {
    /// As they are, wrapped below this: many equal ranks.
    Below(u64),
    /// In the highest bits.
    High,
    /// Down from the highest rank of all.
    FromTop,
    /// Up to this far above the highest rank served: within a window that moves on.
    Ahead(u64),
}

fn compare(data: &[u8]) {
    let exact: Vec<&QueueEntry> = QUEUES
        .iter()
        .filter(|entry| matches!(entry.about.exactness, Exactness::Exact | Exactness::ExactWithinWindow))
        .collect();
    let mut bytes = Bytes(data);
    // Too short to say anything is not an error.
    let Some(queue) = bytes.next() else { return };
    let _end = run(exact[usize::from(queue) % exact.len()], &mut bytes);
}

/// `None` when the bytes have come to their end.
fn run(entry: &QueueEntry, bytes: &mut Bytes<'_>) -> Option<()> {
    let capacity = usize::from(bytes.next()?);
    let shape = bytes.next()?;
    let ranks = RANKS[usize::from(shape % 8)];
    // Bitmaps of 64 bits, the fast ones, every fourth time.
    let width = [64, 2, 5, 63][usize::from(shape / 8 % 4)];
    let in_window = entry.about.exactness == Exactness::ExactWithinWindow;
    // A window has two halves.
    let ranks = if in_window { ranks.max(2) } else { ranks };
    let given = [("ranks", ranks), ("width", width), ("order", 2 + u64::from(shape / 8 % 4))]
        .into_iter()
        .filter(|(param, _)| entry.about.params.iter().any(|spec| spec.name == *param))
        .map(|(param, value)| (param.to_owned(), ParamValue::Integer(value.cast_signed())))
        .collect();
    let params = Params::check(entry.about.params, given).expect("the parameters are in range");
    let queue = (entry.build)(QueueSize { packets: capacity }, &params).expect("a small queue can be built");
    let any_rank = queue.as_rank_queue().max_rank() == u64::MAX;
    let spread = match shape / 32 % 4 {
        _ if in_window => Spread::Ahead(ranks.div_ceil(2)),
        0 if any_rank => Spread::High,
        1 if any_rank => Spread::FromTop,
        // A few ranks above the range as well.
        _ => Spread::Below(ranks + 3),
    };
    let queue = if shape < 128 { Replayed::new(queue) } else { Replayed::without_removal(queue) };
    let mut both = SideBySide::new(queue);
    let mut items = 0_u64;
    let mut highest_served = 0;
    loop {
        let kind = bytes.next()?;
        let op = match kind % 8 {
            0..3 => {
                let number = bytes.next_u64()?;
                let rank = match spread {
                    Spread::Below(ranks) => number % ranks,
                    Spread::High => number << 48,
                    Spread::FromTop => u64::MAX - number,
                    Spread::Ahead(span) => highest_served + number % span,
                };
                items += 1;
                match kind / 8 % 4 {
                    0 => Op::PushAt { rank, item: items, eligible_at: time(bytes.next()?) },
                    _ => Op::Push { rank, item: items },
                }
            }
            3 => Op::Pop,
            4 => Op::PopMax,
            5 => Op::Remove { item: items.saturating_sub(bytes.next()?.into()) },
            6 => Op::PopEligible(time(bytes.next()?)),
            _ => [Op::Peek, Op::NextEligible][usize::from(kind / 8 % 2)],
        };
        let answer = both.apply(op).unwrap_or_else(|difference| panic!("{}: {difference}", entry.about.name));
        if let (Op::Pop, Some(Answer::Item { rank, .. })) = (op, answer) {
            highest_served = highest_served.max(rank);
        }
    }
}

fn time(byte: u8) -> Time {
    if byte == u8::MAX { Time::MAX } else { Time::from_ps(byte.into()) }
}
