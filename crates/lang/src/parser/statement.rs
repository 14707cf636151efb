//! Statements: definitions, named constants, loops.
//!
//! A statement ends with `;`, or where the next token cannot continue it and begins a line. Line ends are ignored inside of parentheses,
//! and after or before anything that joins two things.

use super::Parser;
use crate::diagnostic::{Code, Diagnostic};
use crate::kind::{Kind, OpenQueue};
use crate::lexer::Token;
use crate::vocabulary::{ACTIONS, EXTERN, INCLUDE};
use rowan::{Language, TextRange};
use std::collections::BTreeSet;

/// Returns the names of the actions that a file declares.
pub(super) fn declared<'a>(tokens: &[Token<'a>]) -> BTreeSet<&'a str> {
    let words: Vec<&str> = tokens.iter().filter(|token| !token.kind.is_trivia()).map(|token| token.text).collect();
    words.windows(3).filter(|words| words[..2] == EXTERN).map(|words| words[2]).collect()
}

impl Parser<'_> {
    pub(super) fn file(&mut self) {
        // White space before the first token belongs to the file, too.
        self.builder.start_node(OpenQueue::kind_to_raw(Kind::File));
        while !self.is(Kind::EndOfFile) {
            if self.is(Kind::CloseBrace) {
                let said = self.wrong(Code::Unopened, "`}` closes nothing").here("no `{` is open here");
                self.report(said.replace(self.span(), ""));
                self.bump_error();
            } else {
                self.statement();
            }
        }
        self.trivia();
        self.finish();
    }

    fn statement(&mut self) {
        self.open = 0;
        let begin = self.at;
        match self.current() {
            Kind::Semicolon => self.bump(),
            Kind::ParamWord => self.param(),
            Kind::ForWord => self.deeper(Self::for_loop),
            Kind::Name if self.at_include() => self.include(),
            Kind::Name if self.at_extern() => self.extern_action(),
            Kind::Name => self.definition(),
            _ => self.no_statement(),
        }
        // A loop that is nested too deeply may end where it begins.
        if self.at == begin {
            self.bump_error();
        }
    }

    fn no_statement(&mut self) {
        let here = "a statement should begin here";
        let example = "a statement gives a name a value, for example `q1 = Queue(B);`";
        let said = match self.current() {
            Kind::Ellipsis => self.ellipsis(),
            Kind::LetWord => self
                .wrong(Code::Let, "`let` stands after the `=` of a definition")
                .help("write `act(port) = let q = port.getCurrQueue() in (…)`"),
            Kind::CloseParen => self.wrong(Code::Unopened, "`)` closes nothing").here("no `(` is open here"),
            Kind::CloseBracket => self.wrong(Code::Unopened, "`]` closes nothing").here("no `[` is open here"),
            Kind::OpenParen => self
                .wrong(Code::NoStatement, "a statement does not begin with `(`")
                .here(here)
                .help("cases are joined by a dot: `(condition, action).(condition, action)`"),
            kind if kind.is_word() => {
                let message = format!("{} is a word of the language and cannot be a name", kind.what());
                self.wrong(Code::MissingName, message).here(here).help("choose another name")
            }
            _ => {
                let message = format!("a statement does not begin with {}", self.found());
                self.wrong(Code::NoStatement, message).here(here).help(example)
            }
        };
        self.report(said);
        self.bump_error();
        self.skip_to_end();
        self.eat(Kind::Semicolon);
    }

    /// Returns the diagnostic of an ellipsis.
    pub(super) fn ellipsis(&self) -> Diagnostic {
        self.wrong(Code::Ellipsis, "an ellipsis leaves out members that forebay has to know")
            .help("write a range: `q[1..k] = Queue(B);` makes `q1` to `qk`, and `for i in 1..k { … }` repeats")
    }

    /// Whether the next token begins an `include`, and not a definition of that name.
    pub(super) fn at_include(&self) -> bool {
        let next = self.peek(1);
        let defines = matches!(
            next.kind,
            Kind::Equals | Kind::EqualEqual | Kind::Becomes | Kind::OpenParen | Kind::OpenBracket | Kind::Dot
        );
        self.text() == INCLUDE && !defines
    }

    fn include(&mut self) {
        self.start(Kind::Include);
        self.bump();
        if self.depth > 0 {
            let said = self.missing(Code::Include, "`include` stands outside of loops");
            self.report(Diagnostic { span: self.before(), ..said }.help("move it to the beginning of the file"));
        }
        if !self.eat(Kind::Text) {
            let said = self.missing(Code::Include, "`include` needs the name of a file");
            self.report(
                said.here("`\"…\"` is missing here")
                    .help("write `include \"other.oq\";`; the path begins where this file lies"),
            );
            self.skip_to_end();
        }
        self.end();
        self.finish();
    }

    /// Whether the next token begins an `extern`, and not a definition of that name.
    pub(super) fn at_extern(&self) -> bool {
        self.text() == EXTERN[0] && self.peek(1).kind == Kind::Name && !self.peek(1).first_of_line
    }

    fn extern_action(&mut self) {
        self.start(Kind::Extern);
        self.bump();
        let help = "write `extern action name(first, second);`";
        if self.depth > 0 {
            let said = self.missing(Code::NoStatement, "`extern` stands outside of loops");
            self.report(Diagnostic { span: self.before(), ..said }.help("move it to the beginning of the file"));
        }
        if self.text() != EXTERN[1] {
            let said = self.wrong(Code::NoStatement, "`extern` declares an action").help(help);
            let said = said.insert(self.span().start(), "action ");
            self.report(said);
            self.skip_to_end();
        } else {
            self.bump();
            if self.name("the action") {
                if self.is(Kind::OpenParen) {
                    self.parameters();
                } else {
                    let said = self.missing(Code::BadAction, "an action of your own stands with parentheses");
                    self.report(said.here("`()` is missing here").help(help).insert(self.before().end(), "()"));
                }
            }
        }
        self.end();
        self.finish();
    }

    fn param(&mut self) {
        self.start(Kind::Param);
        self.bump();
        if self.depth > 0 {
            let said = self.missing(Code::NoStatement, "`param` stands outside of loops");
            self.report(Diagnostic { span: self.before(), ..said }.help("move it to the beginning of the file"));
        }
        if self.name("the constant") {
            if self.equals() {
                self.value();
            } else {
                let said = self
                    .missing(Code::NoValue, "a named constant needs a value to begin with")
                    .here("`= …` is missing here")
                    .help("write `param B = 128 pkts;`; the command line can replace the value");
                self.report(said);
                self.skip_to_end();
            }
        }
        self.end();
        self.finish();
    }

    /// Parses a name, or reports that it is missing.
    pub(super) fn name(&mut self, of: &str) -> bool {
        if self.eat(Kind::Name) {
            return true;
        }
        let kind = self.current();
        let said = if kind.is_word() && !self.at_line_start() {
            self.wrong(Code::MissingName, format!("{} is a word of the language and cannot be a name", kind.what()))
                .help("choose another name")
        } else {
            self.missing(Code::MissingName, format!("the name of {of} is missing")).here("a name should follow")
        };
        self.report(said);
        self.skip_to_end();
        false
    }

    fn definition(&mut self) {
        self.start(Kind::Definition);
        if !self.reads_like_statement() && self.no_definition() {
            self.bump_error();
            self.skip_to_end();
            self.end();
            return self.finish();
        }
        let target = self.checkpoint();
        self.path(target);
        if self.is(Kind::OpenParen) {
            self.parameters();
        }
        if self.equals() {
            self.body();
        } else {
            let said = self.no_value();
            self.report(said);
            self.skip_to_end();
        }
        self.end();
        self.finish();
    }

    /// Reports an action, or other languages' syntax for cases, in place of a statement. Returns whether there was one.
    fn no_definition(&mut self) -> bool {
        let name = self.text();
        let said = if ACTIONS.contains(&name) {
            self.wrong(Code::BadAction, "an action stands in a condition case").help(
                "write `name(q) = (condition, action)`, for example `tailDrop(q) = q.currSize >= q.size, drop(1)`",
            )
        } else if matches!(name, "if" | "else" | "while") {
            self.wrong(Code::NoStatement, format!("OpenQueue has no `{name}`")).help(
                "write cases, of which the first that holds counts: `name(q) = (condition, action).(true, action)`",
            )
        } else {
            return false;
        };
        self.report(said);
        true
    }

    /// Returns why text that begins with a name is no statement.
    fn no_value(&self) -> Diagnostic {
        let example = "write `name = value;`, `q1.size = value;` or `name(a, b) = (a.value > b.value);`";
        if self.at_end() || self.at_line_start() {
            return self
                .missing(Code::NoValue, "this statement gives no value to anything")
                .here("`= …` is missing here")
                .help(example);
        }
        match self.current() {
            Kind::Name if matches!(self.peek(1).kind, Kind::Comma | Kind::CloseParen) => self
                .missing(Code::Unopened, "the parenthesis before the parameters is missing")
                .here("`(` is missing here")
                .insert(self.before().end(), "("),
            Kind::CloseParen => self.wrong(Code::Unopened, "`)` closes nothing").here("no `(` is open here"),
            Kind::PlusPlus => self
                .wrong(Code::WrongOperator, "`++` stands only in the action `modify`")
                .help("write a condition with the action `modify(x++)`"),
            Kind::Plus | Kind::Minus | Kind::Star | Kind::Slash if self.peek(1).kind == Kind::Equals => self
                .wrong(Code::WrongEquals, "only the action `modify` changes a value")
                .help("write a condition with the action `modify(x := x + …)`"),
            _ => self
                .wrong(Code::NoValue, format!("`=` is expected, not {}", self.found()))
                .here("`=` should be here")
                .help(example),
        }
    }

    /// Parses `=`, and reports `==` or `:=` in its place.
    fn equals(&mut self) -> bool {
        let message = match self.current() {
            Kind::Equals => {
                self.bump();
                return true;
            }
            Kind::EqualEqual => "`==` compares; a value is given with `=`",
            Kind::Becomes => "`:=` stands only in the action `modify`; a value is given with `=`",
            _ => return false,
        };
        let said = self.wrong(Code::WrongEquals, message).help("write `=`").replace(self.span(), "=");
        self.report(said);
        self.bump();
        true
    }

    fn parameters(&mut self) {
        self.start(Kind::Parameters);
        let open = self.span();
        self.bump();
        while !self.is(Kind::CloseParen) && !self.at_end() {
            if self.is(Kind::Name) {
                self.bump();
            } else {
                let said = self.wrong(Code::MissingName, format!("a parameter is a name, not {}", self.found()));
                self.report(said.help("write `name(p1, p2) = …`, and use `p1` and `p2` after the `=`"));
                self.skip_until(|p| matches!(p.current(), Kind::Comma | Kind::CloseParen | Kind::Equals));
            }
            if self.is(Kind::Name) && !self.at_end() {
                self.missing_comma("parameters");
            } else if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.close(Kind::CloseParen, open);
        self.finish();
    }

    pub(super) fn missing_comma(&mut self, between: &str) {
        let said = self
            .missing(Code::MissingComma, format!("a comma is missing between {between}"))
            .here("`,` is missing here")
            .insert(self.before().end(), ",");
        self.report(said);
    }

    fn for_loop(&mut self) {
        self.start(Kind::For);
        let word = self.span();
        self.bump();
        if self.name("the counter of the loop") {
            if self.is(Kind::Equals) {
                let said = self.wrong(Code::Range, "a counter runs `in` a range").help("write `in`");
                let said = said.replace(self.span(), "in");
                self.report(said);
                self.bump();
            } else if !self.eat(Kind::InWord) {
                let said = self
                    .missing(Code::Range, "a loop says where its counter runs: `in` is missing")
                    .here("`in` is missing here")
                    .help("write `for i in 1..k { … }`");
                self.report(if self.at_line_start() { said } else { said.insert(self.before().end(), " in") });
            }
            let start = self.checkpoint();
            if !self.range(start) {
                let said = self.missing(Code::Range, "a loop runs over a range").here("`..` and its end are missing");
                self.report(said.help("write `for i in 1..k { … }`"));
            }
        }
        self.block(word);
        self.eat(Kind::Semicolon);
        self.finish();
    }

    fn block(&mut self, word: TextRange) {
        if !self.is(Kind::OpenBrace) {
            let said = self
                .missing(Code::Unopened, "the statements of a loop stand in braces")
                .here("`{` is missing here")
                .label(word, "of this loop")
                .help("write `for i in 1..k { … }`");
            self.report(said);
            self.skip_until(|p| p.is(Kind::OpenBrace));
        }
        if self.is(Kind::OpenBrace) {
            self.start(Kind::Block);
            let open = self.span();
            self.bump();
            while !matches!(self.current(), Kind::CloseBrace | Kind::EndOfFile) {
                self.statement();
            }
            self.close(Kind::CloseBrace, open);
            self.finish();
        }
    }

    /// Parses the end of a statement.
    fn end(&mut self) {
        if self.eat(Kind::Semicolon) || self.could_begin() || self.is(Kind::CloseBrace) {
            return;
        }
        let said = match self.current() {
            Kind::CloseParen => {
                self.wrong(Code::Unopened, "`)` closes nothing").here("no `(` is open here").replace(self.span(), "")
            }
            Kind::CloseBracket => self.wrong(Code::Unopened, "`]` closes nothing").here("no `[` is open here"),
            Kind::Dot | Kind::DotDot => self
                .wrong(Code::Dots, "this dot joins nothing")
                .here("no case and no property can follow here")
                .help("a dot stands before a property, or between cases that are each in parentheses"),
            Kind::Becomes => self
                .wrong(Code::WrongEquals, "`:=` stands only in the action `modify`")
                .help("a value is given with `=`, and `==` compares"),
            Kind::PlusPlus => self
                .wrong(Code::WrongOperator, "`++` stands only in the action `modify`")
                .help("write `+` and what is added, or the action `modify(x++)`"),
            Kind::InWord => self.wrong(Code::Let, "`in` belongs to a `let` or a `for`").here("neither is open here"),
            Kind::Ellipsis => self.ellipsis(),
            Kind::OpenParen if self.before_is(Kind::CloseParen) => self
                .missing(Code::Dots, "a dot is missing between two cases")
                .here("`.` is missing here")
                .help("write `(condition, action).(condition, action)`"),
            Kind::Name | Kind::ForWord | Kind::ParamWord => self
                .missing(Code::NoSeparator, "two statements in one line are separated by `;`")
                .here(format!("`;` or an operator is missing before {}", self.found())),
            _ => self
                .wrong(Code::NoSeparator, format!("the statement cannot go on with {}", self.found()))
                .here("`;` or a line end was expected"),
        };
        self.report(said);
        self.skip_to_end();
        self.eat(Kind::Semicolon);
    }

    fn before_is(&self, kind: Kind) -> bool {
        self.at.checked_sub(1).is_some_and(|at| self.significant[at].kind == kind)
    }
}
