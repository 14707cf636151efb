//! The program in P4_16 of the target `p4`, run by an interpreter, followed by the strict-priority queues of a switch.
//!
//! A policy with one queue is served by SP-PIFO, which approximates its order: the expected departures are those of the Rust
//! SP-PIFO for the ranks of the same packets. Several queues in a fixed order are exact: the expected departures are those
//! of the reference engine.

use super::emitted::{failed, text};
use super::{Datapath, Played, Unplayed, reference};
use crate::p4model::{FrameOutcome, Queues, Switch};
use crate::{Answer, Frames, Marked, Operation, Verdict, bits};
use forebay_core::{About, BufferSize, Exactness, Packet, Time, convert};
use forebay_lang::ir::holds_at_most;
use forebay_sched::queues::RankQueue;
use forebay_sched::queues::queue::sp_pifo::SpPifo;
use forebay_targets::headers::{Field, Mapping, Metadata};
use forebay_targets::{Ranks, TargetOptions};

pub(super) const DATAPATH: Datapath = Datapath {
    about: About {
        name: "p4",
        title: "a program in P4, interpreted; with one queue, compared with the Rust SP-PIFO, since both approximate \
                the order",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "an interpreted program for each packet",
        source: "docs/targets/p4.md",
        params: &[],
    },
    holds: super::unlimited,
    expected,
    play,
};

/// A port of the switch, and the address behind it, which is that of the frames.
const PORT: (u128, u128) = (0x0200_0000_0002, 1);
/// The most bits that a rank can have.
const RANK_BITS: u8 = 63;

/// The options of the target: fields as wide as the stream needs, so that ranks lose no precision.
fn options(played: &Played<'_>) -> TargetOptions {
    let mut options = TargetOptions { mapping: played.mapping(), ..played.options() };
    options.switch.rank_bits = RANK_BITS;
    for field in Field::ALL {
        let most = played.packets().map(|(_, packet)| field.value(packet)).max().unwrap_or(0);
        if let Some(source) = options.mapping.source(field) {
            let mask = u64::MAX >> most.max(1).leading_zeros();
            options.mapping.set(field, forebay_targets::headers::Source { mask: mask & source.mask, ..source });
        }
    }
    options
}

/// Returns how many packets each queue of the switch holds, in the order of service. A size in bytes holds as many of the largest frames.
fn capacities(played: &Played<'_>, options: &TargetOptions) -> Result<Vec<usize>, Unplayed> {
    let most = |queue: &forebay_lang::ir::Queue| {
        let number = holds_at_most(&queue.congestion, queue.size);
        convert::saturate::<usize>(number)
    };
    let queues = &played.policy.queues;
    if let [queue] = &queues[..] {
        let packets = match queue.size {
            BufferSize::Packets(_) => most(queue),
            BufferSize::Bytes(_) => most(queue) / Frames::LARGEST,
        };
        let count = usize::from(options.switch.queues);
        return Ok(vec![packets.div_ceil(count).max(1); count]);
    }
    if queues.iter().any(|queue| matches!(queue.size, BufferSize::Bytes(_))) {
        return Err(Unplayed::Skipped("sizes are in bytes, and the interpreter's queues count packets".to_owned()));
    }
    let order = forebay_targets::served_in_order(played.policy);
    Ok(order.into_iter().map(|place| most(&queues[place])).collect())
}

