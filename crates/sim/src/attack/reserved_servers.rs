//! Servers that are set aside for suspected packets (SurgeProtector, thesis, section 3.8).
//!
//! Where a processor has several cores, some cores can serve the packets that look like an attack, so that the other cores stay free of the
//! attack. MCA2 (Afek et al., ANCS'12) does so for packet inspection. Suspected packets wait in a queue of their own, under the same
//! policy. Reserved servers work only on suspected packets, and the other servers only on the rest.
//!
//! Two rules say which packets are suspected. By its job: the expected work of the packet exceeds a limit. By its flow: the work that
//! servers have done for its flow exceeds a limit, in the present window or in the one before. The first rule detects work that the
//! scheduler expects, and the second also work that an estimate hides. Neither detects an attacker who stays below the limits.
//!
//! A trial measures the shares of innocent and of attack packets that are suspected. The published system moves heavy packets to cores with
//! another algorithm that suits them; here all cores are alike.

use crate::Service;
use crate::attack::traffic::is_attack;
use forebay_core::{Counter, Duration, Element, FlowId, Packet, Time, Verdict};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Servers that are set aside for suspected packets. A packet is suspected if at least one rule applies to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetAside {
    /// The number of servers that are set aside, at least one and not all.
    pub servers: usize,
    /// The limit on the expected work of a packet; packets above it are suspected.
    pub job: Option<Duration>,
    /// The limit on the work for a flow within a window, and the length of the window, which is above zero. Packets of flows above the
    /// limit are suspected.
    pub flow: Option<(Duration, Duration)>,
}

/// The queues in which packets of a trial wait.
pub struct Waiting<'a> {
    /// The main queue; only the first link of an element is used.
    pub queue: &'a mut dyn Element,
    /// The servers that are set aside, and the queue of suspected packets.
    pub aside: Option<(SetAside, &'a mut dyn Element)>,
}

impl<'a> Waiting<'a> {
    /// Returns one queue for all packets.
    pub fn in_one(queue: &'a mut dyn Element) -> Self {
        Self { queue, aside: None }
    }
}

/// The shares of packets that were suspected, counted each time that they were queued; none where there were no packets.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Suspected {
    /// The share of innocent packets that were suspected.
    pub innocent: Option<f64>,
    /// The share of attack packets that were suspected.
    pub attack: Option<f64>,
}

/// Decides which packets are suspected, and counts them.
#[derive(Debug)]
pub(crate) struct Suspects {
    rule: SetAside,
    flows: FxHashMap<FlowId, Taken>,
    /// Earlier packets are not counted.
    from: Time,
    innocent: Count,
    attack: Count,
}

/// The work that was done for a flow.
#[derive(Debug, Clone, Copy, Default)]
struct Taken {
    /// The number of the window.
    window: u64,
    work: Duration,
    /// The work in the previous window.
    before: Duration,
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    suspected: u64,
    all: u64,
}

impl Count {
    fn share(self) -> Option<f64> {
        (self.all > 0).then(|| self.suspected as f64 / self.all as f64)
    }
}

impl Taken {
    /// Returns these values as of a later window.
    fn in_window(self, window: u64) -> Self {
        match window - self.window {
            0 => self,
            1 => Self { window, work: Duration::ZERO, before: self.work },
            _ => Self { window, ..Self::default() },
        }
    }
}

impl Suspects {
    pub(crate) fn new(rule: SetAside, from: Time) -> Self {
        let count = Count::default();
        Self { rule, flows: FxHashMap::default(), from, innocent: count, attack: count }
    }

    /// Whether a packet that is queued now is suspected.
    fn judge(&mut self, now: Time, packet: &Packet) -> bool {
        let by_job = self.rule.job.is_some_and(|job| packet.processing > job);
        let by_flow = self.rule.flow.is_some_and(|(work, window)| {
            let taken = self.flows.get(&packet.flow).copied().unwrap_or_default().in_window(number(now, window));
            taken.work.max(taken.before) > work
        });
        let is_suspected = by_job || by_flow;
        if now > self.from {
            let count = if is_attack(packet.flow) { &mut self.attack } else { &mut self.innocent };
            count.all += 1;
            count.suspected += u64::from(is_suspected);
        }
        is_suspected
    }

