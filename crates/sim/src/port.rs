//! One output port or processor, or several that share queues. Packets arrive, wait in the order of a discipline, and are served: sent at
//! the rate of the links, or worked on. A [`Service`] says for how long.
//!
//! A packet in service is not in the discipline any more: it cannot be pushed out and takes no buffer. A packet has left when its service
//! has ended; at a link, this is when its last bit has left.

use crate::event::EventQueue;
use crate::output_port::OutputPort;
use crate::probe::Probe;
use crate::service::Service;
use crate::wakeup::Wakeup;
use forebay_core::{Element, Packet, Rate, Source, Time, Verdict};

/// An output port with a discipline and a probe, or all ports of an element. If the service is not a rate, the links are servers that work
/// on packets.
pub struct Port<D, P, S = Rate> {
    port: OutputPort<D, S, P>,
    links: Vec<Link>,
    /// The time at which packets may move on inside the element.
    inside: Wakeup,
    /// Reused by every arrival.
    evicted: Vec<Packet>,
}

/// A link of the element.
#[derive(Debug, Clone, Copy, Default)]
struct Link {
    in_service: Option<Packet>,
    wakeup: Wakeup,
}

/// The end of a run.
pub struct RunOptions<'a> {
    /// The end of the run; packets that wait then stay queued.
    pub until: Time,
    /// Asked every few thousand packets whether to go on, with the number of packets offered so far.
    pub go_on: &'a dyn Fn(u64) -> bool,
}

impl Default for RunOptions<'_> {
    /// Runs until the source is empty and the port has sent all its packets.
    fn default() -> Self {
        Self { until: Time::MAX, go_on: &|_| true }
    }
}

/// The result of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortOutcome {
    /// The time of the last event, or the requested end.
    pub end: Time,
    /// The number of packets that wait or are in service.
    pub packets_queued: u64,
    /// The reason why the run ended.
    pub reason: EndReason,
}

/// The reason why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndReason {
    /// The source is dry and the port empty, or the end of the run was reached.
    Finished,
    /// [`RunOptions::go_on`] said no.
    Stopped,
    /// The clock reached its end, after 213 days.
    ClockOverflow,
}

#[derive(Debug, Clone, Copy)]
enum Event {
    Arrival,
    /// Of this link.
    ServiceEnd(usize),
    /// Of this link.
    Wakeup(usize),
    /// Inside the element.
    Inside,
}

/// The number of arrivals between two calls of [`RunOptions::go_on`].
const GO_ON_INTERVAL: u64 = 8_192;

impl<D: Element, P: Probe, S: Service> Port<D, P, S> {
    /// Creates an idle port; each of its links serves packets by `service`, for example at a rate.
    pub fn new(service: S, discipline: D, probe: P) -> Self {
        let links = vec![Link::default(); discipline.links()];
        Self {
            port: OutputPort { element: discipline, service, probe },
            links,
            inside: Wakeup::default(),
            evicted: Vec::new(),
        }
    }

    /// The discipline and the probe, to read results from.
    pub fn into_parts(self) -> (D, P) {
        (self.port.element, self.port.probe)
    }

    /// Sends every packet of `source` through the port.
    pub fn run<Packets: Source + ?Sized>(&mut self, source: &mut Packets, options: &RunOptions<'_>) -> PortOutcome {
        let mut events = EventQueue::with_capacity(2 + 2 * self.links.len());
        let mut next = source.next_packet();
        let mut offered = 0;
        let mut now = Time::ZERO;
        let mut reason = EndReason::Finished;
        // Times saturate, so what should happen later seems to happen then.
        let end_of_clock = Time::MAX;
        let last = options.until.min(Time::from_ps(end_of_clock.as_ps() - 1));
        if !(options.go_on)(0) {
            reason = EndReason::Stopped;
        } else if let Some(packet) = &next {
            events.schedule(packet.arrival, Event::Arrival);
        }
        while let Some((time, event)) = events.pop() {
            if time > last {
                if options.until < end_of_clock {
                    now = options.until;
                } else {
                    reason = EndReason::ClockOverflow;
                }
                break;
            }
            debug_assert!(time >= now, "time runs forwards");
            now = time;
            match event {
                Event::Arrival => {
                    if let Some(packet) = next.take() {
                        self.arrive(now, packet);
                    }
                    for link in 0..self.links.len() {
                        self.start_service(now, link, &mut events);
                    }
                    offered += 1;
                    if offered % GO_ON_INTERVAL == 0 && !(options.go_on)(offered) {
                        reason = EndReason::Stopped;
                        break;
                    }
                    next = source.next_packet();
                    if let Some(packet) = &next {
                        events.schedule(packet.arrival.max(now), Event::Arrival);
                    }
                }
                Event::ServiceEnd(link) => {
                    if let Some(packet) = self.links[link].in_service.take() {
                        self.end_service(now, &packet);
                    }
                    self.start_service(now, link, &mut events);
                }
                Event::Wakeup(link) => {
                    if self.links[link].wakeup.fires(now) {
                        self.start_service(now, link, &mut events);
                    }
                }
                Event::Inside => {
                    self.inside.fires(now);
                }
            }
            if self.port.element.has_stages() {
                self.settle(now, &mut events);
            }
        }
        let in_service = self.links.iter().filter(|link| link.in_service.is_some()).count();
        let packets_queued = (self.port.element.len() + in_service) as u64;
        PortOutcome { end: now, packets_queued, reason }
    }

