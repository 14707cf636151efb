//! The switch, one round at a time.

use crate::change::{Setting, check};
use crate::egress::{Egress, Frame};
use crate::forwarding::{Forwarding, Route};
use crate::frame::{Malformed, Offload, finish, network_layer};
use crate::interface::{Interface, Sent};
use crate::record::Record;
use crate::rule::{Dropped, Rule};
use crate::stats::{PortStats, Stats};
use crate::tap::Tap;
use forebay_core::{Duration, Rate, Seed, Time};
use forebay_engine::Transition;
use forebay_engine::live::Change;
use forebay_lang::Value;
use forebay_targets::headers::{Mapping, Metadata};
use std::io::Write;
use std::os::fd::BorrowedFd;

/// Frames that one port may give or take in a round, so that no port waits long for another.
const FRAMES_A_ROUND: usize = 64;
/// How soon an interface is asked again that had no room.
const ASK_AGAIN: Duration = Duration::from_us(200);
const ETHERNET_HEADER: usize = 14;
const VLAN_TAG: usize = 4;

/// A port as it begins.
pub struct PortSetup {
    /// What it is called.
    pub name: String,
    /// Its interface.
    pub interface: Box<dyn Interface>,
    /// Its policy, [checked](check).
    pub setting: Setting,
    /// How fast it sends; `None`: as fast as the interface takes frames.
    pub rate: Option<Rate>,
    /// Where the operations of its policy are recorded.
    pub record: Option<Box<dyn Write>>,
}

struct Port {
    name: String,
    egress: Egress,
    /// The most bytes of a frame that its interface takes, without a VLAN tag.
    longest: usize,
    /// A frame for which the interface has had no room yet.
    in_hand: Option<Frame>,
    /// When it is asked again.
    ask_at: Time,
    counts: PortStats,
}

/// A switch between interfaces.
pub struct Switch {
    interfaces: Vec<Box<dyn Interface>>,
    fabric: Fabric,
    ports: Vec<Port>,
}

/// What frames pass on their way from one interface to others.
struct Fabric {
    mapping: Mapping,
    forwarding: Forwarding,
    tap: Option<Tap>,
    copies: u64,
    /// Where whole frames are made.
    room: Vec<u8>,
    to: Vec<usize>,
}

impl Switch {
    /// A switch that has seen nothing. Each port tries `drop(P)` with numbers from `seed`.
    #[must_use]
    pub fn new(ports: Vec<PortSetup>, mapping: Mapping, forwarding: Forwarding, tap: Option<Tap>, seed: Seed) -> Self {
        let mut interfaces = Vec::new();
        let ports = ports.into_iter().map(|PortSetup { name, interface, setting, rate, record }| {
            let longest = interface.mtu() + ETHERNET_HEADER;
            interfaces.push(interface);
            Port {
                name,
                longest,
                egress: Egress::new(setting, rate, seed, record.map(Record::new)),
                in_hand: None,
                ask_at: Time::ZERO,
                counts: PortStats::default(),
            }
        });
        let ports = ports.collect();
        let fabric = Fabric { mapping, forwarding, tap, copies: 0, room: Vec::new(), to: Vec::new() };
        Self { interfaces, fabric, ports }
    }

    /// Takes what has come. Whether there may be more.
    pub fn receive(&mut self, now: Time) -> bool {
        let Self { interfaces, fabric, ports } = self;
        let mut more = false;
        for (ingress, interface) in interfaces.iter_mut().enumerate() {
            let mut take = |bytes: &[u8], offload: Offload| fabric.pass(now, ingress, bytes, offload, ports);
            // One that is in trouble gives nothing now; sending shows what is wrong.
            let came = interface.receive(FRAMES_A_ROUND, &mut take).unwrap_or(0);
            more |= came == FRAMES_A_ROUND;
        }
        more
    }

    /// Sends what may leave.
    pub fn send(&mut self, now: Time) {
        self.send_at_most(now, FRAMES_A_ROUND);
    }

