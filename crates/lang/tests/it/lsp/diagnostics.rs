//! Mistakes, their fixes, the style, the outline.

use crate::lsp::support::{Client, URI, edited, opened, written};
use serde_json::{Value, json};

const BROKEN: &str = "// ä😀\nt(q) = (q.currSize = 1, dorp(1)\n";

fn actions(client: &mut Client, range: Value, context: Value) -> Value {
    let params = json!({ "textDocument": { "uri": URI }, "range": range, "context": context });
    client.ask("textDocument/codeAction", params).unwrap()
}

fn everywhere() -> Value {
    json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } })
}

#[test]
fn mistakes_are_published_when_a_document_is_opened_changed_and_closed() {
    let mut client = Client::new();
    let said = client.tell("textDocument/didOpen", opened(BROKEN));
    assert_eq!(said[0]["method"], "textDocument/publishDiagnostics");
    let params = &said[0]["params"];
    assert_eq!((&params["uri"], &params["version"]), (&json!(URI), &json!(1)));
    let codes: Vec<&Value> = params["diagnostics"].as_array().unwrap().iter().map(|found| &found["code"]).collect();
    assert!(codes.starts_with(&[&json!("wrong-equals"), &json!("unknown-action"), &json!("unclosed")]), "{codes:?}");
    let first = &params["diagnostics"][0];
    assert_eq!(written(BROKEN, &first["range"]), "=");
    assert_eq!((&first["severity"], &first["source"]), (&json!(1), &json!("forebay")));
    let message = first["message"].as_str().unwrap();
    assert!(message.ends_with("\nwrite `==`"), "{message}");
    let label = &params["diagnostics"][2]["relatedInformation"][0];
    assert_eq!((written(BROKEN, &label["location"]["range"]), &label["message"]), ("(", &json!("opened here")));

    let all = json!([{ "text": "t(q) = (q.currSize == 1, drop(1));\n" }]);
    let change = json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": all });
    let said = client.tell("textDocument/didChange", change);
    assert_eq!(said[0]["params"]["version"], 2);
    let left = said[0]["params"]["diagnostics"].as_array().unwrap();
    assert!(left.iter().all(|found| !codes.contains(&&found["code"])), "{left:?}");
    let said = client.tell("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(said[0]["params"]["diagnostics"], json!([]));
}

#[test]
fn what_has_no_effect_is_pale() {
    let said =
        Client::new().tell("textDocument/didOpen", opened("q = Queue(1 pkts); out = Port(100%, q); param k = 3;"));
    let found = &said[0]["params"]["diagnostics"][0];
    assert_eq!((&found["code"], &found["severity"], &found["tags"]), (&json!("unused"), &json!(2), &json!([1])));
}

#[test]
fn columns_are_counted_as_the_client_wants() {
    let text = "/* 😀 */ x = 1;";
    for (encodings, end) in [(json!(["utf-8"]), 10), (json!(["utf-32", "utf-16"]), 8), (json!(null), 8)] {
        let mut client = Client::with(&json!({ "general": { "positionEncodings": encodings } }));
        let said = client.tell("textDocument/didOpen", opened(text));
        assert_eq!(said[0]["params"]["diagnostics"][0]["range"]["end"]["character"], end, "{encodings}");
    }
}

#[test]
fn a_client_that_shows_no_other_places_gets_none() {
    let mut client = Client::with(&json!({}));
    let said = client.tell("textDocument/didOpen", opened("x = (1"));
    assert!(said[0]["params"]["diagnostics"][0]["relatedInformation"].is_null(), "{said:?}");
}

#[test]
fn fixes_are_offered_where_the_mistake_is() {
    let mut client = Client::open(BROKEN);
    let at = json!({ "line": 1, "character": 25 });
    let found = actions(&mut client, json!({ "start": at, "end": at }), json!({ "diagnostics": [] }));
    assert_eq!(found[0]["title"], "Replace `dorp` with `drop`");
    assert_eq!((&found[0]["kind"], &found[0]["isPreferred"]), (&json!("quickfix"), &json!(true)));
    assert_eq!(found[0]["diagnostics"][0]["code"], "unknown-action");
    let fixed = edited(BROKEN, &found[0]["edit"]["changes"][URI]);
    assert_eq!(fixed, BROKEN.replace("dorp", "drop"));
    assert_eq!(found.as_array().unwrap().iter().filter(|action| action["kind"] == "quickfix").count(), 1);
}

#[test]
fn all_fixes_of_a_file_can_be_applied_at_once() {
    let mut client = Client::open(BROKEN);
    let wanted = json!({ "diagnostics": [], "only": ["source.fixAll"] });
    let found = actions(&mut client, everywhere(), wanted);
    assert_eq!(found.as_array().unwrap().len(), 1);
    let fixed = edited(BROKEN, &found[0]["edit"]["changes"][URI]);
    assert_eq!(fixed, "// ä😀\nt(q) = (q.currSize == 1, drop(1))\n");
    let quick = actions(&mut client, everywhere(), json!({ "diagnostics": [], "only": ["quickfix"] }));
    assert!(quick.as_array().unwrap().iter().all(|action| action["kind"] == "quickfix"));
    assert!(quick.as_array().unwrap().len() >= 3);
    let none = actions(&mut client, everywhere(), json!({ "diagnostics": [], "only": ["refactor"] }));
    assert_eq!(none, json!([]));
}

fn format(text: &str) -> String {
    let mut client = Client::open(text);
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let params = json!({ "textDocument": { "uri": URI }, "options": options });
    let edits = client.ask("textDocument/formatting", params).unwrap();
    assert!(edits.as_array().unwrap().len() <= 1);
    edited(text, &edits)
}

#[test]
fn the_style_is_that_of_the_formatter() {
    for text in ["q1=Queue( B ) // ä\n", "q1 = Queue(B); // ä\n", "", "\n\n\n", "x = (\n", "a=1;b=2", "// ä😀  \nx=1"]
    {
        assert_eq!(format(text), forebay_lang::format(text), "{text:?}");
    }
}

#[test]
fn a_file_with_line_ends_of_windows_keeps_them() {
    assert_eq!(format("a=1\r\nb=2\r\n"), "a = 1;\r\nb = 2;\r\n");
    assert_eq!(format("a = 1;\r\nb = 2;\r\n"), "a = 1;\r\nb = 2;\r\n");
    assert_eq!(format("a = 1;\r\n\r\n\r\n\r\nb = 2;\r\n\r\n"), "a = 1;\r\n\r\nb = 2;\r\n");
}

#[test]
fn the_outline_names_statements_and_what_is_in_loops() {
    let text = "param B = 128 pkts\nq[1..2] = Queue(B)\nfor i in 1..2 {\n q[i].schedState = i\n}\nt(q) = q.size > 1,\n  drop(1)\n";
    let mut client = Client::open(text);
    let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } })).unwrap();
    let names: Vec<&Value> = symbols.as_array().unwrap().iter().map(|symbol| &symbol["name"]).collect();
    assert_eq!(names, ["B", "q[1..2]", "for i in 1..2", "t"]);
    assert_eq!(symbols[2]["children"][0]["name"], "q[i].schedState");
    assert_eq!(symbols[3]["detail"], "q.size > 1, drop(1)");
    for symbol in symbols.as_array().unwrap() {
        assert!(written(text, &symbol["range"]).contains(written(text, &symbol["selectionRange"])));
    }
}

#[test]
fn every_token_has_its_colour() {
    let text = "// ä\nparam B = 128 pkts; t(q) = q.size > B, drop(1)\n";
    let mut client = Client::open(text);
    let tokens = client.ask("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": URI } })).unwrap();
    let data: Vec<usize> = serde_json::from_value(tokens["data"].clone()).unwrap();
    let (mut line, mut column, mut found) = (0, 0, Vec::new());
    for token in data.chunks(5) {
        column = if token[0] == 0 { column + token[1] } else { token[1] };
        line += token[0];
        let of_line = text.lines().nth(line).unwrap();
        found.push((&of_line[column..column + token[2]], token[3]));
    }
    for expected in [("// ä", 0), ("param", 1), ("128", 2), ("pkts", 3), ("drop", 7), ("1", 2)] {
        assert!(found.contains(&expected), "{expected:?} in {found:?}");
    }
}
