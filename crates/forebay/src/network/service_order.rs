//! In which order a port serves, where it is to tell the next node when its packets will come there.

use crate::scenario::{Offered, Plan};
use forebay_core::registry::{Exactness, find};
use forebay_core::{About, ClassId, Packet, Params, Time};
use forebay_sched::queues::QUEUES;
use forebay_sched::{DROP_RULES, DisciplineSpec, RANK_FNS, RankUnit, Serves};
use std::collections::BTreeSet;

/// Queues that are served in strict priority, each first come first served. What waits is not pushed out.
#[derive(Debug, Clone)]
pub(super) struct ServiceOrder {
    /// How many queues.
    pub(super) queues: usize,
    /// For each class of packets its queue; 0 is served first.
    pub(super) queue_of_class: Box<[u8; 256]>,
}

impl ServiceOrder {
    /// Of a port that carries what is `offered`; [`None`] if what it tells would not come true.
    pub(super) fn of(plan: &Plan, offered: &Offered) -> Option<Self> {
        let Plan::Parts(spec) = plan else { return None };
        let queue: &About = find("queue", QUEUES, &spec.queue.name).ok().map(|entry| &entry.about)?;
        let rank = find("rank function", RANK_FNS, &spec.rank.name).ok()?;
        let is_exact = queue.exactness == Exactness::Exact;
        if find("drop rule", DROP_RULES, &spec.drop.name).ok()?.needs_pop_max {
            return None;
        }
        match rank.serves {
            _ if queue.exactness == Exactness::IgnoresRanks => Some(Self::first_come()),
            Serves::Arrivals if is_exact => Some(Self::first_come()),
            Serves::Classes if is_exact && spec.rank_unit == RankUnit::ONE => Self::strict(spec, &offered.classes),
            _ => None,
        }
    }

    fn first_come() -> Self {
        Self { queues: 1, queue_of_class: Box::new([0; 256]) }
    }

    /// A queue for each class that there is, in the order of their ranks.
    fn strict(spec: &DisciplineSpec, classes: &BTreeSet<u8>) -> Option<Self> {
        let entry = find("rank function", RANK_FNS, &spec.rank.name).ok()?;
        let params = Params::check(entry.about.params, spec.rank.params.clone()).ok()?;
        let mut rank = (entry.build)(Some(spec.link_rate), &params).ok()?;
        let ranked = |&class: &u8| {
            let packet = Packet { class: ClassId(class), ..Packet::default() };
            (rank.rank(Time::ZERO, &packet), class)
        };
        let mut order: Vec<(u64, u8)> = classes.iter().map(ranked).collect();
        order.sort_unstable();
        let mut queue_of_class = Box::new([0; 256]);
        for (queue, (_, class)) in (0..).zip(&order) {
            queue_of_class[usize::from(*class)] = queue;
        }
        Some(Self { queues: order.len().max(1), queue_of_class })
    }

    /// What to write where `plan` has none.
    pub(super) fn advice(plan: &Plan, state: &str) -> String {
        format!(
            "the cache of `{state}` is told what waits here and when it will come, which must be known then: take queue = \
             \"fifo\", or rank = \"arrival\" or \"strict\" on an exact queue such as \"pifo\", with drop = \"tail\", in place \
             of `{}` on `{}` with `{}`",
            plan.rank(),
            plan.queue(),
            plan.drop_rule()
        )
    }
}
