//! Splits a text into tokens. Every text can be split: a character that the language does not have becomes a stray token with a diagnostic.
//! The concatenated tokens are the text.

use crate::diagnostic::{Code, Diagnostic};
use crate::kind::Kind;
use crate::vocabulary::INCLUDE;
use rowan::{TextRange, TextSize};

/// A token: its kind and its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// The token's kind.
    pub kind: Kind,
    /// The token's text.
    pub text: &'a str,
}

/// Characters that look like the language's, from papers, word processors and other
/// languages.
const LOOKALIKES: [(&str, Kind, &str); 17] = [
    ("===", Kind::EqualEqual, "=="),
    ("=>", Kind::GreaterEqual, ">="),
    ("=<", Kind::LessEqual, "<="),
    ("<>", Kind::NotEqual, "!="),
    ("≤", Kind::LessEqual, "<="),
    ("≥", Kind::GreaterEqual, ">="),
    ("≠", Kind::NotEqual, "!="),
    ("∧", Kind::AndAnd, "&&"),
    ("∨", Kind::OrOr, "||"),
    ("¬", Kind::Bang, "!"),
    ("·", Kind::Dot, "."),
    ("×", Kind::Star, "*"),
    ("−", Kind::Minus, "-"),
    ("–", Kind::Minus, "-"),
    ("…", Kind::Ellipsis, "..."),
    ("&", Kind::AndAnd, "&&"),
    ("|", Kind::OrOr, "||"),
];

/// Punctuation; longer tokens precede their own prefixes.
const PUNCTUATION: [(&str, Kind); 31] = [
    ("...", Kind::Ellipsis),
    ("..", Kind::DotDot),
    (":=", Kind::Becomes),
    ("++", Kind::PlusPlus),
    ("<=", Kind::LessEqual),
    (">=", Kind::GreaterEqual),
    ("==", Kind::EqualEqual),
    ("!=", Kind::NotEqual),
    ("&&", Kind::AndAnd),
    ("||", Kind::OrOr),
    (";", Kind::Semicolon),
    (",", Kind::Comma),
    (".", Kind::Dot),
    ("(", Kind::OpenParen),
    (")", Kind::CloseParen),
    ("[", Kind::OpenBracket),
    ("]", Kind::CloseBracket),
    ("{", Kind::OpenBrace),
    ("}", Kind::CloseBrace),
    ("=", Kind::Equals),
    ("+", Kind::Plus),
    ("-", Kind::Minus),
    ("*", Kind::Star),
    ("/", Kind::Slash),
    ("%", Kind::Percent),
    ("<", Kind::Less),
    (">", Kind::Greater),
    ("!", Kind::Bang),
    ("\u{a0}", Kind::Whitespace),
    ("\u{feff}", Kind::Whitespace),
    ("\u{3000}", Kind::Whitespace),
];

/// Returns the tokens of a text and their diagnostics.
#[must_use]
pub fn lex(text: &str) -> (Vec<Token<'_>>, Vec<Diagnostic>) {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut diagnostics = Vec::new();
    let mut rest = text;
    // Whether this line has a `?`, to which a `:` belongs.
    let mut choice = false;
    // Whether `include` stands before, to which the name of a file belongs.
    let mut includes = false;
    while !rest.is_empty() {
        let (kind, length, complaint) = match file_name(rest).filter(|_| includes) {
            Some(length) => (Kind::Text, length, None),
            None => next(rest),
        };
        let (token, after) = rest.split_at(length);
        choice = token == "?" || choice && !token.contains('\n');
        includes = token == INCLUDE || includes && kind == Kind::Whitespace && !token.contains('\n');
        if let Some(complain) = complaint.filter(|_| !choice || token != ":") {
            let start = TextSize::of(text) - TextSize::of(rest);
            diagnostics.push(complain(TextRange::at(start, TextSize::of(token)), token));
        }
        tokens.push(Token { kind, text: token });
        rest = after;
    }
    (tokens, diagnostics)
}

/// Returns the length of a text in quotation marks that ends in its line.
fn file_name(rest: &str) -> Option<usize> {
    let end = rest.strip_prefix('"')?.find(['"', '\n'])?;
    rest[1 + end..].starts_with('"').then_some(end + 2)
}

type Complaint = fn(TextRange, &str) -> Diagnostic;

