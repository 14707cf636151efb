//! How forebay writes: the rules of `docs/writing.md` that a machine can check.
//!
//! A reader (`markdown.rs`, `rust_comments.rs`, `rust_strings.rs`) makes passages of a file. `sentence.rs` splits them into sentences, and each
//! rule in `rules/` looks at one sentence at a time.

mod allow;
mod inline;
mod markdown;
mod pages;
mod passage;
mod rules;
mod rust_comments;
mod rust_strings;
mod sentence;

use crate::files::{ChoreResult, read};
use pages::Source;
use passage::Text;

/// Checks the pages that the words name, or all of them.
pub(crate) fn run(words: &[&str]) -> ChoreResult<String> {
    let (source, words) = match words {
        ["--rust", words @ ..] => (Source::Rust, words),
        _ => (Source::Markdown, words),
    };
    if let Some(option) = words.iter().find(|word| word.starts_with('-')) {
        return Err(vec![format!("unknown option `{option}`; write: cargo xtask prose [--rust] [FILE...]")]);
    }
    let files = pages::named(source, words)?;
    let (mut count, mut pages) = (0, 0);
    for file in &files {
        let text = read(file)?;
        let mut findings: Vec<_> = source.read(file, &text).iter().flat_map(findings).collect();
        findings.sort();
        for (line, message) in &findings {
            println!("{file}:{line}: {message}");
        }
        count += findings.len();
        pages += usize::from(!findings.is_empty());
    }
    let read = files.len();
    if count == 0 {
        return Ok(format!("prose: {read} files"));
    }
    Err(vec![format!("prose: {count} findings in {pages} of {read} files; docs/writing.md has the rules")])
}

/// What is wrong, with its line, in order of lines.
fn findings(text: &Text) -> Vec<(usize, String)> {
    let mut allowances = allow::Allowances::of(text);
    let mut found = Vec::new();
    for (place, passage) in text.passages.iter().enumerate() {
        for sentence in sentence::split(passage) {
            for rule in rules::ALL.iter().filter(|rule| rule.kinds.contains(&sentence.kind)) {
                let breaches = (rule.find)(&sentence);
                if !breaches.is_empty() && !allowances.allow(place, rule.name) {
                    found.extend(breaches.into_iter().map(|(line, what)| (line, format!("{}: {what}", rule.name))));
                }
            }
        }
    }
    found.extend(allowances.problems());
    found.sort();
    found.dedup();
    found
}
