//! The blocks of the documents are tests.

use forebay_lang::render::{Style, render};
use forebay_lang::{format, parse};

pub(crate) const LISTINGS: &str = include_str!("../../../../docs/openqueue-listings.md");
const GRAMMAR: &str = include_str!("../../../../docs/openqueue-grammar.md");

/// The programs of a page.
pub(crate) fn programs(page: &str) -> Vec<&str> {
    page.split("```openqueue\n").skip(1).map(|block| block.split("```").next().unwrap()).collect()
}

#[track_caller]
fn check(page: &str, at_least: usize) {
    let programs = programs(page);
    assert!(programs.len() >= at_least, "{} programs", programs.len());
    for program in programs {
        let parsed = parse(program);
        let shown = render("page", program, parsed.diagnostics(), Style::Plain);
        assert!(parsed.diagnostics().is_empty(), "{program}\n{shown}");
        let formatted = format(program);
        assert_eq!(format(&formatted), formatted);
        assert!(parse(&formatted).diagnostics().is_empty(), "{formatted}");
    }
}

#[test]
fn every_listing_of_the_paper_parses_and_has_one_form() {
    check(LISTINGS, 19);
}

#[test]
fn every_example_of_the_grammar_parses_and_has_one_form() {
    check(GRAMMAR, 4);
}

#[test]
fn the_grammar_names_every_code_operator_word_unit_and_action() {
    for code in forebay_lang::Code::ALL {
        assert!(GRAMMAR.contains(&format!("`{code}`")), "{code}");
    }
    for operator in ["||", "&&", "<=", ">=", "==", "!=", ":=", "++", ".."] {
        assert!(GRAMMAR.contains(&format!("\"{operator}\"")), "{operator}");
    }
    for word in ["param", "for", "in", "let", "and", "or", "not", "true", "false"] {
        assert!(forebay_lang::Kind::of_word(word).is_some() && GRAMMAR.contains(&format!("\"{word}\"")), "{word}");
    }
    for name in forebay_lang::vocabulary::UNITS.iter().chain(&forebay_lang::vocabulary::ACTIONS) {
        assert!(GRAMMAR.contains(&format!("\"{name}\"")), "{name}");
    }
}
