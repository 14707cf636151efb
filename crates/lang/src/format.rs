//! The formatter: one style for all files.
//!
//! Each statement has its own line, ended by `;`. Spaces and indentation follow from the tokens. Line ends within a statement are kept
//! after a comma, an operator, `=` or a parenthesis. Several cases, and the parts of a `let`, get lines of their own. Comments are kept,
//! and several blank lines become one. A statement with a mistake is not changed, nor is any text in its lines.

use crate::diagnostic::{Code, Diagnostic};
use crate::kind::{Kind, SyntaxElement, SyntaxNode, SyntaxToken};
use crate::parser::{Parse, parse};
use rowan::{TextRange, TextSize};

const INDENT: usize = 4;

/// Returns the text in forebay's style. Formatting the result again does not change it. A text with the line ends of Windows keeps them.
///
/// ```
/// let text = "fifo( p1,p2 )=(p1.arrival<p2.arrival) // oldest first";
/// let formatted = "fifo(p1, p2) = (p1.arrival < p2.arrival); // oldest first\n";
/// assert_eq!(forebay_lang::format(text), formatted);
/// ```
#[must_use]
pub fn format(text: &str) -> String {
    let parsed = parse(text);
    let incomplete = |diagnostic: &Diagnostic| matches!(diagnostic.code, Code::TooLong | Code::TooMany);
    if parsed.diagnostics().iter().any(incomplete) {
        return text.to_owned();
    }
    let formatted = layout(&parsed);
    // Other white space can make another mistake out of one; then nothing is changed.
    let settled = parsed.diagnostics().is_empty() || layout(&parse(&formatted)) == formatted;
    // Where line ends are mixed, those within a broken statement stay as they are.
    let is_windows = text.contains('\n') && text.matches('\n').count() == text.matches("\r\n").count();
    match (settled, is_windows) {
        (false, _) => text.to_owned(),
        (true, false) => formatted,
        (true, true) => formatted.replace("\r\n", "\n").replace('\n', "\r\n"),
    }
}

fn layout(parsed: &Parse) -> String {
    let mut writer = Writer { out: String::new(), after_comment: false, diagnostics: parsed.diagnostics() };
    let elements: Vec<SyntaxElement> = parsed.syntax().children_with_tokens().collect();
    writer.items(&elements, 0, false);
    let mut out = writer.out;
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

struct Writer<'a> {
    out: String,
    /// Whether the last output, such as a comment, extends to the end of its line.
    after_comment: bool,
    diagnostics: &'a [Diagnostic],
}

