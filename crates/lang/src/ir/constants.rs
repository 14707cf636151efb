//! The constants of a policy: near them it decides otherwise.

use super::{Action, Cond, Condition, Num, Policy};
use crate::number::Ratio;
use forebay_core::BufferSize;

impl Policy {
    /// All constants in its comparators, conditions and classifier, sizes and states that it begins with, each once.
    #[must_use]
    pub fn constants(&self) -> Vec<Ratio> {
        let mut all = Vec::new();
        let mut see = |number: &Num| {
            if let Num::Const(constant) = number {
                all.push(*constant);
            }
        };
        let condition = |condition: &Condition, see: &mut dyn FnMut(&Num)| {
            for case in &condition.cases {
                case.when.numbers(see);
                for action in &case.actions {
                    if let Action::Drop(number) | Action::Modify(_, number) = action {
                        number.numbers(see);
                    }
                }
            }
        };
        for entry in &self.classify {
            entry.when.numbers(&mut see);
            entry.index.numbers(&mut see);
        }
        for queue in &self.queues {
            [&queue.processing, &queue.admission].iter().for_each(|order| order.before.numbers(&mut see));
            condition(&queue.congestion, &mut see);
        }
        for port in &self.ports {
            port.scheduling.before.numbers(&mut see);
            condition(&port.after, &mut see);
        }
        for buffer in &self.buffers {
            buffer.admission.iter().for_each(|order| order.before.numbers(&mut see));
            condition(&buffer.congestion, &mut see);
        }
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

impl Num {
    /// Calls `see` with the number and all that it is made of.
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
}

impl Cond {
    /// Calls `see` with all numbers in it, and with all that they are made of.
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
