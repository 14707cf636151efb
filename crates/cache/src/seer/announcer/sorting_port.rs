//! A port that sorts packets by rank, and may push out the last one: its notifications, and corrections of earlier ones.
//!
//! A rank is a class of its own: packets of one rank are served in the order of arrival, and a packet goes before all of
//! higher rank. So the paper's statements on classes hold (section 3.1): the notification of a packet that overtakes others
//! also tells the receiver how much later these arrive. Three events, which the paper's ports do not know, make earlier
//! notifications wrong, and each makes a correction:
//!
//! - A packet without state goes before one whose notification was sent. It has a notification without a name, which waits
//!   in its place among the others ([`Says::Overtakes`]).
//! - A packet leaves before its notification, and before one whose notification was sent ([`Says::Later`]). All packets
//!   whose notifications were sent then wait. Theirs were sent before that packet arrived, since notifications leave in the
//!   order of the packets. That happens only if gaps carry none.
//! - A packet whose notification was sent is pushed out ([`Says::Cancelled`]). It is the last of all that wait.
//!
//! The receiver must not apply a correction to a later notification. So one of the second kind goes before all
//! notifications, and one of the third before the next with the same id. Corrections take room as notifications do.
//!
//! A call costs O(ranks that wait).

use super::{Announcer, AnnouncerSpec, Class, Waiting};
use crate::seer::{Fpm, Says};
use forebay_core::{Duration, ParamError};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;

/// The packets of a port that sorts.
#[derive(Debug, Clone, Default)]
pub(super) struct Sorted {
    ranks: BTreeMap<u64, Rank>,
    /// To be sent first.
    corrections: VecDeque<Fpm>,
    /// Packets that wait and whose notifications were sent with their ids.
    expected: usize,
}

/// The packets of one rank.
#[derive(Debug, Clone, Default)]
struct Rank {
    class: Class,
    expected: usize,
}

impl Sorted {
    /// Those that wait to be sent before all else.
    pub(super) fn corrections(&self) -> usize {
        self.corrections.len()
    }

    /// Removes all corrections that wait, and gives their number.
    pub(super) fn withdraw(&mut self) -> u64 {
        self.corrections.drain(..).count() as u64
    }

    /// Takes FPMs, those of lower ranks first. Packets that left without a notification go before all, and a cancellation
    /// before the next FPM with its id; other cancellations take the room that is left. Returns how many.
    pub(super) fn take(&mut self, waiting: &mut usize, at_most: usize, out: &mut impl FnMut(Fpm)) -> u64 {
        let Self { ranks, corrections, expected } = self;
        let mut wanted = at_most;
        while wanted > 0
            && let Some(at) = corrections.iter().position(|correction| correction.says == Says::Later)
        {
            corrections.remove(at).into_iter().for_each(&mut *out);
            wanted -= 1;
        }
        let mut before = Duration::ZERO;
        for rank in ranks.values_mut() {
            if wanted == 0 || *waiting == 0 {
                break;
            }
            while wanted > 0
                && let Some(next) = rank.class.first_untold()
            {
                wanted -= 1;
                let cancels = |correction: &Fpm| next.is_named && correction.id == next.id;
                if let Some(at) = corrections.iter().position(cancels) {
                    corrections.remove(at).into_iter().for_each(&mut *out);
                    continue;
                }
                let is_expected = usize::from(next.is_named);
                let Some(fpm) = rank.class.take() else { break };
                rank.expected += is_expected;
                *expected += is_expected;
                *waiting -= 1;
                out(Fpm { delay: before + fpm.delay, ..fpm });
            }
            before = before + rank.class.backlog();
        }
        let cancelled = corrections.len().min(wanted);
        corrections.drain(..cancelled).for_each(&mut *out);
        (at_most - wanted + cancelled) as u64
    }

    /// Whether a packet whose notification was sent waits behind those of a rank.
    fn expects_behind(&self, rank: u64) -> bool {
        let behind = || self.ranks.range((Bound::Excluded(rank), Bound::Unbounded));
        self.expected > 0 && behind().any(|(_, rank)| rank.expected > 0)
    }

    /// Whether the receiver expects a packet with this id that waits, or has been pushed out.
    fn is_ambiguous(&self, id: u64) -> bool {
        let told = |rank: &Rank| rank.class.packets.iter().take(rank.class.told).any(|packet| packet.names(id));
        let cancels = |correction: &Fpm| correction.says == Says::Cancelled && correction.id == id;
        self.corrections.iter().any(cancels) || self.ranks.values().any(|rank| rank.expected > 0 && told(rank))
    }
}

impl Waiting {
    fn names(&self, id: u64) -> bool {
        self.has_fpm && self.is_named && self.id == id
    }
}

