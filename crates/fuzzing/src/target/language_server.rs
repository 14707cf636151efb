//! Messages of an editor, one a line: every request gets one response.

use super::FuzzTarget;
use forebay_lang::lsp::{Message, Server};
use serde_json::{Value, json};

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "language_server",
    title: "Every request of an editor gets one response, whatever came before",
    seeds,
    run,
    quick: 20_000,
};

const URI: &str = "file:///policy.oq";
const TEXT: &str = "param N = 3;\nq[1..2] = Queue(N);\nout = Port(100, q[1..2]);\nturn(a, b) = a.schedState < b.schedState;\nout.schedPrio = turn;\n";

fn seeds() -> Vec<Vec<u8>> {
    let asks = [
        "codeAction",
        "formatting",
        "hover",
        "completion",
        "definition",
        "references",
        "documentHighlight",
        "prepareRename",
        "rename",
        "documentSymbol",
        "semanticTokens/full",
    ];
    let capabilities = json!({ "general": { "positionEncodings": ["utf-16", "utf-8"] } });
    let begin = [
        json!({ "id": 1, "method": "initialize", "params": { "processId": null, "capabilities": capabilities } }),
        json!({ "method": "initialized", "params": {} }),
        json!({ "method": "textDocument/didOpen", "params": { "textDocument": { "uri": URI, "languageId": "openqueue", "version": 1, "text": TEXT } } }),
    ];
    let lines =
        |messages: &[Value]| messages.iter().map(|message| format!("{message}\n")).collect::<String>().into_bytes();
    let range = json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 2, "character": 5 } });
    let change = json!({ "method": "textDocument/didChange", "params": {
        "textDocument": { "uri": URI, "version": 2 }, "contentChanges": [{ "range": range, "text": "q = \u{1f600}" }] } });
    let one = |ask: &&str| {
        let params = json!({
            "textDocument": { "uri": URI }, "position": { "line": 3, "character": 2 }, "range": range, "newName": "x",
            "context": { "includeDeclaration": true, "diagnostics": [] }, "options": { "tabSize": 4, "insertSpaces": true },
        });
        let ask = json!({ "id": 2, "method": format!("textDocument/{ask}"), "params": params });
        lines(&[&begin[..], &[ask.clone(), change.clone(), ask]].concat())
    };
    asks.iter().map(one).collect()
}

fn run(data: &[u8]) {
    let mut server = Server::new();
    for line in data.split(|byte| *byte == b'\n').take(40) {
        let Ok(message) = serde_json::from_slice::<Message>(line) else { continue };
        let asked = if let Message::Request(request) = &message { Some(request.id.clone()) } else { None };
        let answers = server.handle(message);
        let responses: Vec<_> = answers
            .into_iter()
            .filter_map(|answer| if let Message::Response(response) = answer { Some(response.id) } else { None })
            .collect();
        assert_eq!(responses, asked.into_iter().collect::<Vec<_>>(), "{}", String::from_utf8_lossy(line));
    }
}
