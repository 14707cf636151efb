//! A discipline made of parts: a rank function, a drop rule and a rank queue.

use crate::pace_by_name::pace_rule;
use crate::pacing::{BuiltPaceRule, PaceRule};
use crate::part::Part;
use crate::queues::{BuiltQueue, PushErrorKind, QueueSize};
use crate::rank_unit::RankUnit;
use crate::ranking::Ranking;
use crate::spec::{DisciplineError, DisciplineSpec, MAX_SLOTS, check_range, unknown};
use crate::traits::{DropRule, RankFn, RankRange, Victim};
use crate::virtual_pace::pop_in_virtual_time;
use forebay_core::{BufferSize, Counter, Discipline, Packet, Time, Verdict, convert};

/// Packets are ranked as they arrive, wait in a rank queue and leave in its order; a drop rule chooses the packet to drop when the buffer
/// is full.
///
/// Admission is virtual: the arriving packet counts as queued, and packets are dropped until the rest fits. So a large packet may push out
/// several others and then be dropped itself, if all remaining packets have lower ranks.
///
/// With a pace rule, packets leave in rank order among the eligible ones. This needs a queue that holds packets back. A rank function that
/// is a pace rule or has a [`VirtualPace`](crate::VirtualPace) needs such a queue, too.
///
/// For a queue with a fixed range, ranks are converted to a [`RankUnit`], and ranks beyond the range are clamped to the highest. Packets
/// keep their true rank, so results show the inversions that this causes.
pub struct RankDiscipline {
    rank_fn: Box<dyn RankFn + Send>,
    queue: BuiltQueue,
    drop_rule: Box<dyn DropRule + Send>,
    holds_back: HoldsBack,
    buffer: BufferSize,
    rank_unit: RankUnit,
    max_rank: u64,
    bytes: u64,
    ranks_clamped: u64,
}

/// The part that decides when packets may leave.
enum HoldsBack {
    /// No part: packets may leave at once.
    Nobody,
    /// A pace rule.
    Rule(Box<dyn PaceRule + Send>),
    /// The rank function, as a pace rule.
    Rank,
    /// The rank function, in its virtual time.
    RankInVirtualTime,
}

impl RankDiscipline {
    /// Builds the discipline from its parts.
    ///
    /// # Errors
    /// If a name or a parameter is unknown, or the parts do not fit each other.
    pub fn new(spec: &DisciplineSpec) -> Result<Self, DisciplineError> {
        Self::around_queue(spec, |queue| queue)
    }

    /// As [`new`](Self::new), but with the queue that `wrap` returns, for example one that is recorded.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn around_queue(
        spec: &DisciplineSpec,
        wrap: impl FnOnce(BuiltQueue) -> BuiltQueue,
    ) -> Result<Self, DisciplineError> {
        use DisciplineError as E;
        let rank = Ranking::of_packets(&spec.rank, "a rank queue of packets").map_err(|text| E::Rank(unknown(text)))?;
        let rank_params = spec.rank.params.clone();
        let mut rank_fn = spec.rank.rank_fn(rank, Some(spec.link_rate), rank_params).map_err(E::Rank)?;

        let slots = spec.buffer.slots();
        if slots > MAX_SLOTS {
            return Err(E::Buffer(format!("a buffer of {} is more than {MAX_SLOTS} packets", spec.buffer)));
        }
        let size = QueueSize { packets: convert::index(slots) };
        let queue = spec.queue.queue_entry().map_err(|text| E::Queue(unknown(text)))?;
        let built = wrap(spec.queue.queue(queue, size, spec.queue.params.clone()).map_err(E::Queue)?);

        let drop = spec.drop.drop_entry().map_err(|text| E::Drop(unknown(text)))?;
        let drop_rule = spec.drop.drop_rule(drop).map_err(E::Drop)?;

        let max_rank = built.as_rank_queue().max_rank();
        if max_rank < u64::MAX && rank.range == RankRange::Rising {
            return Err(E::Queue(unknown(format!(
                "`{}` has ranks 0 to {max_rank}, but the ranks of `{}` rise for ever; use queue = \"pifo\", \
                 \"rolling-hffs\" or \"calendar\"",
                spec.queue.name, spec.rank.name
            ))));
        }
        check_range(&spec.queue.name, max_rank, rank, spec.rank_unit).map_err(E::Queue)?;
        if drop.needs_pop_max && matches!(built, BuiltQueue::SingleEnded(_)) {
            return Err(E::Drop(unknown(format!(
                "`{}` cannot give up its worst packet, which drop = \"{}\" needs; use drop = \"tail\", or queue = \
                 \"pifo\" or \"hffs\"",
                spec.queue.name, spec.drop.name
            ))));
        }
        let of_rank = if rank_fn.as_virtual_pace_mut().is_some() {
            HoldsBack::RankInVirtualTime
        } else if rank_fn.as_pace_mut().is_some() {
            HoldsBack::Rank
        } else {
            HoldsBack::Nobody
        };
        let rank_holds_back = !matches!(of_rank, HoldsBack::Nobody);
        if rank_holds_back && built.as_rank_queue().as_pop_eligible().is_none() {
            let (queue, rank) = (&spec.queue.name, rank.about.name);
            let message =
                format!("`{queue}` cannot hold packets back, which rank = \"{rank}\" needs; use queue = \"pieo\"");
            return Err(E::Queue(unknown(message)));
        }
        if rank_holds_back && spec.pace.is_some() {
            let message = format!("`{}` decides itself when packets may leave; leave `pace` out", rank.about.name);
            return Err(E::Pace(unknown(message)));
        }
        let holds_back = match &spec.pace {
            Some(part) => HoldsBack::Rule(pace_of_queue(part, &spec.queue.name, &built).map_err(E::Pace)?),
            None => of_rank,
        };
        Ok(Self {
            rank_fn,
            queue: built,
            drop_rule,
            holds_back,
            buffer: spec.buffer,
            rank_unit: spec.rank_unit,
            max_rank,
            bytes: 0,
            ranks_clamped: 0,
        })
    }

    /// Whether packets are held back, by a pace rule or by the rank function.
    #[must_use]
    pub fn holds_back(&self) -> bool {
        !matches!(self.holds_back, HoldsBack::Nobody)
    }

    /// The rank as the queue sees it: in its unit and within its range.
    fn key(&mut self, rank: u64) -> u64 {
        let key = self.rank_unit.key(rank);
        if key > self.max_rank {
            self.ranks_clamped += 1;
        }
        key.min(self.max_rank)
    }

    /// Whether a packet of `size_bytes` has room.
    fn fits(&self, size_bytes: u32) -> bool {
        match self.buffer {
            BufferSize::Packets(limit) => (self.queue.as_rank_queue().len() as u64) < limit,
            BufferSize::Bytes(limit) => {
                let queue = self.queue.as_rank_queue();
                self.bytes + u64::from(size_bytes) <= limit && queue.len() < queue.capacity()
            }
        }
    }

    /// Drops victims until `packet` fits; returns `false` if `packet` is itself a victim.
    fn make_room(&mut self, packet: &Packet, evicted: &mut Vec<Packet>) -> bool {
        while !self.fits(packet.size_bytes) {
            let worst = match &self.queue {
                BuiltQueue::DoubleEnded(queue) => queue.peek_max().map(|(_, worst)| worst),
                BuiltQueue::SingleEnded(_) => None,
            };
            match (self.drop_rule.victim(packet, worst), &mut self.queue) {
                (Victim::WorstQueued, BuiltQueue::DoubleEnded(queue)) => match queue.pop_max() {
                    Some((_, victim)) => {
                        self.bytes -= u64::from(victim.size_bytes);
                        self.rank_fn.evicted(&victim);
                        evicted.push(victim);
                    }
                    None => return false,
                },
                _ => return false,
            }
        }
        true
    }
}

