//! Random policies with live parameters: some constants of their conditions and classifier, and factors of their orders of
//! queues.

use crate::build::{arith, compare};
use forebay_core::Rng;
use forebay_lang::ir::{
    Action, Arith, Comparator, Cond, Num, Parameter, ParameterId, Policy, QueueField, QueueRef, Read, Relation,
};
use forebay_lang::{Fixed, Unit};
use rand::RngExt;

/// The policy with live parameters in place of every second constant, at least one.
pub(crate) fn live(mut policy: Policy, rng: &mut Rng) -> Policy {
    let mut maker = Maker { rng, parameters: Vec::new() };
    for entry in &mut policy.classify {
        maker.cond(&mut entry.when);
        maker.number(&mut entry.index);
    }
    for next in policy.ports.iter_mut().filter_map(|port| port.next.as_mut()) {
        for entry in &mut next.entries {
            maker.cond(&mut entry.when);
            maker.number(&mut entry.index);
        }
        next.eligible.iter_mut().for_each(|eligible| maker.cond(eligible));
    }
    let queues = policy.queues.iter_mut().map(|queue| &mut queue.congestion);
    let buffers = policy.buffers.iter_mut().map(|buffer| &mut buffer.congestion);
    let ports = policy.ports.iter_mut().map(|port| &mut port.after);
    for case in queues.chain(buffers).chain(ports).flat_map(|condition| &mut condition.cases) {
        maker.cond(&mut case.when);
        for action in &mut case.actions {
            if let Action::Drop(number) | Action::Modify(_, number) = action {
                maker.number(number);
            }
        }
    }
    let orders = policy.ports.iter_mut().map(|port| &mut port.scheduling);
    for order in orders.chain(policy.buffers.iter_mut().filter_map(|buffer| buffer.admission.as_mut())) {
        if maker.rng.random_bool(0.3) || maker.parameters.is_empty() {
            *order = maker.order();
        }
    }
    policy.parameters = maker.parameters;
    policy
}

/// What a parameter is given: often one of few, and now and then anything.
pub(crate) fn value(rng: &mut Rng) -> Fixed {
    match rng.random_range(0..20) {
        0 => Fixed(i64::MAX),
        1 => Fixed(i64::MIN),
        2..8 => Fixed(rng.random_range(-100_000..400_000)),
        _ => Fixed::whole(rng.random_range(0..6)),
    }
}

struct Maker<'a> {
    rng: &'a mut Rng,
    parameters: Vec<Parameter>,
}

impl Maker<'_> {
    /// A new parameter.
    fn parameter(&mut self, initial: Fixed) -> Num {
        let id = u16::try_from(self.parameters.len()).expect("a policy has few constants");
        self.parameters.push(Parameter { name: format!("K{id}"), unit: Unit::None, initial });
        Num::Read(Read::Parameter(ParameterId(id)))
    }

    fn number(&mut self, number: &mut Num) {
        match number {
            Num::Const(constant) if self.rng.random_bool(0.5) => *number = self.parameter(Fixed::floor(*constant)),
            Num::Const(_) | Num::Read(_) => {}
            Num::Neg(operand) => self.number(operand),
            Num::Arith(_, left, right) => {
                self.number(left);
                self.number(right);
            }
        }
    }

    fn cond(&mut self, cond: &mut Cond) {
        match cond {
            Cond::Const(_) => {}
            Cond::Compare(_, left, right) => {
                self.number(left);
                self.number(right);
            }
            Cond::CompareProducts(_, products) => {
                products.as_flattened_mut().iter_mut().for_each(|factor| self.number(factor));
            }
            Cond::Not(operand) => self.cond(operand),
            Cond::And(left, right) | Cond::Or(left, right) => {
                self.cond(left);
                self.cond(right);
            }
        }
    }

    /// Queues by a state and a share of what is in them, which is an order whatever the share is.
    fn order(&mut self) -> Comparator {
        let initial = value(self.rng);
        let share = self.parameter(initial);
        let of = |queue| {
            let read = |field| Num::Read(Read::Queue(queue, field));
            arith(
                Arith::Add,
                read(QueueField::SchedState),
                arith(Arith::Mul, share.clone(), read(QueueField::CurrSize)),
            )
        };
        let before = compare(Relation::Less, of(QueueRef::First), of(QueueRef::Second));
        Comparator { name: "shared".to_owned(), before, keys: None }
    }
}
