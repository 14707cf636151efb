//! New names, where nothing gets another meaning by them.

use crate::lsp::support::{URI, at_cursor, edited, written};
use serde_json::json;

/// Every name that a program defines can be changed to one that is free, and back.
#[test]
fn a_free_name_can_be_given_and_taken_back() {
    let pages = [
        include_str!("../../../../../docs/openqueue-listings.md"),
        include_str!("../../../../../docs/openqueue-grammar.md"),
        "```openqueue\nfor i in 1..2 { q[i].schedState = i }\nq[1..2] = Queue(1); out = Port(1, q[1..2])\n\
         act(o) = let c = o.getCurrQueue() in (c.size > 1, modify(schedState++)); out.postSchedAct = act\n```",
    ];
    let programs = pages.iter().flat_map(|page| page.split("```openqueue\n").skip(1));
    let mut renamed = 0;
    for program in programs.map(|block| block.split("```").next().unwrap()) {
        let places = forebay_lang::analyse(program, &Vec::new()).symbols;
        for at in places.iter().filter_map(|symbol| symbol.definition).map(|span| usize::from(span.start())) {
            let cursor = |text: &str| format!("{}┃{}", &text[..at], &text[at..]);
            if program[at..].starts_with("classify") {
                continue;
            }
            let there = rename(&cursor(program), "größer").unwrap();
            assert_ne!(there, program);
            let begin = &program[at..];
            let name = &begin[..begin.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap()];
            // The definition is where it was unless the name is used before it.
            if there[..at] == program[..at] {
                assert_eq!(rename(&cursor(&there), name).as_deref(), Ok(program));
            }
            renamed += 1;
        }
    }
    assert!(renamed > 80, "{renamed}");
}

/// The text after the name at the cursor was changed, or why it was not.
#[track_caller]
fn rename(marked: &str, name: &str) -> Result<String, String> {
    let (mut client, text, place) = at_cursor(marked);
    let prepared = client.at("textDocument/prepareRename", place.clone(), json!({}));
    let renamed = client.at("textDocument/rename", place, json!({ "newName": name }));
    if let Err(error) = prepared {
        assert_eq!(renamed.unwrap_err()["message"], error["message"]);
        return Err(error["message"].as_str().unwrap().to_owned());
    }
    match renamed {
        Ok(edit) => Ok(edited(&text, &edit["changes"][URI])),
        Err(error) => Err(error["message"].as_str().unwrap().to_owned()),
    }
}

#[track_caller]
fn refused(marked: &str, name: &str, why: &str) {
    let said = rename(marked, name).unwrap_err();
    assert!(said.contains(why), "{marked} to {name}: {said}");
}

#[test]
fn a_name_is_changed_wherever_it_stands() {
    let text = "param B┃ = 1 pkts; // B\nq = Queue(B); x(B1) = B1.size > B, drop(1)\n";
    let after = "param Size = 1 pkts; // B\nq = Queue(Size); x(B1) = B1.size > Size, drop(1)\n";
    assert_eq!(rename(text, "Size").as_deref(), Ok(after));
    // Here, too, the bytes are counted: a longer name, and letters of two bytes.
    assert_eq!(rename(text, "Größe").unwrap(), after.replace("Size", "Größe"));
}

#[test]
fn members_of_a_family_keep_their_numbers() {
    let text = "q[1..2] = Queue(9); out = Port(100, q[1..2]); q┃1.schedState = 2; q[2].schedState = 1\n";
    assert_eq!(rename(text, "voice").unwrap(), text.replace('┃', "").replace('q', "voice"));
}

#[test]
fn parameters_belong_to_their_definition() {
    let text = "f(a, b) = (a┃.value > b.value); g(a, b) = (a.value < b.value)\n";
    let expected = "f(first, b) = (first.value > b.value); g(a, b) = (a.value < b.value)\n";
    assert_eq!(rename(text, "first").as_deref(), Ok(expected));
    refused(text, "b", "`b` is already the name of a local name (line 1)");
    // A name of another definition's parameter is free.
    let text = "f(a┃, b) = (a.value > b.value); g(c, d) = (c.value < d.value)\n";
    assert!(rename(text, "c").unwrap().starts_with("f(c, b) = (c.value"));
}

#[test]
fn names_of_the_language_stay() {
    refused("q = Queue(1); x(q) = q.curr┃Size > 1, mark", "y", "`currSize` is a name of the language");
    refused("q = Qu┃eue(1)", "y", "`Queue` is a name of the language");
    refused("cl┃assify(p) = (true, enter(q)); q = Queue(1)", "y", "`classify` is a name of the language");
    refused("para┃m B = 1", "y", "`param` is a word of the language");
    refused("q = Queue(1 pk┃ts)", "y", "`pkts` is a word of the language");
}

#[test]
fn what_is_no_name_is_refused() {
    let text = "q┃ = Queue(1); out = Port(100, q)\n";
    refused(text, "in", "`in` is a word of the language and cannot be a name");
    refused(text, "mod", "`mod` is a name of the language");
    refused(text, "classify", "`classify` is a name of the language");
    refused(text, "drop", "`drop` is a name of the language");
    for name in ["a b", "1q", "q-1", "q.size", " q", "\"q\"", "q//"] {
        refused(text, name, "is not a name");
    }
    refused(text, "", "at least one letter");
    refused("q = Queue(1);┃ // nothing", "x", "there is no name here");
    assert_eq!(rename(text, "q").unwrap(), text.replace('┃', ""));
}

#[test]
fn names_that_are_taken_are_refused() {
    let text = "q┃ = Queue(1)\nr = Queue(1)\nout = Port(100, q, r)\nt(x) = x.size > q.size, mark\n";
    refused(text, "r", "`r` is already the name of a queue (line 2); choose another one");
    refused(text, "x", "`x` is already the name of a local name (line 4)");
    let text = "v[1..2] = Queue(1)\nq┃ = Queue(1)\nout = Port(100, q, v[1..2])\n";
    refused(text, "v2", "`v2` would look like a member of `v` (line 1)");
}

#[test]
fn the_editor_shows_the_name_to_change() {
    let marked = "v[1..2] = Queue(1)\nv┃2.schedState = 1\n";
    let (mut client, text, place) = at_cursor(marked);
    let prepared = client.at("textDocument/prepareRename", place, json!({})).unwrap();
    assert_eq!((written(&text, &prepared["range"]), &prepared["placeholder"]), ("v2", &json!("v")));
    let (mut client, _, place) = at_cursor("v = 1 ┃ ;");
    assert_eq!(client.at("textDocument/prepareRename", place, json!({})), Ok(json!(null)));
}
