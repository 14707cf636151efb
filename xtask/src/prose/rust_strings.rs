//! Passages of the strings in a Rust file that are sentences or parts of sentences, such as messages. Strings of tests are not read.
//!
//! A comment `// prose: allow RULE: REASON` stands before the string that it is for.

use super::passage::{CODE, Comment, Kind, Passage, Text};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::str::FromStr;

/// A string with fewer words is a name or a fragment, in which no rule finds anything that a reader would stumble over.
const LEAST_WORDS: usize = 4;

pub(crate) fn read(text: &str) -> Text {
    let mut passages = Vec::new();
    // Cargo compiles every file, so a text that is no Rust is a template of one, which has no messages.
    if let Ok(tokens) = TokenStream::from_str(text) {
        walk(tokens, &mut passages);
    }
    let comments = comments(text, &passages);
    Text { passages, comments }
}

/// Comments that allow a breach in the next string.
fn comments(text: &str, passages: &[Passage]) -> Vec<Comment> {
    let comment = |(content, line): (&str, usize)| {
        let words = content.trim_start().strip_prefix("// prose:")?.trim().to_owned();
        let next = passages.iter().find(|passage| passage.line > line);
        Some(Comment { line, text: words, block: next.map_or(usize::MAX, |passage| passage.block) })
    };
    text.lines().zip(1..).filter_map(comment).collect()
}

fn walk(tokens: TokenStream, passages: &mut Vec<Passage>) {
    let mut is_test = false;
    let mut is_comment = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let inside = group.stream();
                let is_body = group.delimiter() == Delimiter::Brace;
                if group.delimiter() == Delimiter::Bracket && is_test_mark(&inside.to_string()) {
                    is_test = true;
                } else if is_body && is_test {
                    is_test = false;
                } else {
                    walk(inside, passages);
                }
            }
            TokenTree::Literal(literal) if !is_comment => {
                let line = literal.span().start().line;
                if let syn::Lit::Str(string) = syn::Lit::new(literal)
                    && is_prose(&string.value())
                {
                    // A message says what is wrong; after a semicolon, it says what to write.
                    let block = passages.len();
                    let text = without_code(&string.value());
                    passages.extend(text.split(';').filter_map(|part| Passage::new(Kind::Summary, line, part, block)));
                }
            }
            TokenTree::Punct(mark) if mark.as_char() == ';' => is_test = false,
            // `#[doc = "..."]`: comments have a reader of their own.
            TokenTree::Ident(name) => is_comment = name == "doc",
            _ => {}
        }
    }
}

fn is_test_mark(attribute: &str) -> bool {
    attribute == "test" || attribute.starts_with("cfg") && attribute.contains("test")
}

/// Whether a string is not a name, a fragment or a line of code.
fn is_prose(value: &str) -> bool {
    !value.contains(['\n', '\t'])
        && !value.trim_end_matches([' ', '}']).ends_with(';')
        && !value.contains("::")
        && value.split_whitespace().filter(|word| is_word(word)).count() >= LEAST_WORDS
}

fn is_word(text: &str) -> bool {
    text.trim_matches(|letter: char| letter.is_ascii_punctuation()).chars().all(char::is_alphabetic)
        && text.starts_with(|letter: char| letter.is_alphabetic())
}

/// Placeholders, code and quotations count as one word each.
fn without_code(value: &str) -> String {
    let mut out = String::new();
    let mut end = None;
    for letter in value.chars() {
        match (end, letter) {
            (None, '`' | '"' | '{') => {
                out.push(CODE);
                end = Some(if letter == '{' { '}' } else { letter });
            }
            (None, _) => out.push(letter),
            (Some(last), _) if letter == last => end = None,
            (Some(_), _) => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
/// Not read: it is a comment.
fn f() -> String {
    let name = "no message";
    format!("the file {name} has no `such row` in it; write one", name = "tail-drop")
}
#[derive(Debug)]
struct S { a: u8 }
const C: &str = "a message that \
    goes on in the next line";
const T: &str = "if (x > 0) { return a b c d; }";
#[cfg(test)]
mod tests {
    fn g() { assert!(true, "this is not read by anybody"); }
}
#[test]
fn h() { panic!("nor is this read by anybody"); }
@allow private-word: a quote
const D: &str = "and \"that that\" is read once more";
"#;

    #[test]
    fn messages_are_read_and_names_programs_and_tests_are_not() {
        // Written so that this file has no such comment.
        let text = read(&FILE.replace('@', "// prose: "));
        let passages: Vec<_> = text.passages.iter().map(|one| (one.line, one.text.as_str())).collect();
        let expected = [
            (5, "the file \u{FFFC} has no \u{FFFC} in it"),
            (5, "write one"),
            (9, "a message that goes on in the next line"),
            (19, "and \u{FFFC} is read once more"),
        ];
        assert_eq!(passages, expected);
        assert_eq!(text.comments, [Comment { line: 18, text: "allow private-word: a quote".to_owned(), block: 3 }]);
    }
}