impl Announcer {
    /// A port that sorts packets by rank, with nothing in it; it has no classes.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn sorted(spec: AnnouncerSpec) -> Result<Self, ParamError> {
        Ok(Self { sorted: Some(Box::default()), ..Self::new(spec)? })
    }

    /// A packet of `size_bytes`, which is above 0, entered behind all of its rank and of lower ones. Without an id it looks
    /// up no state at the other node.
    ///
    /// # Panics
    /// If the port does not sort.
    pub fn entered(&mut self, rank: u64, id: Option<u64>, size_bytes: u32) {
        let has_room = self.has_room();
        let lasts = self.transmission.of(size_bytes);
        let sorted = self.sorted.as_mut().expect("the port sorts");
        let corrects = id.is_none() && sorted.expects_behind(rank);
        let is_told = id.is_some() || corrects;
        let class = &mut sorted.ranks.entry(rank).or_default().class;
        class.came = class.came + lasts;
        let (has_fpm, is_named) = (is_told && has_room, id.is_some());
        class.packets.push_back(Waiting { tail: class.came, id: id.unwrap_or(0), size_bytes, has_fpm, is_named });
        self.counts.made += u64::from(is_told);
        self.counts.corrections += u64::from(corrects);
        self.counts.dropped_full += u64::from(is_told && !has_room);
        self.waiting += usize::from(has_fpm);
        self.counts.max_waiting = self.counts.max_waiting.max(self.waiting());
    }

    /// The transmission of the first packet begins.
    pub(super) fn first_left(&mut self) {
        let Some(sorted) = &mut self.sorted else { return };
        let Some(mut entry) = sorted.ranks.first_entry() else { return };
        let rank = entry.get_mut();
        let Some(left) = rank.class.packets.pop_front() else { return };
        rank.class.left = left.tail;
        let was_told = rank.class.told > 0;
        if was_told {
            rank.class.told -= 1;
            if left.has_fpm && left.is_named {
                rank.expected -= 1;
                sorted.expected -= 1;
            }
        }
        if rank.class.packets.is_empty() {
            entry.remove();
        }
        let is_late = |correction: &Fpm| correction.says == Says::Later;
        if was_told || !left.has_fpm {
            // It arrives later than its notification said, if that is still to be corrected.
            let is_late = was_told && left.is_named && sorted.corrections.iter().any(is_late);
            self.counts.uncorrected += u64::from(is_late);
            return;
        }
        self.waiting -= 1;
        self.counts.stale += 1;
        // It may be taken for another one that looks up the same state.
        self.counts.uncorrected += u64::from(left.is_named && sorted.is_ambiguous(left.id));
        if sorted.expected > 0 {
            self.correct(Fpm { says: Says::Later, ..Fpm::of(0, left.size_bytes, Duration::ZERO) });
        }
    }

    /// The last packet was pushed out.
    pub fn pushed_out(&mut self) {
        let Some(sorted) = &mut self.sorted else { return };
        let Some(mut entry) = sorted.ranks.last_entry() else { return };
        let rank = entry.get_mut();
        let class = &mut rank.class;
        let Some(victim) = class.packets.pop_back() else { return };
        class.came = class.packets.back().map_or(class.left, |packet| packet.tail);
        let was_told = class.told > class.packets.len();
        class.told = class.told.min(class.packets.len());
        let is_expected = was_told && victim.has_fpm && victim.is_named;
        rank.expected -= usize::from(is_expected);
        sorted.expected -= usize::from(is_expected);
        if rank.class.packets.is_empty() {
            entry.remove();
        }
        if is_expected {
            self.correct(Fpm { says: Says::Cancelled, ..Fpm::of(victim.id, victim.size_bytes, Duration::ZERO) });
        } else if !was_told && victim.has_fpm {
            self.waiting -= 1;
            self.counts.stale += 1;
        }
    }

    /// Adds a correction of notifications that were sent.
    fn correct(&mut self, correction: Fpm) {
        self.counts.made += 1;
        self.counts.corrections += 1;
        if !self.has_room() {
            self.counts.dropped_full += 1;
            return;
        }
        if let Some(sorted) = &mut self.sorted {
            sorted.corrections.push_back(correction);
        }
        self.counts.max_waiting = self.counts.max_waiting.max(self.waiting());
    }

    /// The link is idle, and no packet waits: adds to `out` the corrections that do.
    pub fn corrections(&mut self, out: &mut impl Extend<Fpm>) {
        if let Some(sorted) = &mut self.sorted {
            self.counts.sent_idle += sorted.corrections.len() as u64;
            out.extend(sorted.corrections.drain(..));
        }
    }

    /// Whether corrections wait.
    #[must_use]
    pub fn has_corrections(&self) -> bool {
        self.sorted.as_ref().is_some_and(|sorted| !sorted.corrections.is_empty())
    }
}