    /// The work on a packet has been done.
    fn worked(&mut self, now: Time, packet: &Packet) {
        if let Some((_, window)) = self.rule.flow {
            let taken = self.flows.entry(packet.flow).or_default();
            *taken = taken.in_window(number(now, window));
            taken.work = taken.work + packet.processing;
        }
    }

    pub(crate) fn shares(&self) -> Suspected {
        Suspected { innocent: self.innocent.share(), attack: self.attack.share() }
    }
}

/// The number of the window that has this moment.
fn number(now: Time, window: Duration) -> u64 {
    now.as_ps() / window.as_ps().max(1)
}

/// Two queues: the last of some servers work on the suspected packets.
pub(crate) struct Apart<'a> {
    others: &'a mut dyn Element,
    suspected: &'a mut dyn Element,
    servers: usize,
    /// The first server that is set aside.
    first: usize,
    suspects: &'a RefCell<Suspects>,
}

impl<'a> Apart<'a> {
    pub(crate) fn new(
        servers: usize,
        queue: &'a mut dyn Element,
        suspected: &'a mut dyn Element,
        suspects: &'a RefCell<Suspects>,
    ) -> Self {
        let first = servers.saturating_sub(suspects.borrow().rule.servers);
        Self { others: queue, suspected, servers, first, suspects }
    }

    fn is_aside(&self, server: usize) -> bool {
        server >= self.first
    }
}

impl Element for Apart<'_> {
    fn links(&self) -> usize {
        self.servers
    }

    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        let is_suspected = self.suspects.borrow_mut().judge(now, &packet);
        let queue = if is_suspected { &mut *self.suspected } else { &mut *self.others };
        queue.enqueue(now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time, server: usize) -> Option<Packet> {
        let queue = if self.is_aside(server) { &mut *self.suspected } else { &mut *self.others };
        queue.dequeue(now, 0)
    }

    fn next_wakeup(&self, now: Time, server: usize) -> Option<Time> {
        let queue = if self.is_aside(server) { &*self.suspected } else { &*self.others };
        queue.next_wakeup(now, 0)
    }

    fn len(&self) -> usize {
        self.others.len() + self.suspected.len()
    }

    fn bytes(&self) -> u64 {
        self.others.bytes() + self.suspected.bytes()
    }

    fn counters(&self) -> Vec<Counter> {
        Vec::new()
    }
}

/// A service that records the work for each flow.
pub(crate) struct Watching<'a, S> {
    pub(crate) service: S,
    pub(crate) suspects: &'a RefCell<Suspects>,
}

