//! The checker: resolves names, and makes the policy from the tree.
//!
//! Statements become definitions and assignments, with loops and families expanded (`expand`). Each
//! object requests the definitions that it needs (`build`). Expressions are lowered where they are
//! used, since the values that they read depend on where they are assigned (`lower`). Definitions that
//! no object needs are checked at the end.

mod assignments;
mod build;
mod calls;
mod case_reports;
mod cases;
mod classify;
mod comparators;
mod conditions;
pub(crate) mod constants;
mod constructors;
mod diagnostic_sink;
mod expand;
mod families;
mod foreign_names;
mod live;
mod lower;
mod members;
mod names;
mod objects;
mod orders;
mod owner_inference;
mod properties;
mod routines;
mod scope;
mod spelling;
mod stages;
mod symbols;
mod tree;
mod unused;

use crate::ast::{AstNode, File, Statement};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::Policy;
use crate::parser::Parse;
use crate::symbol::Symbol;
use crate::unit::Overrides;
use diagnostic_sink::Sink;
use rowan::{TextRange, TextSize};
use scope::{Checker, GlobalKind};
use std::collections::HashMap;
use symbols::Symbols;

/// The most expressions, definitions and assignments that are examined before a policy counts as too large.
const BUDGET: usize = 12_000_000;

/// The result of a check.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// Mistakes of meaning.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The policy, if it was understood.
    pub(crate) policy: Option<Policy>,
    /// All names and their meanings.
    pub(crate) symbols: Vec<Symbol>,
}

/// Checks a tree.
pub(crate) fn check(parse: &Parse, overrides: &Overrides, live: &[String]) -> Checked {
    let root = parse.syntax();
    let text = root.to_string();
    let Some(file) = File::cast(root) else { return Checked::default() };
    let includes = file.statements().filter_map(|statement| match statement {
        Statement::Include(include) => Some(include.span()),
        _ => None,
    });
    let statements = tree::statements(file.statements());
    let mut checker = Checker {
        text: &text,
        overrides,
        live,
        parameters: Vec::new(),
        routines: Vec::new(),
        sink: Sink::default(),
        symbols: Symbols::new(),
        globals: Vec::new(),
        by_name: HashMap::new(),
        families: HashMap::new(),
        objects: objects::Objects::default(),
        stack: Vec::new(),
        orders: HashMap::new(),
        case_reports: case_reports::CaseReports::default(),
        searches: 0,
        leads: scope::Leads::Nowhere,
        ways: Vec::new(),
        budget: BUDGET,
    };
    checker.cannot_include(includes);
    checker.collect(&statements);
    checker.check_overrides();
    checker.check_live();
    checker.assign();
    let policy = checker.build();
    checker.check_the_rest();
    checker.warn_of_cases();
    // What is missing or unused in a file with mistakes may be their consequence.
    let good = parse.diagnostics().is_empty();
    if good && !checker.sink.has_errors() {
        checker.check_completeness(TextSize::of(&*text));
        checker.warn_of_unused();
    }
    checker.describe();
    let symbols = checker.symbols.into_symbols();
    let policy = policy.filter(|policy| !policy.queues.is_empty() && !policy.ports.is_empty());
    Checked { diagnostics: checker.sink.into_diagnostics(), policy, symbols }
}

impl Checker<'_> {
    /// Reports each `include` of a text that was given without files.
    fn cannot_include(&mut self, includes: impl Iterator<Item = TextRange>) {
        for span in includes {
            let said = Diagnostic::error(Code::Include, span, "this text is in no file, so that it cannot include one");
            self.sink.say(said.help("copy the contents of that file to here, or save this policy in a file"));
        }
    }

    /// Reports values of the command line that are invalid or match no param.
    fn check_overrides(&mut self) {
        let params: Vec<usize> =
            (0..self.globals.len()).filter(|index| self.globals[*index].kind == GlobalKind::Param).collect();
        for (name, value) in self.overrides {
            let Some(index) = params.iter().find(|index| self.globals[**index].name == *name) else {
                self.no_such_param(name, "to give a value to");
                continue;
            };
            if let Err(trouble) = constants::fit(value.number) {
                self.trouble(self.globals[*index].ident.span, trouble);
            }
        }
    }

    /// Reports that there is no param of this name.
    fn no_such_param(&mut self, name: &str, to_do: &str) {
        let message = format!("there is no param `{}` {to_do}", spelling::shown(name));
        let said = Diagnostic::error(Code::UnknownParam, TextRange::default(), message);
        let params = self.globals.iter().filter(|global| global.kind == GlobalKind::Param);
        let known: Vec<&str> = params.map(|global| global.name.as_str()).collect();
        let help = match spelling::nearest(name, known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if known.is_empty() => "this policy has no params".to_owned(),
            None => format!("its params are {}", spelling::shown(&known.join(", "))),
        };
        self.sink.say(said.here("in this policy").help(help));
    }

    fn check_completeness(&mut self, end: TextSize) {
        let (queues, ports) = (self.objects.queues.len(), self.objects.ports.len());
        let (code, message, help) = match (queues, ports) {
            (0, 0) => {
                (Code::NoQueue, "this policy has no queue and no port", "q1 = Queue(128 pkts); out = Port(100%, q1);")
            }
            (0, _) => (Code::NoQueue, "this policy has no queue", "q1 = Queue(128 pkts);"),
            (_, 0) => (Code::NoPort, "this policy has no port", "out = Port(100%);"),
            _ => return,
        };
        let said = Diagnostic::error(code, TextRange::empty(end), message).here("the file ends here");
        self.sink.say(said.help(format!("add, for example, `{help}`")));
    }

    /// Adds values to the descriptions of constants.
    fn describe(&mut self) {
        for index in 0..self.globals.len() {
            let global = &self.globals[index];
            if let (GlobalKind::Param, Some(Some(value))) = (global.kind, global.constant) {
                let text = format!("\n\nIts value is {}.", crate::unit::written(value.number, value.unit));
                self.symbols.add_to_hover(global.symbol, &text);
            }
        }
    }
}
