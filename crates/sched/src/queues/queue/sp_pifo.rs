//! SP-PIFO: a rank queue approximated by a few strict-priority FIFO queues.
//!
//! Each queue has a bound: the lowest rank that it is meant for. An arriving packet enters the lowest-priority queue whose bound is at most
//! its rank, and the bound becomes its rank (push-up). If its rank is below all bounds, it enters the highest-priority queue, and all
//! bounds sink by the difference between the lowest bound and its rank (push-down). Source: SP-PIFO (NSDI'20), section 2 and Algorithm 1.
//!
//! In a switch the ingress pipeline chooses the queue before the queue says whether it has room. So the bounds also move for a packet that
//! then finds its queue full. With `moves = "accepted"` they move only for a packet that finds room ("whenever SP-PIFO enqueues a packet",
//! section 2). Bounds stay sorted and never fall below zero. A push-up stays below the next bound; a push-down moves the lowest bound to
//! the rank and the others by the same amount.
//!
//! A pass through the hardware changes each register once, and the push-down changes registers that the packet has passed. So in the switch
//! the packet is resubmitted for a second pass (section 5; `forebay compile --target p4 --resubmit`). `second_pass = k` models this form:
//! the next k packets still see the old values of the other bounds. Bounds that fall meanwhile stop at 0 and need not stay sorted. With k =
//! 0, packets leave as in one pass. The wait of the packet itself is not modelled. The counter `resubmissions` says how many packets took a
//! second pass.
//!
//! `reserved` dedicates the first queues to the lowest ranks (section 7). Item i of the list is the highest rank of queue i, and the bounds
//! of the other queues follow the other ranks. A packet of a reserved rank never waits for a packet of a higher rank in another queue.
//! Ranks with a queue of their own leave in the order of a PIFO, at the price of fewer queues for the other ranks.
//!
//! `sources` counts inversions by their source and the cost of packets at enqueue (section 4.1). See
//! `crates/sched/src/queues/inversion_sources.rs`.
//!
//! `guard` detects orders of ranks that defeat the bounds, and then fixes the bounds. The paper proposes such a monitor (section 7,
//! appendix B.3); this guard is forebay's own design. See `crates/sched/src/queues/bound_guard.rs`.

use crate::queues::bound_guard::BoundGuard;
use crate::queues::entry::{BuiltQueue, QueueEntry};
use crate::queues::inversion_sources::{self, InversionSources};
use crate::queues::moving_bounds::MovingBounds;
use crate::queues::strict_priority::{Shape, StrictPriority};
use crate::queues::traits::{PushError, RankQueue};
use forebay_core::params::ParamKind;
use forebay_core::{About, Counter, Exactness, ParamError, ParamSpec, Params, convert};

pub use crate::queues::bound_guard::GuardSetting;
pub use crate::queues::moving_bounds::PushDown;

const HIGHEST_OF_QUEUE: ParamKind = ParamKind::Integer { min: 0, max: 1 << 62, default: None };
const GUARD_WINDOW: u64 = 1_000;
const GUARD_HOLD: u64 = 10_000;

/// The registry's entry for [`SpPifo`].
pub const ENTRY: QueueEntry = QueueEntry {
    about: About {
        name: "sp-pifo",
        title: "Strict-priority FIFO queues whose bounds follow the ranks",
        exactness: Exactness::Approximate,
        hardware: "strict-priority queues and one register per queue; runs on programmable switches, without `guard`",
        cost: "O(queues) per push, O(queues) per pop; one slot per packet and one bound per queue. With `guard` 16 bytes per \
               packet of a window and up to 8 per packet that waits, and a sort per window",
        source: "Alcoz, Dietmueller, Vanbever: SP-PIFO, NSDI'20, section 2 and Algorithm 1",
        params: &[
            Shape::QUEUES,
            Shape::QUEUE_PACKETS,
            ParamSpec::choice(
                "push_down",
                &["cost", "queue-bound", "rank", "one"],
                "cost",
                "how far bounds sink at an inversion (section 4.2.2)",
            ),
            ParamSpec::choice(
                "moves",
                &["arriving", "accepted"],
                "arriving",
                "packets that move the bounds: all; or those that find room",
            ),
            ParamSpec {
                name: "second_pass",
                kind: ParamKind::Integer { min: 0, max: 1_024, default: None },
                meaning: "packets that arrive between an inversion and the second pass, which lets the other bounds sink; the \
                          counter `resubmissions` says how many take one (default: no second pass, bounds sink at once)",
            },
            ParamSpec {
                name: "reserved",
                kind: ParamKind::List { of: &HIGHEST_OF_QUEUE, words: &[], default: "" },
                meaning: "the highest rank of each of the first queues, rising, like [0, 9]: they take no other ranks, and the other \
                          queues the rest (section 7; default: none)",
            },
            ParamSpec {
                name: "guard",
                kind: ParamKind::Share { default: 1.0 },
                meaning: "hold the bounds at quantiles when the mean cost of a window's packets is above this share of its \
                          packets; 1: never",
            },
            ParamSpec {
                name: "guard_window",
                kind: ParamKind::Integer { min: 1, max: 1 << 20, default: None },
                meaning: "packets in a window of `guard` (default: 1000)",
            },
            ParamSpec {
                name: "guard_hold",
                kind: ParamKind::Integer { min: 1, max: 1 << 40, default: None },
                meaning: "packets for which `guard` then holds the bounds (default: 10000)",
            },
            inversion_sources::PARAM,
        ],
    },
    build: |size, params| Ok(BuiltQueue::SingleEnded(Box::new(from_params(size.packets, params)?))),
};