fn play(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    played.has_frames()?;
    let options = options(played);
    let text = text("p4", played, &options, "policy.p4")?;
    let capacities = capacities(played, &options)?;
    let count = capacities.len();
    let mut queues = Queues::new(capacities);
    // The interpreter stops at what no compiler would take.
    let passes = std::thread::scope(|scope| scope.spawn(|| choices(&text, played)).join());
    let mut passes =
        passes.map_err(|_| failed("the program", &"has constructs that no compiler accepts; see above"))?.into_iter();
    let mut answers = Vec::new();
    for operation in played.operations {
        let verdict = match operation {
            Operation::Enqueue(_, packet) => match passes.next().unwrap_or(FrameOutcome::Dropped) {
                FrameOutcome::Dropped => Verdict::Refused("unclassified".to_owned()),
                FrameOutcome::Queued(queue, priority) => {
                    // A queue that cannot be counted is one that is not there.
                    let place: usize = convert::saturate(queue);
                    // The priority for v1model, which has room for eight queues.
                    if place >= count || count <= 8 && count > 1 && priority + queue + 1 != count as u128 {
                        return Err(failed("the program", &format!("queue {queue} has the priority {priority}")));
                    }
                    entered(queues.push(place, *packet))
                }
                FrameOutcome::Resubmitted(_) => return Err(failed("the program", &"needs a second pass")),
            },
            Operation::Dequeue(..) | Operation::Cycle(..) => left(queues.pop()),
            Operation::Set(..) => Verdict::Set,
            Operation::Replace(..) => Verdict::Draining,
        };
        answers.push(Answer { verdict, pushed: None });
    }
    Ok(answers)
}

/// Returns the program's choice for each packet.
fn choices(text: &str, played: &Played<'_>) -> Vec<FrameOutcome> {
    let mut switch = Switch::new(text);
    switch.forward.insert(PORT.0, Some(PORT.1));
    let arrivals = played.packets();
    arrivals.map(|(_, packet)| switch.pass(&played.frame(packet), microseconds(packet).into(), None)).collect()
}

/// Returns the arrival time of a packet, in the units of v1model.
fn microseconds(packet: &Packet) -> u64 {
    packet.arrival.as_ps() / 1_000_000
}

fn entered(has_room: bool) -> Verdict {
    if has_room { Verdict::Queued } else { Verdict::Refused("queue".to_owned()) }
}

fn left(packet: Option<Packet>) -> Verdict {
    packet.map_or(Verdict::Nothing, |Packet { id, value, marks, .. }| {
        Verdict::Sent(Marked { id, value, marks: bits(marks) })
    })
}

fn expected(played: &Played<'_>) -> Result<Vec<Answer>, Unplayed> {
    let mut answers = reference(played);
    for answer in &mut answers {
        // A switch's queue is full, by whatever rule.
        if let Verdict::Refused(rule) = &mut answer.verdict
            && rule != "unclassified"
        {
            *rule = "queue".to_owned();
        }
    }
    if played.policy.queues.len() == 1 { approximate(played, answers) } else { Ok(answers) }
}

/// Returns the answers of SP-PIFO for the packets that the engine admits.
fn approximate(played: &Played<'_>, exact: Vec<Answer>) -> Result<Vec<Answer>, Unplayed> {
    let options = options(played);
    let ranks = Ranks::new(played.policy, &options).ok_or_else(|| {
        Unplayed::Skipped("its ranks fall with time without end, and ranks in Rust do not".to_owned())
    })?;
    let capacities = capacities(played, &options)?;
    let mut queue = SpPifo::new(capacities.len(), capacities[0]);
    let answer = |(operation, exact): (&Operation, Answer)| {
        let verdict = match (operation, exact.verdict) {
            (Operation::Enqueue(..), Verdict::Refused(rule)) if rule == "unclassified" => Verdict::Refused(rule),
            (Operation::Enqueue(_, packet), _) => {
                let rank = ranks.of(&seen(played, packet, &options.mapping));
                entered(queue.push(rank, *packet).is_ok())
            }
            (Operation::Set(..), _) => Verdict::Set,
            (Operation::Replace(..), _) => Verdict::Draining,
            (Operation::Dequeue(..) | Operation::Cycle(..), _) => left(queue.pop_min().map(|(_, packet)| packet)),
        };
        Answer { verdict, pushed: Some(Vec::new()) }
    };
    Ok(played.operations.iter().zip(exact).map(answer).collect())
}

/// Returns the packet as a switch sees it.
fn seen(played: &Played<'_>, packet: &Packet, mapping: &Mapping) -> Packet {
    let read = mapping.packet(&played.frame(packet), Metadata::default());
    Packet { arrival: Time::from_ns(1_000 * microseconds(packet)), ..read }
}
