//! What attack payloads are made of: pieces of the rules' own patterns, and a fixed list.

use crate::rules::Rule;
use std::collections::BTreeSet;

/// Pieces that are in many patterns: what optional and repeated groups begin with.
const FIXED: [&str; 45] = [
    "a",
    "1",
    " ",
    "\t",
    "\n",
    "'",
    "\"",
    "`",
    "(",
    ")",
    "<",
    ">",
    "=",
    ";",
    "&",
    "|",
    "/",
    "\\",
    "-",
    "#",
    "%",
    "$",
    "{",
    "!",
    "a=",
    "a ",
    "' ",
    "\"a",
    "<a ",
    ";a",
    "a1",
    "/*",
    "--",
    // What rules match as a whole: a filter that knows a pattern exactly names it only then.
    "' or 1=1 -- ",
    "' union select a from b",
    "<script>alert(1)</script>",
    "<img src=x onerror=a>",
    "\"a.b=",
    ";cat /etc/passwd",
    "${jndi:ldap://a}",
    "<?php system(a);",
    "');select sleep(1)",
    "1' and 1 like 1",
    "javascript:alert(1)",
    "a('b','c')=d",
];

/// Longest piece taken from a pattern, in bytes. Longer ones are cut: rules rarely repeat more.
const LONGEST: usize = 12;

/// The pieces of these rules' patterns and the fixed list, each once, in order.
pub(crate) fn tokens<'r>(rules: impl Iterator<Item = &'r Rule>) -> Vec<Vec<u8>> {
    let mut tokens: BTreeSet<Vec<u8>> = FIXED.iter().map(|token| token.as_bytes().to_vec()).collect();
    for rule in rules {
        tokens.extend(pieces(&rule.pattern));
    }
    tokens.into_iter().collect()
}

/// Runs of the parts of a pattern: literals, and one character for each class.
fn pieces(pattern: &str) -> Vec<Vec<u8>> {
    let (mut pieces, mut run) = (Vec::new(), Vec::new());
    let mut bytes = pattern.bytes().peekable();
    let mut end = |run: &mut Vec<u8>| {
        if !run.is_empty() {
            run.truncate(LONGEST);
            pieces.push(std::mem::take(run));
        }
    };
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => run.extend(bytes.next().and_then(|byte| escaped(byte, &mut bytes))),
            b'[' => run.extend(class(&mut bytes)),
            b'(' => {
                end(&mut run);
                // The kind of a group, as in (?i: or (?=.
                if bytes.next_if_eq(&b'?').is_some() {
                    while bytes.next_if(|byte| matches!(byte, b'i' | b's' | b'm' | b'<' | b'=' | b'!' | b':')).is_some()
                    {
                    }
                }
            }
            b')' | b'|' | b'^' => end(&mut run),
            b'{' if bytes.peek().is_some_and(u8::is_ascii_digit) => {
                for _ in bytes.by_ref().take_while(|byte| *byte != b'}') {}
            }
            b'?' | b'*' | b'+' | b'$' => {}
            b'.' => run.push(b'a'),
            _ => run.push(byte),
        }
    }
    end(&mut run);
    pieces
}

/// A byte that the escape after a backslash stands for; `None` for one that is an assertion.
fn escaped(byte: u8, rest: &mut impl Iterator<Item = u8>) -> Option<u8> {
    match byte {
        b's' => Some(b' '),
        b'd' => Some(b'1'),
        b'w' => Some(b'a'),
        b'W' | b'D' | b'S' => Some(b'-'),
        b'n' => Some(b'\n'),
        b'r' => Some(b'\r'),
        b't' => Some(b'\t'),
        b'v' | b'f' => Some(0x0b),
        b'x' => {
            let digits: Vec<u8> = rest.take(2).collect();
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()
        }
        b'b' | b'B' | b'A' | b'z' | b'Z' | b'0'..=b'9' => None,
        _ => Some(byte),
    }
}

/// A byte of a class whose bracket was read; one that it most likely has if it is negated.
fn class(bytes: &mut std::iter::Peekable<impl Iterator<Item = u8>>) -> Option<u8> {
    let negated = bytes.next_if_eq(&b'^').is_some();
    let mut first = None;
    let mut is_first = true;
    while let Some(byte) = bytes.next() {
        let member = match byte {
            b']' if !is_first => break,
            b'\\' => bytes.next().and_then(|byte| escaped(byte, bytes)),
            _ => Some(byte),
        };
        first = first.or(member);
        is_first = false;
    }
    if negated { Some(b'a') } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_what_a_pattern_asks_for() {
        let texts = |pattern: &str| -> Vec<String> {
            pieces(pattern).into_iter().map(|piece| String::from_utf8(piece).unwrap()).collect()
        };
        assert_eq!(texts("foo|ba(?:r+)z"), ["foo", "ba", "r", "z"]);
        assert_eq!(texts(r"\bunion\s+select[^a-z]\d{2,3}\x41"), ["union select".to_owned()]);
        assert_eq!(texts(r"[\]x]\d{2,3}\x41"), ["]1A"]);
        assert_eq!(texts("^(?i)a.b$"), ["aab"]);
        assert_eq!(texts(""), Vec::<String>::new());
    }
}
