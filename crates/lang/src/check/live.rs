//! Live parameters: the places that may read them, and whether comparators stay orders while they change.

use super::scope::{Checker, Place, Scope, Typed};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Cond, Counterexample, Num, Parameter, ParameterId, Read, order};
use crate::number::{Fixed, Ratio};
use crate::unit::Value;
use rowan::TextRange;

impl Checker<'_> {
    /// Reports live params that do not exist.
    pub(super) fn check_live(&mut self) {
        for name in self.live {
            if !self.parameters.iter().any(|index| self.globals[*index].name == *name) {
                self.no_such_param(name, "that could be live");
            }
        }
    }

    /// Lowers a read of a live param; reports it if this place may not read it.
    pub(super) fn live_parameter(&mut self, index: usize, value: Value, span: TextRange, scope: &Scope) -> Typed {
        let place = self.parameters.iter().position(|known| *known == index);
        let Some(id) = place.and_then(|place| u16::try_from(place).ok()) else { return Typed::Unknown };
        let name = &self.globals[index].name;
        let (code, message, help) = match scope.place {
            Place::Constant => {
                let what = scope.constant;
                let message = format!("{what} is decided when the policy is checked, and the param `{name}` is live");
                (Code::NotConstant, message, instead(what, name))
            }
            Place::PacketOrder => (
                Code::WrongPlace,
                format!(
                    "a comparator of packets cannot read `{name}`, which is live: queued packets are already in order"
                ),
                format!(
                    "leave out `--live {name}`, and replace the policy to change the value; a replacement can rerank packets"
                ),
            ),
            _ => return Typed::Num(Num::Read(Read::Parameter(ParameterId(id))), value.unit),
        };
        let said = Diagnostic::error(code, span, message).here("this can change while the policy runs");
        let said = said.label(self.globals[index].ident.span, "this param is live").help(help);
        self.sink.say(match &scope.because {
            Some((span, text)) => said.label(*span, text.clone()),
            None => said,
        });
        Typed::Unknown
    }

    /// Returns the live parameters of the policy; `None` if one has no value.
    pub(super) fn live_parameters(&mut self) -> Option<Vec<Parameter>> {
        let all = self.parameters.clone();
        let one = |index: usize| {
            let Value { number, unit } = self.param(index, self.globals[index].ident)?;
            Some(Parameter { name: self.globals[index].name.clone(), unit, initial: Fixed::floor(number) })
        };
        all.into_iter().map(one).collect()
    }

    /// Returns the initial value of a live parameter.
    pub(super) fn initial(&mut self, id: ParameterId) -> Option<Ratio> {
        let index = *self.parameters.get(usize::from(id.0))?;
        self.param(index, self.globals[index].ident).map(|value| value.number)
    }

    /// Returns values of live parameters for which a comparator is no order, and objects that show it. Tries the initial values and a few
    /// others.
    pub(super) fn refuted_while_live(&mut self, before: &Cond) -> Option<(String, Counterexample)> {
        let read = before.parameters();
        let parameters = self.live_parameters()?;
        let initial = |id: ParameterId| parameters.get(usize::from(id.0)).map_or(Fixed(0), |known| known.initial);
        let others = [0, 1, 2, -1].map(|number| Some(Fixed::floor(Ratio::from_integer(number))));
        [None].into_iter().chain(others).find_map(|other| {
            let value = |id: ParameterId| other.unwrap_or(initial(id));
            let found = order(&before.with_parameters(&value)).err()?;
            let shown = |id: &ParameterId| {
                let parameter = parameters.get(usize::from(id.0))?;
                Some(format!("{} = {}", parameter.name, parameter.shown(value(*id))))
            };
            Some((read.iter().filter_map(shown).collect::<Vec<_>>().join(" and "), found))
        })
    }

    /// Replaces the numbers of live parameters in a text by their names.
    pub(super) fn with_names(&self, mut text: String) -> String {
        // `param#12` is not `param#1` and a 2.
        for (place, index) in self.parameters.iter().enumerate().rev() {
            text = text.replace(&format!("param#{place}"), &self.globals[*index].name);
        }
        text
    }
}

/// Returns help on a live parameter where a constant is needed.
fn instead(what: &str, name: &str) -> String {
    match what {
        "a size" => format!(
            "give the greatest size as a number, and drop by a condition: `q.congestion(q) = (q.currSize > {name}, drop(1))`"
        ),
        "a named constant" => {
            format!("leave out `param` here: a definition without `param` may read `{name}`")
        }
        "a rate" => format!("leave out `--live {name}`; rates are set with the policy"),
        "the initial value of a state" => {
            format!("read `{name}` where the state is read, or leave out `--live {name}`")
        }
        _ => format!("leave out `--live {name}`, and replace the policy to change the value"),
    }
}
