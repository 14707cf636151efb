//! A client with one document.

use forebay_lang::lsp::{Message, Server};
use serde_json::{Value, json};

pub(crate) const URI: &str = "file:///policy.oq";

/// Marks the cursor in a text.
pub(crate) const CURSOR: char = '┃';

/// A client that has introduced itself.
pub(crate) struct Client {
    pub(crate) server: Server,
    next: i32,
    utf8: bool,
}

impl Client {
    /// A client that knows everything and counts columns in bytes.
    pub(crate) fn new() -> Self {
        Self::with(&json!({
            "general": { "positionEncodings": ["utf-16", "utf-8"] },
            "textDocument": {
                "publishDiagnostics": { "relatedInformation": true },
                "completion": { "completionItem": { "snippetSupport": true } },
            },
        }))
    }

    /// A client with these capabilities.
    pub(crate) fn with(capabilities: &Value) -> Self {
        let mut client = Self { server: Server::new(), next: 0, utf8: false };
        let result = client.ask("initialize", json!({ "processId": null, "capabilities": capabilities })).unwrap();
        client.utf8 = result["capabilities"]["positionEncoding"] == "utf-8";
        client.tell("initialized", json!({}));
        client
    }

    /// A client that has a text open.
    pub(crate) fn open(text: &str) -> Self {
        let mut client = Self::new();
        client.tell("textDocument/didOpen", opened(text));
        client
    }

    /// The result of a request, or its error.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.next += 1;
        let request = json!({ "id": self.next, "method": method, "params": params });
        let answers = self.send(request);
        assert_eq!(answers.len(), 1, "{answers:?}");
        let answer = answers.into_iter().next().unwrap();
        assert_eq!(answer["id"], self.next);
        if answer["error"].is_null() { Ok(answer["result"].clone()) } else { Err(answer["error"].clone()) }
    }

    /// What the server says after a notification.
    pub(crate) fn tell(&mut self, method: &str, params: Value) -> Vec<Value> {
        self.send(json!({ "method": method, "params": params }))
    }

    pub(crate) fn send(&mut self, message: Value) -> Vec<Value> {
        let message: Message = serde_json::from_value(message).unwrap();
        self.server.handle(message).iter().map(|message| serde_json::to_value(message).unwrap()).collect()
    }

    /// A request about a place in the document.
    #[track_caller]
    pub(crate) fn at(&mut self, method: &str, place: Value, more: Value) -> Result<Value, Value> {
        let mut params = json!({ "textDocument": { "uri": URI }, "position": place });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        self.ask(method, params)
    }
}

pub(crate) fn opened(text: &str) -> Value {
    json!({ "textDocument": { "uri": URI, "languageId": "openqueue", "version": 1, "text": text } })
}

/// Opens a text with a cursor in it; the client, the text without the cursor, and its place in bytes.
pub(crate) fn at_cursor(marked: &str) -> (Client, String, Value) {
    let text = marked.replace(CURSOR, "");
    let place = place(&text, marked.find(CURSOR).unwrap());
    (Client::open(&text), text, place)
}

/// The place of a byte, by a naive count; the column in bytes.
pub(crate) fn place(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    json!({ "line": line, "character": before.len() - before.rfind('\n').map_or(0, |at| at + 1) })
}

/// The byte of a place whose column is in bytes.
pub(crate) fn offset(text: &str, place: &Value) -> usize {
    let line = usize::try_from(place["line"].as_u64().unwrap()).unwrap();
    let start = text.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
    start + usize::try_from(place["character"].as_u64().unwrap()).unwrap()
}

/// The text at a range whose columns are in bytes.
pub(crate) fn written<'a>(text: &'a str, range: &Value) -> &'a str {
    &text[offset(text, &range["start"])..offset(text, &range["end"])]
}

/// The text after edits, whose columns are in bytes.
#[track_caller]
pub(crate) fn edited(text: &str, edits: &Value) -> String {
    let mut edits: Vec<&Value> = edits.as_array().unwrap().iter().collect();
    edits.sort_by_key(|edit| offset(text, &edit["range"]["start"]));
    let mut out = text.to_owned();
    for edit in edits.into_iter().rev() {
        let range = &edit["range"];
        let (start, end) = (offset(text, &range["start"]), offset(text, &range["end"]));
        out.replace_range(start..end, edit["newText"].as_str().unwrap());
    }
    out
}
