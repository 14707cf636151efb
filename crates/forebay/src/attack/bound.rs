//! The bound that the source proves for a policy of a scenario, by the order of its rank function.

use crate::scenario::Plan;
use forebay_core::Exactness;
use forebay_core::registry::find;
use forebay_sched::queues::QUEUES;
use forebay_sched::{DROP_RULES, RANK_FNS, Serves};
use forebay_sim::attack::bounds::Terms;

/// A policy that SurgeProtector (thesis, section 3.4) analyses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Analysed {
    /// First come, first served: no bound (claim 3).
    FirstCome,
    /// Fair queueing: no bound (claim 4).
    Fair,
    /// Shortest job first: theorem 2.
    ShortestJob,
    /// Weighted shortest job first: theorem 3.
    WeightedShortestJob,
}

impl Analysed {
    /// Returns the policy that the source analyses; `None` for any other policy. The queue must keep the order, and the theorems require
    /// that the worst packet is dropped.
    pub(super) fn of(plan: &Plan) -> Option<Self> {
        let Plan::Parts(spec) = plan else { return None };
        if spec.pace.is_some() {
            return None;
        }
        match find("queue", QUEUES, &spec.queue.name).ok()?.about.exactness {
            Exactness::IgnoresRanks => return Some(Self::FirstCome),
            Exactness::Exact | Exactness::ExactWithinWindow => {}
            Exactness::Approximate | Exactness::NotApplicable => return None,
        }
        let drops_worst = find("drop rule", DROP_RULES, &spec.drop.name).ok()?.needs_pop_max;
        match find("rank function", RANK_FNS, &spec.rank.name).ok()?.serves {
            Serves::Arrivals => Some(Self::FirstCome),
            Serves::FairShares => Some(Self::Fair),
            Serves::ShortestJobs if drops_worst => Some(Self::ShortestJob),
            Serves::LeastWorkPerByte if drops_worst => Some(Self::WeightedShortestJob),
            _ => None,
        }
    }

    /// Returns whether the order of service ignores the size of jobs. If it does, the largest jobs are the best attack.
    pub(super) fn is_blind(self) -> bool {
        matches!(self, Self::FirstCome | Self::Fair)
    }

    /// Returns the largest possible displacement factor, if there is one.
    pub(super) fn bound(self, terms: &Terms) -> Option<f64> {
        match self {
            Self::FirstCome | Self::Fair => None,
            Self::ShortestJob => Some(terms.shortest_job_first()),
            Self::WeightedShortestJob => Some(terms.weighted_shortest_job_first()),
        }
    }

    /// Returns the expected displacement of a policy without a bound at an attack rate, if the attack sends the largest jobs in the
    /// smallest packets.
    pub(super) fn predicted(self, terms: &Terms, attack_bps: u64) -> Option<f64> {
        match self {
            Self::FirstCome => Some(terms.first_come_first_served(attack_bps as f64)),
            Self::Fair => Some(terms.fair_queueing(attack_bps as f64)),
            Self::ShortestJob | Self::WeightedShortestJob => None,
        }
    }
}
