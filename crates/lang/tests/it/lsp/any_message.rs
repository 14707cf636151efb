//! No message, whatever is in it, brings the server down, and every request gets its one answer.

use crate::lsp::support::{Client, URI};
use proptest::prelude::*;
use serde_json::{Value, json};

const REQUESTS: [&str; 12] = [
    "initialize",
    "textDocument/codeAction",
    "textDocument/formatting",
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/documentSymbol",
    "textDocument/semanticTokens/full",
];

const NOTIFICATIONS: [&str; 4] =
    ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "$/cancelRequest"];

fn position() -> impl Strategy<Value = Value> {
    let number = || prop_oneof![0_u32..12, Just(u32::MAX)];
    (number(), number()).prop_map(|(line, character)| json!({ "line": line, "character": character }))
}

fn text() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(
        prop::sample::select(vec![
            "q", "1", ".", "..", " = ", "Queue(", ")", "[", "]", "{", "}", "(", ", ", "drop", "(1)", "\n", "\r",
            "for ", " in ", "let ", "param ", "ä", "😀", "//", "/*", "\"", "size", "B", ";", "modify", ":=", "++",
            "mod(", "\0",
        ]),
        0..40,
    );
    pieces.prop_map(|pieces| pieces.concat())
}

/// Parameters that are right in form, or are not.
fn params() -> impl Strategy<Value = Value> {
    let good = (position(), position(), text(), any::<bool>()).prop_map(|(start, end, text, whole)| {
        let range = json!({ "start": start, "end": end });
        let range = if whole { json!(null) } else { range };
        json!({
            "textDocument": { "uri": URI, "languageId": "openqueue", "version": 3, "text": text },
            "position": start,
            "range": { "start": start, "end": end },
            "newName": text,
            "context": { "includeDeclaration": true, "diagnostics": [], "triggerKind": 1 },
            "options": { "tabSize": 4, "insertSpaces": true },
            "contentChanges": [{ "range": range, "text": text }],
            "id": 1,
        })
    });
    prop_oneof![
        8 => good,
        1 => Just(json!(null)),
        1 => Just(json!([1, "x", {}])),
        1 => Just(json!({ "textDocument": { "uri": "%%%" }, "position": { "line": -1, "character": 0.5 } })),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_conversation_goes_on(
        steps in prop::collection::vec((prop::sample::select([&REQUESTS[..], &NOTIFICATIONS, &NOTIFICATIONS].concat()), params()), 1..40),
    ) {
        let mut client = Client::new();
        for (method, params) in steps {
            if REQUESTS.contains(&method) {
                // The client asserts that there is one answer.
                let _ = client.ask(method, params);
            } else {
                client.tell(method, params);
            }
        }
        prop_assert_eq!(client.ask("shutdown", json!(null)), Ok(json!(null)));
    }
}