impl Writer<'_> {
    fn write(&mut self, text: &str) {
        self.out.push_str(text);
        self.after_comment = false;
    }

    fn comment(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.after_comment = true;
    }

    fn line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.after_comment = false;
    }

    fn space(&mut self, indent: usize) {
        if self.after_comment {
            self.line(indent);
        } else {
            self.out.push(' ');
        }
    }

    /// Writes the statements and comments of a file or a block. In a block, the first of them begins a line, too.
    fn items(&mut self, elements: &[SyntaxElement], indent: usize, in_block: bool) {
        let verbatim = self.verbatim(elements);
        let mut written: Option<usize> = None;
        let mut gap = String::new();
        for (index, element) in elements.iter().enumerate() {
            let kind = element.kind();
            if kind == Kind::Whitespace {
                gap.push_str(&element.to_string());
                continue;
            }
            if kind == Kind::Semicolon && !verbatim[index] {
                continue;
            }
            let lines = gap.matches('\n').count();
            match written {
                None if !in_block => {}
                None if lines == 0 && kind == Kind::Comment => self.space(indent),
                None => self.line(indent),
                Some(_) if lines == 0 && kind == Kind::Comment => self.space(indent),
                Some(before) if lines == 0 && (verbatim[before] || verbatim[index]) => self.write(&gap),
                Some(_) => {
                    if lines > 1 {
                        self.out.push('\n');
                    }
                    self.line(indent);
                }
            }
            match element {
                SyntaxElement::Node(node) if !verbatim[index] => self.statement(node, indent),
                _ if kind == Kind::Comment => self.comment(&element.to_string()),
                _ => self.write(&element.to_string()),
            }
            written = Some(index);
            gap.clear();
        }
    }

    /// Returns which elements are not changed: those with mistakes, and all that share a line with them.
    fn verbatim(&self, elements: &[SyntaxElement]) -> Vec<bool> {
        let mut verbatim: Vec<bool> = elements.iter().map(|element| self.is_broken(element)).collect();
        let ends_line = |element: &SyntaxElement| match element.kind() {
            Kind::Whitespace => element.to_string().contains('\n'),
            kind => kind == Kind::Comment,
        };
        let mut spread = |indices: &mut dyn Iterator<Item = usize>| {
            let mut broken = false;
            for index in indices {
                if ends_line(&elements[index]) {
                    broken = false;
                } else if elements[index].kind() != Kind::Whitespace {
                    broken |= verbatim[index];
                    verbatim[index] = broken;
                }
            }
        };
        spread(&mut (0..elements.len()));
        spread(&mut (0..elements.len()).rev());
        verbatim
    }

    fn is_broken(&self, element: &SyntaxElement) -> bool {
        match element {
            SyntaxElement::Token(token) => !matches!(token.kind(), Kind::Whitespace | Kind::Comment | Kind::Semicolon),
            SyntaxElement::Node(node) if node.kind() == Kind::For => {
                let block = node.children().find(|child| child.kind() == Kind::Block);
                let closed =
                    block.as_ref().and_then(SyntaxNode::last_child_or_token).filter(|e| e.kind() == Kind::CloseBrace);
                let header = |end: TextSize| TextRange::new(node.text_range().start(), end);
                match (block, closed) {
                    (Some(block), Some(_)) => {
                        self.has_mistake(header(block.text_range().start()))
                            || node.children_with_tokens().any(|child| is_unread(child.kind()))
                    }
                    _ => true,
                }
            }
            SyntaxElement::Node(node) => {
                self.has_mistake(node.text_range())
                    || node.descendants_with_tokens().any(|inner| is_unread(inner.kind()))
            }
        }
    }

    fn has_mistake(&self, range: TextRange) -> bool {
        self.diagnostics.iter().any(|diagnostic| range.intersect(diagnostic.span).is_some())
    }

    /// Writes comments after a statement, in its line or in lines of their own.
    fn comments(&mut self, elements: &[SyntaxElement], indent: usize) {
        let mut lines = 0;
        for element in elements {
            match element.kind() {
                Kind::Comment => {
                    if lines == 0 {
                        self.space(indent);
                    } else {
                        self.line(indent);
                    }
                    self.comment(&element.to_string());
                    lines = 0;
                }
                _ => lines += element.to_string().matches('\n').count(),
            }
        }
    }

    fn statement(&mut self, node: &SyntaxNode, indent: usize) {
        if node.kind() != Kind::For {
            let mut tokens: Vec<SyntaxToken> =
                node.descendants_with_tokens().filter_map(SyntaxElement::into_token).collect();
            // Comments between the statement and a `;` in a later line are put after it.
            let is_rest = |token: &SyntaxToken| token.kind().is_trivia() || token.kind() == Kind::Semicolon;
            let end = tokens.iter().rposition(|token| !is_rest(token)).map_or(0, |last| last + 1);
            let rest: Vec<SyntaxElement> = tokens.split_off(end).into_iter().map(SyntaxElement::Token).collect();
            self.tokens(tokens, indent, ";");
            return self.comments(&rest, indent);
        }
        let mut header = Vec::new();
        let mut elements = node.children_with_tokens();
        let block = elements.by_ref().find_map(|element| match element {
            SyntaxElement::Node(block) if block.kind() == Kind::Block => Some(block),
            SyntaxElement::Node(range) => {
                header.extend(range.descendants_with_tokens().filter_map(SyntaxElement::into_token));
                None
            }
            SyntaxElement::Token(token) => {
                header.push(token);
                None
            }
        });
        self.tokens(header, indent, "");
        self.space(indent);
        self.write("{");
        let is_brace = |element: &SyntaxElement| matches!(element.kind(), Kind::OpenBrace | Kind::CloseBrace);
        let inner: Vec<SyntaxElement> =
            block.iter().flat_map(SyntaxNode::children_with_tokens).filter(|element| !is_brace(element)).collect();
        if inner.iter().any(|element| !matches!(element.kind(), Kind::Whitespace | Kind::Semicolon)) {
            self.items(&inner, indent + INDENT, true);
            self.line(indent);
        }
        self.write("}");
        for comment in elements.filter(|element| element.kind() == Kind::Comment) {
            self.space(indent);
            self.comment(&comment.to_string());
        }
    }

    /// Writes the tokens of one statement, and `end` after the last token that is no comment.
    fn tokens(&mut self, mut tokens: Vec<SyntaxToken>, indent: usize, end: &str) {
        let line_ended = ended_lines(&tokens);
        let mut line_ended = line_ended.into_iter();
        tokens.retain(|token| !matches!(token.kind(), Kind::Whitespace | Kind::Semicolon));
        let last = tokens.iter().rposition(|token| token.kind() != Kind::Comment);
        let mut open = 0_usize;
        let mut before: Option<&SyntaxToken> = None;
        for (index, token) in tokens.iter().enumerate() {
            let line_ended = line_ended.next().unwrap_or(false);
            let kind = token.kind();
            if matches!(kind, Kind::CloseParen | Kind::CloseBracket) {
                open = open.saturating_sub(1);
            }
            let inner = indent + INDENT * (1 + open);
            if let Some(before) = before {
                let joined_case = index >= 2 && tokens[index - 2].kind() == Kind::Comment;
                if kind == Kind::Comment {
                    if line_ended || self.after_comment { self.line(inner) } else { self.space(inner) }
                } else if self.after_comment
                    || begins_line(before) && !joined_case
                    || line_ended && may_begin_line(before, token)
                {
                    self.line(inner);
                } else if has_space(before, token) {
                    self.space(inner);
                }
            }
            if kind == Kind::Comment {
                self.comment(token.text());
            } else {
                self.write(token.text());
            }
            if Some(index) == last {
                self.write(end);
            }
            if matches!(kind, Kind::OpenParen | Kind::OpenBracket) {
                open += 1;
            }
            before = Some(token);
        }
    }
}

