//! The switch, which works in rounds.

use crate::switch::change::{CannotChange, CannotSet, OnePolicy, Setting};
use crate::switch::fabric::Fabric;
use crate::switch::forwarding::Forwarding;
use crate::switch::frame::Offload;
use crate::switch::interface::{Backend, Interface, News, Sent};
use crate::switch::ports::{PortSetup, Ports};
use crate::switch::prepare::{Before, Part, Plan, Prepared, Step};
use crate::switch::rule::Rule;
use crate::switch::stats::{PortStats, Removed, Stats};
use crate::switch::tap::Tap;
use forebay_core::{Duration, Rate, Seed, Time};
use forebay_engine::Transition;
use forebay_engine::live::Change;
use forebay_lang::Value;
use forebay_targets::headers::Mapping;
use std::collections::VecDeque;
use std::io::{ErrorKind, Write};
use std::os::fd::BorrowedFd;
use std::sync::Arc;

/// The most frames that are received in a round, counting each part of a large frame, so that no port waits long for another.
const FRAMES_A_ROUND: usize = 64;
/// The most frames that one port sends in a round: more than a round receives, even if the last of these was a large one.
const FRAMES_AT_ONCE: usize = 256;
/// The time before an interface without room is tried again.
const ASK_AGAIN: Duration = Duration::from_us(200);
pub(super) const ETHERNET_HEADER: usize = 14;
/// The most changes that can be undone.
const MOST_BEFORE: usize = 8;

/// The settings with which a switch starts.
pub struct Setup {
    /// The policy, [checked](super::check): each port runs it, or all of them together if it has several ports.
    pub setting: Setting,
    /// The sources of the packets' fields.
    pub mapping: Mapping,
    /// How the ports of frames are chosen.
    pub forwarding: Forwarding,
    /// The recording of sent frames.
    pub tap: Option<Tap>,
    /// The seed of the trials of `drop(P)`, for each instance of the policy.
    pub seed: Seed,
    /// The recordings of operations: one writer for each port in their order, or a single one for a policy with several ports. A missing
    /// writer records nothing.
    pub records: Vec<Option<Box<dyn Write>>>,
}

/// A switch between interfaces.
pub struct Switch {
    pub(super) interfaces: Vec<Box<dyn Interface>>,
    /// The index of the interface that is read first.
    first: usize,
    pub(super) fabric: Fabric,
    pub(super) ports: Ports,
    tap: Option<Tap>,
    /// The last changes, which can be undone.
    pub(super) steps: VecDeque<Step>,
    /// The policy of ports that are added.
    usual: Setting,
    /// The number of changes so far.
    pub(super) epoch: u64,
    /// The counters of ports that were removed.
    pub(super) removed: Removed,
    /// The back end that opens the interfaces of added ports, and the rate of ports that get none of their own.
    pub(super) opener: Option<(&'static dyn Backend, Option<Rate>)>,
}

impl Switch {
    /// Creates a switch without frames.
    #[must_use]
    pub fn new(ports: Vec<PortSetup>, setup: Setup) -> Self {
        let Setup { setting, mapping, forwarding, tap, seed, records } = setup;
        let mut interfaces = Vec::new();
        let begin = |PortSetup { name, interface, rate }| {
            let longest = interface.mtu() + ETHERNET_HEADER;
            interfaces.push(interface);
            (name, longest, rate)
        };
        let ports = ports.into_iter().map(begin).collect();
        let ports = Ports::new(ports, &setting, seed, records);
        let fabric = Fabric::new(mapping, forwarding, &setting.policy);
        Self {
            interfaces,
            first: 0,
            fabric,
            ports,
            tap,
            steps: VecDeque::new(),
            usual: setting,
            epoch: 0,
            removed: Removed::default(),
            opener: None,
        }
    }

    /// Receives frames: only as many as the next [`send`](Self::send) can send, unless a rate or an interface delays them. Further frames
    /// wait in the interfaces, and not in queues whose policies would drop them. Returns whether there may be more.
    pub fn receive(&mut self, now: Time) -> bool {
        let Self { interfaces, fabric, ports, first, .. } = self;
        let (begin, count) = (*first, interfaces.len());
        let mut room = FRAMES_A_ROUND;
        for turn in 0..count {
            let ingress = (begin + turn) % count;
            let mut take = |bytes: &[u8], offload: Offload| {
                room = room.saturating_sub(fabric.pass(now, ingress, bytes, offload, ports).max(1));
                room > 0
            };
            // One that is in trouble gives nothing now; sending shows what is wrong.
            let _came = interfaces[ingress].receive(FRAMES_A_ROUND, &mut take);
            if room == 0 {
                // Others before this one again.
                *first = (ingress + 1) % count;
                return true;
            }
        }
        false
    }

