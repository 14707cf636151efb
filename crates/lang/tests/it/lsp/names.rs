//! What names mean, where they are defined and where they are used.

use crate::lsp::support::{at_cursor, written};
use serde_json::{Value, json};

const POLICY: &str = "\
param B = 16 pkts; // ä
q[1..2] = Queue(B);
out = Port(100%, q[1..2]);
lqf(a, b) = (a.currSize > b.currSize);
sqf(a, b) = (b.currSize > a.currSize);
out.schedPrio = lqf;
q1.congestion = tailDrop;
q2.schedState = 3;
";

/// The policy with a cursor in the nth `word`, after its first letter.
fn marked(word: &str, nth: usize) -> String {
    let (at, _) = POLICY.match_indices(word).nth(nth).unwrap();
    let letter = at + word.chars().next().map_or(0, char::len_utf8);
    format!("{}┃{}", &POLICY[..letter], &POLICY[letter..])
}

fn ask(method: &str, marked: &str, more: Value) -> Value {
    let (mut client, _, place) = at_cursor(marked);
    client.at(method, place, more).unwrap()
}

fn lines(found: &Value, range: impl Fn(&Value) -> &Value) -> Vec<(u64, String)> {
    let all = found.as_array().unwrap().iter().map(range);
    all.map(|range| (range["start"]["line"].as_u64().unwrap(), written(POLICY, range).to_owned())).collect()
}

fn at(line: u64, text: &str) -> (u64, String) {
    (line, text.to_owned())
}

#[test]
fn a_name_leads_to_its_definition() {
    for (word, nth, line, text) in [
        ("B)", 0, 0, "B"),
        ("lqf", 1, 3, "lqf"),
        ("q1.", 0, 1, "q"),
        ("a.currSize", 0, 3, "a"),
        ("a.currSize", 1, 4, "a"),
    ] {
        let found = ask("textDocument/definition", &marked(word, nth), json!({}));
        assert_eq!(lines(&json!([found]), |found| &found["range"]), [at(line, text)], "{word}");
    }
    assert_eq!(ask("textDocument/definition", &marked("currSize", 0), json!({})), json!(null));
    assert_eq!(ask("textDocument/definition", &marked("ä", 0), json!({})), json!(null));
}

#[test]
fn all_uses_of_a_name_are_found() {
    let references = |word, nth, with: bool| {
        let more = json!({ "context": { "includeDeclaration": with } });
        lines(&ask("textDocument/references", &marked(word, nth), more), |found| &found["range"])
    };
    assert_eq!(references("q[", 1, true), [at(1, "q"), at(2, "q"), at(6, "q"), at(7, "q")]);
    assert_eq!(references("q[", 0, false), [at(2, "q"), at(6, "q"), at(7, "q")]);
    assert_eq!(references("1.congestion", 0, true).len(), 4, "also behind the number of a member");
    assert_eq!(references("b.c", 1, true), [at(4, "b"), at(4, "b")]);
    assert_eq!(references("currSize", 0, true).len(), 4);
}

#[test]
fn uses_are_highlighted() {
    let found = ask("textDocument/documentHighlight", &marked("lqf", 1), json!({}));
    assert_eq!(lines(&found, |found| &found["range"]), [at(3, "lqf"), at(5, "lqf")]);
    assert_eq!((&found[0]["kind"], &found[1]["kind"]), (&json!(3), &json!(2)));
}

#[test]
fn names_and_words_are_explained() {
    for (word, nth, said) in [
        ("currSize", 0, "currSize"),
        ("Queue", 0, "Queue"),
        ("param", 0, "named constant"),
        ("pkts", 0, "Packets."),
        ("B)", 0, "B"),
        ("lqf", 1, "lqf"),
    ] {
        let hover = ask("textDocument/hover", &marked(word, nth), json!({}));
        let text = hover["contents"]["value"].as_str().unwrap();
        assert!(text.contains(said), "{word}: {text}");
        assert!(word.starts_with(written(POLICY, &hover["range"])), "{hover}");
    }
    assert_eq!(ask("textDocument/hover", &marked("ä", 0), json!({})), json!(null));
}
