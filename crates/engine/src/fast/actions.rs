//! Runs conditions that are more than a tail drop (6.3 to 6.5 and 7.3 of `docs/openqueue-semantics.md`).

use super::expr::{Expr, Test};
use super::program::{CompiledAction, CompiledCase};
use super::running::{Congested, Running};
use super::structure::Structure;
use super::world::Scope;
use crate::drop_trial::Trial;
use forebay_core::{Packet, Time};
use forebay_lang::Fixed;

impl<S: Structure> Running<S> {
    fn holds(&self, when: &Test, now: Time, queue: usize) -> bool {
        when.holds(&Scope::of(&self.world, now, queue))
    }

    /// Runs a `congestion` for an arriving packet that enters `queue`.
    pub(super) fn act(
        &mut self,
        cases: &[CompiledCase],
        what: Congested,
        now: Time,
        queue: usize,
        evicted: &mut Vec<Packet>,
    ) {
        // 6.3: the first case that holds is the only one that acts.
        let Some(case) = cases.iter().find(|case| self.holds(&case.when, now, queue)) else { return };
        // 6.4: its actions in their order, each once.
        let mut sure = false;
        for action in &case.actions {
            match action {
                CompiledAction::DropSurely => {
                    sure = true;
                    self.drop_one(what, evicted);
                }
                CompiledAction::Drop(probability) => {
                    let probability = probability.exact(&Scope::of(&self.world, now, queue));
                    let trial = self.trials.decide(probability);
                    sure |= trial == Trial::Sure;
                    if trial != Trial::Keep {
                        self.drop_one(what, evicted);
                    }
                }
                other => self.write(other, now, queue),
            }
        }
        // 6.5: after a sure drop, victims leave as long as the condition holds, if dropping can change it; one about the
        // arriving packet, as long as that is there.
        if sure && case.can_be_lifted {
            while (!case.is_about_arriving || self.world.arriving.as_ref().is_some_and(|arriving| arriving.there))
                && self.holds(&case.when, now, queue)
                && self.drop_one(what, evicted)
            {}
        }
    }

    /// Runs a `postSchedAct` after a packet of `queue` was served.
    pub(super) fn act_after(&mut self, cases: &[CompiledCase], now: Time, queue: usize) {
        if let Some(case) = cases.iter().find(|case| self.holds(&case.when, now, queue)) {
            for action in &case.actions {
                self.write(action, now, queue);
            }
        }
    }

    /// 6.4, 7.3: calls an action of the program.
    fn call(&self, routine: usize, numbers: &[Expr], now: Time, queue: usize) {
        let (Some(routines), Some(name)) = (&self.routines.given, self.routines.names.get(routine)) else { return };
        let Some(packet) = self.world.packet_of_actions() else { return };
        let packet = self.origins.shown(packet);
        let scope = Scope::of(&self.world, now, queue);
        let numbers: Vec<Fixed> = numbers.iter().map(|number| Fixed(number.value(&scope))).collect();
        routines.call(name, &numbers, &packet);
    }

    /// Runs any action but a drop.
    fn write(&mut self, action: &CompiledAction, now: Time, queue: usize) {
        match action {
            CompiledAction::Mark => self.mark(),
            CompiledAction::Notify => self.notify(),
            CompiledAction::Call(routine, numbers) => self.call(*routine, numbers, now, queue),
            CompiledAction::Modify(target, value) => self.modify(*target, value, now, queue),
            // The grammar has no `drop` after service (Listing 1).
            CompiledAction::DropSurely | CompiledAction::Drop(_) => {}
        }
    }
}
