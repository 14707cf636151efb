//! Expressions: operators by their binding power, names with their properties,
//! members and calls, numbers with units.

use super::Parser;
use crate::diagnostic::Code;
use crate::kind::Kind;
use crate::vocabulary::ACTIONS;
use rowan::{Checkpoint, TextRange};

/// An expression's tree may be this high: `a + a + …` grows by one with each `+`.
const MAX_HEIGHT: usize = 256;

/// How tightly `not` and `!` bind: looser than relations, since only truth values can
/// be negated.
const NOT_POWER: u8 = 3;
const RELATION_POWER: u8 = 4;
/// How tightly unary minus binds.
const MINUS_POWER: u8 = 7;

/// How tightly an operator between two operands binds; also of those that someone
/// wrote for another.
fn power(kind: Kind) -> Option<u8> {
    Some(match kind {
        Kind::OrOr | Kind::OrWord => 1,
        Kind::AndAnd | Kind::AndWord => 2,
        Kind::Less | Kind::LessEqual | Kind::Greater | Kind::GreaterEqual => RELATION_POWER,
        Kind::EqualEqual | Kind::NotEqual | Kind::Equals => RELATION_POWER,
        Kind::Plus | Kind::Minus => 5,
        Kind::Star | Kind::Slash | Kind::Percent => 6,
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression, or an error that says that there is none. Returns the height of
    /// its tree.
    pub(super) fn value(&mut self) -> usize {
        self.binary(0)
    }

    fn binary(&mut self, min_power: u8) -> usize {
        let start = self.checkpoint();
        let height = self.operand();
        self.operators(start, height, min_power)
    }

    /// Operators and operands after a first operand, which begins at `start`.
    pub(super) fn operators(&mut self, start: Checkpoint, mut height: usize, min_power: u8) -> usize {
        let mut compared = false;
        loop {
            let word = self.wrong_word();
            let kind = word.unwrap_or(self.current());
            let Some(power) = power(kind).filter(|power| *power >= min_power) else { break };
            // After an index that is not closed, it belongs to the statement.
            if self.ranges && self.is(Kind::Equals) {
                break;
            }
            self.check_operator(compared && power == RELATION_POWER);
            compared |= power == RELATION_POWER;
            if word.is_some() {
                self.in_small_letters();
            }
            self.bump_as(kind);
            if kind == Kind::Star {
                self.power();
            }
            let right = self.binary(power + 1);
            self.start_at(start, Kind::BinaryExpr);
            self.finish();
            height = height.max(right) + 1;
            if self.too_high(height) {
                break;
            }
        }
        height
    }

    /// Says so if this operator cannot stand here; it is read as if it could.
    fn check_operator(&mut self, chained: bool) {
        let said = match self.current() {
            Kind::Equals => self
                .wrong(Code::WrongEquals, "`=` gives a value; two things are compared with `==`")
                .help("write `==`")
                .replace(self.span(), "=="),
            Kind::Percent => self
                .wrong(Code::WrongOperator, "`%` means percent, and stands after a number")
                .help("the remainder of a division is `mod(a, b)`"),
            _ if chained => self
                .wrong(Code::WrongOperator, "relations cannot be chained")
                .help("write `a < b && b < c` instead of `a < b < c`"),
            _ => return,
        };
        self.report(said);
    }

    fn too_high(&mut self, height: usize) -> bool {
        let too_high = height > MAX_HEIGHT;
        if too_high {
            let message = format!("this expression has more than {MAX_HEIGHT} operators in a row");
            let said = self.wrong(Code::TooDeep, message).help("name its parts");
            self.report(said);
            self.skip_too_deep();
        }
        too_high
    }

    fn operand(&mut self) -> usize {
        match self.current() {
            Kind::Number => self.number(),
            Kind::TrueWord | Kind::FalseWord => {
                self.start(Kind::Literal);
                self.bump();
                self.finish();
                1
            }
            Kind::Name if self.at_wrong_not() => {
                self.in_small_letters();
                self.unary(NOT_POWER)
            }
            Kind::Name if !self.at_statement() && self.other_language() => 1,
            Kind::Name if !self.at_statement() => {
                let start = self.checkpoint();
                self.named(start, true)
            }
            Kind::OpenParen => {
                self.start(Kind::ParenExpr);
                let open = self.span();
                self.bump();
                let height = self.deeper(Self::value);
                self.close_expression(open);
                self.finish();
                height + 1
            }
            Kind::Minus => self.unary(MINUS_POWER),
            Kind::Bang | Kind::NotWord => self.unary(NOT_POWER),
            _ => {
                self.no_operand();
                1
            }
        }
    }

    fn unary(&mut self, power: u8) -> usize {
        self.start(Kind::UnaryExpr);
        self.bump_as(if self.is(Kind::Name) { Kind::NotWord } else { self.current() });
        let height = self.deeper(|p| p.binary(power));
        self.finish();
        height + 1
    }

    /// The end of a parenthesis within an expression, where cases cannot stand.
    fn close_expression(&mut self, open: TextRange) {
        if self.is(Kind::Comma) && self.peek(1).kind == Kind::Name && ACTIONS.contains(&self.text_ahead(1)) {
            let said = self
                .wrong(Code::BadAction, "a case with actions is not part of an expression")
                .label(open, "in this parenthesis")
                .help("cases follow the `=` of a definition: `name(q) = (condition, action).(condition, action)`");
            self.report(said);
            self.skip_until(|p| p.is(Kind::CloseParen));
        }
        self.close(Kind::CloseParen, open);
    }

    /// Says that a value should be here.
    fn no_operand(&mut self) {
        let kind = self.current();
        let before = self.before_text();
        let after = if before.is_empty() { String::new() } else { format!(" after `{before}`") };
        let at_line_start = self.at_line_start();
        let said = match kind {
            Kind::Ellipsis => self.ellipsis(),
            Kind::LetWord if !at_line_start => self
                .wrong(Code::Let, "`let` stands only right after the `=` of a definition")
                .help("write `act(port) = let q = port.getCurrQueue() in (…)`"),
            Kind::Plus => self.wrong(Code::MissingOperand, "`+` joins two values").here("no value stands before it"),
            _ if kind.is_word() && !super::joins(kind) && !self.at_end() => self
                .wrong(Code::MissingName, format!("{} is a word of the language and cannot be a name", kind.what()))
                .help("choose another name"),
            _ => {
                let message = format!("a value is missing{after}");
                let said = self.missing(Code::MissingOperand, message).here("a name, a number or `(` should follow");
                match before {
                    "=" => said.help("a value is, for example, `Queue(B)`, `128 pkts` or `(p1.value > p2.value)`"),
                    _ => said,
                }
            }
        };
        self.report(said);
        if matches!(kind, Kind::Ellipsis | Kind::Plus) || kind.is_word() && !super::joins(kind) && !self.at_end() {
            self.bump_error();
        }
    }

    /// A name to which something is given: with properties and indexes, without calls.
    pub(super) fn path(&mut self, start: Checkpoint) {
        self.named(start, false);
    }

    pub(super) fn named(&mut self, start: Checkpoint, calls: bool) -> usize {
        self.start(Kind::NameExpr);
        let name = self.text();
        self.bump();
        self.finish();
        let mut height = 1;
        let mut callable = calls;
        loop {
            match self.current() {
                Kind::Dot if self.peek(1).kind == Kind::OpenParen => return height,
                Kind::DotDot if self.ranges => return height,
                Kind::Dot | Kind::DotDot => {
                    self.property();
                    self.start_at(start, Kind::FieldExpr);
                    callable = calls;
                }
                Kind::OpenBracket => {
                    self.index();
                    self.start_at(start, Kind::IndexExpr);
                    callable = false;
                }
                Kind::OpenParen if callable && !self.at_line_start() => {
                    self.arguments(name);
                    self.start_at(start, Kind::CallExpr);
                    callable = false;
                }
                _ => return height,
            }
            self.finish();
            height += 1;
            if self.too_high(height) {
                return height;
            }
        }
    }

    /// `.name`.
    fn property(&mut self) {
        if self.is(Kind::DotDot) {
            let said = self
                .wrong(Code::Dots, "one dot stands before a property")
                .help("write `.`; a range stands in brackets, as in `q[1..k]`")
                .replace(self.span(), ".");
            self.report(said);
        }
        self.bump();
        while self.is(Kind::Dot) {
            let said = self.wrong(Code::Dots, "one dot stands before a property").help("remove this one");
            let said = said.replace(self.span(), "");
            self.report(said);
            self.bump_error();
        }
        if self.is(Kind::Name) && !self.at_statement() {
            return self.bump();
        }
        let said = if self.current().is_word() && !self.at_line_start() {
            let message = format!("{} is a word of the language and not a property", self.current().what());
            let said = self.wrong(Code::MissingName, message);
            self.report(said);
            return self.bump_error();
        } else {
            self.missing(Code::MissingName, "the name of a property is missing after `.`")
        };
        self.report(said.here("a name should follow").help("a property is, for example, `currSize` or `arrival`"));
    }

    /// `[i]` or `[1..k]`.
    fn index(&mut self) {
        let open = self.span();
        self.bump();
        self.deeper(|p| {
            let start = p.checkpoint();
            p.range(start);
        });
        if !matches!(self.current(), Kind::CloseBracket) && !self.at_end() && !self.at_line_start() {
            self.skip_after_mistake(Kind::CloseBracket, "an index is one number or one range");
        }
        self.close(Kind::CloseBracket, open);
    }

    /// Skips to `end` if it is in this line, and says why.
    fn skip_after_mistake(&mut self, end: Kind, message: &str) {
        let found = (0..super::LOOKAHEAD)
            .map(|ahead| self.peek(ahead))
            .take_while(|token| !token.first_of_line && !matches!(token.kind, Kind::Semicolon | Kind::Equals))
            .any(|token| token.kind == end);
        if found {
            let said = self.wrong(Code::Range, message).help("write `q[i]` or `q[1..k]`");
            self.report(said);
            self.skip_until(|p| p.is(end));
        }
    }

    /// `1..k`, or one value; whether it is a range. It begins at `start`.
    pub(super) fn range(&mut self, start: Checkpoint) -> bool {
        let ranges = std::mem::replace(&mut self.ranges, true);
        self.value();
        let is_range = matches!(self.current(), Kind::DotDot | Kind::Ellipsis);
        if is_range {
            if self.is(Kind::Ellipsis) {
                let said = self.wrong(Code::Range, "a range is written with two dots").help("write `1..k`");
                let said = said.replace(self.span(), "..");
                self.report(said);
            }
            self.bump();
            if self.is(Kind::Equals) {
                let said = self.wrong(Code::Range, "a range already includes its end").help("write `1..k`");
                let said = said.replace(self.span(), "");
                self.report(said);
                self.bump_error();
            }
            if self.operand_ahead(0) && !self.at_statement() {
                self.value();
            } else {
                let said = self
                    .missing(Code::Range, "this range is not finished")
                    .here("its end is missing here")
                    .help("write `1..k`; both ends belong to it");
                self.report(said);
            }
            self.start_at(start, Kind::Range);
            self.finish();
        }
        self.ranges = ranges;
        is_range
    }

    /// The arguments of what is called `of`.
    pub(super) fn arguments(&mut self, of: &str) {
        self.start(Kind::Arguments);
        let open = self.span();
        let ranges = std::mem::replace(&mut self.ranges, false);
        let rate = std::mem::replace(&mut self.rate, of == "Port");
        self.bump();
        while !self.is(Kind::CloseParen) {
            self.named_argument();
            self.deeper(Self::value);
            self.rate = false;
            if self.eat(Kind::Comma) {
                if self.is(Kind::CloseParen) {
                    let said = self.missing(Code::MissingOperand, "an argument is missing after this comma");
                    self.report(said.here("a name, a number or `(` should follow"));
                }
            } else if self.operand_ahead(0) && !self.at_end() {
                self.missing_comma("arguments");
            } else {
                break;
            }
        }
        self.ranges = ranges;
        self.rate = rate;
        self.close(Kind::CloseParen, open);
        self.finish();
    }

    /// Whether an operand begins with the token `ahead`, in the same line.
    pub(super) fn operand_ahead(&self, ahead: usize) -> bool {
        let kind = self.peek(ahead).kind;
        matches!(kind, Kind::Number | Kind::Name | Kind::OpenParen | Kind::TrueWord | Kind::FalseWord)
            || ahead == 0 && matches!(kind, Kind::Minus | Kind::Bang | Kind::NotWord)
    }

    fn before_text(&self) -> &str {
        let before = self.at.checked_sub(1).map(|at| self.significant[at].index);
        before.map_or("", |index| self.tokens[index].text)
    }

    pub(super) fn text_ahead(&self, ahead: usize) -> &str {
        self.tokens.get(self.peek(ahead).index).map_or("", |token| token.text)
    }
}
