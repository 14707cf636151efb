//! The ranks that a program gives packets, computed in Rust. Tests compare the program's choice of queues with them.

use super::SwitchRank;
use super::plan::{Choice, Plan};
use super::steps::{Input, Operand, Step, Steps};
use crate::TargetOptions;
use forebay_core::Packet;
use forebay_lang::Policy;

/// The ranks that a program of the target `p4` gives packets.
#[derive(Debug)]
pub struct Ranks {
    steps: Steps,
    value: Operand,
}

impl Ranks {
    /// Computes the ranks of a policy. `None` if the target rejects the policy, if the policy chooses its queues itself, or if ranks
    /// decrease with time without end.
    #[must_use]
    pub fn new(policy: &Policy, options: &TargetOptions) -> Option<Self> {
        let plan = Plan::new(policy, options).ok()?;
        match plan.choice {
            Choice::Rank(rank)
                if plan.stateful.is_none_or(SwitchRank::is_of_packet) && rank.drift.is_none_or(|drift| drift.rises) =>
            {
                Some(Self { steps: plan.steps, value: rank.value })
            }
            _ => None,
        }
    }

    /// Returns the rank of a packet, whose fields must be as wide as the program's. A lower rank is served earlier.
    #[must_use]
    pub fn of(&self, packet: &Packet) -> u64 {
        let mut known: Vec<u64> = Vec::with_capacity(self.steps.all().len());
        for step in self.steps.all() {
            let value = |operand: Operand| value(&known, operand);
            known.push(match *step {
                Step::Input(Input::Field(of)) => of.value(packet),
                Step::Input(Input::Size) => packet.size_bytes.into(),
                Step::Input(Input::Arrival) => packet.arrival.as_ps() / 1_000,
                Step::Add(one, other) => value(one).wrapping_add(value(other)),
                Step::Sub(one, other) => value(one).wrapping_sub(value(other)),
                Step::And(one, mask) => value(one) & mask,
                Step::Left(one, by) => value(one) << by,
                Step::Right(one, by) => value(one) >> by,
                Step::Least(one, other) => value(one).min(value(other)),
                Step::Greatest(one, other) => value(one).max(value(other)),
                Step::If(test, one) => value(one) * u64::from(value(test) != 0),
            });
        }
        value(&known, self.value)
    }
}

fn value(known: &[u64], operand: Operand) -> u64 {
    match operand {
        Operand::Constant(constant) => constant,
        Operand::Step(step) => known[step],
    }
}

#[cfg(test)]
mod tests;
