//! Fuzzes the parser, the renderer and the formatter of OpenQueue: any text gives a tree that holds all of it. Formatting changes only
//! white space and semicolons, and formatting twice changes no more.
use super::FuzzTarget;
use crate::seed_files::files;
use forebay_lang::lexer::lex;
use forebay_lang::render::{Style, render};
use forebay_lang::{Kind, format, parse};

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "oq_parse",
    title: "The tree of any text has all of it, and its formatted text stays as it is",
    seeds: || files("policies", &[".oq"]),
    run: take,
    quick: 5_000,
};

fn take(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let parsed = parse(&text);
    assert_eq!(parsed.syntax().to_string(), text);
    let shown = render("fuzz.oq", &text, parsed.diagnostics(), Style::Plain);
    assert_eq!(shown.is_empty(), parsed.diagnostics().is_empty());
    for fix in parsed.diagnostics().iter().filter_map(|diagnostic| diagnostic.fix.as_ref()) {
        assert!(text.get(usize::from(fix.span.start())..usize::from(fix.span.end())).is_some());
    }
    let formatted = format(&text);
    assert_eq!(format(&formatted), formatted);
    assert_eq!(tokens(&formatted), tokens(&text));
    assert!(!parsed.diagnostics().is_empty() || parse(&formatted).diagnostics().is_empty());
}

fn tokens(text: &str) -> Vec<(Kind, &str)> {
    let all = lex(text).0.into_iter().map(|token| (token.kind, token.text.trim_end()));
    all.filter(|(kind, _)| !matches!(kind, Kind::Whitespace | Kind::Semicolon)).collect()
}