impl<S: Service> Service for Watching<'_, S> {
    fn arrived(&mut self, now: Time, packet: &mut Packet) {
        self.service.arrived(now, packet);
    }

    fn started(&mut self, now: Time, packet: &mut Packet) -> Duration {
        self.service.started(now, packet)
    }

    fn unfinished(&mut self, now: Time, packet: &Packet) -> Option<Packet> {
        self.service.unfinished(now, packet)
    }

    fn dropped(&mut self, now: Time, packet: &mut Packet) {
        self.service.dropped(now, packet);
    }

    fn completed(&mut self, now: Time, packet: &Packet) {
        self.suspects.borrow_mut().worked(now, packet);
        self.service.completed(now, packet);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack::measure::{Measured, Span, measure};
    use crate::service::Processor;
    use forebay_core::{Discipline, Fields, Seed, Source};
    use rand::RngExt;
    use std::collections::VecDeque;

    /// First come, first served, with room for twenty.
    #[derive(Default)]
    struct Fifo(VecDeque<Packet>);

    impl Discipline for Fifo {
        fn enqueue(&mut self, _: Time, packet: Packet, _: &mut Vec<Packet>) -> Verdict {
            if self.0.len() == 20 {
                return Verdict::Refused { rank: 0 };
            }
            self.0.push_back(packet);
            Verdict::Queued { rank: 0 }
        }

        fn dequeue(&mut self, _: Time) -> Option<Packet> {
            self.0.pop_front()
        }

        fn len(&self) -> usize {
            self.0.len()
        }

        fn bytes(&self) -> u64 {
            self.0.iter().map(|packet| u64::from(packet.size_bytes)).sum()
        }
    }

    struct List(std::vec::IntoIter<Packet>);

    impl Source for List {
        fn next_packet(&mut self) -> Option<Packet> {
            self.0.next()
        }

        fn fields(&self) -> Fields {
            Fields::ALL
        }
    }

    const SPAN: Span = Span::ms(0, 1);
    const LIMIT: Duration = Duration::from_ns(900);

    fn packets(seed: u64) -> Vec<Packet> {
        let mut rng = Seed(seed).stream("set-aside");
        let mut now = 0;
        let mut packet = |id| {
            now += rng.random_range(1..800_000);
            Packet {
                id,
                flow: FlowId(rng.random_range(0..10)),
                size_bytes: rng.random_range(64..1_500),
                processing: Duration::from_ns(rng.random_range(1..2_000)),
                arrival: Time::from_ps(now),
                ..Packet::default()
            }
        };
        (0..2_000).map(&mut packet).collect()
    }

    fn measured(packets: Vec<Packet>, servers: usize, aside: Option<SetAside>) -> Measured {
        let (mut queue, mut suspected) = (Fifo::default(), Fifo::default());
        let aside = aside.map(|rule| (rule, &mut suspected as &mut dyn Element));
        let waiting = Waiting { queue: &mut queue, aside };
        measure(&mut List(packets.into_iter()), Processor, waiting, (SPAN, servers), &|_| true)
    }

    /// Suspected by their jobs, packets are as if there were two processors, and each had its own traffic.
    #[test]
    fn two_processors_with_a_share_of_the_traffic_each_do_the_same() {
        for seed in 0..20_usize {
            let servers = 2 + seed % 4;
            let aside = (1 + seed % 2).min(servers - 1);
            let all = packets(seed as u64);
            let (suspects, others): (Vec<_>, Vec<_>) = all.iter().partition(|packet| packet.processing > LIMIT);
            let of_attack = |packets: &[Packet]| packets.iter().filter(|packet| is_attack(packet.flow)).count() as f64;
            let attack = of_attack(&suspects) / of_attack(&all);
            let innocent = (suspects.len() as f64 - of_attack(&suspects)) / (all.len() as f64 - of_attack(&all));
            let rule = SetAside { servers: aside, job: Some(LIMIT), flow: None };
            let together = measured(all, servers, Some(rule));
            let apart = [measured(others, servers - aside, None), measured(suspects, aside, None)];
            let sum = |of: fn(&Measured) -> u64| apart.iter().map(of).sum::<u64>();
            assert_eq!(together.innocent_packets, sum(|one| one.innocent_packets), "seed {seed}");
            assert_eq!(together.innocent_dropped, sum(|one| one.innocent_dropped), "seed {seed}");
            let goodput = apart[0].goodput_bps + apart[1].goodput_bps;
            assert!(
                (together.goodput_bps - goodput).abs() < 1.0,
                "seed {seed}: {} and {goodput}",
                together.goodput_bps
            );
            assert_eq!(
                together.suspected,
                Some(Suspected { innocent: Some(innocent), attack: Some(attack) }),
                "seed {seed}"
            );
        }
    }

    /// A list of all that was done, which is added up anew for each packet.
    #[test]
    fn flows_are_suspected_for_what_was_done_in_this_window_or_the_last() {
        let mut rng = Seed(4).stream("suspects");
        let window = Duration::from_us(10);
        let rule = SetAside { servers: 1, job: None, flow: Some((Duration::from_us(1), window)) };
        let mut suspects = Suspects::new(rule, Time::ZERO);
        let mut done: Vec<(u64, FlowId, u64)> = Vec::new();
        let (mut now, mut found) = (0, 0);
        for _ in 0..5_000 {
            now += rng.random_range(0..4_000_000);
            let packet = Packet {
                flow: FlowId(rng.random_range(0..3)),
                processing: Duration::from_ns(rng.random_range(0..1_000)),
                ..Packet::default()
            };
            let at = now / window.as_ps();
            let in_window = |number: u64| -> u64 {
                let of_flow = done.iter().filter(|(window, flow, _)| *window == number && *flow == packet.flow);
                of_flow.map(|(.., work)| work).sum()
            };
            let most = in_window(at).max(at.checked_sub(1).map_or(0, in_window));
            let is_suspected = suspects.judge(Time::from_ps(now), &packet);
            assert_eq!(is_suspected, most > 1_000_000, "{now}");
            found += u64::from(is_suspected);
            suspects.worked(Time::from_ps(now), &packet);
            done.push((at, packet.flow, packet.processing.as_ps()));
        }
        assert!((500..4_500).contains(&found), "{found} of 5,000 are suspected");
    }
}
