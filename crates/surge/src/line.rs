//! The jobs that wait, in the order of the policy, within their bounds.

use crate::error::Reason;
use crate::estimate::Features;
use crate::policy::{Policy, RANKS};
use forebay_queues::bitmap_tree::Levels2;
use forebay_queues::queue::hffs::Hffs;
use forebay_queues::{PopMax as _, RankQueue as _};
use std::time::Duration;

/// A job with what the scheduler knows of it.
pub(crate) struct Waiting<J> {
    pub(crate) job: J,
    pub(crate) facts: Facts,
}

/// What the scheduler knows of a job.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    pub(crate) flow: u64,
    /// At least 1.
    pub(crate) size_bytes: u64,
    /// By which it is ranked.
    pub(crate) work: Duration,
    /// What the estimator said, in the end.
    pub(crate) features: Features,
    /// What it has cost in earlier turns.
    pub(crate) spent: Duration,
    /// When it was submitted.
    pub(crate) since: Duration,
}

/// How much may wait.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) jobs: usize,
    pub(crate) bytes: u64,
}

/// What became of a job that came.
pub(crate) type Admission<J> = Result<Vec<Waiting<J>>, (Waiting<J>, Reason)>;

/// The jobs that wait.
pub(crate) struct Line<J> {
    policy: Policy,
    limits: Limits,
    bytes: u64,
    jobs: Hffs<Option<Waiting<J>>, Levels2>,
}

impl<J> Line<J> {
    pub(crate) fn new(policy: Policy, _in_order: bool, limits: Limits) -> Self {
        Self { policy, limits, bytes: 0, jobs: Hffs::new(limits.jobs, RANKS) }
    }

    pub(crate) fn len(&self) -> usize {
        self.jobs.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes a job in, and gives those that had to leave for it; or refuses it, and then all is as
    /// before. The arriving job counts as if it were in, as the last of its rank.
    pub(crate) fn admit(&mut self, waiting: Waiting<J>) -> Admission<J> {
        let size = waiting.facts.size_bytes;
        if size > self.limits.bytes {
            return Err((waiting, Reason::TooLarge));
        }
        let rank = self.policy.rank(waiting.facts.work, size);
        let mut victims = Vec::new();
        while self.jobs.len() == self.limits.jobs || self.bytes + size > self.limits.bytes {
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

    /// Puts back who left from the end, the last first, so that all stand where they stood.
    fn restore(&mut self, victims: Vec<(u64, Waiting<J>)>) {
        for (rank, victim) in victims.into_iter().rev() {
            self.bytes += victim.facts.size_bytes;
            let back = self.jobs.push(rank, Some(victim));
            debug_assert!(back.is_ok(), "it was in before");
        }
    }

    /// Takes the best job that may start.
    pub(crate) fn take(&mut self) -> Option<Waiting<J>> {
        let waiting = self.jobs.pop_min()?.1?;
        self.bytes -= waiting.facts.size_bytes;
        Some(waiting)
    }

    /// Whether there is a job that may start.
    pub(crate) fn may_start(&self) -> bool {
        self.jobs.len() > 0
    }

    /// Takes a job back that was in service.
    pub(crate) fn put_back(&mut self, waiting: Waiting<J>) -> Admission<J> {
        self.admit(waiting)
    }

    /// A job of the flow has left the service.
    pub(crate) fn release(&mut self, _flow: u64) {}

    /// Takes all jobs out.
    pub(crate) fn drain(&mut self) -> Vec<Waiting<J>> {
        std::iter::from_fn(|| self.take()).collect()
    }
}