    #[inline]
    fn arrive(&mut self, now: Time, packet: Packet) {
        let verdict = self.port.offer(now, || packet, &mut self.evicted);
        self.judged(now, &packet, verdict);
    }

    /// The packet has been served, or waits for its next turn.
    #[inline]
    fn end_service(&mut self, now: Time, packet: &Packet) {
        match self.port.service.unfinished(now, packet) {
            None => self.port.complete(now, packet),
            Some(again) => {
                let verdict = self.port.element.enqueue(now, again, &mut self.evicted);
                self.judged(now, &again, verdict);
            }
        }
    }

    #[inline]
    fn judged(&mut self, now: Time, packet: &Packet, verdict: Verdict) {
        for mut victim in self.evicted.drain(..) {
            self.port.evicted(now, &mut victim);
        }
        match verdict {
            Verdict::Queued { rank } => self.port.queued(now, rank, || *packet),
            Verdict::Refused { rank } => self.port.refused(now, rank, || *packet),
        }
    }

    /// Moves packets on inside the element, and starts services at links, until no packet moves.
    fn settle(&mut self, now: Time, events: &mut EventQueue<Event>) {
        loop {
            let passed = self.port.element.advance(now, &mut self.evicted);
            for mut victim in self.evicted.drain(..) {
                self.port.evicted(now, &mut victim);
            }
            let mut began = false;
            for link in 0..self.links.len() {
                began |= self.start_service(now, link, events);
            }
            if !passed && !began {
                break;
            }
        }
        let wanted = self.port.element.next_advance(now);
        if let Some(time) = wanted.and_then(|wanted| self.inside.set(now, wanted)) {
            events.schedule(time, Event::Inside);
        }
    }

