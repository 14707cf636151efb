//! Jobs without flows: one rank each, on a hierarchical find-first-set queue. Its cost per operation is constant for any input of an
//! attacker (thesis 3.5.4).

use super::{Admission, Limits, Waiting};
use crate::error::Reason;
use crate::policy::{Policy, RANKS};
use forebay_sched::queues::bitmap_tree::Levels2;
use forebay_sched::queues::queue::hffs::Hffs;
use forebay_sched::queues::{PopMax as _, RankQueue as _};

/// The jobs that wait.
pub(crate) struct JobLine<J> {
    policy: Policy,
    limits: Limits,
    bytes: u64,
    jobs: Hffs<Option<Waiting<J>>, Levels2>,
}

impl<J> JobLine<J> {
    pub(super) fn new(policy: Policy, limits: Limits) -> Self {
        Self { policy, limits, bytes: 0, jobs: Hffs::new(limits.jobs, RANKS) }
    }

    pub(super) fn len(&self) -> usize {
        self.jobs.len()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn admit(&mut self, waiting: Waiting<J>) -> Admission<J> {
        let size = waiting.facts.size_bytes;
        if size > self.limits.bytes {
            return Err((waiting, Reason::TooLarge));
        }
        let rank = self.policy.rank(waiting.facts.work, size);
        let mut victims = Vec::new();
        while !self.limits.allow(self.jobs.len() + 1, self.bytes.saturating_add(size)) {
            let worst = self.jobs.peek_max().map(|(worst, _)| worst);
            match worst.filter(|&worst| worst > rank).and_then(|_| self.jobs.pop_max()) {
                Some((rank, Some(victim))) => {
                    self.bytes -= victim.facts.size_bytes;
                    victims.push((rank, victim));
                }
                _ => {
                    self.restore(victims);
                    return Err((waiting, Reason::Worst));
                }
            }
        }
        match self.jobs.push(rank, Some(waiting)) {
            Ok(()) => {
                self.bytes += size;
                Ok(victims.into_iter().map(|(_, victim)| victim).collect())
            }
            Err(error) => {
                // There is room and the rank is in range; a job must not be lost all the same.
                debug_assert!(false, "{:?}", error.kind);
                self.restore(victims);
                error.item.map_or_else(|| Ok(Vec::new()), |waiting| Err((waiting, Reason::Worst)))
            }
        }
    }

    /// Restores jobs that were removed from the end, the last one first, so that their order does not change.
    fn restore(&mut self, victims: Vec<(u64, Waiting<J>)>) {
        for (rank, victim) in victims.into_iter().rev() {
            self.bytes += victim.facts.size_bytes;
            let back = self.jobs.push(rank, Some(victim));
            debug_assert!(back.is_ok(), "it was in before");
        }
    }

    pub(super) fn take(&mut self) -> Option<Waiting<J>> {
        let waiting = self.jobs.pop_min()?.1?;
        self.bytes -= waiting.facts.size_bytes;
        Some(waiting)
    }
}
