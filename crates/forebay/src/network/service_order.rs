//! The order in which a port serves packets, if it has to notify the next node of arrival times.

use super::classified::Classified;
use super::moving_bounds::MovingBounds;
use crate::scenario::{Offered, Plan};
use forebay_cache::seer::{Announcer, AnnouncerSpec};
use forebay_core::registry::{Exactness, find};
use forebay_core::{About, ClassId, Packet, ParamError, Params, Time};
use forebay_sched::queues::{QUEUES, QueueSize, RankQueue as _};
use forebay_sched::{DROP_RULES, DisciplineSpec, RANK_FNS, RankDiscipline, RankUnit, Serves};
use forebay_sim::net::{Order, RankBounds};
use std::collections::BTreeSet;

const FIXED_BOUNDS: &str = "fixed-bounds";
const SP_PIFO: &str = "sp-pifo";
const PIAS: &str = "pias";

/// FIFO queues that are served in strict priority. Waiting packets are not pushed out.
#[derive(Debug, Clone)]
pub(super) struct ServiceOrder {
    /// The number of queues.
    pub(super) queues: usize,
    rule: Rule,
}

/// Which queue a packet goes to.
#[derive(Debug, Clone)]
enum Rule {
    /// For each class of packets its queue; 0 is served first.
    Classes(Box<[u8; 256]>),
    /// Each has a range of ranks, of which this is the lowest.
    Bounds(Vec<u64>),
    /// Ranges of ranks move, as in SP-PIFO.
    Moving(MovingBounds),
    /// A policy in OpenQueue says it of each packet.
    Classified(Classified),
    /// Each rank has one, up to this rank, and the last packet may be pushed out, so notifications have to be corrected.
    Sorted(u64),
}

impl ServiceOrder {
    /// Returns the order of a port that carries the `offered` traffic.
    ///
    /// # Errors If the port's notifications would be wrong, says what to write.
    pub(super) fn of(plan: &Plan, offered: &Offered) -> Result<Self, String> {
        match plan {
            Plan::OpenQueue(plan) => Classified::of(plan).map(Self::classified),
            Plan::Parts(spec) => Self::of_parts(spec, offered).ok_or_else(|| advice(plan)),
            Plan::Flows(_) | Plan::Tree(..) => Err(advice(plan)),
        }
    }

    /// A policy in OpenQueue is as good as one by classes if classes choose the queue.
    fn classified(policy: Classified) -> Self {
        let queues = policy.queues();
        match policy.by_class() {
            _ if queues == 1 => Self::first_come(),
            Some(queue_of_class) => Self { queues, rule: Rule::Classes(queue_of_class) },
            None => Self { queues, rule: Rule::Classified(policy) },
        }
    }

    fn of_parts(spec: &DisciplineSpec, offered: &Offered) -> Option<Self> {
        if spec.pace.is_some() {
            return None;
        }
        let queue: &About = find("queue", QUEUES, &spec.queue.name).ok().map(|entry| &entry.about)?;
        let rank = find("rank function", RANK_FNS, &spec.rank.name).ok()?;
        let is_exact = queue.exactness == Exactness::Exact;
        let has_ranks = spec.rank_unit == RankUnit::ONE;
        if find("drop rule", DROP_RULES, &spec.drop.name).ok()?.needs_pop_max {
            return if is_exact && has_ranks { Self::sorted(spec, queue) } else { None };
        }
        match (rank.serves, queue.name) {
            _ if queue.exactness == Exactness::IgnoresRanks => Some(Self::first_come()),
            (Serves::Arrivals, _) if is_exact => Some(Self::first_come()),
            (Serves::Classes, _) if is_exact && has_ranks => Self::strict(spec, &offered.classes),
            (_, FIXED_BOUNDS) if has_ranks => Self::fixed(spec),
            (_, SP_PIFO) if has_ranks => Self::moving(spec, queue),
            _ if is_exact && has_ranks && rank.about.name == PIAS => Self::levels(spec, &rank.about),
            _ if is_exact && has_ranks => Self::sorted(spec, queue),
            _ => None,
        }
    }

