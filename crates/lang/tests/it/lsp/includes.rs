//! Documents that include others: definitions, mistakes and changes in other files.

use crate::lsp::support::{Client, URI, opened, place};
use forebay_lang::lsp::Server;
use serde_json::{Value, json};

const MAIN: &str = "include \"lib/my orders.oq\";\nq = Queue(3 pkts);\nq.procPrio = shortest;\nout = Port(100);\n";
const ORDERS: &str = "// orders\nshortest(a, b) = (a.size < b.size);\nlongest(a, b) = (a.size > b.size);\n";
const ORDERS_URI: &str = "file:///lib/my%20orders.oq";

fn other(uri: &str, text: &str) -> Value {
    json!({ "textDocument": { "uri": uri, "languageId": "openqueue", "version": 1, "text": text } })
}

/// A client with both files open.
fn both(main: &str, orders: &str) -> (Client, Vec<Value>) {
    let mut client = Client::new();
    client.tell("textDocument/didOpen", other(ORDERS_URI, orders));
    let said = client.tell("textDocument/didOpen", opened(main));
    (client, said)
}

fn messages(published: &Value) -> Vec<String> {
    let found = published["params"]["diagnostics"].as_array().unwrap();
    found.iter().map(|found| found["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_name_of_an_included_file_leads_there() {
    let (mut client, said) = both(MAIN, ORDERS);
    assert_eq!(messages(&said[0]), [""; 0]);
    let at = place(MAIN, MAIN.find("shortest").unwrap() + 1);
    let found = client.at("textDocument/definition", at.clone(), json!({})).unwrap();
    assert_eq!(found["uri"], ORDERS_URI);
    assert_eq!(found["range"]["start"], json!({ "line": 1, "character": 0 }));
    let hover = client.at("textDocument/hover", at.clone(), json!({})).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("a.size < b.size"), "{hover}");
    let all = client.at("textDocument/references", at.clone(), json!({ "context": { "includeDeclaration": true } }));
    let uris: Vec<Value> = all.unwrap().as_array().unwrap().iter().map(|place| place["uri"].clone()).collect();
    assert_eq!(uris, [URI, ORDERS_URI]);
    let refused = client.at("textDocument/rename", at, json!({ "newName": "short" })).unwrap_err();
    assert!(refused["message"].as_str().unwrap().contains("stands in other files, too"), "{refused}");
    // What is of this file alone is renamed as ever.
    let at = place(MAIN, MAIN.find("q =").unwrap());
    assert!(client.at("textDocument/rename", at, json!({ "newName": "fast" })).is_ok());
    // The name of the file leads to the file.
    let at = place(MAIN, MAIN.find("lib").unwrap());
    assert_eq!(client.at("textDocument/definition", at, json!({})).unwrap()["uri"], ORDERS_URI);
}

#[test]
fn a_mistake_of_an_included_file_stands_where_it_is_included() {
    let (mut client, said) = both(MAIN, "shortest(a, b) = (a.sise < b.size);\n");
    let [message] = &messages(&said[0])[..] else { panic!("{said:?}") };
    assert!(message.starts_with("/lib/my orders.oq:1: a packet has no property `sise`"), "{message}");
    let range = &said[0]["params"]["diagnostics"][0]["range"];
    assert_eq!(range, &json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 27 } }));
    // A change of that file is told of both.
    let change = json!({ "textDocument": { "uri": ORDERS_URI, "version": 2 }, "contentChanges": [{ "text": ORDERS }] });
    let said = client.tell("textDocument/didChange", change);
    let uris: Vec<&Value> = said.iter().map(|said| &said["params"]["uri"]).collect();
    assert_eq!(uris, [ORDERS_URI, URI]);
    assert_eq!(messages(&said[1]), [""; 0]);
}

#[test]
fn a_file_that_is_not_open_is_read() {
    let mut client = Client::open(MAIN);
    let at = place(MAIN, 30);
    assert!(client.at("textDocument/hover", at, json!({})).is_ok(), "a file that is missing is no end");
    client.server = Server::with_files(|path| {
        assert_eq!(path, "/lib/my orders.oq");
        Ok(ORDERS.to_owned())
    });
    client.ask("initialize", json!({ "processId": null, "capabilities": {} })).unwrap();
    let said = client.tell("textDocument/didOpen", opened(MAIN));
    assert_eq!(messages(&said[0]), [""; 0]);
}
