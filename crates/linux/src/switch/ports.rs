//! The ports of a switch, and the egresses behind them: one for each, or one for all if the policy has several ports.

use crate::switch::change::Setting;
use crate::switch::egress::{Egress, Frame};
use crate::switch::interface::Interface;
use crate::switch::record::Record;
use crate::switch::rule::Rule;
use crate::switch::stats::PortStats;
use forebay_core::{Packet, Rate, Seed, Time};
use forebay_engine::EngineOptions;
use std::io::Write;

/// The initial settings of a port.
pub struct PortSetup {
    /// The port's name.
    pub name: String,
    /// The port's interface.
    pub interface: Box<dyn Interface>,
    /// The port's rate; `None` means as fast as the interface accepts frames.
    pub rate: Option<Rate>,
}

/// A port. Its queued packets are in its egress, except for one frame.
pub(crate) struct Port {
    pub(crate) name: String,
    /// The most bytes of a frame that the interface accepts, without a VLAN tag.
    longest: usize,
    /// A frame for which the interface has had no room yet.
    in_hand: Option<Frame>,
    /// When the interface is tried again.
    pub(crate) ask_at: Time,
    /// The events before a queue is chosen; the egress counts the others.
    pub(crate) counts: PortStats,
}

impl Port {
    fn new(name: String, longest: usize) -> Self {
        Self { name, longest, in_hand: None, ask_at: Time::ZERO, counts: PortStats::default() }
    }
}

/// The ports of a switch.
pub(crate) struct Ports {
    pub(crate) all: Vec<Port>,
    egresses: Vec<Egress>,
    pub(crate) seed: Seed,
}

impl Ports {
    /// Creates ports with these names, longest frames and rates. If `records` has a writer for an egress, the egress's operations are
    /// recorded.
    pub(crate) fn new(
        ports: Vec<(String, usize, Option<Rate>)>,
        setting: &Setting,
        seed: Seed,
        records: Vec<Option<Box<dyn Write>>>,
    ) -> Self {
        let rates: Vec<Option<Rate>> = ports.iter().map(|(_, _, rate)| *rate).collect();
        let mut records = records.into_iter();
        let mut egress = |links: &[Option<Rate>]| {
            Egress::new(setting.clone(), links, seed, records.next().flatten().map(Record::new))
        };
        let shared = setting.policy.ports.len() > 1;
        let egresses = if shared { vec![egress(&rates)] } else { rates.chunks(1).map(&mut egress).collect() };
        let all = ports.into_iter().map(|(name, longest, _)| Port::new(name, longest)).collect();
        Self { all, egresses, seed }
    }

    /// Adds a port with its own egress after the others.
    pub(crate) fn add(&mut self, name: String, longest: usize, egress: Egress) {
        self.all.push(Port::new(name, longest));
        self.egresses.push(egress);
    }

    /// Drops the queued packets of a port with its own egress, and removes both. Returns the number of dropped packets, and all counters.
    pub(crate) fn remove(&mut self, number: usize) -> (usize, PortStats) {
        let waited = self.waiting_at(number);
        if let Some(frame) = self.all[number].in_hand.take() {
            self.drop_frame(number, frame, Rule::PortRemoved);
        }
        self.egresses[number].empty(Rule::PortRemoved);
        // Whether the recording is complete is no longer of use.
        let _error = self.egresses[number].flush_record();
        let stats = self.stats(number);
        self.all.remove(number);
        self.egresses.remove(number);
        (waited, stats)
    }

    /// Whether all ports share one policy with several ports.
    pub(crate) fn are_shared(&self) -> bool {
        self.egresses.len() < self.all.len()
    }

    /// Returns the egress of a port, and the port's number there.
    fn place(&self, port: usize) -> (usize, usize) {
        if self.are_shared() { (0, port) } else { (port, 0) }
    }

    /// Returns the numbers of the egresses of one port, or of all ports.
    pub(crate) fn numbers(&self, port: Option<usize>) -> Vec<usize> {
        (0..self.egresses.len()).filter(|number| port.is_none_or(|port| self.place(port).0 == *number)).collect()
    }

    /// Returns an egress, and the name of its port if it has a single one.
    pub(crate) fn egress(&mut self, number: usize) -> (&mut Egress, Option<&str>) {
        let name = (!self.are_shared()).then(|| self.all[number].name.as_str());
        (&mut self.egresses[number], name)
    }

    /// Enqueues a frame that arrived at `ingress`. It will depart by the port `to`, or by the port that a policy with several ports
    /// chooses.
    pub(crate) fn offer(&mut self, now: Time, ingress: usize, to: usize, packet: Packet, frame: &[u8], tag: usize) {
        let (number, _) = self.place(to);
        let shared = self.are_shared();
        let egress = &mut self.egresses[number];
        let directed = egress.direct(now, packet);
        let found = egress.port_of(&directed);
        if shared && found == Some(ingress) {
            return self.all[ingress].counts.dropped_on_arrival.add(Rule::NoRoute, 1);
        }
        if shared && found.is_none() {
            self.all[ingress].counts.dropped_on_arrival.add(Rule::Unclassified, 1);
            return egress.arrive(now, &directed, frame);
        }
        let Port { longest, counts, .. } = &mut self.all[found.filter(|_| shared).unwrap_or(to)];
        counts.offered += 1;
        if frame.len() > *longest + tag {
            return counts.dropped.add(Rule::TooLarge, 1);
        }
        if found.is_none() {
            counts.dropped.add(Rule::Unclassified, 1);
        }
        egress.arrive(now, &directed, frame);
    }

