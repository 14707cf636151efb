//! The parser: from tokens to a tree that has every character of the text, and
//! diagnostics.
//!
//! A recursive descent that never fails. If something small is missing, such as a
//! parenthesis or a comma, the parser reports it and continues as if it were there. Text that
//! it does not understand goes into an `Error` node, and the parser continues at the next case
//! or statement. So one mistake gives one diagnostic. Depth is limited on the way down
//! (`Parser::deeper`) and on the way up (heights of expressions). So no input makes the
//! stack overflow, neither here nor in code that walks the tree.

mod body;
mod expr;
pub(crate) mod foreign_syntax;
mod statement;
mod unit;

use crate::diagnostic::{Code, Diagnostic, sort_and_limit};
use crate::kind::{Kind, OpenQueue, SyntaxNode};
use crate::lexer::{Token, lex};
use rowan::{Checkpoint, GreenNode, GreenNodeBuilder, Language, TextRange, TextSize};
use std::collections::BTreeSet;

/// The greatest depth of nesting in a file: blocks, parentheses, calls.
pub const MAX_DEPTH: usize = 64;

/// The greatest size of a file in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// The most tokens of a line that are examined to see whether a statement begins there.
const LOOKAHEAD: usize = 64;

/// The tree of a file and its mistakes.
#[derive(Debug, Clone)]
pub struct Parse {
    green: GreenNode,
    diagnostics: Vec<Diagnostic>,
}

impl Parse {
    /// The tree; its text is the text that was parsed.
    #[must_use]
    pub fn syntax(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    /// The mistakes, sorted by position.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

/// Parses any text. The tree of a text longer than [`MAX_BYTES`] is empty.
#[must_use]
pub fn parse(text: &str) -> Parse {
    if text.len() > MAX_BYTES {
        let message = format!("the file has {} bytes, more than {MAX_BYTES}", text.len());
        let diagnostics = vec![Diagnostic::error(Code::TooLong, TextRange::default(), message)];
        return Parse { green: GreenNode::new(OpenQueue::kind_to_raw(Kind::File), []), diagnostics };
    }
    let (tokens, diagnostics) = lex(text);
    let mut parser = Parser::new(&tokens, diagnostics);
    parser.file();
    let mut diagnostics = parser.diagnostics;
    sort_and_limit(&mut diagnostics);
    Parse { green: parser.builder.finish(), diagnostics }
}

/// A token that is neither white space nor a comment.
#[derive(Clone, Copy)]
struct Significant {
    kind: Kind,
    /// The token's index among all tokens.
    index: usize,
    start: TextSize,
    end: TextSize,
    /// Whether the token is the first of its line.
    first_of_line: bool,
}

struct Parser<'a> {
    tokens: &'a [Token<'a>],
    significant: Vec<Significant>,
    /// The index of the next significant token.
    at: usize,
    /// The index of the next token that is not in the tree yet.
    emitted: usize,
    builder: GreenNodeBuilder<'static>,
    diagnostics: Vec<Diagnostic>,
    /// The token of the last error: a second error at the same token would only repeat it.
    last_error_at: Option<usize>,
    depth: usize,
    /// The number of parentheses and brackets that are open in this statement.
    open: usize,
    /// Whether `..` makes a range here.
    ranges: bool,
    /// Whether the parser is in the rate of a port.
    rate: bool,
    /// The names of the actions that the file declares.
    declared: BTreeSet<&'a str>,
}