    /// The same, at most so many frames of each port: for a host that says itself when a port sends.
    pub fn send_at_most(&mut self, now: Time, frames: usize) {
        for (port, interface) in self.ports.iter_mut().zip(&mut self.interfaces) {
            let mut sent = 0;
            while sent < frames && now >= port.ask_at {
                let Some(frame) = port.in_hand.take().or_else(|| port.egress.depart(now)) else { break };
                match interface.send(&frame.bytes) {
                    Ok(Sent::Taken) => {
                        if let Some(tap) = &mut self.fabric.tap {
                            tap.frame(now, &frame.bytes);
                        }
                        port.egress.sent(frame);
                    }
                    Ok(Sent::Busy) => {
                        port.in_hand = Some(frame);
                        port.ask_at = now + ASK_AGAIN;
                    }
                    Err(error) if error.raw_os_error() == Some(libc::EMSGSIZE) => {
                        port.egress.drop_frame(frame, Rule::TooLarge);
                    }
                    Err(_) => port.egress.drop_frame(frame, Rule::SendFailed),
                }
                sent += 1;
            }
            if sent > 0 {
                interface.flush();
            }
        }
    }

    /// When [`send`](Self::send) could send more than now; `None`: when a frame has come.
    #[must_use]
    pub fn next_wakeup(&self) -> Option<Time> {
        let next = |port: &Port| match &port.in_hand {
            Some(_) => Some(port.ask_at),
            None => port.egress.next_departure().map(|time| time.max(port.ask_at)),
        };
        self.ports.iter().filter_map(next).min()
    }

    /// What becomes readable when a frame comes.
    #[must_use]
    pub fn wakers(&self) -> Vec<BorrowedFd<'_>> {
        let mut all = Vec::new();
        self.interfaces.iter().for_each(|interface| interface.wakers(&mut all));
        all
    }

    /// Called when one of the wakers is in trouble.
    pub fn clear_trouble(&mut self) {
        self.interfaces.iter_mut().for_each(|interface| interface.clear_trouble());
    }

    /// The ports, in their order.
    pub fn port_names(&self) -> impl Iterator<Item = &str> {
        self.ports.iter().map(|port| port.name.as_str())
    }

    /// Frames that wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.ports.iter().map(|port| port.egress.len() + usize::from(port.in_hand.is_some())).sum()
    }

    /// Puts a policy in the place of those of all ports, or of one.
    ///
    /// # Errors
    /// If the policy cannot run here, or packets would be lost. Then nothing has happened.
    pub fn change(
        &mut self,
        now: Time,
        port: Option<usize>,
        setting: &Setting,
        transition: Transition,
    ) -> Result<Vec<(String, Change)>, String> {
        let meant = || (0..self.ports.len()).filter(|number| port.is_none_or(|port| port == *number));
        let has_rate = meant().all(|number| self.ports[number].egress.has_rate());
        check(&setting.policy, &self.fabric.mapping, has_rate)?;
        for port in meant().map(|number| &self.ports[number]) {
            if let Some(why) = port.egress.refusal(&setting.policy, transition) {
                return Err(format!("port {}: {why}", port.name));
            }
        }
        let numbers: Vec<usize> = meant().collect();
        let mut changes = Vec::new();
        for number in numbers {
            let Port { name, egress, .. } = &mut self.ports[number];
            let change = egress.change(now, setting.clone(), transition).map_err(|why| why.to_string())?;
            changes.push((name.clone(), change));
        }
        Ok(changes)
    }

    /// Gives live parameters of the policies of all ports, or of one, values that count from the next packet on. The ports.
    ///
    /// # Errors
    /// If a policy has no such live parameter, or it has another unit. Then nothing has happened.
    pub fn set(&mut self, now: Time, port: Option<usize>, values: &[(String, Value)]) -> Result<Vec<String>, String> {
        let mut all = Vec::new();
        for (number, Port { name, egress, .. }) in self.ports.iter().enumerate() {
            if port.is_none_or(|port| port == number) {
                for (parameter, value) in values {
                    let (id, value) = egress.accepts(parameter, *value).map_err(|why| format!("port {name}: {why}"))?;
                    all.push((number, id, value));
                }
            }
        }
        for (number, id, value) in &all {
            self.ports[*number].egress.set(now, *id, *value);
        }
        all.dedup_by_key(|(number, ..)| *number);
        Ok(all.into_iter().map(|(number, ..)| self.ports[number].name.clone()).collect())
    }

    /// Counts what still waits as dropped.
    pub fn stop(&mut self) {
        for port in &mut self.ports {
            if let Some(frame) = port.in_hand.take() {
                port.egress.drop_frame(frame, Rule::Stopped);
            }
            port.egress.stop();
        }
    }

    /// Hands on what recordings have kept back. Why the tap has ended, if it has.
    pub fn flush(&mut self) -> Option<&str> {
        for port in &mut self.ports {
            port.counts.record_error = port.egress.flush_record();
        }
        let tap = self.fabric.tap.as_mut()?;
        tap.flush();
        tap.error()
    }

    /// What there is to count.
    pub fn stats(&mut self) -> Stats {
        let ports = self.ports.iter().zip(&mut self.interfaces).map(|(port, interface)| {
            let queues = port.egress.queues();
            let sum = |of: fn(&crate::QueueStats) -> u64| queues.iter().map(of).sum();
            PortStats {
                name: port.name.clone(),
                rate_bps: port.egress.rate_bps(),
                policy: port.egress.policy(),
                lost_before: interface.lost(),
                sent: sum(|queue| queue.sent),
                sent_bytes: sum(|queue| queue.sent_bytes),
                waiting: (port.egress.len() + usize::from(port.in_hand.is_some())) as u64,
                waiting_bytes: sum(|queue| queue.waiting_bytes),
                marked: sum(|queue| queue.marked),
                notified: sum(|queue| queue.notified),
                dropped: {
                    let mut dropped = port.egress.dropped();
                    port.counts.dropped.0.iter().for_each(|(rule, frames)| dropped.add(*rule, *frames));
                    dropped
                },
                queues: queues.to_vec(),
                ..port.counts.clone()
            }
        });
        let ports = ports.collect();
        Stats { copies: self.fabric.copies, addresses: self.fabric.forwarding.addresses() as u64, ports }
    }
}

