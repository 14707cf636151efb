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

/// A port as it begins.
pub struct PortSetup {
    /// Its name.
    pub name: String,
    /// Its interface.
    pub interface: Box<dyn Interface>,
    /// How fast it sends; `None`: as fast as the interface takes frames.
    pub rate: Option<Rate>,
}

/// A port. The packets that wait for it are in its egress, except for one frame.
pub(crate) struct Port {
    pub(crate) name: String,
    /// The most bytes of a frame that its interface takes, without a VLAN tag.
    longest: usize,
    /// A frame for which the interface has had no room yet.
    in_hand: Option<Frame>,
    /// When the interface is asked again.
    pub(crate) ask_at: Time,
    /// What was counted before a queue was found; the rest is the egress's.
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
    /// Ports of these names, longest frames and rates. The operations of the egresses are recorded as far as there are
    /// recordings.
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

    /// One more port with an egress of its own, behind the others.
    pub(crate) fn add(&mut self, name: String, longest: usize, egress: Egress) {
        self.all.push(Port::new(name, longest));
        self.egresses.push(egress);
    }

    /// Drops the packets that wait at a port with its own egress, and removes both. Returns how many were dropped, and
    /// all counters.
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

    /// Whether one policy with several ports is behind all of them.
    pub(crate) fn are_shared(&self) -> bool {
        self.egresses.len() < self.all.len()
    }

    /// The egress of a port, and the port's number there.
    fn place(&self, port: usize) -> (usize, usize) {
        if self.are_shared() { (0, port) } else { (port, 0) }
    }

    /// The numbers of the egresses of one port, or of all ports.
    pub(crate) fn numbers(&self, port: Option<usize>) -> Vec<usize> {
        (0..self.egresses.len()).filter(|number| port.is_none_or(|port| self.place(port).0 == *number)).collect()
    }

    /// An egress, and the port whose it is alone.
    pub(crate) fn egress(&mut self, number: usize) -> (&mut Egress, Option<&str>) {
        let name = (!self.are_shared()).then(|| self.all[number].name.as_str());
        (&mut self.egresses[number], name)
    }

    /// A frame that arrived at `ingress` is to depart by the port `to`, or by the port that a policy with several ports
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

    /// The interface of a port is another one, that takes frames of so many bytes. The name of the port.
    pub(crate) fn is_another(&mut self, port: usize, longest: usize) -> &str {
        let port = &mut self.all[port];
        port.longest = longest;
        port.ask_at = Time::ZERO;
        &port.name
    }

    /// The next frame of a port that may leave now.
    pub(crate) fn next_frame(&mut self, now: Time, port: usize) -> Option<Frame> {
        let (number, own) = self.place(port);
        let Port { in_hand, ask_at, .. } = &mut self.all[port];
        if now < *ask_at {
            return None;
        }
        in_hand.take().or_else(|| self.egresses[number].depart(now, own))
    }

    /// A frame has left.
    pub(crate) fn sent(&mut self, port: usize, frame: Frame) {
        let (number, _) = self.place(port);
        self.egresses[number].sent(frame);
    }

    /// A frame does not leave.
    pub(crate) fn drop_frame(&mut self, port: usize, frame: Frame, rule: Rule) {
        let (number, _) = self.place(port);
        self.egresses[number].drop_frame(frame, rule);
    }

    /// The interface has no room for a frame until then.
    pub(crate) fn hold(&mut self, port: usize, frame: Frame, until: Time) {
        self.all[port].in_hand = Some(frame);
        self.all[port].ask_at = until;
    }

    /// When there may be a frame to send; `None`: when one has come.
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

    /// Frames that wait for a port.
    fn waiting_at(&self, port: usize) -> usize {
        let (number, own) = self.place(port);
        self.egresses[number].len(own) + usize::from(self.all[port].in_hand.is_some())
    }

    /// Frames that wait.
    pub(crate) fn waiting(&self) -> usize {
        (0..self.all.len()).map(|port| self.waiting_at(port)).sum()
    }

    /// The names of the ports, and the rates of their links.
    pub(crate) fn names_and_rates(&self) -> Vec<(String, Option<Rate>)> {
        let one = |(number, port): (usize, &Port)| {
            let (egress, own) = self.place(number);
            (port.name.clone(), self.egresses[egress].link_rate(own))
        };
        self.all.iter().enumerate().map(one).collect()
    }

    /// What the next version of each egress is built with.
    pub(crate) fn next_options(&self) -> Vec<EngineOptions> {
        self.egresses.iter().map(Egress::next_options).collect()
    }

    /// Counts what still waits as dropped.
    pub(crate) fn stop(&mut self) {
        for port in 0..self.all.len() {
            if let Some(frame) = self.all[port].in_hand.take() {
                self.drop_frame(port, frame, Rule::Stopped);
            }
        }
        self.egresses.iter_mut().for_each(|egress| egress.empty(Rule::Stopped));
    }

    /// Hands on what recordings have kept back.
    pub(crate) fn flush(&mut self) {
        for (port, egress) in self.all.iter_mut().zip(&mut self.egresses) {
            port.counts.record_error = egress.flush_record();
        }
    }

    /// The counters of a port.
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
