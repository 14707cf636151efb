//! The binding itself, where the libraries are there.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

use forebay_matcher::native::{Debian, Expression, Limits, LoadError, Pcre2, Search, Vectorscan};
use std::path::{Path, PathBuf};

fn folders() -> Vec<PathBuf> {
    Debian::new(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/debian")).library_folders()
}

fn loaded<T>(library: Result<T, LoadError>) -> Option<T> {
    library.inspect_err(|error| println!("skipped: {error}")).ok()
}

fn expression(id: u32, pattern: &str) -> Expression {
    Expression { id, pattern: pattern.to_owned(), prefilter: false }
}

#[test]
fn a_filter_names_what_matches() {
    let Some(vectorscan) = loaded(Vectorscan::load(&folders())) else { return };
    assert!(vectorscan.version().starts_with("5."), "{}", vectorscan.version());
    let mut filter = vectorscan.compile(&[expression(7, "b+"), expression(3, "a.c"), expression(9, "x$")]).unwrap();
    let mut found = Vec::new();
    assert!(filter.scan(b"bbb a\nc x-", &mut found));
    found.sort_unstable();
    assert_eq!(found, [3, 7]);
    found.clear();
    assert!(filter.scan(b"", &mut found));
    assert!(found.is_empty());
}

#[test]
fn patterns_that_the_filter_does_not_take_are_told() {
    let Some(vectorscan) = loaded(Vectorscan::load(&folders())) else { return };
    let error = vectorscan.compile(&[expression(0, "a"), expression(1, "(?<=a)b")]).err().unwrap();
    assert_eq!(error.expression, Some(1), "{error}");
    let prefilter = Expression { prefilter: true, ..expression(1, "(?<=a)b") };
    assert!(vectorscan.compile(&[prefilter]).is_ok());
    assert!(vectorscan.compile(&[expression(0, "a\0b")]).is_err());
    assert!(vectorscan.compile(&[expression(0, "(")]).is_err());
}

#[test]
fn a_search_keeps_to_its_limits() {
    let Some(pcre2) = loaded(Pcre2::load(&folders())) else { return };
    assert!(pcre2.version().starts_with("10."), "{}", pcre2.version());
    let mut scratch = pcre2.scratch().unwrap();
    let regex = pcre2.compile("(?<=a)b").unwrap();
    let mut at = |from, to| regex.search(&mut scratch, b"xxabxx", Limits { from, to, steps: 1_000 });
    assert_eq!(at(0, usize::MAX), Search::Match);
    assert_eq!(at(3, 3), Search::Match);
    assert_eq!(at(0, 2), Search::NoMatch);
    assert_eq!(at(4, 9), Search::NoMatch);
    assert_eq!(at(7, 9), Search::NoMatch);
}

#[test]
fn steps_are_counted_for_each_position() {
    let Some(pcre2) = loaded(Pcre2::load(&folders())) else { return };
    let mut scratch = pcre2.scratch().unwrap();
    let regex = pcre2.compile("(?:a|a)*[cd]").unwrap();
    assert!(regex.is_jit());
    let subject = [b'a'; 30];
    let mut search = |from, steps| regex.search(&mut scratch, &subject, Limits { from, to: usize::MAX, steps });
    assert_eq!(search(0, 1_000), Search::StepsUsedUp);
    assert_eq!(search(26, 1_000), Search::NoMatch);
}

#[test]
fn a_wrong_pattern_is_told_with_its_place() {
    let Some(pcre2) = loaded(Pcre2::load(&folders())) else { return };
    let error = pcre2.compile("ab(c").err().unwrap();
    assert_eq!(error.offset, 4);
    assert!(error.message.contains("parenthes"), "{error}");
}
