//! A policy with all of its ports as a network element, with the pace of each port, and changes at given times.

use crate::inner_ports::Inside;
use crate::live::{Change, Live, Refused, Transition};
use crate::pace::Pace;
use crate::traits::{Engine, EngineOptions};
use forebay_core::{Counter, Element, Packet, Rate, Seed, Time, Verdict};
use forebay_lang::ir::{Policy, PortId};
use std::collections::VecDeque;

/// A policy whose ports are links.
///
/// If a port is slower than its link, the time between the starts of two packets is at least that of the first packet at the port's rate
/// (`docs/openqueue-semantics.md`, 1.3). Links are numbered as the ports of the first version from which packets leave. Later versions have
/// the same ports, by name.
pub struct PolicyElement<E> {
    live: Live<E>,
    links: Vec<Link>,
    /// Ports that lead to queues of a later stage.
    inside: Inside,
    /// Planned changes, in order of their times.
    planned: VecDeque<Planned>,
    planned_so_far: usize,
    /// Planned changes that were rejected when their time came.
    refused: Vec<RefusedChange>,
}

/// A link and the port that feeds it.
struct Link {
    name: String,
    rate: Rate,
    /// The port in the newest version.
    port: PortId,
    pace: Option<Pace>,
    /// The start and the bytes of the last packet.
    last: Option<(Time, u32)>,
    /// The time from which the next packet may begin.
    free_at: Time,
}

impl Link {
    /// Computes `free_at`.
    #[inline]
    fn keep_pace(&mut self) {
        if let (Some(pace), Some((begun, bytes))) = (self.pace, self.last) {
            self.free_at = begun + pace.duration(bytes);
        } else {
            self.free_at = Time::ZERO;
        }
    }
}

struct Planned {
    number: usize,
    at: Time,
    policy: Policy,
    transition: Transition,
}

/// A planned change that could not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedChange {
    /// The change's index in the order of planning, from 0.
    pub number: usize,
    /// The planned time of the change.
    pub at: Time,
    /// Packets that were queued at that time.
    pub waiting: u64,
    /// Why the change was rejected.
    pub why: Refused,
}

impl<E: Engine> PolicyElement<E> {
    /// Starts with version 1 at links that all have rate `link_rate`.
    pub fn new(
        build: impl Fn(&Policy, EngineOptions) -> E + Send + 'static,
        policy: Policy,
        link_rate: Rate,
        seed: Seed,
    ) -> Self {
        let rates = vec![link_rate; policy.ports.len()];
        Self::at_links(build, policy, &rates, seed)
    }

    /// Starts with version 1, with a link of its own rate for each port, including ports from which no packet leaves.
    ///
    /// # Panics
    /// If the number of rates is not that of the ports.
    pub fn at_links(
        build: impl Fn(&Policy, EngineOptions) -> E + Send + 'static,
        policy: Policy,
        rates: &[Rate],
        seed: Seed,
    ) -> Self {
        assert_eq!(rates.len(), policy.ports.len(), "one link for each port");
        let inside = Inside::of(&policy, rates);
        let links = (0..)
            .zip(policy.ports.iter().zip(rates))
            .filter(|(_, (port, _))| port.next.is_none())
            .map(|(number, (port, rate))| Link {
                name: port.name.clone(),
                rate: *rate,
                port: PortId(number),
                pace: Pace::of(port.rate, *rate),
                last: None,
                free_at: Time::ZERO,
            })
            .collect();
        let live = Live::new(build, policy, seed);
        Self { live, links, inside, planned: VecDeque::new(), planned_so_far: 0, refused: Vec::new() }
    }

    /// Returns the policy in its present state.
    pub fn live(&self) -> &Live<E> {
        &self.live
    }

    /// Changes the policy as [`Live::change`] does. A new rate applies from the start of the last packet.
    ///
    /// # Errors
    /// If packets would be lost, or the ports differ. Then nothing was changed.
    pub fn change(&mut self, now: Time, policy: Policy, transition: Transition) -> Result<Change, Refused> {
        if self.has_stages() || policy.has_stages() {
            return Err(Refused::Stages);
        }
        let port_of = |link: &Link| (0..=u16::MAX).zip(&policy.ports).find(|(_, port)| port.name == link.name);
        let same = self.links.len() == policy.ports.len() && self.links.iter().all(|link| port_of(link).is_some());
        if !same {
            let names = |ports: &mut dyn Iterator<Item = &String>| {
                ports.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            };
            return Err(Refused::OtherPorts {
                present: names(&mut self.links.iter().map(|link| &link.name)),
                wanted: names(&mut policy.ports.iter().map(|port| &port.name)),
            });
        }
        let ports: Vec<_> = (0..=u16::MAX).map(PortId).zip(policy.ports.clone()).collect();
        let change = self.live.change(now, policy, transition)?;
        for link in &mut self.links {
            if let Some((port, declared)) = ports.iter().find(|(_, port)| port.name == link.name) {
                link.port = *port;
                link.pace = Pace::of(declared.rate, link.rate);
                link.keep_pace();
            }
        }
        Ok(change)
    }

    /// Plans a change, which is made after the last packet before `at` and before the first packet at or after it.
    pub fn plan_change(&mut self, at: Time, policy: Policy, transition: Transition) {
        let place = self.planned.partition_point(|planned| planned.at <= at);
        self.planned.insert(place, Planned { number: self.planned_so_far, at, policy, transition });
        self.planned_so_far += 1;
    }

    /// Returns the planned changes that could not be made.
    pub fn refused_changes(&self) -> &[RefusedChange] {
        &self.refused
    }

    /// Makes the planned changes that are due. Every arrival and departure does this as well.
    #[inline]
    pub fn catch_up(&mut self, now: Time) {
        while self.planned.front().is_some_and(|planned| planned.at <= now)
            && let Some(Planned { number, at, policy, transition }) = self.planned.pop_front()
        {
            if let Err(why) = self.change(at, policy, transition) {
                self.refused.push(RefusedChange { number, at, waiting: self.live.len() as u64, why });
            }
        }
    }
}

impl<E: Engine> Element for PolicyElement<E> {
    fn links(&self) -> usize {
        self.links.len()
    }

    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        self.catch_up(now);
        self.live.enqueue(now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time, link: usize) -> Option<Packet> {
        self.catch_up(now);
        let link = &mut self.links[link];
        if now < link.free_at {
            return None;
        }
        let packet = self.live.dequeue(now, link.port)?;
        link.last = Some((now, packet.size_bytes));
        if link.pace.is_some() {
            link.keep_pace();
        }
        Some(packet)
    }

    fn next_wakeup(&self, now: Time, link: usize) -> Option<Time> {
        let free_at = self.links[link].free_at;
        // A change may set another pace.
        let next = self.planned.front().map_or(free_at, |planned| free_at.min(planned.at));
        (now < free_at && !self.live.is_empty()).then_some(next)
    }

    fn has_stages(&self) -> bool {
        !self.inside.is_empty()
    }

    fn advance(&mut self, now: Time, dropped: &mut Vec<Packet>) -> bool {
        self.inside.advance(&mut self.live, now, dropped)
    }

    fn next_advance(&self, now: Time) -> Option<Time> {
        if self.live.is_empty() { None } else { self.inside.next_free(now) }
    }

    fn len(&self) -> usize {
        self.live.len()
    }

    fn bytes(&self) -> u64 {
        self.live.bytes()
    }

    fn counters(&self) -> Vec<Counter> {
        self.live.counters()
    }
}
