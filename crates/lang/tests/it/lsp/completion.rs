//! What is proposed where.

use crate::lsp::support::{CURSOR, Client, at_cursor, edited, opened};
use serde_json::{Value, json};

/// The items at the cursor.
#[track_caller]
fn items(marked: &str) -> Vec<Value> {
    let (mut client, _, place) = at_cursor(marked);
    client.at("textDocument/completion", place, json!({})).unwrap().as_array().unwrap().clone()
}

#[track_caller]
fn labels(marked: &str) -> Vec<String> {
    items(marked).iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
}

/// Checks that some things are proposed at the cursor, and others are not.
#[track_caller]
fn proposes(marked: &str, expected: &[&str], absent: &[&str]) {
    let found = labels(marked);
    for label in expected {
        assert!(found.iter().any(|found| found == label), "{label} in {marked}: {found:?}");
    }
    for label in absent {
        assert!(found.iter().all(|found| found != label), "no {label} in {marked}: {found:?}");
    }
}

const SWITCH: &str = "q[1..3] = Queue(9); out = Port(100, q[1..3]); b = Buffer(9, q[1..3]);\n";

#[test]
fn after_a_dot_come_the_properties_of_that_kind_of_object() {
    let switch = |rest: &str| format!("{SWITCH}{rest}");
    let queue = ["admPrio", "procPrio", "congestion", "admState", "schedState"];
    proposes(&switch("q1.┃"), &queue, &["postSchedAct", "currSize", "arrival"]);
    proposes(&switch("q[1..3].┃\nx = 1"), &queue, &["postSchedAct", "currSize"]);
    proposes(&switch("out.po┃ = 1"), &["schedPrio", "postSchedAct", "schedState"], &["admPrio", "rate"]);
    proposes(&switch("b.┃"), &["admPrio", "congestion"], &["procPrio", "size"]);
    proposes(&switch("x = b.┃"), &["size", "currSize", "currQueue", "getCurrQueue()"], &["admPrio", "findHigh()"]);
    proposes(&switch("x = q[2].┃;"), &["size", "findHigh()"], &["congestion", "rate", "value"]);
    proposes(&switch("x = q[2].findHigh().┃;"), &["value", "processing", "rank"], &["currSize", "findHigh()"]);
    proposes(&switch("x = 128.┃"), &[], &["size"]);
}

#[test]
fn a_parameter_is_what_its_definition_is_used_for() {
    proposes("f(a, b) = (a.┃ < b.value)", &["arrival", "value"], &["currSize"]);
    proposes("f(a, b) = (a.currSize > b.┃)", &["currSize", "size", "findHigh()"], &[]);
    proposes("f(a, b) = (a.currSize > 1 && a.┃", &["currSize"], &["arrival"]);
    proposes("f(a, b) = (a.┃)\nout = Port(1)\nout.schedPrio = f", &["currSize", "findHigh()"], &["arrival"]);
    proposes("f(a, b) = (a.┃)\nb = Buffer(1)\nb.admPrio = f()", &["currSize"], &["arrival"]);
    proposes("q = Queue(1)\nq.admPrio(a, b) = (a.┃)", &["arrival"], &["currSize"]);
    proposes("out = Port(1)\nout.postSchedAct(o) = (o.┃ > 1, mark)", &["schedState", "rate"], &["currSize"]);
    proposes("act(port) = let q = port.getCurrQueue() in (q.┃ == 0, mark)", &["currSize"], &["rate", "arrival"]);
    proposes("act(port) = let q = port.┃", &["getCurrQueue()"], &["arrival"]);
    proposes("t(q) = (q.currSize > .9 * q.┃, drop(1))", &["size"], &["arrival", "rate"]);
    proposes("classify(p) = (p.┃", &["class", "flow"], &["currSize"]);
    proposes("t(q) = (arriving.┃ > 1, mark)", &["slack"], &["currSize"]);
    proposes("t(q) = (q.size > 1, modify(q.┃ := 1))", &["admState", "schedState"], &["size", "congestion"]);
    // A parameter that is called like its own queue.
    proposes("p1 = Queue(1)\np1.procPrio(p1, p2) = (p1.┃)", &["arrival"], &["currSize"]);
    proposes("p1 = Queue(1)\np1.┃(p1, p2) = (p1.value > 1)", &["procPrio"], &["arrival"]);
}

#[test]
fn after_the_comma_of_a_case_come_actions() {
    for text in ["t(q) = q.size > 1, ┃", "t(q) = (q.size > 1, dr┃)", "t(q) = (q.size > 1, drop(1), ┃).(true, mark)"]
    {
        assert_eq!(labels(text), ["drop", "mark", "notify", "modify"], "{text}");
    }
    assert_eq!(labels("classify(p) = (true, ┃)"), ["enter"]);
    let drop = &items("t(q) = q.size > 1, ┃")[0];
    assert_eq!((&drop["textEdit"]["newText"], &drop["insertTextFormat"]), (&json!("drop(${1:1})"), &json!(2)));
    proposes("t(q) = (true, mark).┃", &["("], &["drop", "size"]);
}

