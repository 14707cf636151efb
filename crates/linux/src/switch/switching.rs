//! The switch, one round at a time.

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

/// Frames that arrive in a round, counting each part of a large frame, so that no port waits long for another.
const FRAMES_A_ROUND: usize = 64;
/// Frames that one port takes in a round: more than come in one, also where the last of them was a large one.
const FRAMES_AT_ONCE: usize = 256;
/// How soon an interface is asked again that had no room.
const ASK_AGAIN: Duration = Duration::from_us(200);
pub(super) const ETHERNET_HEADER: usize = 14;
/// Changes that can be undone.
const MOST_BEFORE: usize = 8;

/// The settings with which a switch starts.
pub struct Setup {
    /// The policy, [checked](super::check): each port runs it, or all of them together if it has several ports.
    pub setting: Setting,
    /// Where the fields of its packets come from.
    pub mapping: Mapping,
    /// How the ports of frames are chosen.
    pub forwarding: Forwarding,
    /// Where sent frames are recorded.
    pub tap: Option<Tap>,
    /// The seed of the trials of `drop(P)`, for each instance of the policy.
    pub seed: Seed,
    /// Where operations are recorded: one writer for each port in their order, or a single one for a policy with several
    /// ports. Nothing is recorded for a missing writer.
    pub records: Vec<Option<Box<dyn Write>>>,
}

/// A switch between interfaces.
pub struct Switch {
    pub(super) interfaces: Vec<Box<dyn Interface>>,
    /// The interface whose frames are taken first.
    first: usize,
    pub(super) fabric: Fabric,
    pub(super) ports: Ports,
    tap: Option<Tap>,
    /// The last changes.
    pub(super) steps: VecDeque<Step>,
    /// The policy of ports that are added.
    usual: Setting,
    /// How often it was changed.
    pub(super) epoch: u64,
    /// The counters of ports that were removed.
    pub(super) removed: Removed,
    /// Opens the interfaces of added ports, with the rate of those that are given none.
    pub(super) opener: Option<(&'static dyn Backend, Option<Rate>)>,
}

impl Switch {
    /// A switch that has seen nothing.
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

    /// Takes what has come: so much that it leaves with the next [`send`](Self::send), unless something holds it back. The rest waits in
    /// the interfaces, and not in queues whose policies would drop it. Whether there may be more.
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

    /// Sends what may leave.
    pub fn send(&mut self, now: Time) {
        for port in 0..self.interfaces.len() {
            self.send_at_most(now, port, FRAMES_AT_ONCE);
        }
    }

    /// The same, of one port and at most so many frames: for a host that says itself when a port sends.
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

    /// When [`send`](Self::send) could send more than now; `None`: when a frame has come.
    #[must_use]
    pub fn next_wakeup(&self) -> Option<Time> {
        self.ports.next_wakeup()
    }

    /// The descriptors that become readable when a frame arrives.
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

    /// Looks whether interfaces are still there, or again: the names of ports and what has become of them.
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

    /// The ports, in their order.
    pub fn port_names(&self) -> impl Iterator<Item = &str> {
        self.ports.all.iter().map(|port| port.name.as_str())
    }

    /// Frames that wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.ports.waiting()
    }

    /// Puts a policy in the place of those of all ports, or of one; of the one that all ports share, if they do. What was
    /// changed: a port and how, or no port and how, if they share it. [`plan`](Self::plan) and [`exchange`](Self::exchange) do the same
    /// without keeping frames waiting for the check.
    ///
    /// # Errors
    /// If the policy cannot run here, or packets would be lost. Then nothing has happened.
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
    /// If there is none, or packets would be lost. Then nothing has happened.
    pub fn roll_back(
        &mut self,
        now: Time,
        transition: Transition,
    ) -> Result<Vec<(Option<String>, Change)>, CannotChange> {
        let prepared = self.plan().roll_back()?;
        self.exchange(now, prepared, transition)
    }

    /// What a change can be prepared with, by another thread.
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

    /// Makes a change that was prepared.
    ///
    /// # Errors
    /// If the switch was changed since, or packets would be lost. Then nothing has happened.
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

    /// Gives live parameters of the policies of all ports, or of one, values that count from the next packet on. The ports.
    ///
    /// # Errors
    /// If a policy has no such live parameter, or it has another unit. Then nothing has happened.
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

    /// The numbers of the egresses that are meant by a port, or by none.
    fn meant(&self, port: Option<usize>) -> Result<Vec<usize>, OnePolicy> {
        if port.is_some() && self.ports.are_shared() {
            return Err(OnePolicy { ports: self.ports.all.len() });
        }
        Ok(self.ports.numbers(port))
    }

    /// Counts what still waits as dropped.
    pub fn stop(&mut self) {
        self.ports.stop();
    }

    /// Hands on what recordings have kept back. Why the tap has ended, if it has.
    pub fn flush(&mut self) -> Option<&str> {
        self.ports.flush();
        let tap = self.tap.as_mut()?;
        tap.flush();
        tap.error()
    }

    /// The counters.
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