fn from_params<T>(buffer_packets: usize, params: &Params) -> Result<SpPifo<T>, ParamError> {
    let strategy = PushDown::from_params(params);
    let shape = Shape::from_params(buffer_packets, params)?;
    let reserved = params.integers("reserved");
    if !reserved.is_sorted_by(|one, next| one < next) {
        let message = format!(
            "`reserved` must be the highest rank of each reserved queue, each above the one before, like [0, 9], not \
             {reserved:?}"
        );
        return Err(ParamError::of("reserved", message));
    }
    if reserved.len() >= shape.queues {
        let message = format!(
            "`reserved` leaves no queue for other ranks: it has {} of {} queues; reserve fewer, or raise `queues`",
            reserved.len(),
            shape.queues
        );
        return Err(ParamError::of("reserved", message));
    }
    let counts_sources = params.boolean(inversion_sources::PARAM.name);
    if counts_sources && !reserved.is_empty() {
        let message =
            "`sources` tells inversions of moving bounds apart, and reserved queues have none; leave `reserved` out";
        return Err(ParamError::of("reserved", message));
    }
    let mut queue = SpPifo::with_push_down(shape.queues, shape.queue_capacity, strategy).with_reserved(reserved);
    if counts_sources {
        queue = queue.with_sources();
    }
    if params.text("moves") == "accepted" {
        queue = queue.moved_by_accepted();
    }
    if let Some(packets) = params.integer("second_pass") {
        if strategy != PushDown::Cost {
            let message = "with `second_pass` bounds sink by the cost; leave `push_down` out";
            return Err(ParamError::of("push_down", message));
        }
        if queue.only_accepted {
            let message = "with `second_pass` all packets move the bounds, as in a switch; leave `moves` out";
            return Err(ParamError::of("moves", message));
        }
        queue = queue.with_second_pass(packets);
    }
    let limit = params.number("guard");
    let (window, hold) = (params.integer("guard_window"), params.integer("guard_hold"));
    let given = [("guard_window", window), ("guard_hold", hold)];
    if limit < 1.0 {
        let window = convert::index(window.unwrap_or(GUARD_WINDOW));
        queue = queue.with_guard(GuardSetting { limit, window, hold: hold.unwrap_or(GUARD_HOLD) });
    } else if let Some((name, _)) = given.iter().find(|(_, given)| given.is_some()) {
        let message = format!("`{name}` needs a guard; add guard = \"1.75 %\", or leave `{name}` out");
        return Err(ParamError::of(name, message));
    }
    Ok(queue)
}

/// Strict-priority queues with moving bounds.
#[derive(Debug)]
pub struct SpPifo<T> {
    queues: StrictPriority<T>,
    /// The highest rank of each reserved queue.
    reserved: Box<[u64]>,
    /// The bounds of the other queues.
    bounds: MovingBounds,
    /// The guard over the other queues.
    guard: Option<BoundGuard>,
    /// Whether a packet that finds its queue full leaves the bounds as they are.
    only_accepted: bool,
    sources: Option<InversionSources>,
}

impl<T> SpPifo<T> {
    /// Creates `queues` empty queues of `queue_capacity` items each, with all bounds zero, as in Algorithm 1.
    ///
    /// # Panics
    /// If there are no queues.
    #[must_use]
    pub fn new(queues: usize, queue_capacity: usize) -> Self {
        Self::with_push_down(queues, queue_capacity, PushDown::Cost)
    }

    /// As [`new`](Self::new), but with the push-down strategy `push_down`.
    ///
    /// # Panics
    /// If there are no queues.
    #[must_use]
    pub fn with_push_down(queues: usize, queue_capacity: usize, push_down: PushDown) -> Self {
        let shape = Shape { queues, queue_capacity };
        Self {
            queues: StrictPriority::new(shape),
            reserved: Box::new([]),
            bounds: MovingBounds::new(queues, push_down),
            guard: None,
            only_accepted: false,
            sources: None,
        }
    }

