//! The reader of rule files.

use crate::support::{debian_rules, libraries};
use forebay_matcher::{RuleSet, TwoStage};

fn read(text: &str) -> RuleSet {
    let mut set = RuleSet::default();
    set.read("a.conf", text).unwrap();
    set
}

fn message(text: &str) -> String {
    RuleSet::default().read("a.conf", text).unwrap_err().to_string()
}

#[test]
fn patterns_are_read_with_their_lines_and_numbers() {
    let set = read(concat!(
        "# SecRule ARGS \"@rx comment\"\n",
        "SecMarker X\n",
        "SecRule ARGS|!ARGS:x \"@rx a\\\"b\\s c\" \\\n",
        "    \"id:17,\\\n",
        "    phase:2,t:none,t:lowercase,block\"\n",
        "  SecRule TX:1 \"plain\" \"t:none\"\n",
        "SecRule ARGS \"@pm x y\" \"id:18\"\n",
        "SecRule ARGS \"@rxy\" \"id:19\"\n",
        "SecRule ARGS \"!@rx no\" \"id:20\"\n",
        "SecRule ARGS \"@rx %{tx.x}\" \"id:21\"\n",
        "SecRule ARGS \"@rx plain\" \"id:22\"\n",
    ));
    let found: Vec<_> = set.rules.iter().map(|rule| (rule.line, rule.id, rule.pattern.as_str())).collect();
    assert_eq!(found, [(3, Some(17), "a\"b\\s c"), (6, None, "plain")]);
    assert_eq!((set.directives, set.regular, set.repeated), (7, 5, 1));
    assert_eq!((set.negated, set.macros, set.transformed), (1, 1, 1));
}

#[test]
fn mistakes_are_told_with_their_line() {
    assert_eq!(
        message("\nSecRule ARGS \"@rx a\" \\\n"),
        "a.conf:2: the file ends after a backslash that says that the line goes on; remove it, or add the rest"
    );
    assert!(message("SecRule ARGS \"@rx a\n").starts_with("a.conf:1: a quote is not closed"));
    assert!(message("#\n#\nSecRule ARGS\n").starts_with("a.conf:3: SecRule needs"));
    assert!(message("SecRule ARGS \"@rx\" \"id:1\"").starts_with("a.conf:1: @rx without a pattern"));
}

#[test]
fn the_rules_of_debian_are_read_and_taken_by_both_libraries() {
    let Some(libraries) = libraries() else { return };
    let Some(set) = debian_rules(&libraries) else { return };
    assert!(set.rules.len() >= 200, "{}", set.rules.len());
    assert_eq!(set.regular, set.rules.len() + set.repeated + set.negated + set.macros);
    let stages = TwoStage::compile(&libraries.vectorscan, &libraries.pcre2, &set.rules).unwrap();
    let support = &stages.support;
    assert_eq!(support.refused, Vec::<String>::new());
    assert_eq!(support.filtered + support.prefiltered + support.unfiltered, set.rules.len());
    assert_eq!(support.jit, set.rules.len());
    println!("{} rules: {support:?}", set.rules.len());
}