    fn first_come() -> Self {
        Self { queues: 1, rule: Rule::Classes(Box::new([0; 256])) }
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
        Some(Self { queues: order.len().max(1), rule: Rule::Classes(queue_of_class) })
    }

    fn of_bounds(bounds: Vec<u64>) -> Self {
        Self { queues: bounds.len(), rule: Rule::Bounds(bounds) }
    }

    /// Fixed ranges of ranks, as the queue itself has them.
    fn fixed(spec: &DisciplineSpec) -> Option<Self> {
        let entry = find("queue", QUEUES, &spec.queue.name).ok()?;
        let params = Params::check(entry.about.params, spec.queue.params.clone()).ok()?;
        let mut bounds = Vec::new();
        (entry.build)(QueueSize { packets: 1 }, &params).ok()?.add_bounds(&mut bounds);
        Some(Self::of_bounds(bounds))
    }

    /// Reads the levels of an exact queue, which is strict priority if ranks are few levels, as those of PIAS are.
    fn levels(spec: &DisciplineSpec, rank: &About) -> Option<Self> {
        let params = Params::check(rank.params, spec.rank.params.clone()).ok()?;
        Some(Self::of_bounds((0..=params.integers("thresholds").len() as u64).collect()))
    }

    /// SP-PIFO, if its bounds move by what arrives alone.
    fn moving(spec: &DisciplineSpec, queue: &About) -> Option<Self> {
        let params = Params::check(queue.params, spec.queue.params.clone()).ok()?;
        let bounds = MovingBounds::of(&params, spec.buffer)?;
        Some(Self { queues: bounds.queues(), rule: Rule::Moving(bounds) })
    }

    /// A queue that sorts any ranks, which are given to packets as they arrive. It holds nothing back.
    fn sorted(spec: &DisciplineSpec, queue: &About) -> Option<Self> {
        let entry = find("queue", QUEUES, queue.name).ok()?;
        let params = Params::check(entry.about.params, spec.queue.params.clone()).ok()?;
        let greatest = (entry.build)(QueueSize { packets: 1 }, &params).ok()?.max_rank();
        let holds_back = RankDiscipline::new(spec).ok()?.holds_back();
        (!holds_back).then_some(Self { queues: 1, rule: Rule::Sorted(greatest) })
    }

    /// Returns whether notifications have to be corrected.
    pub(super) fn needs_corrections(&self) -> bool {
        matches!(self.rule, Rule::Sorted(_))
    }

    /// Returns the queues of notifications of a port.
    ///
    /// # Errors
    /// If there can be no such port.
    pub(super) fn announcer(&self, spec: AnnouncerSpec) -> Result<Announcer, ParamError> {
        if self.needs_corrections() { Announcer::sorted(spec) } else { Announcer::new(spec) }
    }

    /// Returns the queue of each packet of a port.
    pub(super) fn order(&self) -> Order {
        match &self.rule {
            Rule::Classes(queues) => Order::Classes(queues.clone()),
            Rule::Bounds(bounds) => Order::Packets(Box::new(RankBounds(bounds.clone()))),
            Rule::Moving(bounds) => Order::Packets(Box::new(bounds.followed())),
            Rule::Sorted(greatest) => Order::Sorted { greatest: *greatest },
            Rule::Classified(policy) => Order::Packets(Box::new(policy.followed())),
        }
    }

    /// Returns whether a packet's class determines its queue, so that the queue is known before the packet arrives.
    pub(super) fn is_by_class(&self) -> bool {
        matches!(self.rule, Rule::Classes(_))
    }
}

/// Returns the advice for a `plan` whose order is not known when packets arrive.
pub(super) fn advice(plan: &Plan) -> String {
    format!(
        // prose: allow long-sentence: a list of what may be written
        "take queue = \"fifo\", \"sp-pifo\" (without `guard`, `second_pass`, `reserved` and `moves`) or \"fixed-bounds\", or rank = \
         \"arrival\", \"strict\" or \"pias\" on an exact queue such as \"pifo\", with drop = \"tail\" and without `pace` and `rank_unit`, \
         in place of `{}` on `{}` with `{}`",
        plan.rank(),
        plan.queue(),
        plan.drop_rule()
    )
}
