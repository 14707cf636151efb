//! The words of a Rust file: names, strings, and signs. Comments and code that is compiled only for tests are left out.

/// One word of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word<'a> {
    Name(&'a str),
    Text(&'a str),
    PathSign,
    Sign(u8),
}

impl<'a> Word<'a> {
    /// The name, if the word is one.
    pub(crate) fn name(self) -> Option<&'a str> {
        if let Word::Name(name) = self { Some(name) } else { None }
    }
}

/// Splits a file into words and drops every item under `#[cfg(test)]`.
pub(crate) fn words(text: &str) -> Vec<Word<'_>> {
    let all = split(text);
    let mut kept = Vec::with_capacity(all.len());
    let mut at = 0;
    while at < all.len() {
        if is_for_tests(&all[at..]) {
            at = end_of_item(&all, at + FOR_TESTS.len());
        } else {
            kept.push(all[at]);
            at += 1;
        }
    }
    kept
}

const FOR_TESTS: [Word<'static>; 7] = [
    Word::Sign(b'#'),
    Word::Sign(b'['),
    Word::Name("cfg"),
    Word::Sign(b'('),
    Word::Name("test"),
    Word::Sign(b')'),
    Word::Sign(b']'),
];

fn is_for_tests(words: &[Word<'_>]) -> bool {
    words.len() >= FOR_TESTS.len() && words[..FOR_TESTS.len()] == FOR_TESTS
}

/// The place after the item that starts at `at`: after its `;`, or after the `}` that closes it.
fn end_of_item(words: &[Word<'_>], mut at: usize) -> usize {
    let mut depth = 0;
    while at < words.len() {
        match words[at] {
            Word::Sign(b'{' | b'(' | b'[') => depth += 1,
            Word::Sign(b')' | b']') => depth -= 1,
            Word::Sign(b'}') => {
                depth -= 1;
                if depth == 0 && words.get(at + 1) != Some(&Word::Sign(b';')) {
                    return at + 1;
                }
            }
            Word::Sign(b';') if depth == 0 => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

fn split(text: &str) -> Vec<Word<'_>> {
    let bytes = text.as_bytes();
    let mut words = Vec::with_capacity(bytes.len() / 6);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = line_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = comment_end(bytes, at),
            b'"' => {
                at = text_end(bytes, at);
                words.push(Word::Text(text.get(start + 1..at - 1).unwrap_or_default()));
            }
            b'\'' => at = quote_end(text, at),
            _ if is_in_name(byte) => {
                at += bytes[at..].iter().take_while(|&&byte| is_in_name(byte)).count();
                match (&text[start..at], bytes.get(at)) {
                    ("r" | "br", Some(b'"' | b'#')) => at = raw_text_end(bytes, at),
                    ("b" | "c", Some(b'"')) => at = text_end(bytes, at),
                    (name, _) => words.push(Word::Name(name)),
                }
            }
            b':' if bytes.get(at + 1) == Some(&b':') => {
                words.push(Word::PathSign);
                at += 2;
            }
            _ => {
                if !byte.is_ascii_whitespace() {
                    words.push(Word::Sign(byte));
                }
                at += 1;
            }
        }
    }
    words
}

fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|&&byte| byte != b'\n').count()
}

/// The end of a comment in `/* */`; such comments may hold others.
fn comment_end(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                break;
            }
        } else {
            at += 1;
        }
    }
    at
}

/// The place after the string whose opening quote is at `at`.
fn text_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] != b'"' {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    (end + 1).min(bytes.len())
}

/// The place after the raw string whose first `#` or quote is at `at`.
fn raw_text_end(bytes: &[u8], at: usize) -> usize {
    let hashes = bytes[at..].iter().take_while(|&&byte| byte == b'#').count();
    if bytes.get(at + hashes) != Some(&b'"') {
        return at + hashes;
    }
    let mut end = at + hashes + 1;
    while end < bytes.len() {
        let after = &bytes[end + 1..];
        if bytes[end] == b'"' && after.len() >= hashes && after[..hashes].iter().all(|&byte| byte == b'#') {
            return end + 1 + hashes;
        }
        end += 1;
    }
    end
}

/// The place after a character such as `'a'`, or after the sign of a lifetime such as `'a`.
fn quote_end(text: &str, at: usize) -> usize {
    let mut rest = text[at + 1..].char_indices();
    match (rest.next(), rest.next()) {
        (Some((_, '\\')), _) => {
            let escaped = text.as_bytes().get(at + 3..).unwrap_or_default();
            at + 4 + escaped.iter().take_while(|&&byte| byte != b'\'').count()
        }
        (Some(_), Some((offset, '\''))) => at + 1 + offset + 1,
        _ => at + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&str> {
        words(text).into_iter().filter_map(Word::name).collect()
    }

    #[test]
    fn comments_strings_characters_and_lifetimes_hide_no_names() {
        assert_eq!(names("a // b\n/* c /* d */ e */ f"), ["a", "f"]);
        assert_eq!(names(r##"a("b \" c", r#"d " e"#, b"f", '"', '\'', '\\', 'g') h"##), ["a", "h"]);
        assert_eq!(names("fn a<'b>(c: &'b str)"), ["fn", "a", "b", "c", "b", "str"]);
    }

    #[test]
    fn what_is_only_for_tests_is_left_out() {
        assert_eq!(names("#[cfg(test)]\nmod tests { use a::{b}; fn c() {} }\nd"), ["d"]);
        assert_eq!(names("#[cfg(test)]\nuse a::{b, c};\nd"), ["d"]);
        assert_eq!(names("#[cfg(test)]\nmod tests;\nd"), ["d"]);
    }
}
