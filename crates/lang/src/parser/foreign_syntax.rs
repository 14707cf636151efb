//! Syntax of other languages, and what to write here instead.

use super::{LOOKAHEAD, Parser};
use crate::diagnostic::{Code, Diagnostic};
use crate::kind::Kind;
use rowan::TextRange;

/// How a choice is made, and what there is instead of other things; `None` for a name like any other.
pub(crate) fn instead_of(word: &str) -> Option<&'static str> {
    Some(match word {
        "if" | "else" | "elif" | "then" | "switch" | "case" | "when" => {
            "write cases, of which the first that holds counts: `name(q) = (condition, action).(true, action)`; \
             between two numbers, `max(a, b)` and `min(a, b)`"
        }
        "return" | "lambda" | "def" | "function" | "fn" => {
            "a definition is `name(p1, p2) = (p1.value > p2.value)`, and its value is the expression after `=`"
        }
        "null" | "nil" | "None" | "none" => {
            "nothing is empty here: `findHigh()` of an empty queue has zeros; a property that is not assigned has a \
             default"
        }
        "while" => "repetition is `for i in 1..k { … }`, over a range",
        _ => return None,
    })
}

impl Parser<'_> {
    /// `and` or `or` in capitals, where an operator can stand.
    pub(super) fn wrong_word(&self) -> Option<Kind> {
        if !self.is(Kind::Name) || self.at_line_start() && self.open == 0 {
            return None;
        }
        match self.text() {
            "AND" | "And" => Some(Kind::AndWord),
            "OR" | "Or" => Some(Kind::OrWord),
            _ => None,
        }
    }

    /// Says that a word stands in small letters.
    pub(super) fn in_small_letters(&mut self) {
        let small = self.text().to_ascii_lowercase();
        let said = self
            .wrong(Code::WrongOperator, format!("`{}` is written in small letters", self.text()))
            .help(format!("write `{small}`"))
            .replace(self.span(), small);
        self.report(said);
    }

    /// Whether here is `NOT x`.
    pub(super) fn at_wrong_not(&self) -> bool {
        matches!(self.text(), "NOT" | "Not")
            && matches!(self.peek(1).kind, Kind::Name | Kind::TrueWord | Kind::FalseWord)
            && !self.peek(1).first_of_line
    }

    /// Whether here is `if a …` or the like instead of a value; says what there is, and skips it.
    pub(super) fn other_language(&mut self) -> bool {
        let word = self.text();
        let Some(help) = instead_of(word) else { return false };
        let next = self.peek(1);
        let reads_on = !next.first_of_line
            && match next.kind {
                Kind::Name | Kind::Number | Kind::Bang | Kind::NotWord => true,
                // `if (a) b`; a comparator may have the name, too.
                Kind::OpenParen => self.goes_on_after_parenthesis(),
                _ => false,
            };
        if reads_on {
            let said = self.wrong(Code::NoStatement, format!("OpenQueue has no `{word}`")).help(help);
            self.report(said);
            self.skip_to_end();
        }
        reads_on
    }

    fn goes_on_after_parenthesis(&self) -> bool {
        let mut open = 0_usize;
        for ahead in 1..LOOKAHEAD {
            match self.peek(ahead).kind {
                Kind::OpenParen => open += 1,
                Kind::CloseParen => open = open.saturating_sub(1),
                Kind::EndOfFile | Kind::Semicolon => return false,
                _ => {}
            }
            if open == 0 {
                let after = self.peek(ahead + 1);
                return matches!(after.kind, Kind::Name | Kind::Number | Kind::OpenBrace) && !after.first_of_line;
            }
        }
        false
    }

    /// `**` after its first star was taken.
    pub(super) fn power(&mut self) {
        if self.is(Kind::Star) && self.before().end() == self.span().start() {
            let said = self.wrong(Code::WrongOperator, "there is no operator `**`").help("write `x * x`");
            self.report(said);
            self.bump_error();
        }
    }

    /// `+=` after the target of `modify`, which begins at token `from`.
    pub(super) fn changed_in_place(&mut self, from: usize) -> bool {
        let sign = match self.current() {
            Kind::Plus => "+",
            Kind::Minus => "-",
            Kind::Star => "*",
            Kind::Slash => "/",
            _ => return false,
        };
        if self.peek(1).kind != Kind::Equals {
            return false;
        }
        let tokens = &self.tokens[self.significant[from].index..self.peek(0).index];
        let target: String = tokens.iter().map(|token| token.text).collect();
        let target = target.trim();
        let span = TextRange::new(self.span().start(), self.peek(1).end);
        // After `-` and the like, `x - a + b` would be something else.
        let simple = sign == "+" || self.peek(3).kind == Kind::CloseParen;
        let said = Diagnostic::error(Code::WrongEquals, span, format!("`modify` has no `{sign}=`"));
        let said = said.help(format!("write `:= {target} {sign} …`"));
        let simple = simple && !target.contains('\n');
        self.report(if simple { said.replace(span, format!(":= {target} {sign}")) } else { said });
        self.bump();
        self.bump();
        self.deeper(Self::value);
        true
    }

    /// `size=` before an argument: says that it does not stand there, and passes over it.
    pub(super) fn named_argument(&mut self) {
        if self.is(Kind::Name) && self.peek(1).kind == Kind::Equals && !self.at_statement() {
            let name = self.span();
            let said = Diagnostic::error(Code::WrongEquals, name.cover(self.after(1)), "arguments have no names");
            let rest = TextRange::new(name.start(), self.peek(2).start);
            self.report(said.help("write only the value").replace(rest, ""));
            self.start(Kind::Error);
            self.bump();
            self.bump();
            self.finish();
        }
    }

    fn after(&self, ahead: usize) -> TextRange {
        TextRange::new(self.peek(ahead).start, self.peek(ahead).end)
    }
}