    /// Records that a port has another interface, which accepts frames of `longest` bytes. Returns the port's name.
    pub(crate) fn is_another(&mut self, port: usize, longest: usize) -> &str {
        let port = &mut self.all[port];
        port.longest = longest;
        port.ask_at = Time::ZERO;
        &port.name
    }

    /// Returns the next frame of a port that may leave now.
    pub(crate) fn next_frame(&mut self, now: Time, port: usize) -> Option<Frame> {
        let (number, own) = self.place(port);
        let Port { in_hand, ask_at, .. } = &mut self.all[port];
        if now < *ask_at {
            return None;
        }
        in_hand.take().or_else(|| self.egresses[number].depart(now, own))
    }

    /// Counts a frame as sent.
    pub(crate) fn sent(&mut self, port: usize, frame: Frame) {
        let (number, _) = self.place(port);
        self.egresses[number].sent(frame);
    }

    /// Drops a frame that was dequeued.
    pub(crate) fn drop_frame(&mut self, port: usize, frame: Frame, rule: Rule) {
        let (number, _) = self.place(port);
        self.egresses[number].drop_frame(frame, rule);
    }

    /// Keeps a frame until `until`, since the interface has no room.
    pub(crate) fn hold(&mut self, port: usize, frame: Frame, until: Time) {
        self.all[port].in_hand = Some(frame);
        self.all[port].ask_at = until;
    }

    /// Returns the time of the next possible departure; `None` if it needs an arrival.
    pub(crate) fn next_wakeup(&self) -> Option<Time> {
        let next = |(number, port): (usize, &Port)| match &port.in_hand {
            Some(_) => Some(port.ask_at),
            None => {
                let (egress, own) = self.place(number);
                self.egresses[egress].next_departure(own).map(|time| time.max(port.ask_at))
            }
        };
        self.all.iter().enumerate().filter_map(next).min()
    }

    /// Returns the number of frames that are queued for a port.
    fn waiting_at(&self, port: usize) -> usize {
        let (number, own) = self.place(port);
        self.egresses[number].len(own) + usize::from(self.all[port].in_hand.is_some())
    }

    /// Returns the number of queued frames.
    pub(crate) fn waiting(&self) -> usize {
        (0..self.all.len()).map(|port| self.waiting_at(port)).sum()
    }

    /// Returns the names of the ports, and the rates of their links.
    pub(crate) fn names_and_rates(&self) -> Vec<(String, Option<Rate>)> {
        let one = |(number, port): (usize, &Port)| {
            let (egress, own) = self.place(number);
            (port.name.clone(), self.egresses[egress].link_rate(own))
        };
        self.all.iter().enumerate().map(one).collect()
    }

    /// Returns the options to build the next version of each egress.
    pub(crate) fn next_options(&self) -> Vec<EngineOptions> {
        self.egresses.iter().map(Egress::next_options).collect()
    }

    /// Counts the frames that are still queued as dropped.
    pub(crate) fn stop(&mut self) {
        for port in 0..self.all.len() {
            if let Some(frame) = self.all[port].in_hand.take() {
                self.drop_frame(port, frame, Rule::Stopped);
            }
        }
        self.egresses.iter_mut().for_each(|egress| egress.empty(Rule::Stopped));
    }

    /// Writes buffered output of the recordings.
    pub(crate) fn flush(&mut self) {
        for (port, egress) in self.all.iter_mut().zip(&mut self.egresses) {
            port.counts.record_error = egress.flush_record();
        }
    }

    /// Returns the counters of a port.
    pub(crate) fn stats(&self, number: usize) -> PortStats {
        let port = &self.all[number];
        let (egress, own) = self.place(number);
        let egress = &self.egresses[egress];
        let queues = egress.queues(own);
        let sum = |of: fn(&crate::switch::QueueStats) -> u64| queues.iter().map(of).sum();
        let mut dropped = port.counts.dropped.clone();
        for (rule, frames) in queues.iter().flat_map(|queue| &queue.dropped.0) {
            dropped.add(*rule, *frames);
        }
        PortStats {
            name: port.name.clone(),
            rate_bps: egress.link_rate(own).map(Rate::bits_per_second),
            policy: egress.policy(),
            sent: sum(|queue| queue.sent),
            sent_bytes: sum(|queue| queue.sent_bytes),
            waiting: self.waiting_at(number) as u64,
            waiting_bytes: sum(|queue| queue.waiting_bytes),
            marked: sum(|queue| queue.marked),
            notified: sum(|queue| queue.notified),
            dropped,
            queues,
            ..port.counts.clone()
        }
    }
}
