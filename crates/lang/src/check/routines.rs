//! Actions that a program implements: their declared interface (section IV-E: routines are validated for their
//! signatures).

use super::expand::code;
use super::scope::{Checker, Counters, Given, GlobalKind, Scope};
use super::spelling::nearest;
use super::tree::{Body, Expr, Ident};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Action, Routine, RoutineId};
use crate::symbol::SymbolKind;
use crate::vocabulary::ACTIONS;
use rowan::TextRange;

/// The most arguments of an action.
const MOST_ARGUMENTS: usize = 8;

impl<'t> Checker<'t> {
    /// Declares an action such as `extern action paint(colour);`.
    pub(super) fn declare_routine(&mut self, name: &'t Ident, params: &'t [Ident], span: TextRange) {
        const NOTHING: &Body = &Body::Missing;
        let text = self.source(span);
        let symbol = self.symbols.define(name, SymbolKind::Function, || code(text));
        if ACTIONS.contains(&name.text.as_str()) {
            let message = format!("`{}` is an action of the language", name.text);
            self.sink.say(Diagnostic::error(Code::ReservedName, name.span, message).help("choose another name"));
            return;
        }
        if let Some(extra) = params.get(MOST_ARGUMENTS) {
            let message = format!("an action takes at most {MOST_ARGUMENTS} numbers");
            self.sink.say(Diagnostic::error(Code::WrongArguments, extra.span, message).here("this is one too many"));
            return;
        }
        let Ok(number) = u16::try_from(self.routines.len()) else {
            self.sink.say(Diagnostic::error(
                Code::TooLarge,
                name.span,
                "a policy has at most 65,536 actions of its own",
            ));
            return;
        };
        let kind = GlobalKind::Routine(RoutineId(number));
        if self.add(name, None, kind, Some(params), Given::Body(NOTHING), symbol, &Counters::default()).is_some() {
            let arguments = params.iter().map(|param| param.text.clone()).collect();
            self.routines.push(Routine { name: name.text.clone(), arguments });
        }
    }

    /// Lowers an action that is not one of the language.
    pub(super) fn routine(&mut self, name: &'t Ident, arguments: &'t [Expr], scope: &mut Scope) -> Option<Action> {
        let known = self.by_name.get(&name.text).copied();
        let Some(GlobalKind::Routine(id)) = known.map(|known| self.globals[known].kind) else {
            let said = Diagnostic::error(Code::UnknownAction, name.span, format!("there is no action `{}`", name.text));
            let declared = self.routines.iter().map(|routine| routine.name.as_str());
            self.sink.say(match nearest(&name.text, declared) {
                Some(meant) => said.help(format!("did you mean `{meant}`?")),
                None => said.help(format!(
                    "actions are `drop(P)`, `mark`, `notify`, `modify(x := e)`; one of your own is declared: `extern action {}(…);`",
                    name.text
                )),
            });
            return None;
        };
        if let Some(known) = known {
            self.refer(known, name);
        }
        let wanted = self.routines[usize::from(id.0)].arguments.len();
        if arguments.len() != wanted {
            let count = if wanted == 1 { "one number".to_owned() } else { format!("{wanted} numbers") };
            self.wrong_count(name.span, &format!("`{}` takes {count}", name.text), arguments.len());
            return None;
        }
        let numbers: Vec<_> = arguments.iter().map(|argument| self.number(argument, scope)).collect();
        let numbers = numbers.into_iter().map(|number| Some(number?.0)).collect::<Option<Vec<_>>>()?;
        Some(Action::Call(id, numbers))
    }
}
