//! The words of a text in P4.

/// A word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    Name(String),
    /// A number, with its width if it says one.
    Number(u128, Option<u32>),
    /// A sign; `<` and `>` are always alone.
    Sign(&'static str),
}

const SIGNS: [&str; 30] = [
    "&&&", "&&", "||", "++", "==", "!=", "<=", ">=", "{", "}", "(", ")", "[", "]", "<", ">", ";", ":", ",", ".", "=",
    "!", "+", "-", "*", "/", "&", "|", "^", "@",
];

/// Takes a text apart; comments and `#include` are left out.
///
/// # Panics
/// At a letter that is no P4.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut all = Vec::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap();
        if line.starts_with('#') {
            assert!(["#include <core.p4>", "#include <v1model.p4>"].contains(&line), "{line}");
            continue;
        }
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let token = if first.is_ascii_digit() {
                number(&rest[..word])
            } else if word > 0 {
                Token::Name(rest[..word].to_owned())
            } else {
                let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
                Token::Sign(sign.unwrap_or_else(|| panic!("no P4: {line}")))
            };
            let length = if let Token::Sign(sign) = token { sign.len() } else { word };
            all.push(token);
            rest = rest[length..].trim_start();
        }
    }
    all
}

/// `5`, `0x800`, `64w5`.
fn number(word: &str) -> Token {
    if let Some(digits) = word.strip_prefix("0x") {
        return Token::Number(u128::from_str_radix(digits, 16).unwrap(), None);
    }
    match word.split_once('w') {
        Some((width, digits)) => Token::Number(digits.parse().unwrap(), Some(width.parse().unwrap())),
        None => Token::Number(word.parse().unwrap(), None),
    }
}
