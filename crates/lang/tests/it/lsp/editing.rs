//! Changes: many small ones leave the text that one large one would.

use crate::lsp::support::{Client, URI, edited, opened};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A change as a client makes it, and the text after it; by a naive count of characters.
fn change(text: &str, utf8: bool, from: usize, length: usize, insert: &str) -> (Value, String) {
    let characters: Vec<char> = text.chars().collect();
    let from = from % (characters.len() + 1);
    let to = (from + length).min(characters.len());
    let place = |at: usize| {
        let before: String = characters[..at].iter().collect();
        let lines: Vec<&str> = before.split('\n').collect();
        let last = lines[lines.len() - 1];
        let column = if utf8 { last.len() } else { last.encode_utf16().count() };
        json!({ "line": lines.len() - 1, "character": column })
    };
    let after: String =
        characters[..from].iter().copied().chain(insert.chars()).chain(characters[to..].iter().copied()).collect();
    (json!({ "range": { "start": place(from), "end": place(to) }, "text": insert }), after)
}

/// The text that the server has: what formatting makes of it, and all its mistakes.
fn seen(client: &mut Client, text: &str) -> (String, Value) {
    let params = json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 4, "insertSpaces": true } });
    let edits = client.ask("textDocument/formatting", params).unwrap();
    let all = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9999, "character": 0 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": all, "context": { "diagnostics": [] } });
    let actions = client.ask("textDocument/codeAction", params).unwrap();
    (if text.is_ascii() { edited(text, &edits) } else { edits.to_string() }, actions)
}

fn pieces() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c0-9 (){}.,;=]{0,6}",
        Just("\n".to_owned()),
        Just("ä".to_owned()),
        Just("😀".to_owned()),
        Just("q1 = Queue(B);\n".to_owned()),
        Just("// note\n".to_owned()),
        Just(String::new()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn incremental_edits_equal_the_full_text(
        begin in "([a-c =();ä😀]{0,8}\n){0,4}",
        steps in prop::collection::vec((0_usize..200, 0_usize..12, pieces()), 1..12),
        utf8: bool,
        at_once: bool,
    ) {
        let encoding = if utf8 { "utf-8" } else { "utf-16" };
        let capabilities = json!({ "general": { "positionEncodings": [encoding] } });
        let (mut client, mut fresh) = (Client::with(&capabilities), Client::with(&capabilities));
        let mut published = client.tell("textDocument/didOpen", opened(&begin));
        let mut text = begin;
        let mut changes = Vec::new();
        for (from, length, insert) in steps {
            let (change, after) = change(&text, utf8, from, length, &insert);
            text = after;
            changes.push(change);
        }
        let batches = if at_once { vec![changes] } else { changes.into_iter().map(|change| vec![change]).collect() };
        for batch in batches {
            let document = json!({ "uri": URI, "version": 1 });
            let params = json!({ "textDocument": document, "contentChanges": batch });
            published = client.tell("textDocument/didChange", params);
        }
        prop_assert_eq!(published, fresh.tell("textDocument/didOpen", opened(&text)));
        prop_assert_eq!(seen(&mut client, &text), seen(&mut fresh, &text));
    }
}

#[test]
fn a_change_behind_the_end_or_the_wrong_way_round_is_no_disaster() {
    let mut client = Client::open("a = 1;\n");
    let range = json!({ "start": { "line": 9, "character": 9 }, "end": { "line": 0, "character": 0 } });
    let changes = json!([{ "range": range, "text": "b = 2;\n" }]);
    client.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": changes }),
    );
    assert_eq!(seen(&mut client, "a = 1;\nb = 2;\n").0, "a = 1;\nb = 2;\n");
}
