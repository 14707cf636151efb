//! The counters of the programs (`struct oq_counted`, `oq_queue` and `oq_counters` of the target).

use crate::kernel::map_values::Words;
use forebay_core::convert::saturate;
use serde::{Deserialize, Serialize};

/// The rules that drop packets, in the order of the target's rules.
pub const RULES: [&str; 5] = ["queue", "buffer", "overflow", "unclassified", "slots"];

/// The counters of a queueing discipline.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// Packets that arrived.
    pub arrived: u64,
    /// Packets that the device accepted.
    pub sent: u64,
    /// Queued packets that the policy pushed out.
    pub pushed_out: u64,
    /// Arriving packets that the policy dropped.
    pub refused: u64,
    /// Packets that arrived when the discipline had no free slot.
    pub no_place: u64,
    /// Packets for which no policy gave an answer.
    pub no_policy: u64,
    /// Packets that were queued when the device went down.
    pub emptied: u64,
    /// Packets into which a congestion notification was written.
    pub notified: u64,
    /// Queued packets, by version of the policy.
    #[serde(skip)]
    pub waiting: Vec<u32>,
    /// The value and the marks of the packet that was sent last.
    #[serde(skip)]
    pub last: (u32, u8),
    /// Whether a device has the discipline.
    #[serde(skip)]
    pub(crate) has_device: bool,
}

/// `OQ_VERSIONS` of the target.
pub(crate) const VERSIONS: usize = 256;

/// `OQ_AT_ONE` of the target.
const AT_ONE: u64 = 1;

impl Counted {
    /// The size of the counters in bytes.
    pub(crate) const SIZE: usize = 8 * 8 + VERSIONS * 4 + 2 * 4 + 8;

    pub(crate) fn read(bytes: &[u8]) -> Self {
        let mut words = Words(bytes);
        let mut next = || words.long();
        let mut counted = Self {
            arrived: next(),
            sent: next(),
            pushed_out: next(),
            refused: next(),
            no_place: next(),
            no_policy: next(),
            emptied: next(),
            notified: next(),
            waiting: Vec::new(),
            last: (0, 0),
            has_device: false,
        };
        counted.waiting = (0..VERSIONS).map(|_| words.short()).collect();
        let value = words.short();
        counted.last = (value, saturate(words.short()));
        counted.has_device = words.long() == AT_ONE;
        counted
    }

    /// Returns the number of queued packets of all versions.
    #[must_use]
    pub fn all_waiting(&self) -> u64 {
        self.waiting.iter().map(|count| u64::from(*count)).sum()
    }
}

/// The counters of a queue of a policy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueCounters {
    /// The queue's name.
    pub queue: String,
    /// Queued packets.
    pub packets: u64,
    /// Queued bytes.
    pub bytes: u64,
    /// Packets that the policy directed to this queue.
    pub arrived: u64,
    /// Packets that departed from this queue.
    pub sent: u64,
    /// Packets that were dropped on arrival or pushed out, by rule.
    pub dropped: [u64; RULES.len()],
}

/// The counters of a policy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Packets that were dropped on arrival or pushed out, by rule.
    pub dropped: [u64; RULES.len()],
    /// Packets that the policy marked.
    pub marked: u64,
    /// Packets that the policy gave a congestion notification.
    pub notified: u64,
}

impl Counters {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let mut words = Words(bytes);
        let dropped = eight(&mut words);
        Self { dropped, marked: words.long(), notified: words.long() }
    }

    /// Adds the counters of `other`.
    pub(crate) fn add(&mut self, other: &Self) {
        for (sum, more) in self.dropped.iter_mut().zip(other.dropped) {
            *sum += more;
        }
        self.marked += other.marked;
        self.notified += other.notified;
    }
}

/// The size of a queue's counters in bytes.
const QUEUE: usize = 120;

impl QueueCounters {
    /// Adds the counters of `other`.
    pub(crate) fn add(&mut self, other: &Self) {
        self.packets += other.packets;
        self.bytes += other.bytes;
        self.arrived += other.arrived;
        self.sent += other.sent;
        for (sum, more) in self.dropped.iter_mut().zip(other.dropped) {
            *sum += more;
        }
    }

    /// Reads the counters of the queues that have names.
    pub(crate) fn read(bytes: &[u8], names: &[String]) -> Vec<Self> {
        let one = |(bytes, name): (&[u8], &String)| {
            let mut words = Words(bytes);
            let held = words.long();
            let packets = words.short().into();
            // Where its list begins and ends, whether a notification waits, and its two states.
            words.skip(3 * 4 + 2 * 8);
            let (arrived, sent) = (words.long(), words.long());
            Self { queue: name.clone(), packets, bytes: held, arrived, sent, dropped: eight(&mut words) }
        };
        bytes.chunks_exact(QUEUE).zip(names).map(one).collect()
    }
}

/// Reads the counters by rule. The map has room for eight rules.
fn eight(words: &mut Words<'_>) -> [u64; RULES.len()] {
    let all: [u64; 8] = std::array::from_fn(|_| words.long());
    std::array::from_fn(|rule| all[rule])
}
