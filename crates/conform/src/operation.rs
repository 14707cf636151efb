//! Operations, and their text: one a line, as the programs of the targets read them.
//!
//! ```text
//! enqueue NOW QUEUE SIZE VALUE FLOW CLASS PROCESSING SLACK REMAINING RANK MARKS ID
//! dequeue NOW PORT
//! cycle NOW PORT
//! ```
//!
//! Times are whole nanoseconds; of MARKS bit 0 is drop eligibility, bit 1 a congestion notification.

use forebay_core::{ClassId, Duration, FlowId, Marks, Packet, QueueId, Time};
use forebay_lang::ir::PortId;
use std::fmt;

/// What is done to a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A packet arrives.
    Enqueue(Time, Packet),
    /// A port sends.
    Dequeue(Time, PortId),
    /// A port works for one cycle.
    Cycle(Time, PortId),
}

/// Why a line is no operation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: `{text}` is no operation: {wanted}")]
pub struct WrongOperation {
    /// From 1.
    pub line: usize,
    text: String,
    wanted: &'static str,
}

const WANTED: &str = "it should be `enqueue NOW QUEUE SIZE VALUE FLOW CLASS PROCESSING SLACK REMAINING RANK MARKS ID`, \
                      `dequeue NOW PORT` or `cycle NOW PORT`, in whole numbers that fit";

impl Operation {
    /// When it is done.
    #[must_use]
    pub fn time(&self) -> Time {
        match self {
            Self::Enqueue(now, _) | Self::Dequeue(now, _) | Self::Cycle(now, _) => *now,
        }
    }
}

/// The bits of MARKS.
pub(crate) fn bits(marks: Marks) -> u8 {
    u8::from(marks.eligible_to_drop()) | u8::from(marks.congested()) << 1
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let now = self.time().as_ps() / 1_000;
        match self {
            Self::Enqueue(_, packet) => write!(
                f,
                "enqueue {now} {} {} {} {} {} {} {} {} {} {} {}",
                packet.queue.0,
                packet.size_bytes,
                packet.value,
                packet.flow.0,
                packet.class.0,
                packet.processing.as_ps() / 1_000,
                packet.slack.as_ps() / 1_000,
                packet.remaining_bytes,
                packet.rank,
                bits(packet.marks),
                packet.id
            ),
            Self::Dequeue(_, port) => write!(f, "dequeue {now} {}", port.0),
            Self::Cycle(_, port) => write!(f, "cycle {now} {}", port.0),
        }
    }
}

/// Reads a text; empty lines and what is behind a `#` do not count. Times must not go back.
///
/// # Errors
/// The first line that is no operation.
pub fn read(text: &str) -> Result<Vec<Operation>, WrongOperation> {
    let mut all: Vec<Operation> = Vec::new();
    for (index, whole) in text.lines().enumerate() {
        let line = whole.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let wrong = |wanted| WrongOperation { line: index + 1, text: line.chars().take(80).collect(), wanted };
        let operation = one(line).ok_or_else(|| wrong(WANTED))?;
        if all.last().is_some_and(|before| before.time() > operation.time()) {
            return Err(wrong("its time is before that of the line above; times must not go back"));
        }
        all.push(operation);
    }
    Ok(all)
}

fn one(line: &str) -> Option<Operation> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let numbers: Vec<u64> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
    let time = |ns: u64| (ns <= u64::MAX / 1_000).then(|| Time::from_ns(ns));
    let now = time(*numbers.first()?)?;
    match (name, &numbers[1..]) {
        ("dequeue", &[port]) => Some(Operation::Dequeue(now, PortId(port.try_into().ok()?))),
        ("cycle", &[port]) => Some(Operation::Cycle(now, PortId(port.try_into().ok()?))),
        ("enqueue", &[queue, size, value, flow, class, processing, slack, remaining, rank, written, id]) => {
            let duration = |ns: u64| (ns <= u64::MAX / 1_000).then(|| Duration::from_ns(ns));
            let mut marks = Marks::default();
            if written & 1 != 0 {
                marks.set_eligible_to_drop();
            }
            if written & 2 != 0 {
                marks.set_congested();
            }
            let packet = Packet {
                arrival: now,
                id,
                rank,
                remaining_bytes: remaining,
                processing: duration(processing)?,
                slack: duration(slack)?,
                size_bytes: size.try_into().ok().filter(|size| (1..=Packet::MAX_BYTES).contains(size))?,
                value: value.try_into().ok()?,
                flow: FlowId(flow.try_into().ok()?),
                queue: QueueId(queue.try_into().ok()?),
                class: ClassId(class.try_into().ok()?),
                marks,
            };
            (written < 4).then_some(Operation::Enqueue(now, packet))
        }
        _ => None,
    }
}
