//! The extension for Visual Studio Code speaks of files that exist, and colours the language that there is.

use fancy_regex::Regex;
use forebay_lang::lexer::lex;
use forebay_lang::{Kind, vocabulary};
use serde_json::Value;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../editors/vscode")
}

fn json(name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder().join(name)).unwrap()).unwrap()
}

/// Scopes of a match: of all of it, or of its groups.
struct Rule {
    regex: Regex,
    scope: Option<String>,
    groups: Vec<(usize, String)>,
}

/// The grammar's rules in the order in which they are tried.
fn rules() -> Vec<Rule> {
    fn collect(grammar: &Value, pattern: &Value, rules: &mut Vec<Rule>) {
        if let Some(name) = pattern["include"].as_str() {
            let included = &grammar["repository"][name.strip_prefix('#').unwrap()];
            assert!(included.is_object(), "{name} is in the repository");
            return collect(grammar, included, rules);
        }
        for inner in pattern["patterns"].as_array().into_iter().flatten() {
            collect(grammar, inner, rules);
        }
        if let Some(regex) = pattern["match"].as_str() {
            let captures = pattern["captures"].as_object().into_iter().flatten();
            let groups = captures.map(|(group, of)| (group.parse().unwrap(), of["name"].as_str().unwrap().to_owned()));
            let scope = pattern["name"].as_str().map(str::to_owned);
            rules.push(Rule { regex: Regex::new(regex).unwrap(), scope, groups: groups.collect() });
        }
    }
    let grammar = json("syntaxes/openqueue.tmLanguage.json");
    let mut rules = Vec::new();
    collect(&grammar, &grammar, &mut rules);
    rules
}

/// The coloured pieces of a line, as TextMate finds them: the earliest match; of several there the first rule's.
fn coloured(rules: &[Rule], line: &str) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let mut best: Option<(usize, usize, &Rule)> = None;
        for rule in rules {
            let matched = rule.regex.find_from_pos(line, at).unwrap();
            let Some(matched) = matched.filter(|matched| matched.end() > matched.start()) else { continue };
            if best.is_none_or(|(start, ..)| matched.start() < start) {
                best = Some((matched.start(), matched.end(), rule));
            }
        }
        let Some((start, end, rule)) = best else { break };
        found.extend(rule.scope.iter().map(|scope| (start, end, scope.clone())));
        let groups = rule.regex.captures_from_pos(line, at).unwrap().unwrap();
        for (group, scope) in &rule.groups {
            found.extend(groups.get(*group).map(|group| (group.start(), group.end(), scope.clone())));
        }
        at = end;
    }
    found
}

/// The scope of a word in a line.
#[track_caller]
fn scope(line: &str, word: &str) -> String {
    let start = line.find(word).unwrap();
    let all = coloured(&rules(), line);
    let found = all.iter().find(|(from, to, _)| (*from, *to) == (start, start + word.len()));
    found.unwrap_or_else(|| panic!("{word} in {line}: {all:?}")).2.clone()
}

#[test]
fn the_extension_names_files_that_are_there() {
    let package = json("package.json");
    let contributes = &package["contributes"];
    let named = [&package["main"], &contributes["languages"][0]["configuration"], &contributes["grammars"][0]["path"]];
    for path in named {
        assert!(folder().join(path.as_str().unwrap()).is_file(), "{path}");
    }
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"), "the extension has the version of forebay");
    let grammar = json("syntaxes/openqueue.tmLanguage.json");
    assert_eq!(grammar["scopeName"], contributes["grammars"][0]["scopeName"]);
    assert_eq!(contributes["languages"][0]["id"], contributes["grammars"][0]["language"]);
    let script = std::fs::read_to_string(folder().join("extension.js")).unwrap();
    assert!(script.contains("language: \"openqueue\"") && script.contains("args: [\"lsp\"]"));
    assert!(contributes["configuration"]["properties"]["forebay.path"]["default"] == "forebay");
    let configuration = json("language-configuration.json");
    assert_eq!(configuration["comments"]["lineComment"], "//");
    Regex::new(configuration["wordPattern"]["pattern"].as_str().unwrap()).unwrap();
    for rule in configuration["indentationRules"].as_object().unwrap().values() {
        Regex::new(rule.as_str().unwrap()).unwrap();
    }
}

#[test]
fn every_word_action_and_unit_has_its_colour() {
    for (word, expected) in [
        ("param", "keyword.control"),
        ("for", "keyword.control"),
        ("in", "keyword.control"),
        ("let", "keyword.control"),
        ("and", "keyword.operator.logical"),
        ("or", "keyword.operator.logical"),
        ("not", "keyword.operator.logical"),
        ("true", "constant.language"),
        ("false", "constant.language"),
    ] {
        assert!(Kind::of_word(word).is_some());
        assert!(scope(&format!("x {word} y"), word).starts_with(expected), "{word}");
        assert!(scope(&format!("x = {word}_1"), &format!("{word}_1")).starts_with("variable"), "{word}");
    }
    for action in vocabulary::ACTIONS {
        assert!(scope(&format!("t(q) = q.x > 1, {action}(1)"), action).starts_with("support.function.action"));
    }
    for unit in vocabulary::UNITS {
        for line in [format!("x = 12 {unit};"), format!("x = 1{unit}")] {
            assert!(scope(&line, unit).starts_with("keyword.other.unit"), "{line}");
        }
        let longer = format!("{unit}x");
        assert!(scope(&format!("x = 12 {longer}"), &longer).starts_with("variable"), "{longer}");
    }
    assert!(scope("p = Port(50%, q)", "%").starts_with("keyword.other.unit"));
    assert!(scope("p = 50 % q", "%").starts_with("keyword.operator"));
}

#[test]
fn the_grammar_splits_programs_as_the_lexer_does() {
    let rules = rules();
    let page = |name: &str| std::fs::read_to_string(folder().join("../../docs").join(name)).unwrap();
    let pages = page("openqueue-listings.md") + &page("openqueue-grammar.md");
    let mut tokens = 0;
    for line in pages.split("```openqueue\n").skip(1).flat_map(|block| block.split("```").next().unwrap().lines()) {
        let found = coloured(&rules, line);
        let mut at = 0;
        for token in lex(line).0 {
            let (start, end) = (at, at + token.text.len());
            at = end;
            if token.kind == Kind::Whitespace {
                continue;
            }
            tokens += 1;
            let scope =
                found.iter().find(|(from, to, _)| (*from, *to) == (start, end)).map(|(.., scope)| scope.as_str());
            let scope = scope.unwrap_or_else(|| panic!("{:?} in {line}: {found:?}", token.text));
            let fits = match token.kind {
                Kind::Comment => scope.starts_with("comment"),
                Kind::Number => scope.starts_with("constant.numeric"),
                Kind::TrueWord | Kind::FalseWord => scope.starts_with("constant.language"),
                Kind::AndWord | Kind::OrWord | Kind::NotWord => scope.starts_with("keyword.operator"),
                kind if kind.is_word() => scope.starts_with("keyword.control"),
                Kind::Text => scope.starts_with("string"),
                Kind::Name if vocabulary::EXTERN.contains(&token.text) || token.text == vocabulary::INCLUDE => {
                    scope.starts_with("keyword.control")
                }
                Kind::Name => {
                    ["variable", "entity", "support", "keyword.other.unit"].iter().any(|known| scope.starts_with(known))
                }
                _ => scope.starts_with("punctuation") || scope.starts_with("keyword"),
            };
            assert!(fits, "{:?} is {scope} in {line}", token.text);
        }
    }
    assert!(tokens > 500, "{tokens}");
}