/// The pace rule that `part` names, for a queue that must hold packets back.
fn pace_of_queue(part: &Part, name: &str, queue: &BuiltQueue) -> BuiltPaceRule {
    let rule = pace_rule(part)?;
    if queue.as_rank_queue().as_pop_eligible().is_none() {
        let message = format!("`{name}` cannot hold packets back, which `pace` needs; use queue = \"pieo\"");
        return Err(unknown(message));
    }
    Ok(rule)
}

impl Discipline for RankDiscipline {
    fn enqueue(&mut self, now: Time, mut packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        let rank = self.rank_fn.rank(now, &packet);
        packet.rank = rank;
        if !self.make_room(&packet, evicted) {
            return Verdict::Refused { rank };
        }
        let key = self.key(rank);
        let queue = self.queue.as_rank_queue_mut();
        // It has room, so that what a pace rule counts does enter.
        let eligible = match &mut self.holds_back {
            HoldsBack::Nobody => None,
            HoldsBack::Rule(pace) => Some(pace.eligible(now, &packet)),
            HoldsBack::Rank => self.rank_fn.as_pace_mut().map(|pace| pace.eligible(now, &packet)),
            HoldsBack::RankInVirtualTime => {
                self.rank_fn.as_virtual_pace_mut().map(|pace| Time::from_ps(pace.eligible(&packet)))
            }
        };
        let pushed = match eligible {
            None => queue.push(key, packet),
            Some(eligible) => {
                let queue = queue.as_pop_eligible_mut().expect("checked as it was built");
                queue.insert_at(key, eligible, packet).map(|_| ())
            }
        };
        match pushed {
            Ok(()) => {
                self.bytes += u64::from(packet.size_bytes);
                self.rank_fn.queued(&packet);
                Verdict::Queued { rank }
            }
            Err(error) => {
                debug_assert_eq!(error.kind, PushErrorKind::Full, "the rank was clamped");
                Verdict::Refused { rank }
            }
        }
    }

    fn dequeue(&mut self, now: Time) -> Option<Packet> {
        let queue = self.queue.as_rank_queue_mut();
        let (_, mut packet) = match &self.holds_back {
            HoldsBack::Nobody => queue.pop_min()?,
            HoldsBack::Rule(_) | HoldsBack::Rank => queue.as_pop_eligible_mut()?.pop_eligible(now)?,
            HoldsBack::RankInVirtualTime => {
                pop_in_virtual_time(queue.as_pop_eligible_mut()?, self.rank_fn.as_virtual_pace_mut()?, now)?
            }
        };
        self.bytes -= u64::from(packet.size_bytes);
        self.rank_fn.dequeued(now, &mut packet);
        Some(packet)
    }

    fn next_wakeup(&self, now: Time) -> Option<Time> {
        if matches!(self.holds_back, HoldsBack::Nobody | HoldsBack::RankInVirtualTime) {
            return None;
        }
        self.queue.as_rank_queue().as_pop_eligible()?.next_eligible().filter(|time| *time > now)
    }

    fn len(&self) -> usize {
        self.queue.as_rank_queue().len()
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn counters(&self) -> Vec<Counter> {
        let mut counters = self.queue.as_rank_queue().counters();
        counters.push(Counter { name: "ranks_clamped", value: self.ranks_clamped });
        counters
    }
}