impl<'a> Parser<'a> {
    fn new(tokens: &'a [Token<'a>], diagnostics: Vec<Diagnostic>) -> Self {
        let mut significant = Vec::new();
        let mut start = TextSize::default();
        let mut first_of_line = true;
        for (index, token) in tokens.iter().enumerate() {
            let end = start + TextSize::of(token.text);
            if token.kind.is_trivia() {
                first_of_line |= token.text.contains('\n');
            } else {
                significant.push(Significant { kind: token.kind, index, start, end, first_of_line });
                first_of_line = false;
            }
            start = end;
        }
        let index = tokens.len();
        significant.push(Significant { kind: Kind::EndOfFile, index, start, end: start, first_of_line: true });
        Self {
            tokens,
            significant,
            at: 0,
            emitted: 0,
            builder: GreenNodeBuilder::new(),
            diagnostics,
            last_error_at: None,
            depth: 0,
            open: 0,
            ranges: false,
            rate: false,
            declared: statement::declared(tokens),
        }
    }

    // What comes next.

    /// Returns the token `ahead` of the next one; the end of the file beyond it.
    fn peek(&self, ahead: usize) -> Significant {
        let last = self.significant.len() - 1;
        self.significant[(self.at + ahead).min(last)]
    }

    fn current(&self) -> Kind {
        self.peek(0).kind
    }

    fn is(&self, kind: Kind) -> bool {
        self.current() == kind
    }

    /// Returns the next token's text.
    fn text(&self) -> &'a str {
        self.tokens.get(self.peek(0).index).map_or("", |token| token.text)
    }

    /// Returns the next token's range.
    fn span(&self) -> TextRange {
        TextRange::new(self.peek(0).start, self.peek(0).end)
    }

    /// Returns the previous token's range.
    fn before(&self) -> TextRange {
        let token = self.at.checked_sub(1).map(|at| self.significant[at]);
        token.map_or(TextRange::default(), |token| TextRange::new(token.start, token.end))
    }

    /// Whether no more tokens of this statement are in this line.
    fn at_line_start(&self) -> bool {
        self.peek(0).first_of_line
    }

    /// Returns the next token's name in messages.
    fn found(&self) -> String {
        match self.current() {
            Kind::Name | Kind::Number => format!("`{}`", shortened(self.text())),
            kind => kind.what().to_owned(),
        }
    }

    /// Whether a line begins here that looks like a statement.
    fn at_statement(&self) -> bool {
        self.at_line_start() && self.reads_like_statement()
    }

    /// Whether the next tokens are `for`, `param`, or a name, perhaps with properties, indexes or parameters, and `=`.
    fn reads_like_statement(&self) -> bool {
        match self.current() {
            Kind::ForWord | Kind::ParamWord => return true,
            Kind::Name if self.at_include() && self.peek(1).kind == Kind::Text => return true,
            Kind::Name if self.at_extern() => return true,
            Kind::Name => {}
            _ => return false,
        }
        let mut open = 0_usize;
        for ahead in 1..LOOKAHEAD {
            let token = self.peek(ahead);
            match token.kind {
                Kind::OpenParen | Kind::OpenBracket => open += 1,
                Kind::CloseParen | Kind::CloseBracket if open > 0 => open -= 1,
                Kind::Equals if open == 0 => return true,
                Kind::Dot | Kind::DotDot if open > 0 || self.peek(ahead + 1).kind == Kind::Name => {}
                Kind::Name if open > 0 || matches!(self.peek(ahead - 1).kind, Kind::Dot | Kind::DotDot) => {}
                Kind::Semicolon | Kind::EndOfFile | Kind::OpenBrace | Kind::CloseBrace => return false,
                _ if open > 0 => {}
                _ => return false,
            }
        }
        false
    }

    /// Whether the current construct cannot continue here.
    fn at_end(&self) -> bool {
        matches!(self.current(), Kind::Semicolon | Kind::CloseBrace | Kind::EndOfFile) || self.at_statement()
    }

    /// Whether a statement, good or bad, could begin here; anything else at the
    /// beginning of a line continues the one before.
    fn could_begin(&self) -> bool {
        let kind = self.current();
        self.at_line_start()
            && (matches!(kind, Kind::Name | Kind::EndOfFile | Kind::Number) || kind.is_word() && !joins(kind))
    }

    // Building.

    /// Adds white space and comments before the next token to the tree.
    fn trivia(&mut self) {
        self.emit_until(self.peek(0).index);
    }

    fn emit_until(&mut self, index: usize) {
        for token in &self.tokens[self.emitted..index] {
            self.builder.token(OpenQueue::kind_to_raw(token.kind), token.text);
        }
        self.emitted = self.emitted.max(index);
    }

    /// Adds the next token to the tree.
    fn bump(&mut self) {
        if !self.is(Kind::EndOfFile) {
            match self.current() {
                Kind::OpenParen | Kind::OpenBracket => self.open += 1,
                Kind::CloseParen | Kind::CloseBracket => self.open = self.open.saturating_sub(1),
                _ => {}
            }
            self.emit_until(self.peek(0).index + 1);
            self.at += 1;
        }
    }

    /// Adds the next token with another kind, which was intended.
    fn bump_as(&mut self, kind: Kind) {
        if kind == self.current() {
            return self.bump();
        }
        self.trivia();
        self.builder.token(OpenQueue::kind_to_raw(kind), self.text());
        self.emitted = self.peek(0).index + 1;
        self.at += 1;
    }

    /// Adds the next token if it has this kind.
    fn eat(&mut self, kind: Kind) -> bool {
        let is = self.is(kind);
        if is {
            self.bump();
        }
        is
    }

    fn checkpoint(&mut self) -> Checkpoint {
        self.trivia();
        self.builder.checkpoint()
    }

    fn start(&mut self, kind: Kind) {
        self.trivia();
        self.builder.start_node(OpenQueue::kind_to_raw(kind));
    }

    fn start_at(&mut self, checkpoint: Checkpoint, kind: Kind) {
        self.builder.start_node_at(checkpoint, OpenQueue::kind_to_raw(kind));
    }

    fn finish(&mut self) {
        self.builder.finish_node();
    }

    /// Runs `read` one level deeper, or skips to the end of the statement if that is
    /// too deep.
    fn deeper<T: Default>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            let message = format!("this is nested more than {MAX_DEPTH} deep");
            self.report(Diagnostic::error(Code::TooDeep, self.span(), message).help("name the inner parts"));
            self.skip_too_deep();
            return T::default();
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Skips text that is nested too deeply. Unclosed parentheses around it are then not reported.
    fn skip_too_deep(&mut self) {
        self.skip_to_end();
        self.last_error_at = Some(self.at);
    }

    // Mistakes.

    /// Adds a diagnostic, unless there is one at this token already, or from the lexer right before it.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.last_error_at == Some(self.at) {
            return;
        }
        let after_before = self.at.checked_sub(1).map_or(0, |at| self.significant[at].index + 1);
        let between = &self.tokens[after_before..self.peek(0).index];
        let is_echo = between.iter().any(|token| token.kind == Kind::Stray);
        if !is_echo {
            self.diagnostics.push(diagnostic);
        }
        self.last_error_at = Some(self.at);
    }

    /// Returns an error at the next token.
    fn wrong(&self, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, self.span(), message)
    }

    /// Returns an error after the previous token, where something is missing.
    fn missing(&self, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(code, TextRange::empty(self.before().end()), message)
    }

    /// Adds the next token as an error.
    fn bump_error(&mut self) {
        self.start(Kind::Error);
        self.bump();
        self.finish();
    }

    /// Skips to the end of the statement.
    fn skip_to_end(&mut self) {
        self.skip_until(|_| false);
    }

    /// Skips to where `stop` holds, outside of parentheses that begin here, or to the end of the statement.
    fn skip_until(&mut self, stop: impl Fn(&Self) -> bool) {
        let open = self.open;
        let at_stop = |p: &Self| p.at_end() || p.open <= open && stop(p) || p.open == 0 && p.could_begin();
        if at_stop(self) {
            return;
        }
        self.start(Kind::Error);
        while !at_stop(self) {
            for _ in 0..self.braced().max(1) {
                self.bump();
            }
        }
        self.finish();
    }

    /// Returns the number of tokens of the block that begins here; none if its end is not near.
    fn braced(&self) -> usize {
        let mut open = 0_usize;
        for ahead in 0..LOOKAHEAD {
            match self.peek(ahead).kind {
                Kind::OpenBrace => open += 1,
                Kind::CloseBrace => open = open.saturating_sub(1),
                _ => {}
            }
            if open == 0 {
                return if ahead == 0 { 0 } else { ahead + 1 };
            }
        }
        0
    }

    /// Adds the closing partner of `open`, or reports that it is missing.
    fn close(&mut self, kind: Kind, open: TextRange) {
        if self.eat(kind) {
            return;
        }
        let (name, partner) = match kind {
            Kind::CloseParen => ("parenthesis", ")"),
            Kind::CloseBracket => ("bracket", "]"),
            _ => ("brace", "}"),
        };
        let said = self
            .missing(Code::Unclosed, format!("this {name} is not closed"))
            .here(format!("`{partner}` is missing here"))
            .label(open, "opened here")
            .insert(self.before().end(), partner);
        self.report(said);
        self.open = self.open.saturating_sub(1);
    }
}

/// Whether this word joins the expressions on both its sides.
fn joins(kind: Kind) -> bool {
    matches!(kind, Kind::InWord | Kind::AndWord | Kind::OrWord)
}

/// Returns a text, truncated if it is long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
