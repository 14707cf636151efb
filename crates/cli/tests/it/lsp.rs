//! An editor's session with `forebay lsp`, over pipes.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Much longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

const URI: &str = "file:///policy.oq";

/// A running server. It is killed if the test fails.
struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Value>,
    next: u32,
    /// The document, as the editor shows it.
    text: String,
    version: u32,
    diagnostics: Value,
}

impl Drop for Editor {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next message; nothing at the end.
fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).unwrap() == 0 {
            return None;
        }
        let line = line.strip_suffix("\r\n").unwrap();
        if line.is_empty() {
            break;
        }
        length = line.strip_prefix("Content-Length: ").map(|length| length.parse::<usize>().unwrap());
    }
    let mut body = vec![0; length.unwrap()];
    output.read_exact(&mut body).unwrap();
    let message: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(message["jsonrpc"], "2.0");
    Some(message)
}

impl Editor {
    fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forebay"));
        let mut child = command.args(["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                // Nobody listens any more if the test has failed.
                let _ = sender.send(message);
            }
        });
        let input = child.stdin.take();
        let (text, diagnostics) = (String::new(), Value::Null);
        Self { child, input, output: receiver, next: 0, text, version: 0, diagnostics }
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        input.flush().unwrap();
    }

    fn receive(&mut self) -> Value {
        self.output.recv_timeout(PATIENCE).unwrap()
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks about the place in the middle of the nth `word`.
    fn at(&mut self, method: &str, word: &str, nth: usize, more: &Value) -> Value {
        let at = self.text.match_indices(word).nth(nth).unwrap().0 + word.len().div_ceil(2);
        let mut params = json!({ "textDocument": { "uri": URI }, "position": place(&self.text, at) });
        for (key, value) in more.as_object().unwrap() {
            params[key] = value.clone();
        }
        self.ask(method, &params)
    }

    fn published(&mut self) {
        let said = self.receive();
        assert_eq!(said["method"], "textDocument/publishDiagnostics", "{said}");
        assert_eq!(said["params"]["version"], self.version);
        self.diagnostics = said["params"]["diagnostics"].clone();
    }

    fn open(&mut self, text: &str) {
        self.text = text.to_owned();
        self.version = 1;
        let document = json!({ "uri": URI, "languageId": "openqueue", "version": 1, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
        self.published();
    }

    /// Applies edits to the text and tells the server so, the last one first.
    fn apply(&mut self, edits: &Value) {
        let mut edits: Vec<Value> = edits.as_array().unwrap().clone();
        edits.sort_by_key(|edit| offset(&self.text, &edit["range"]["start"]));
        edits.reverse();
        let mut changes = Vec::new();
        for edit in edits {
            let range = &edit["range"];
            let (start, end) = (offset(&self.text, &range["start"]), offset(&self.text, &range["end"]));
            self.text.replace_range(start..end, edit["newText"].as_str().unwrap());
            changes.push(json!({ "range": range, "text": edit["newText"] }));
        }
        self.version += 1;
        let document = json!({ "uri": URI, "version": self.version });
        self.tell("textDocument/didChange", &json!({ "textDocument": document, "contentChanges": changes }));
        self.published();
    }

    /// Waits for the end; the exit status.
    fn ended(&mut self) -> Option<i32> {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(begin.elapsed() < PATIENCE, "the server does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// The place of a byte, in units of UTF-16.
fn place(text: &str, offset: usize) -> Value {
    let lines: Vec<&str> = text[..offset].split('\n').collect();
    json!({ "line": lines.len() - 1, "character": lines[lines.len() - 1].encode_utf16().count() })
}

/// The byte of a place in units of UTF-16.
fn offset(text: &str, place: &Value) -> usize {
    let whole: usize =
        text.split_inclusive('\n').take(place["line"].as_u64().unwrap().try_into().unwrap()).map(str::len).sum();
    let column = usize::try_from(place["character"].as_u64().unwrap()).unwrap();
    let within = text[whole..].char_indices().scan(0, |units, (at, c)| {
        let before = *units;
        *units += c.len_utf16();
        Some((before, at))
    });
    within.take_while(|(units, _)| *units <= column).last().map_or(text.len(), |(units, at)| {
        // Behind the last character.
        if units == column { whole + at } else { text.len() }
    })
}

fn written<'a>(text: &'a str, range: &Value) -> &'a str {
    &text[offset(text, &range["start"])..offset(text, &range["end"])]
}

/// A policy with mistakes and of no style.
const POLICY: &str = "\
param B = 16 pkts // 😀 ä
q[1..2]=Queue( B )
out=Port(100%,q[1..2])
/* longest first */ lqf(a,b)=(a.currSize>b.currSize)
full(q)=(q.currSize>=q.size,dorp(1))
out.schedPrio=lqf
q1.congestion=full; q2.congestion=full
";

#[test]
fn an_editor_opens_mends_and_changes_a_policy() {
    let mut editor = Editor::start();
    let begin = editor.ask("initialize", &json!({ "processId": null, "rootUri": null, "capabilities": {} }));
    assert_eq!(begin["capabilities"]["positionEncoding"], "utf-16");
    editor.tell("initialized", &json!({}));

    editor.open(POLICY);
    let codes: Vec<&Value> = editor.diagnostics.as_array().unwrap().iter().map(|found| &found["code"]).collect();
    assert!(codes.contains(&&json!("wrong-comment")) && codes.contains(&&json!("unknown-action")), "{codes:?}");

    // The fix of the action, and the comment as the author mends it.
    let at = place(POLICY, POLICY.find("dorp").unwrap());
    let context = json!({ "diagnostics": [], "only": ["quickfix"] });
    let params = json!({ "textDocument": { "uri": URI }, "range": { "start": at, "end": at }, "context": context });
    let actions = editor.ask("textDocument/codeAction", &params);
    assert_eq!(actions[0]["title"], "Replace `dorp` with `drop`");
    editor.apply(&actions[0]["edit"]["changes"][URI]);
    let (start, end) = (POLICY.find("/*").unwrap(), POLICY.find("*/ ").unwrap() + 3);
    let range = json!({ "start": place(POLICY, start), "end": place(POLICY, end) });
    editor.apply(&json!([{ "range": range, "newText": "" }]));
    assert_eq!(editor.diagnostics, json!([]), "{}", editor.text);

    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let edits = editor.ask("textDocument/formatting", &json!({ "textDocument": { "uri": URI }, "options": options }));
    editor.apply(&edits);
    assert_eq!(editor.text, forebay_lang::format(&editor.text));
    assert!(editor.text.contains("full(q) = (q.currSize >= q.size, drop(1));\n"), "{}", editor.text);

    let hover = editor.at("textDocument/hover", "pkts", 0, &json!({}));
    assert_eq!(hover["contents"]["value"], "Packets. A queue whose size is in packets counts packets.");
    let items = editor.at("textDocument/completion", "currSize", 0, &json!({}));
    assert!(items.as_array().unwrap().iter().any(|item| item["label"] == "findHigh()"), "{items}");
    let symbols = editor.ask("textDocument/documentSymbol", &json!({ "textDocument": { "uri": URI } }));
    assert_eq!(symbols.as_array().unwrap().len(), 8);
    names(&mut editor);

    editor.ask("shutdown", &Value::Null);
    editor.tell("exit", &Value::Null);
    assert_eq!(editor.ended(), Some(0));
}

/// What depends on what names mean.
fn names(editor: &mut Editor) {
    let definition = editor.at("textDocument/definition", "lqf", 1, &json!({}));
    assert_eq!(definition["range"]["start"]["line"], 3);
    let more = json!({ "context": { "includeDeclaration": true } });
    let uses = editor.at("textDocument/references", "q[", 1, &more);
    let lines: Vec<&Value> = uses.as_array().unwrap().iter().map(|found| &found["range"]["start"]["line"]).collect();
    assert_eq!(lines, [1, 2, 6, 7], "{uses}");
    let hover = editor.at("textDocument/hover", "currSize", 0, &json!({}));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("currSize"), "{hover}");

    let prepared = editor.at("textDocument/prepareRename", "q1", 0, &json!({}));
    assert_eq!(prepared["placeholder"], "q");
    assert_eq!(written(&editor.text, &prepared["range"]), "q1");
    let edit = editor.at("textDocument/rename", "q1", 0, &json!({ "newName": "größe" }));
    editor.apply(&edit["changes"][URI]);
    assert!(editor.text.contains("größe[1..2] = Queue(B);") && editor.text.contains("größe2.congestion = full;"));
    assert!(editor.text.contains("full(q) = (q.currSize"), "the parameter of the same name stays");
    assert_eq!(editor.diagnostics, json!([]), "{}", editor.text);
}

#[test]
fn an_editor_that_is_gone_ends_the_server() {
    let mut editor = Editor::start();
    editor.ask("initialize", &json!({ "capabilities": {} }));
    editor.input = None;
    assert_eq!(editor.ended(), Some(1));

    let mut editor = Editor::start();
    editor.tell("exit", &Value::Null);
    assert_eq!(editor.ended(), Some(1), "it was not asked to shut down");
}