/// Returns the kind and the length of the first token, and its mistake.
fn next(rest: &str) -> (Kind, usize, Option<Complaint>) {
    let first = rest.chars().next().unwrap_or_default();
    let second = rest[first.len_utf8()..].chars().next().unwrap_or_default();
    if first.is_ascii_whitespace() {
        return (Kind::Whitespace, length_while(rest, |c| c.is_ascii_whitespace()), None);
    }
    if rest.starts_with("//") {
        return (Kind::Comment, line(rest), None);
    }
    if let Some(after) = rest.strip_prefix("/*") {
        return (Kind::Stray, after.find("*/").map_or(rest.len(), |end| end + 4), Some(wrong_comment));
    }
    if first == '#' {
        return (Kind::Stray, line(rest), Some(wrong_comment));
    }
    if is_name_start(first) {
        let length = length_while(rest, is_name);
        return (Kind::of_word(&rest[..length]).unwrap_or(Kind::Name), length, None);
    }
    if first.is_ascii_digit() || (first == '.' && second.is_ascii_digit()) {
        return (Kind::Number, number(rest), None);
    }
    let punctuation = PUNCTUATION.iter().find(|(text, _)| rest.starts_with(text));
    if let Some((text, kind, _)) = LOOKALIKES.iter().find(|(text, ..)| rest.starts_with(text))
        && punctuation.is_none_or(|(known, _)| known.len() < text.len())
    {
        return (*kind, text.len(), Some(lookalike));
    }
    if let Some((text, kind)) = punctuation {
        return (*kind, text.len(), None);
    }
    if matches!(first, '"' | '“') {
        let end = rest[first.len_utf8()..].find(['"', '”', '\n']).map_or(rest.len(), |at| at + first.len_utf8());
        let closing = rest[end..].chars().next().filter(|c| *c != '\n').map_or(0, char::len_utf8);
        return (Kind::Stray, end + closing, Some(no_texts));
    }
    // At least the first, whatever it is.
    (Kind::Stray, length_while(rest, is_stray).max(first.len_utf8()), Some(stray))
}

/// Whether a name can begin with a character: letters of any script, so that a foreign letter in a name is a single mistake.
fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the length of a number such as `128`, `1_000`, `0.5` or `.95`; in `1..k` the number is `1`.
fn number(rest: &str) -> usize {
    let digit = |c: char| c.is_ascii_digit() || c == '_';
    let whole = if rest.starts_with('.') { 0 } else { length_while(rest, digit) };
    let after = &rest[whole..];
    let fraction = after.strip_prefix('.').filter(|digits| digits.starts_with(|c: char| c.is_ascii_digit()));
    whole + fraction.map_or(0, |digits| 1 + length_while(digits, digit))
}

fn is_stray(c: char) -> bool {
    let begins_token = c.is_ascii_whitespace()
        || is_name(c)
        || matches!(c, '#' | '"' | '“')
        || PUNCTUATION.iter().any(|(text, _)| text.starts_with(c))
        || LOOKALIKES.iter().any(|(text, ..)| text.starts_with(c));
    !begins_token
}

fn line(rest: &str) -> usize {
    rest.find('\n').map_or(rest.len(), |end| rest[..end].trim_end_matches('\r').len())
}

fn length_while(text: &str, holds: impl Fn(char) -> bool) -> usize {
    text.find(|c| !holds(c)).unwrap_or(text.len())
}

fn wrong_comment(span: TextRange, text: &str) -> Diagnostic {
    let begins = if text.starts_with('#') { "#" } else { "/*" };
    let said = Diagnostic::error(Code::WrongComment, span, format!("a comment does not begin with `{begins}`"))
        .help("write `// …`, up to the end of the line");
    match begins {
        "#" => said.replace(TextRange::at(span.start(), TextSize::of('#')), "//"),
        _ => said,
    }
}

fn lookalike(span: TextRange, text: &str) -> Diagnostic {
    let meant = LOOKALIKES.iter().find(|(known, ..)| *known == text).map_or("", |(_, _, meant)| meant);
    Diagnostic::error(Code::StrayCharacter, span, format!("`{text}` is not an operator of OpenQueue"))
        .help(format!("write `{meant}`"))
        .replace(span, meant)
}

fn no_texts(span: TextRange, _: &str) -> Diagnostic {
    Diagnostic::error(Code::NoTexts, span, "OpenQueue has no texts in quotation marks")
        .help("write names without quotation marks, and comments after `//`")
}

fn stray(span: TextRange, text: &str) -> Diagnostic {
    let (shown, more): (String, bool) = (text.chars().take(12).collect(), text.chars().nth(12).is_some());
    let what = if text.chars().nth(1).is_some() { "these characters mean" } else { "this character means" };
    let shown = shown.escape_debug().to_string() + if more { "…" } else { "" };
    let said = Diagnostic::error(Code::StrayCharacter, span, format!("{what} nothing in OpenQueue: `{shown}`"));
    match text {
        ":" => said.help("a value is given with `=`, in `modify` with `:=`"),
        "?" => said.help(
            "write a list of cases: `(condition, action).(true, action)`; between two numbers, `max(a, b)` or `min(a, b)`",
        ),
        "'" | "`" | "’" => said.help("write names and numbers without quotation marks").replace(span, ""),
        _ => said.help("remove it").replace(span, ""),
    }
}