    /// Sends the frames that may leave now.
    pub fn send(&mut self, now: Time) {
        for port in 0..self.interfaces.len() {
            self.send_at_most(now, port, FRAMES_AT_ONCE);
        }
    }

    /// Sends at most `frames` frames of one port, for a host that decides itself when a port sends.
    pub fn send_at_most(&mut self, now: Time, port: usize, frames: usize) {
        let interface = &mut self.interfaces[port];
        let mut sent = 0;
        while sent < frames {
            let Some(frame) = self.ports.next_frame(now, port) else { break };
            match interface.send(&frame.bytes) {
                Ok(Sent::Taken) => {
                    if let Some(tap) = &mut self.tap {
                        tap.frame(now, &frame.bytes);
                    }
                    self.ports.sent(port, frame);
                }
                Ok(Sent::Busy) => self.ports.hold(port, frame, now + ASK_AGAIN),
                Err(error) if error.raw_os_error() == Some(libc::EMSGSIZE) => {
                    self.ports.drop_frame(port, frame, Rule::TooLarge);
                }
                Err(error) if error.kind() == ErrorKind::NotConnected => {
                    self.ports.drop_frame(port, frame, Rule::LinkGone);
                }
                Err(_) => self.ports.drop_frame(port, frame, Rule::SendFailed),
            }
            sent += 1;
        }
        if sent > 0 {
            interface.flush();
        }
    }

    /// Returns when [`send`](Self::send) may next send a frame; `None` if that needs an arrival.
    #[must_use]
    pub fn next_wakeup(&self) -> Option<Time> {
        self.ports.next_wakeup()
    }

    /// Returns the descriptors that become readable when a frame arrives.
    #[must_use]
    pub fn wakers(&self) -> Vec<BorrowedFd<'_>> {
        let mut all = Vec::new();
        self.interfaces.iter().for_each(|interface| interface.wakers(&mut all));
        all
    }

    /// Clears the errors that wakers report; called when one of them does.
    pub fn clear_trouble(&mut self) {
        self.interfaces.iter_mut().for_each(|interface| interface.clear_trouble());
    }

    /// Checks whether interfaces were removed or are there again. Returns the names of changed ports with the changes.
    pub fn look(&mut self) -> Vec<(String, News)> {
        let mut all = Vec::new();
        for (number, interface) in self.interfaces.iter_mut().enumerate() {
            if let Some(news) = interface.look() {
                let name = self.ports.is_another(number, interface.mtu() + ETHERNET_HEADER);
                all.push((name.to_owned(), news));
            }
        }
        all
    }

    /// Returns the names of the ports, in their order.
    pub fn port_names(&self) -> impl Iterator<Item = &str> {
        self.ports.all.iter().map(|port| port.name.as_str())
    }