#[test]
fn after_a_number_come_units() {
    for text in ["q = Queue(128 ┃)", "q = Queue(128 pk┃)", "q = Queue(128┃)", "q = Queue(128kB┃)"] {
        proposes(text, &["pkts", "KiB", "Gbps", "ns"], &["Queue", "true"]);
    }
    proposes("t(q) = (q.size > 1 ┃", &["pkts", "and", "or"], &[]);
    proposes("a = 128\n┃", &["queue"], &["pkts"]);
}

#[test]
fn names_that_are_known_at_the_place_are_proposed() {
    let text = "param k = 2\nlqf(a, b) = (a.size > b.size)\nt(c) = ┃c.size > k, drop(1)\nq[1..2] = Queue(1)";
    proposes(
        text,
        &["c", "k", "lqf", "q[1..2]", "q[…]", "q1", "q2", "mod", "now", "not"],
        &["a", "b", "Queue", "param"],
    );
    proposes("for i in 1..2 { q[┃] }", &["i", "mod"], &["Queue"]);
    proposes("for i in 1..2 { q[i].size = 1 }\nx = ┃", &["Queue", "Port", "Buffer", "max"], &["i"]);
    proposes("act(o) = let z = o.rate in (┃, mark)", &["z", "o"], &["act2"]);
    proposes("act(o) = let z = ┃ in (z, mark)", &["o"], &["z"]);
    proposes("x = (now┃)", &[], &["x1"]);
}

#[test]
fn a_property_for_an_order_or_a_condition_gets_one() {
    let text = "q = Queue(1)\nlqf(a, b) = (a.size > b.size)\nt(q) = q.size > 1, mark\nq.";
    proposes(&format!("{text}procPrio = ┃"), &["lqf", "fifo", "rfifo"], &["t", "q", "tailDrop", "Queue", "true"]);
    proposes(&format!("{text}congestion = ┃;"), &["t", "tailDrop"], &["lqf", "q", "fifo", "Queue"]);
    // The file's own definition of a name that the language brings is proposed once.
    let own = "fifo(p1, p2) = (p1.arrival < p2.arrival)\nq = Queue(1)\nq.procPrio = ┃";
    assert_eq!(labels(own).iter().filter(|label| *label == "fifo").count(), 1);
}

#[test]
fn statements_begin_with_snippets_words_and_names() {
    for text in ["┃", "a = 1;\n┃", "a = 1\nq┃", "for i in 1..2 {\n  ┃\n}", "a = 1; ┃", "┃\nq2 = Queue(1)"] {
        proposes(text, &["queue", "port", "buffer", "comparator", "condition", "for", "param"], &["true", "mod"]);
    }
    proposes("out = Port(1)\n┃", &["out"], &[]);
}

#[test]
fn nothing_is_proposed_where_the_author_chooses_or_speaks() {
    for text in ["// q1.┃", "param ┃ = 1", "for ┃ in 1..2 {}", "f(a, ┃) = 1", "x(q) = let ┃", "param B ┃", "/* q.┃ */"]
    {
        assert_eq!(labels(text), [""; 0], "{text}");
    }
    assert_eq!(labels("for i ┃"), ["in"]);
    assert_eq!(labels("t(q) = (q.size > k ┃"), ["and", "or"]);
    assert_eq!(labels("act(o) = let q = o.currQueue i┃"), ["in"]);
}

#[test]
fn what_is_typed_is_replaced() {
    let marked = "ä = 1; q = Queue(1); x = q.curr┃ + 1";
    let (mut client, text, place) = at_cursor(marked);
    let items = client.at("textDocument/completion", place, json!({})).unwrap();
    let item = items.as_array().unwrap().iter().find(|item| item["label"] == "currSize").unwrap();
    assert_eq!(edited(&text, &json!([item["textEdit"]])), marked.replace("curr┃", "currSize"));
    assert_eq!(item["documentation"]["kind"], "markdown");
}

#[test]
fn an_editor_without_snippets_gets_none() {
    let mut client = Client::with(&json!({}));
    client.tell("textDocument/didOpen", opened(""));
    let items = client.at("textDocument/completion", json!({ "line": 0, "character": 0 }), json!({})).unwrap();
    for item in items.as_array().unwrap() {
        assert!(item["insertTextFormat"].is_null() && !item["textEdit"]["newText"].as_str().unwrap().contains('$'));
    }
    assert_eq!(items[0]["textEdit"]["newText"], "q = Queue(128 pkts);");
}

#[test]
fn every_place_of_every_listing_has_an_answer() {
    let page = include_str!("../../../../../docs/openqueue-listings.md");
    for program in page.split("```openqueue\n").skip(1).map(|block| block.split("```").next().unwrap()) {
        for at in program.char_indices().map(|(at, _)| at).step_by(3) {
            // Also with the rest not written yet.
            labels(&format!("{}{CURSOR}{}", &program[..at], &program[at..]));
            labels(&format!("{}{CURSOR}", &program[..at]));
        }
    }
}
