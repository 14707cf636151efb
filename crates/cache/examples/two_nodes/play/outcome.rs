//! The outcome of each packet at a target, and the differences between two targets.

use forebay_cache::Whereabouts;
use forebay_cache::seer::clocked::{Event, What};
use std::collections::HashMap;
use std::fmt;

/// All that is compared.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PlayOutcome {
    /// Of each packet, in their order.
    came: Vec<(u64, Whereabouts)>,
    /// Of each prefetch, known by its id and how many packets of that had come: what left for it.
    prefetches: HashMap<(u64, u64), Option<u64>>,
    /// Prefetches of what had been prefetched for the same packet.
    again: u64,
}

impl PlayOutcome {
    /// Of what happened, with other names for ids.
    pub(crate) fn of(events: &[Event], name: impl Fn(u64) -> u64) -> Self {
        let (mut came, mut prefetches, mut again) = (Vec::new(), HashMap::new(), 0);
        let mut packets: HashMap<u64, u64> = HashMap::new();
        for event in events {
            match event.what {
                What::Came { id, found } => {
                    let id = name(id);
                    came.push((id, found));
                    *packets.entry(id).or_default() += 1;
                }
                What::Fetched { id, evicted } => {
                    let id = name(id);
                    let packet = packets.get(&id).copied().unwrap_or(0);
                    again += u64::from(prefetches.insert((id, packet), evicted.map(&name)).is_some());
                }
                _ => {}
            }
        }
        Self { came, prefetches, again }
    }

    fn count(&self, of: Whereabouts) -> usize {
        self.came.iter().filter(|(_, found)| *found == of).count()
    }

    pub(crate) fn misses(&self) -> usize {
        self.count(Whereabouts::Away)
    }
}

impl fmt::Display for PlayOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} packets, {} hits, {} delayed hits, {} misses, {} prefetches",
            self.came.len(),
            self.count(Whereabouts::Here),
            self.count(Whereabouts::OnItsWay),
            self.misses(),
            self.prefetches.len() as u64 + self.again
        )
    }
}

/// How many packets and prefetches differ.
pub(crate) fn differing(one: &PlayOutcome, other: &PlayOutcome) -> String {
    let packets = one.came.iter().zip(&other.came).filter(|(one, other)| one != other).count();
    let missing = |one: &PlayOutcome, other: &PlayOutcome| {
        one.prefetches.iter().filter(|(prefetch, evicted)| other.prefetches.get(prefetch) != Some(evicted)).count()
    };
    format!("{packets} packets, {} prefetches of the one and {} of the other", missing(one, other), missing(other, one))
}
