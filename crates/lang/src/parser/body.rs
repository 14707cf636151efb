//! What stands after the `=` of a definition: an expression, or condition cases with
//! their actions, perhaps after `let`s.

use super::Parser;
use crate::diagnostic::{Code, Diagnostic};
use crate::kind::Kind;
use crate::vocabulary::{ACTIONS, nearest};

impl Parser<'_> {
    pub(super) fn body(&mut self) {
        if self.is(Kind::LetWord) {
            return self.deeper(Self::let_body);
        }
        let start = self.checkpoint();
        if self.is(Kind::OpenParen) {
            let open = self.span();
            self.bump();
            let mut height = self.deeper(Self::value);
            if self.action_follows() {
                self.actions();
                self.close(Kind::CloseParen, open);
                self.start_at(start, Kind::Case);
                self.finish();
                self.more_cases();
                self.start_at(start, Kind::Cases);
                self.finish();
                return;
            }
            self.close(Kind::CloseParen, open);
            self.start_at(start, Kind::ParenExpr);
            self.finish();
            height += 1;
            self.operators(start, height, 0);
        } else {
            self.value();
        }
        if self.action_follows() {
            self.actions();
            self.start_at(start, Kind::Case);
            self.finish();
            if matches!(self.current(), Kind::Dot | Kind::DotDot) && self.peek(1).kind == Kind::OpenParen {
                let said = self
                    .wrong(Code::Dots, "where several cases are joined, each stands in parentheses")
                    .here("the case before this dot has none")
                    .help("write `(condition, action).(condition, action)`");
                self.report(said);
                self.more_cases();
            }
            self.start_at(start, Kind::Cases);
            self.finish();
        }
    }

    fn let_body(&mut self) {
        self.start(Kind::Let);
        self.bump();
        if self.name("what `let` defines") {
            if !self.eat(Kind::Equals) {
                let becomes = self.is(Kind::Becomes) || self.is(Kind::EqualEqual);
                let said = if becomes {
                    self.wrong(Code::WrongEquals, "`let` gives a value with `=`").replace(self.span(), "=")
                } else {
                    self.missing(Code::Let, "the value of `let` is missing").here("`=` is missing here")
                };
                self.report(said.help("write `let q = port.getCurrQueue() in (…)`"));
                if becomes {
                    self.bump();
                }
            }
            self.value();
            if self.eat(Kind::InWord) {
                self.body();
            } else {
                let said = self
                    .missing(Code::Let, "this `let` has no `in`")
                    .here("`in` is missing here")
                    .help("write `let q = port.getCurrQueue() in (…)`");
                // The body may be there; after anything else it would be a guess.
                if self.is(Kind::OpenParen) {
                    let end = self.before().end();
                    self.report(said.insert(end, " in"));
                    self.body();
                } else {
                    self.report(said);
                    self.skip_to_end();
                }
            }
        }
        self.finish();
    }

    /// `.(condition, action)`, as often as it comes.
    fn more_cases(&mut self) {
        loop {
            match self.current() {
                Kind::Dot => self.bump(),
                Kind::DotDot | Kind::Ellipsis => {
                    let said = self.wrong(Code::Dots, "one dot joins two cases").help("write `.`");
                    let said = said.replace(self.span(), ".");
                    self.report(said);
                    self.bump_error();
                }
                Kind::Comma if self.peek(1).kind == Kind::OpenParen => {
                    let said = self.wrong(Code::Dots, "cases are joined by a dot").help("write `.`");
                    let said = said.replace(self.span(), ".");
                    self.report(said);
                    self.bump_error();
                }
                Kind::OpenParen => {
                    let said = self
                        .missing(Code::Dots, "a dot is missing between two cases")
                        .here("`.` is missing here")
                        .insert(self.before().end(), ".");
                    self.report(said);
                }
                _ => return,
            }
            let dot = self.before();
            while self.is(Kind::Dot) {
                let said = self.wrong(Code::Dots, "one dot joins two cases").help("remove this one");
                let said = said.replace(self.span(), "");
                self.report(said);
                self.bump_error();
            }
            if self.is(Kind::OpenParen) {
                self.case();
            } else {
                let said = Diagnostic::error(Code::Dots, dot, "after this dot another case should follow")
                    .here("no case follows")
                    .help("remove the dot, or add `(condition, action)`");
                let said = if self.at_end() || self.at_line_start() { said.replace(dot, "") } else { said };
                self.report(said);
                self.skip_to_end();
                return;
            }
        }
    }

    fn case(&mut self) {
        self.start(Kind::Case);
        let open = self.span();
        self.bump();
        self.deeper(Self::value);
        if self.action_follows() {
            self.actions();
        } else {
            let said = self
                .missing(Code::BadAction, "this case has no action")
                .here("`, action` is missing here")
                .help("write `(condition, drop(1))`");
            self.report(said);
            self.skip_until(|p| p.is(Kind::CloseParen));
        }
        self.close(Kind::CloseParen, open);
        self.finish();
    }

    /// Whether actions come: after a comma, or without where it was forgotten.
    fn action_follows(&self) -> bool {
        self.is(Kind::Comma) || self.at_action() && !self.at_statement()
    }

    fn at_action(&self) -> bool {
        self.is(Kind::Name) && ACTIONS.contains(&self.text())
    }

    /// `, action, action`.
    fn actions(&mut self) {
        let mut between = "condition and action";
        while self.action_follows() {
            if !self.eat(Kind::Comma) {
                self.missing_comma(between);
            }
            self.action();
            between = "two actions";
        }
    }

    fn action(&mut self) {
        if !self.is(Kind::Name) || self.at_statement() {
            let said = if self.at_end() || matches!(self.current(), Kind::CloseParen | Kind::Comma) {
                self.missing(Code::BadAction, "an action is missing after this comma").here("an action should follow")
            } else {
                self.wrong(Code::BadAction, format!("{} is not an action", self.found()))
            };
            self.report(said.help("actions are `drop(P)`, `mark`, `notify`, `modify(x := e)` and `enter(q)`"));
            self.skip_action();
            return;
        }
        match self.text() {
            "drop" => self.drop(),
            "modify" => self.modify(),
            "enter" => self.enter(),
            "mark" => self.plain_action(Kind::Mark),
            "notify" => self.plain_action(Kind::Notify),
            // What is no slip may be declared, here or in a file that is included.
            routine
                if self.peek(1).kind == Kind::OpenParen
                    && (self.declared.contains(routine) || nearest(routine, &ACTIONS).is_none()) =>
            {
                self.routine();
            }
            unknown => {
                let said =
                    self.wrong(Code::UnknownAction, format!("there is no action `{}`", super::shortened(unknown)));
                let said = match nearest(unknown, &ACTIONS) {
                    Some(meant) => said.help(format!("did you mean `{meant}`?")).replace(self.span(), meant),
                    None => said.help("actions are `drop(P)`, `mark`, `notify`, `modify(x := e)` and `enter(q)`"),
                };
                self.report(said);
                self.skip_action();
            }
        }
    }

    fn routine(&mut self) {
        self.start(Kind::Routine);
        let name = self.text();
        self.bump();
        self.arguments(name);
        self.finish();
    }

    /// Skips to the next action or the end of the case.
    fn skip_action(&mut self) {
        self.skip_until(|p| matches!(p.current(), Kind::Comma | Kind::CloseParen));
    }

    fn plain_action(&mut self, kind: Kind) {
        self.start(kind);
        let name = self.text();
        self.bump();
        if self.is(Kind::OpenParen) {
            let said = self.wrong(Code::BadAction, format!("`{name}` stands without parentheses"));
            self.report(said.help(format!("write `{name}`")));
            self.skip_action();
        }
        self.finish();
    }

    fn drop(&mut self) {
        self.start(Kind::Drop);
        let name = self.span();
        self.bump();
        let open = self.span();
        let help = "write `drop(1)` to drop always, `drop(.5)` to drop every second time on average";
        if !self.is(Kind::OpenParen) {
            let said = Diagnostic::error(Code::BadAction, name, "`drop` needs the probability with which it drops");
            let alone = matches!(self.current(), Kind::Comma | Kind::CloseParen) || self.at_end() || self.could_begin();
            let said = said.help(help);
            self.report(if alone { said.insert(name.end(), "(1)") } else { said });
            self.skip_action();
        } else if self.peek(1).kind == Kind::CloseParen {
            self.bump();
            let said = self.missing(Code::BadAction, "`drop` needs the probability with which it drops");
            self.report(said.here("a probability is missing here").help(help).insert(open.end(), "1"));
            self.bump();
        } else {
            self.bump();
            self.deeper(Self::value);
            self.close(Kind::CloseParen, open);
        }
        self.finish();
    }

    fn enter(&mut self) {
        self.start(Kind::Enter);
        let name = self.span();
        self.bump();
        let open = self.span();
        let help = "write `enter(q1)` or `enter(q[mod(p.flow, k) + 1])`";
        if !self.is(Kind::OpenParen) {
            let said = Diagnostic::error(Code::BadAction, name, "`enter` needs the queue that the packet enters");
            self.report(said.help(help));
            self.skip_action();
        } else if self.peek(1).kind == Kind::CloseParen {
            self.bump();
            let said = self.missing(Code::BadAction, "`enter` needs the queue that the packet enters");
            self.report(said.here("a queue is missing here").help(help));
            self.bump();
        } else {
            self.bump();
            self.deeper(Self::value);
            self.close(Kind::CloseParen, open);
        }
        self.finish();
    }

    fn modify(&mut self) {
        self.start(Kind::Modify);
        let name = self.span();
        self.bump();
        let help = "write `modify(q.admState := q.admState + 1)` or `modify(q.admState++)`";
        if !self.is(Kind::OpenParen) {
            let said = Diagnostic::error(Code::BadAction, name, "`modify` needs what it changes, in parentheses");
            self.report(said.help(help));
            self.skip_action();
            return self.finish();
        }
        let open = self.span();
        self.bump();
        if self.is(Kind::Name) {
            let target = self.checkpoint();
            let from = self.at;
            self.named(target, true);
            if !self.changed_in_place(from) {
                self.modification(help);
            }
        } else {
            let said = self.missing(Code::BadAction, "`modify` needs what it changes").here("a name should follow");
            self.report(said.help(help));
            self.skip_until(|p| p.is(Kind::CloseParen));
        }
        self.close(Kind::CloseParen, open);
        self.finish();
    }

    /// `:= e` or `++`.
    fn modification(&mut self, help: &str) {
        match self.current() {
            Kind::PlusPlus => self.bump(),
            Kind::Becomes => {
                self.bump();
                self.deeper(Self::value);
            }
            Kind::Equals | Kind::EqualEqual => {
                let said = self.wrong(Code::WrongEquals, "`modify` gives the value with `:=`").help("write `:=`");
                let said = said.replace(self.span(), ":=");
                self.report(said);
                self.bump();
                self.deeper(Self::value);
            }
            _ => {
                let said = self
                    .missing(Code::BadAction, "`modify` needs the value that it gives")
                    .here("`:= …` is missing here")
                    .help(help);
                self.report(said);
                self.skip_until(|p| p.is(Kind::CloseParen));
            }
        }
    }
}