impl Fabric {
    /// A frame has come.
    fn pass(&mut self, now: Time, ingress: usize, bytes: &[u8], offload: Offload, ports: &mut [Port]) {
        let counts = &mut ports[ingress].counts;
        counts.received += 1;
        counts.received_bytes += bytes.len() as u64;
        let mut room = std::mem::take(&mut self.room);
        let mut made = 0;
        let done = finish(bytes, offload, &mut room, &mut |frame| {
            made += 1;
            self.forward(now, ingress, frame, ports);
        });
        self.room = room;
        match done {
            Ok(()) => self.copies += made - 1,
            Err(Malformed) => ports[ingress].counts.dropped_on_arrival.add(Rule::Malformed, 1),
        }
    }

    fn forward(&mut self, now: Time, ingress: usize, frame: &[u8], ports: &mut [Port]) {
        let route = self.forwarding.route(now, ingress, frame, &mut self.to);
        let dropped: &mut Dropped = &mut ports[ingress].counts.dropped_on_arrival;
        match (route, self.to.len()) {
            (Route::LinkLocal, _) => return dropped.add(Rule::LinkLocal, 1),
            (Route::Ports, 0) => return dropped.add(Rule::NoRoute, 1),
            (Route::Ports, ports) => self.copies += ports as u64 - 1,
        }
        let packet = self.mapping.packet(frame, Metadata::default());
        let tag = if network_layer(frame).is_some_and(|(_, _, tags)| tags > 0) { VLAN_TAG } else { 0 };
        for &to in &self.to {
            let port = &mut ports[to];
            port.counts.offered += 1;
            if frame.len() > port.longest + tag {
                port.counts.dropped.add(Rule::TooLarge, 1);
            } else {
                port.egress.arrive(now, packet, frame);
            }
        }
    }
}
