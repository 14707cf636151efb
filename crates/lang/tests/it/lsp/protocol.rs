//! How a conversation begins and ends, and what the server says to what it does not understand.

use crate::lsp::support::{Client, URI, opened};
use forebay_lang::lsp::Server;
use serde_json::json;

#[test]
fn a_conversation_has_a_beginning_and_an_end() {
    let mut client = Client::new();
    assert_eq!(client.ask("shutdown", json!(null)), Ok(json!(null)));
    assert_eq!(client.server.exit_status(), None);
    assert_eq!(client.ask("textDocument/hover", json!({})).unwrap_err()["code"], -32600);
    assert!(client.tell("exit", json!(null)).is_empty());
    assert_eq!(client.server.exit_status(), Some(0));
}

#[test]
fn a_client_that_leaves_without_asking_gets_another_status() {
    let mut client = Client::new();
    client.tell("exit", json!(null));
    assert_eq!(client.server.exit_status(), Some(1));
    let mut server = Server::new();
    server.handle(serde_json::from_value(json!({ "method": "exit" })).unwrap());
    assert_eq!(server.exit_status(), Some(1));
}

#[test]
fn nothing_is_done_before_the_introduction_and_nothing_introduced_twice() {
    let mut server = Server::new();
    let mut send = |message| serde_json::to_value(server.handle(serde_json::from_value(message).unwrap())).unwrap();
    assert_eq!(send(json!({ "id": 1, "method": "shutdown" }))[0]["error"]["code"], -32002);
    assert_eq!(send(json!({ "method": "textDocument/didOpen", "params": opened("x = ") })), json!([]));
    assert_eq!(send(json!({ "id": 2, "method": "initialize", "params": 3 }))[0]["error"]["code"], -32602);
    let begin = json!({ "id": "three", "method": "initialize", "params": { "capabilities": {} } });
    let answer = send(begin.clone());
    assert_eq!(answer[0]["id"], "three");
    assert_eq!(answer[0]["result"]["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(answer[0]["result"]["serverInfo"]["name"], "forebay");
    assert_eq!(send(begin)[0]["error"]["code"], -32600);
}

#[test]
fn what_the_server_does_not_know_or_understand_is_an_error() {
    let mut client = Client::open("q = Queue(1)\n");
    assert_eq!(client.ask("textDocument/moniker", json!({})).unwrap_err()["code"], -32601);
    let wrong = client.ask("textDocument/hover", json!({ "textDocument": 3 })).unwrap_err();
    assert_eq!(wrong["code"], -32602);
    assert!(wrong["message"].as_str().unwrap().starts_with("`textDocument/hover`: "), "{wrong}");
    let other = json!({ "textDocument": { "uri": "file:///other.oq" }, "position": { "line": 0, "character": 0 } });
    let absent = client.ask("textDocument/hover", other).unwrap_err();
    assert_eq!((&absent["code"], &absent["message"]), (&json!(-32602), &json!("file:///other.oq is not open")));
}

#[test]
fn a_notification_that_cannot_be_followed_is_logged() {
    let mut client = Client::new();
    for (method, params) in [
        ("textDocument/didOpen", json!({ "textDocument": { "uri": "not a uri" } })),
        ("textDocument/didChange", json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": [] })),
        ("textDocument/didClose", json!([])),
    ] {
        let said = client.tell(method, params);
        assert_eq!((said.len(), &said[0]["method"]), (1, &json!("window/logMessage")), "{said:?}");
    }
    assert!(client.tell("$/setTrace", json!({ "value": "off" })).is_empty());
    assert!(client.send(json!({ "id": 1, "result": null })).is_empty(), "nobody asked");
}

#[test]
fn a_file_that_is_too_long_is_left_alone() {
    let mut client = Client::new();
    let said = client.tell("textDocument/didOpen", opened(&" ".repeat((64 << 20) + 1)));
    assert!(said[0]["params"]["message"].as_str().unwrap().contains("more than 67108864 bytes"), "{said:?}");
    let place = json!({ "line": 0, "character": 0 });
    assert!(client.at("textDocument/hover", place, json!({})).is_err());
}