    /// Returns the number of queued frames.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.ports.waiting()
    }

    /// Replaces the policy of one port, or of all ports. If all ports share a policy, it replaces that. Returns the changes, each with its
    /// port, or without one if the ports share the policy. [`plan`](Self::plan) and [`exchange`](Self::exchange) do the same, and frames do
    /// not wait for the check.
    ///
    /// # Errors
    /// If the policy cannot run here, or packets would be lost. Then nothing was changed.
    pub fn change(
        &mut self,
        now: Time,
        port: Option<usize>,
        setting: &Setting,
        transition: Transition,
    ) -> Result<Vec<(Option<String>, Change)>, CannotChange> {
        let name = port.map(|port| self.ports.all[port].name.clone());
        let prepared = self.plan().change(name.as_deref(), setting)?;
        self.exchange(now, prepared, transition)
    }

    /// Undoes the last [change](Self::change) that was not undone yet: the earlier policy replaces the current one, as another
    /// change, with the earlier values of its live parameters.
    ///
    /// # Errors
    /// If there is no such change, or packets would be lost. Then nothing was changed.
    pub fn roll_back(
        &mut self,
        now: Time,
        transition: Transition,
    ) -> Result<Vec<(Option<String>, Change)>, CannotChange> {
        let prepared = self.plan().roll_back()?;
        self.exchange(now, prepared, transition)
    }

    /// Returns the data with which another thread can prepare a change.
    #[must_use]
    pub fn plan(&self) -> Plan {
        Plan {
            mapping: Arc::clone(&self.fabric.mapping),
            has_table: matches!(self.fabric.forwarding, Forwarding::Static(_)),
            ports: self.ports.names_and_rates(),
            egresses: self.ports.next_options(),
            before: self.steps.back().map(|step| step.before.clone()),
            usual: self.usual.clone(),
            usual_rate: self.opener.and_then(|(_, rate)| rate),
            seed: self.ports.seed,
            epoch: self.epoch,
        }
    }

    /// Makes a prepared change.
    ///
    /// # Errors
    /// If the switch was changed since, or packets would be lost. Then nothing was changed.
    pub fn exchange(
        &mut self,
        now: Time,
        prepared: Prepared,
        transition: Transition,
    ) -> Result<Vec<(Option<String>, Change)>, CannotChange> {
        let Prepared { parts, is_directed, is_rollback, epoch } = prepared;
        if epoch != self.epoch {
            return Err(CannotChange::Outdated);
        }
        for part in &parts {
            let (egress, name) = self.ports.egress(part.egress);
            if let Some(why) = egress.refusal(part.next.policy(), transition) {
                return Err(CannotChange::Now { port: name.map(str::to_owned), why });
            }
        }
        let (mut changes, mut before) = (Vec::new(), Vec::new());
        let usual = self.usual.clone();
        if let Some(Part { name, next, .. }) = parts.first()
            && parts.len() == self.ports.numbers(None).len()
        {
            self.usual = Setting { name: name.clone(), policy: Arc::clone(next.policy()) };
        }
        for Part { egress: number, name: policy, next, values } in parts {
            let (egress, name) = self.ports.egress(number);
            let name = name.map(str::to_owned);
            let (setting, own) = egress.setting();
            before.push(Before { egress: number, setting, values: own });
            changes.push((name, egress.change(now, policy, next, transition)?));
            values.into_iter().for_each(|(id, value)| egress.set(now, id, value));
        }
        self.fabric.follow(is_directed);
        self.epoch += 1;
        if is_rollback {
            if let Some(step) = self.steps.pop_back() {
                self.usual = step.usual;
            }
        } else {
            self.steps.push_back(Step { before, usual });
            if self.steps.len() > MOST_BEFORE {
                self.steps.pop_front();
            }
        }
        Ok(changes)
    }

    /// Sets live parameters of the policies of one port, or of all ports, from the next packet on. Returns the ports.
    ///
    /// # Errors
    /// If a policy has no such live parameter, or it has another unit. Then nothing was changed.
    pub fn set(
        &mut self,
        now: Time,
        port: Option<usize>,
        values: &[(String, Value)],
    ) -> Result<Vec<String>, CannotSet> {
        let meant = self.meant(port)?;
        let mut all = Vec::new();
        for number in &meant {
            let (egress, name) = self.ports.egress(*number);
            for (parameter, value) in values {
                let (id, value) = egress.accepts(parameter, *value).map_err(|why| match name {
                    Some(name) => CannotSet::AtPort { port: name.to_owned(), why: Box::new(why) },
                    None => why,
                })?;
                all.push((*number, id, value));
            }
        }
        for (number, id, value) in all {
            self.ports.egress(number).0.set(now, id, value);
        }
        let is_meant = |number: &usize| self.ports.are_shared() || meant.contains(number);
        let names = self.ports.all.iter().enumerate().filter(|(number, _)| is_meant(number));
        Ok(names.map(|(_, port)| port.name.clone()).collect())
    }

    /// Returns the numbers of the egresses of `port`, or of all ports if that is `None`.
    fn meant(&self, port: Option<usize>) -> Result<Vec<usize>, OnePolicy> {
        if port.is_some() && self.ports.are_shared() {
            return Err(OnePolicy { ports: self.ports.all.len() });
        }
        Ok(self.ports.numbers(port))
    }

    /// Counts the frames that are still queued as dropped.
    pub fn stop(&mut self) {
        self.ports.stop();
    }

    /// Writes buffered output of the recordings. Returns why the tap has ended; `None` if it has not.
    pub fn flush(&mut self) -> Option<&str> {
        self.ports.flush();
        let tap = self.tap.as_mut()?;
        tap.flush();
        tap.error()
    }

    /// Returns all counters.
    pub fn stats(&mut self) -> Stats {
        let seen = self.interfaces.iter_mut().map(|interface| (interface.lost(), interface.link()));
        let ports = seen
            .enumerate()
            .map(|(number, (lost_before, link))| PortStats { lost_before, link, ..self.ports.stats(number) })
            .collect();
        Stats {
            copies: self.fabric.copies,
            addresses: self.fabric.forwarding.addresses() as u64,
            ports,
            removed: self.removed.clone(),
        }
    }
}