    /// Reserves the first queues: item i of `highest_ranks` is the highest rank of queue i. The other queues hold only the higher ranks.
    ///
    /// # Panics
    /// If the ranks do not rise, no other queue is left, or a guard is already set, since a guard has queues of its own.
    #[must_use]
    pub fn with_reserved(self, highest_ranks: Vec<u64>) -> Self {
        assert!(self.guard.is_none(), "reserve queues before you add a guard");
        assert!(highest_ranks.is_sorted_by(|one, next| one < next), "ranks of reserved queues rise");
        assert!(highest_ranks.len() < self.queues.queues(), "a queue is left for other ranks");
        let bounds = self.bounds.for_queues(self.queues.queues() - highest_ranks.len());
        Self { reserved: highest_ranks.into(), bounds, ..self }
    }

    /// Makes the other bounds sink in a second pass, after `packets` more packets have arrived.
    #[must_use]
    pub fn with_second_pass(self, packets: u64) -> Self {
        Self { bounds: self.bounds.with_second_pass(packets), ..self }
    }

    /// Makes only accepted packets move bounds: a packet that finds its queue full leaves them unchanged.
    #[must_use]
    pub fn moved_by_accepted(self) -> Self {
        Self { only_accepted: true, ..self }
    }

    /// Adds a guard that fixes the bounds when an order of ranks defeats them.
    ///
    /// # Panics
    /// If a window holds no packets.
    #[must_use]
    pub fn with_guard(self, setting: GuardSetting) -> Self {
        let guard = BoundGuard::new(self.queues.queues() - self.reserved.len(), setting);
        Self { guard: Some(guard), ..self }
    }

    /// Counts inversions by their source, and sums the costs of packets at enqueue.
    ///
    /// # Panics
    /// If queues are reserved.
    #[must_use]
    pub fn with_sources(self) -> Self {
        assert!(self.reserved.is_empty(), "reserved queues have no moving bounds");
        let sources = InversionSources::new(self.queues.queues());
        Self { sources: Some(sources), ..self }
    }

    /// The bounds of the queues that are not reserved, highest priority first.
    #[must_use]
    pub fn bounds(&self) -> &[u64] {
        self.bounds.as_slice()
    }

    /// Chooses among the queues that are not reserved, and moves the bounds.
    fn map(&mut self, rank: u64) -> usize {
        let Some(guard) = &mut self.guard else { return self.bounds.map(rank) };
        let queue = if guard.holds() { self.bounds.queue_of(rank) } else { self.bounds.map(rank) };
        if let Some(bounds) = guard.arrived(queue, rank) {
            self.bounds.replace(bounds);
        }
        queue
    }
}

impl<T> RankQueue<T> for SpPifo<T> {
    fn push(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        let reserved = self.reserved.len();
        let of_rank = self.reserved.partition_point(|&highest| highest < rank);
        if of_rank < reserved {
            return self.queues.push(of_rank, rank, item);
        }
        if self.only_accepted && self.queues.free(reserved + self.bounds.queue_of(rank)) == 0 {
            return Err(PushError::full(item));
        }
        let is_below_all_bounds = self.sources.is_some() && self.bounds.as_slice().iter().all(|&bound| bound > rank);
        let queue = self.map(rank);
        self.queues.push(reserved + queue, rank, item)?;
        if let Some(sources) = &mut self.sources {
            sources.entered(queue, rank, is_below_all_bounds);
        }
        if let Some(guard) = &mut self.guard {
            guard.entered(queue, rank);
        }
        Ok(())
    }

    fn pop_min(&mut self) -> Option<(u64, T)> {
        let queue = self.queues.first_occupied()?;
        let (rank, item) = self.queues.pop_from(queue)?;
        if let Some(sources) = &mut self.sources {
            sources.left(queue, rank);
        }
        if let (Some(guard), Some(queue)) = (&mut self.guard, queue.checked_sub(self.reserved.len())) {
            guard.left(queue, rank);
        }
        Some((rank, item))
    }

    fn peek_min(&self) -> Option<(u64, &T)> {
        self.queues.peek_min()
    }

    fn len(&self) -> usize {
        self.queues.len()
    }

    fn capacity(&self) -> usize {
        self.queues.capacity()
    }

    fn sure_capacity(&self) -> usize {
        self.queues.sure_capacity()
    }

    fn counters(&self) -> Vec<Counter> {
        let resubmissions = self.bounds.resubmissions().map(|value| Counter { name: "resubmissions", value });
        let of_guard = self.guard.as_ref().map(|guard| {
            let (alarms, packets) = (guard.alarms(), guard.packets_guarded());
            [Counter { name: "guard_alarms", value: alarms }, Counter { name: "packets_guarded", value: packets }]
        });
        let sources = self.sources.as_ref().map(InversionSources::counters);
        resubmissions.into_iter().chain(of_guard.into_iter().flatten()).chain(sources.into_iter().flatten()).collect()
    }

    fn add_bounds(&self, bounds: &mut Vec<u64>) {
        bounds.extend(self.bounds.as_slice());
    }
}

#[cfg(test)]
mod tests;
