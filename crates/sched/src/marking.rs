//! Mark rules, and a discipline with a mark rule.

use crate::first_come::FirstCome;
use forebay_core::{About, Counter, Discipline, Element, Named, Packet, ParamError, Params, Rate, Seed, Time, Verdict};

/// The backlog of a port, without the packet in transmission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backlog {
    /// The number of packets.
    pub packets: u64,
    /// The sum of the packets' sizes in bytes.
    pub bytes: u64,
}

impl Backlog {
    /// Returns this backlog with `packet` added.
    #[must_use]
    pub fn with(self, packet: &Packet) -> Self {
        Self { packets: self.packets + 1, bytes: self.bytes + u64::from(packet.size_bytes) }
    }
}

/// The decision of a mark rule about an arriving packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// Admit the packet unchanged.
    Pass,
    /// Mark the packet, or admit it unchanged if its sender does not understand marks.
    Mark,
    /// Mark the packet, or drop it if its sender does not understand marks, so that the sender learns of congestion, too.
    MarkOrDrop,
}

/// Decides which packets report congestion to their receiver.
pub trait MarkRule {
    /// Decides about a packet that arrives and finds the backlog `waiting`.
    fn arriving(&mut self, now: Time, packet: &Packet, waiting: Backlog) -> Advice {
        let _ = (now, packet, waiting);
        Advice::Pass
    }

    /// Decides whether a packet that leaves now to be sent is marked. `waiting` is the backlog behind it.
    fn leaving(&mut self, now: Time, packet: &Packet, waiting: Backlog) -> bool {
        let _ = (now, packet, waiting);
        false
    }
}

impl<R: MarkRule + ?Sized> MarkRule for Box<R> {
    fn arriving(&mut self, now: Time, packet: &Packet, waiting: Backlog) -> Advice {
        (**self).arriving(now, packet, waiting)
    }

    fn leaving(&mut self, now: Time, packet: &Packet, waiting: Backlog) -> bool {
        (**self).leaving(now, packet, waiting)
    }
}

/// One mark rule in the registry.
pub struct MarkEntry {
    /// The name, title, cost and source of the mark rule.
    pub about: About,
    /// Other names of the mark rule.
    pub also_known_as: &'static [&'static str],
    /// The constructors of the mark rule.
    pub make: MakeMark,
}

/// A mark rule that can be made from the registry.
pub trait BuildMark: MarkRule + Send + Sized + 'static {
    /// Builds the rule for a link of `link_rate`. Its random numbers are drawn from streams of `seed`.
    ///
    /// # Errors
    /// If the parameters do not fit together; each parameter alone has been checked before.
    fn build(link_rate: Rate, seed: Seed, params: &Params) -> Result<Self, ParamError>;
}

/// The constructors of a mark rule.
#[derive(Clone, Copy)]
pub struct MakeMark {
    /// Builds the rule, to be put around any discipline.
    pub rule: fn(Rate, Seed, &Params) -> BuiltMarkRule,
    /// Builds the rule around first come, first served, the discipline of most ports, compiled for this pair.
    pub around_first_come: Around<dyn Discipline + Send>,
    /// Builds the same pair as an element of a network.
    pub element_around_first_come: Around<dyn Element>,
}

/// Builds a mark rule around first come, first served.
pub type Around<T> = fn(FirstCome, Rate, Seed, &Params) -> Result<Box<T>, ParamError>;

/// A mark rule, or the error in its parameters.
pub type BuiltMarkRule = Result<Box<dyn MarkRule + Send>, ParamError>;

impl MakeMark {
    /// Returns all constructors of the rule `R`.
    #[must_use]
    pub const fn of<R: BuildMark>() -> Self {
        Self {
            rule: |link_rate, seed, params| Ok(Box::new(R::build(link_rate, seed, params)?)),
            around_first_come: |discipline, link_rate, seed, params| {
                Ok(Box::new(Marking::with_rule(discipline, R::build(link_rate, seed, params)?)))
            },
            element_around_first_come: |discipline, link_rate, seed, params| {
                Ok(Box::new(Marking::with_rule(discipline, R::build(link_rate, seed, params)?)))
            },
        }
    }
}

impl Named for MarkEntry {
    fn about(&self) -> &About {
        &self.about
    }

    fn also_known_as(&self) -> &'static [&'static str] {
        self.also_known_as
    }
}

/// Any discipline, together with a rule that marks its packets (ECN, RFC 3168).
///
/// Only packets whose sender understands marks ([`ecn_capable`](forebay_core::Marks::ecn_capable)) are marked; the rule decides about other
/// packets. A packet that the discipline does not admit is not marked. The rule sees the total backlog of the port, whatever queues the
/// discipline has.
pub struct Marking<D, R = Box<dyn MarkRule + Send>> {
    discipline: D,
    rule: R,
    packets_marked: u64,
    dropped_unmarked: u64,
}

impl<D: Discipline, R: MarkRule> Marking<D, R> {
    /// Wraps `discipline` in the mark rule `rule`.
    pub fn with_rule(discipline: D, rule: R) -> Self {
        Self { discipline, rule, packets_marked: 0, dropped_unmarked: 0 }
    }

    fn waiting(&self) -> Backlog {
        Backlog { packets: self.discipline.len() as u64, bytes: self.discipline.bytes() }
    }
}

/// Marks a packet; returns whether the mark is new.
fn mark(packet: &mut Packet) -> bool {
    let is_new = packet.marks.ecn_capable() && !packet.marks.congested();
    if is_new {
        packet.marks.set_congested();
    }
    is_new
}

impl<D: Discipline, R: MarkRule> Discipline for Marking<D, R> {
    fn enqueue(&mut self, now: Time, mut packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        let is_marked = match self.rule.arriving(now, &packet, self.waiting()) {
            Advice::Pass => false,
            Advice::MarkOrDrop if !packet.marks.ecn_capable() => {
                self.dropped_unmarked += 1;
                return Verdict::Refused { rank: packet.rank };
            }
            Advice::Mark | Advice::MarkOrDrop => mark(&mut packet),
        };
        let verdict = self.discipline.enqueue(now, packet, evicted);
        self.packets_marked += u64::from(is_marked && matches!(verdict, Verdict::Queued { .. }));
        verdict
    }

    fn dequeue(&mut self, now: Time) -> Option<Packet> {
        let mut packet = self.discipline.dequeue(now);
        // Where it is, since nearly all leave as they are: no copy.
        if let Some(packet) = &mut packet
            && self.rule.leaving(now, packet, self.waiting())
        {
            self.packets_marked += u64::from(mark(packet));
        }
        packet
    }

    fn next_wakeup(&self, now: Time) -> Option<Time> {
        self.discipline.next_wakeup(now)
    }

    fn len(&self) -> usize {
        self.discipline.len()
    }

    fn bytes(&self) -> u64 {
        self.discipline.bytes()
    }

    fn counters(&self) -> Vec<Counter> {
        let mut counters = self.discipline.counters();
        counters.push(Counter { name: "packets_marked", value: self.packets_marked });
        counters.push(Counter { name: "dropped_unmarked", value: self.dropped_unmarked });
        counters
    }
}