    /// Serves the next packet of a link if that is free and there is one. Whether it does.
    #[inline]
    fn start_service(&mut self, now: Time, link: usize, events: &mut EventQueue<Event>) -> bool {
        let Link { in_service, wakeup } = &mut self.links[link];
        if in_service.is_some() {
            return false;
        }
        if let Some(mut packet) = self.port.element.dequeue(now, link) {
            let lasts = self.port.start(now, &mut packet);
            events.schedule(now + lasts, Event::ServiceEnd(link));
            *in_service = Some(packet);
            return true;
        }
        if let Some(time) = self.port.element.next_wakeup(now, link).and_then(|wanted| wakeup.set(now, wanted)) {
            events.schedule(time, Event::Wakeup(link));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probes::QueueLength;
    use forebay_core::{Discipline, Fields};
    use std::collections::VecDeque;

    /// Packets of 1000 B at the given microseconds.
    struct At(Vec<u64>, usize);

    impl Source for At {
        fn next_packet(&mut self) -> Option<Packet> {
            let us = *self.0.get(self.1)?;
            self.1 += 1;
            let arrival = Time::from_ns(us * 1_000);
            Some(Packet { arrival, size_bytes: 1_000, id: self.1 as u64, ..Packet::default() })
        }

        fn fields(&self) -> Fields {
            Fields::NONE
        }
    }

    /// A FIFO of two packets that lets nothing go before `gate`.
    struct Gated {
        queue: VecDeque<Packet>,
        gate: Time,
    }

    impl Discipline for Gated {
        fn enqueue(&mut self, _: Time, packet: Packet, _: &mut Vec<Packet>) -> Verdict {
            if self.queue.len() == 2 {
                return Verdict::Refused { rank: 0 };
            }
            self.queue.push_back(packet);
            Verdict::Queued { rank: 0 }
        }

        fn dequeue(&mut self, now: Time) -> Option<Packet> {
            if now < self.gate { None } else { self.queue.pop_front() }
        }

        fn next_wakeup(&self, now: Time) -> Option<Time> {
            (now < self.gate && !self.queue.is_empty()).then_some(self.gate)
        }

        fn len(&self) -> usize {
            self.queue.len()
        }

        fn bytes(&self) -> u64 {
            0
        }
    }

    #[derive(Default)]
    struct Log(Vec<(u64, &'static str, u64)>);

    impl Probe for Log {
        fn refused(&mut self, now: Time, packet: &Packet) {
            self.0.push((now.as_ps() / 1_000_000, "refused", packet.id));
        }

        fn sent(&mut self, now: Time, packet: &Packet) {
            self.0.push((now.as_ps() / 1_000_000, "sent", packet.id));
        }
    }

    fn run(arrivals: &[u64], gate_us: u64, until: Time) -> (PortOutcome, Vec<(u64, &'static str, u64)>) {
        let gated = Gated { queue: VecDeque::new(), gate: Time::from_ns(gate_us * 1_000) };
        // 1000 B take 8 us.
        let mut port = Port::new(Rate::parse("1 Gbps").unwrap(), gated, Log::default());
        let outcome = port.run(&mut At(arrivals.to_vec(), 0), &RunOptions { until, ..RunOptions::default() });
        (outcome, port.into_parts().1.0)
    }

    #[test]
    fn packets_leave_one_after_the_other_at_the_rate_of_the_link() {
        let (outcome, log) = run(&[0, 1, 2, 3, 100], 0, Time::MAX);
        assert_eq!(log, [(3, "refused", 4), (8, "sent", 1), (16, "sent", 2), (24, "sent", 3), (108, "sent", 5)]);
        assert_eq!(
            outcome,
            PortOutcome { end: Time::from_ns(108_000), packets_queued: 0, reason: EndReason::Finished }
        );
    }

    #[test]
    fn a_discipline_that_holds_back_is_asked_again_when_it_said() {
        let (_, log) = run(&[0, 1], 50, Time::MAX);
        assert_eq!(log, [(58, "sent", 1), (66, "sent", 2)]);
    }

    /// Two FIFOs, each with a link of its own.
    #[derive(Default)]
    struct Two([VecDeque<Packet>; 2]);

    impl Element for Two {
        fn links(&self) -> usize {
            2
        }

        fn enqueue(&mut self, _: Time, packet: Packet, _: &mut Vec<Packet>) -> Verdict {
            self.0[usize::from(packet.id.is_multiple_of(2))].push_back(packet);
            Verdict::Queued { rank: 0 }
        }

        fn dequeue(&mut self, _: Time, link: usize) -> Option<Packet> {
            self.0[link].pop_front()
        }

        fn next_wakeup(&self, _: Time, _: usize) -> Option<Time> {
            None
        }

        fn len(&self) -> usize {
            self.0[0].len() + self.0[1].len()
        }

        fn bytes(&self) -> u64 {
            0
        }

        fn counters(&self) -> Vec<forebay_core::Counter> {
            Vec::new()
        }
    }

    #[test]
    fn links_send_at_the_same_time() {
        let mut port = Port::new(Rate::parse("1 Gbps").unwrap(), Two::default(), Log::default());
        let outcome = port.run(&mut At(vec![0, 0, 0, 0, 0], 0), &RunOptions::default());
        assert_eq!(outcome.packets_queued, 0);
        let log = port.into_parts().1.0;
        assert_eq!(log, [(8, "sent", 1), (8, "sent", 2), (16, "sent", 3), (16, "sent", 4), (24, "sent", 5)]);
    }

    #[test]
    fn what_waits_at_the_end_stays_queued() {
        let (outcome, log) = run(&[0, 1, 2], 0, Time::from_ns(10_000));
        assert_eq!(log, [(8, "sent", 1)]);
        assert_eq!(outcome.packets_queued, 2, "one is being sent, one waits");
        assert_eq!(outcome.end, Time::from_ns(10_000));
    }

    #[test]
    fn a_run_ends_with_the_clock() {
        let gated = Gated { queue: VecDeque::new(), gate: Time::ZERO };
        let mut port = Port::new(Rate::parse("1 bps").unwrap(), gated, QueueLength::default());
        // The first packet takes 8000 s; the last arrives after the end of the clock.
        let outcome = port.run(&mut At(vec![0, 1, u64::MAX / 1_000], 0), &RunOptions::default());
        assert_eq!(outcome.reason, EndReason::ClockOverflow);
        assert_eq!(outcome.end, Time::from_ns(16_000_000_000_000));
    }

    #[test]
    fn a_run_can_be_stopped_and_says_so() {
        let gated = Gated { queue: VecDeque::new(), gate: Time::ZERO };
        let mut port = Port::new(Rate::parse("1 Gbps").unwrap(), gated, ());
        let many = At((0..100_000).collect(), 0);
        let outcome =
            port.run(&mut { many }, &RunOptions { go_on: &|offered| offered < 20_000, ..RunOptions::default() });
        assert_eq!(outcome.reason, EndReason::Stopped);
    }
}
