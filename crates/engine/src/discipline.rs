//! A policy with one port as a discipline.

use crate::element::PolicyElement;
use crate::live::{Change, Live, Refused, Transition};
use crate::traits::{Engine, EngineOptions};
use forebay_core::{Counter, Discipline, Element, Packet, Rate, Seed, Time, Verdict};
use forebay_lang::ir::Policy;

/// A policy at one output port.
pub struct PolicyDiscipline<E>(PolicyElement<E>);

impl<E: Engine> PolicyDiscipline<E> {
    /// Starts with version 1 at a link of rate `link`.
    ///
    /// # Errors
    /// If the policy has several ports.
    pub fn new(
        build: impl Fn(&Policy, EngineOptions) -> E + Send + 'static,
        policy: Policy,
        link: Rate,
        seed: Seed,
    ) -> Result<Self, Refused> {
        match policy.ports.len() {
            1 => Ok(Self(PolicyElement::new(build, policy, link, seed))),
            ports => Err(Refused::Ports(ports)),
        }
    }

    /// Returns the policy in its present state.
    pub fn live(&self) -> &Live<E> {
        self.0.live()
    }

    /// As [`PolicyElement::change`].
    ///
    /// # Errors
    /// If packets would be lost, or the policy has several ports. Then nothing was changed.
    pub fn change(&mut self, now: Time, policy: Policy, transition: Transition) -> Result<Change, Refused> {
        self.0.change(now, policy, transition)
    }
}

impl<E: Engine> Discipline for PolicyDiscipline<E> {
    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        self.0.enqueue(now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time) -> Option<Packet> {
        self.0.dequeue(now, 0)
    }

    fn next_wakeup(&self, now: Time) -> Option<Time> {
        self.0.next_wakeup(now, 0)
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn counters(&self) -> Vec<Counter> {
        self.0.counters()
    }
}
