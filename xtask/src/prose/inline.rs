//! Text without the signs of Markdown: code becomes one opaque word, links their text, comments and tags nothing.

use super::passage::CODE;

/// The plain text of a passage. Every line break stays.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let taken = taken(rest, &mut out);
        rest = if taken > 0 {
            &rest[taken..]
        } else {
            out.push(letter);
            &rest[letter.len_utf8()..]
        };
    }
    out
}

/// How many bytes a construct takes at the beginning of the text; its plain text goes to `out`. 0 is for a plain letter.
fn taken(text: &str, out: &mut String) -> usize {
    let mut letters = text.chars();
    match letters.next() {
        Some('\\') => escape(&text[1..], out),
        Some('`') => code(text, out),
        Some('<') => tag(text, out),
        Some('!') => usize::from(text.starts_with("![")),
        Some('[') if text.starts_with("[^") => text.find(']').map_or(1, |end| end + 1),
        Some('[') => 1,
        Some(']') => target(text, out),
        Some('*') => {
            let is_sign = |other: Option<char>| other.is_none_or(char::is_whitespace);
            usize::from(!(is_sign(letters.next()) && is_sign(out.chars().last())))
        }
        _ => 0,
    }
}

fn escape(after: &str, out: &mut String) -> usize {
    let Some(letter) = after.chars().next().filter(char::is_ascii_punctuation) else { return 0 };
    // A pipe would end the cell of a table.
    out.push(if letter == '|' { '/' } else { letter });
    2
}

/// A code span ends at as many backticks as it starts with.
fn code(text: &str, out: &mut String) -> usize {
    let length = text.len() - text.trim_start_matches('`').len();
    let mut at = length;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let run = text[start..].len() - text[start..].trim_start_matches('`').len();
        at = start + run;
        if run == length {
            keep_lines(&text[..at], out);
            out.push(CODE);
            return at;
        }
    }
    out.push_str(&text[..length]);
    length
}

/// A tag and a comment are no text; an address in angle brackets is a word.
fn tag(text: &str, out: &mut String) -> usize {
    let end = if text.starts_with("<!--") { "-->" } else { ">" };
    let is_tag = text[1..].starts_with(|letter: char| letter.is_ascii_alphabetic() || matches!(letter, '/' | '!'));
    let Some(length) = text.find(end).map(|at| at + end.len()).filter(|_| is_tag) else { return 0 };
    let inside = &text[..length];
    keep_lines(inside, out);
    if end == ">" && inside.contains("://") {
        out.push(CODE);
    }
    length
}

/// The end of a link's text, with where it leads.
fn target(text: &str, out: &mut String) -> usize {
    let after = &text[1..];
    let end = match after.chars().next() {
        Some('(') => closing(after),
        Some('[') => after.find(']').map(|at| at + 1),
        _ => None,
    };
    let length = 1 + end.unwrap_or(0);
    keep_lines(&text[..length], out);
    length
}

/// Where the parenthesis that opens the text closes.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth <= 1 => return Some(at + 1),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn keep_lines(text: &str, out: &mut String) {
    out.extend(text.chars().filter(|letter| *letter == '\n'));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_go_and_words_stay() {
        for (text, expected) in [
            ("a `b` ``c ` d`` e", "a \u{FFFC} \u{FFFC} e"),
            ("a `b", "a `b"),
            ("[t `c`](x(y)z) and [u][v] and [w]", "t \u{FFFC} and u and w"),
            ("![alt](p.png) note[^1]", "alt note"),
            ("**b** *i* 2 * 3 a\\*b", "b i 2 * 3 a*b"),
            ("x<br>y <!-- z\nz --> a < b > c", "xy \n a < b > c"),
            ("<https://a.b> [l](a\nb)", "\u{FFFC} l\n"),
            ("\\", "\\"),
        ] {
            assert_eq!(plain(text), expected, "{text}");
        }
    }
}
