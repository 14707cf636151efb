//! Visits all numbers of a policy: those that it reads, and its constants.

use super::{Action, Cond, Condition, Num, Policy, Read};
use crate::number::Ratio;
use forebay_core::BufferSize;

impl Num {
    /// Calls `see` with the number and all its parts.
    pub fn numbers(&self, see: &mut dyn FnMut(&Self)) {
        see(self);
        match self {
            Self::Const(_) | Self::Read(_) => {}
            Self::Neg(operand) => operand.numbers(see),
            Self::Arith(_, left, right) => {
                left.numbers(see);
                right.numbers(see);
            }
        }
    }

    /// Calls `see` if the number itself is a read.
    pub(super) fn is_read(&self, see: &mut dyn FnMut(Read)) {
        if let Self::Read(read) = self {
            see(*read);
        }
    }
}

impl Cond {
    /// Calls `see` with all numbers in the condition, and with all their parts.
    pub fn numbers(&self, see: &mut dyn FnMut(&Num)) {
        match self {
            Self::Const(_) => {}
            Self::Compare(_, left, right) => {
                left.numbers(see);
                right.numbers(see);
            }
            Self::CompareProducts(_, products) => products.as_flattened().iter().for_each(|factor| factor.numbers(see)),
            Self::Not(operand) => operand.numbers(see),
            Self::And(left, right) | Self::Or(left, right) => {
                left.numbers(see);
                right.numbers(see);
            }
        }
    }
}

impl Condition {
    /// Calls `see` with all numbers in all cases, and with all their parts.
    pub fn numbers(&self, see: &mut dyn FnMut(&Num)) {
        for case in &self.cases {
            case.when.numbers(see);
            for action in &case.actions {
                match action {
                    Action::Drop(number) | Action::Modify(_, number) => number.numbers(see),
                    Action::Call(_, numbers) => numbers.iter().for_each(|number| number.numbers(see)),
                    Action::Mark | Action::Notify => {}
                }
            }
        }
    }

    /// Calls `see` with every read of all cases.
    pub fn reads(&self, see: &mut dyn FnMut(Read)) {
        self.numbers(&mut |number| number.is_read(see));
    }
}

impl Policy {
    /// Calls `see` with all numbers in the policy's comparators, conditions, classifier and stages, and with all their parts.
    pub fn numbers(&self, see: &mut dyn FnMut(&Num)) {
        for entry in &self.classify {
            entry.when.numbers(see);
            entry.index.numbers(see);
        }
        self.policy_id.iter().for_each(|chosen| chosen.numbers(see));
        for queue in &self.queues {
            queue.processing.before.numbers(see);
            queue.admission.before.numbers(see);
            queue.congestion.numbers(see);
        }
        for port in &self.ports {
            port.scheduling.before.numbers(see);
            port.after.numbers(see);
            for entry in port.next.iter().flat_map(|next| &next.entries) {
                entry.when.numbers(see);
                entry.index.numbers(see);
            }
            port.next.iter().filter_map(|next| next.eligible.as_ref()).for_each(|eligible| eligible.numbers(see));
        }
        for buffer in &self.buffers {
            buffer.admission.iter().for_each(|order| order.before.numbers(see));
            buffer.congestion.numbers(see);
        }
    }

    /// Calls `see` with every read of the policy's comparators, conditions and classifier.
    pub fn reads(&self, see: &mut dyn FnMut(Read)) {
        self.numbers(&mut |number| number.is_read(see));
    }

    /// Returns all constants in the policy's comparators, conditions and classifier, sizes and initial states, each once and in order.
    #[must_use]
    pub fn constants(&self) -> Vec<Ratio> {
        let mut all = Vec::new();
        self.numbers(&mut |number| {
            if let Num::Const(constant) = number {
                all.push(*constant);
            }
        });
        let size = |size: BufferSize| match size {
            BufferSize::Packets(count) | BufferSize::Bytes(count) => Ratio::from_integer(count.into()),
        };
        all.extend(self.queues.iter().flat_map(|queue| [size(queue.size), queue.adm_state, queue.sched_state]));
        all.extend(self.ports.iter().map(|port| port.sched_state));
        all.extend(self.buffers.iter().flat_map(|buffer| [size(buffer.size), buffer.adm_state]));
        all.sort_unstable();
        all.dedup();
        all
    }
}