fn is_unread(kind: Kind) -> bool {
    matches!(kind, Kind::Error | Kind::Stray)
}

/// Returns, for each token but white space and `;`, whether a line ends before it.
fn ended_lines(tokens: &[SyntaxToken]) -> Vec<bool> {
    let mut ended = false;
    let mut all = Vec::new();
    for token in tokens {
        match token.kind() {
            Kind::Whitespace => ended |= token.text().contains('\n'),
            Kind::Semicolon => {}
            _ => {
                all.push(ended);
                ended = false;
            }
        }
    }
    all
}

fn parent(token: &SyntaxToken) -> Kind {
    token.parent().map_or(Kind::File, |parent| parent.kind())
}

/// Whether the token after this one always begins a line.
fn begins_line(token: &SyntaxToken) -> bool {
    match (token.kind(), parent(token)) {
        (Kind::Dot, Kind::Cases) | (Kind::InWord, Kind::Let) => true,
        (Kind::Equals, Kind::Definition) => token.parent().is_some_and(|definition| {
            definition.children().any(|body| match body.kind() {
                Kind::Let => true,
                Kind::Cases => body.children().filter(|case| case.kind() == Kind::Case).count() > 1,
                _ => false,
            })
        }),
        _ => false,
    }
}

/// Whether a line may end between two tokens, if the author wants it.
fn may_begin_line(before: &SyntaxToken, token: &SyntaxToken) -> bool {
    matches!(before.kind(), Kind::Comma | Kind::Equals | Kind::Becomes | Kind::OpenParen)
        || token.kind() == Kind::CloseParen
        || parent(before) == Kind::BinaryExpr
        || parent(token) == Kind::BinaryExpr
}

/// Whether a space separates two tokens in one line.
fn has_space(before: &SyntaxToken, token: &SyntaxToken) -> bool {
    match (before.kind(), token.kind()) {
        // `...` would be something else.
        (Kind::DotDot, Kind::Number) => token.text().starts_with('.'),
        (Kind::OpenParen | Kind::OpenBracket | Kind::Dot | Kind::DotDot, _) => false,
        (_, Kind::CloseParen | Kind::CloseBracket | Kind::OpenBracket) => false,
        (_, Kind::Comma | Kind::Dot | Kind::DotDot | Kind::PlusPlus) => false,
        (Kind::Minus | Kind::Bang, _) if parent(before) == Kind::UnaryExpr => false,
        (_, Kind::Percent) => parent(token) != Kind::Literal,
        (_, Kind::OpenParen) => {
            !matches!(parent(token), Kind::Arguments | Kind::Parameters | Kind::Drop | Kind::Modify | Kind::Enter)
        }
        _ => true,
    }
}
