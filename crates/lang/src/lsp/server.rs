//! The server: a message comes in, messages go out. The owner of the pipe calls it; it has no thread and no clock.

use crate::lsp::address::path_of;
use crate::lsp::document::Document;
use crate::lsp::failure::Failure;
use crate::lsp::positions::Encoding;
use crate::lsp::{capabilities, completion, diagnostics, formatting, navigation, outline, rename, semantic_tokens};
use crate::parser::MAX_BYTES;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self as notes, Notification as _};
use lsp_types::request::{self as asks, Request as Ask};
use lsp_types::{
    CompletionResponse, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DocumentSymbolResponse, GotoDefinitionResponse, LogMessageParams, MessageType, PublishDiagnosticsParams,
    SemanticTokensResult, TextDocumentIdentifier, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// Where the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing was said yet.
    Begin,
    /// The client knows what the server can do.
    Running,
    /// The client asked the server to stop.
    ShutDown,
    /// The client has said goodbye.
    Exited { orderly: bool },
}

/// Gives the text of a file that is not open in the editor, by its path; or says why it cannot be read.
type ReadFile = Box<dyn Fn(&str) -> Result<String, String> + Send>;

/// A language server for OpenQueue.
pub struct Server {
    state: State,
    encoding: Encoding,
    /// Whether the client shows other places that have to do with a mistake.
    related: bool,
    /// Whether the client knows places to fill in.
    snippets: bool,
    documents: BTreeMap<Uri, Document>,
    /// For files that documents include.
    read_file: ReadFile,
}

impl Default for Server {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("state", &self.state).finish_non_exhaustive()
    }
}

impl Server {
    /// A server before its first message, which knows only files that are open in the editor.
    #[must_use]
    pub fn new() -> Self {
        Self::with_files(|_| Err("it is not open in the editor".to_owned()))
    }

    /// The same; `read_file` gives the texts of files that are included and not open, by their paths.
    #[must_use]
    pub fn with_files(read_file: impl Fn(&str) -> Result<String, String> + Send + 'static) -> Self {
        Self {
            read_file: Box::new(read_file),
            state: State::Begin,
            encoding: Encoding::Utf16,
            related: false,
            snippets: false,
            documents: BTreeMap::new(),
        }
    }

    /// The exit status, when the client has ended the conversation: 0 if it asked for `shutdown` before, otherwise
    /// 1, as the protocol says.
    #[must_use]
    pub fn exit_status(&self) -> Option<u8> {
        match self.state {
            State::Exited { orderly } => Some(u8::from(!orderly)),
            _ => None,
        }
    }

    /// Takes a message and returns those to be sent, in this order. Every request gets one response.
    pub fn handle(&mut self, message: Message) -> Vec<Message> {
        match message {
            Message::Request(request) => vec![Message::Response(self.request(request))],
            Message::Notification(notification) => self.notification(notification),
            // The server sends no requests.
            Message::Response(_) => Vec::new(),
        }
    }

    fn request(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let result = match (self.state, method.as_str()) {
            (State::Begin, asks::Initialize::METHOD) => self.initialize(&params),
            (State::Begin, _) => {
                Err(Failure::new(ErrorCode::ServerNotInitialized, "the first request is `initialize`"))
            }
            (State::ShutDown | State::Exited { .. }, _) => {
                Err(Failure::new(ErrorCode::InvalidRequest, "the server was asked to shut down"))
            }
            (State::Running, asks::Initialize::METHOD) => {
                Err(Failure::new(ErrorCode::InvalidRequest, "`initialize` comes once"))
            }
            (State::Running, asks::Shutdown::METHOD) => {
                self.state = State::ShutDown;
                Ok(Value::Null)
            }
            (State::Running, _) => self.ask(&method, params),
        };
        response(id, result)
    }

    fn initialize(&mut self, params: &Value) -> Result<Value, Failure> {
        let Some(client) = params.get("capabilities") else {
            return Err(Failure::new(ErrorCode::InvalidParams, "`initialize` needs `capabilities`"));
        };
        let says = |pointer| client.pointer(pointer).and_then(Value::as_bool).unwrap_or(false);
        self.related = says("/textDocument/publishDiagnostics/relatedInformation");
        self.snippets = says("/textDocument/completion/completionItem/snippetSupport");
        let encodings = client.pointer("/general/positionEncodings").and_then(Value::as_array);
        let knows_utf8 = encodings.is_some_and(|all| all.iter().any(|encoding| encoding == "utf-8"));
        self.encoding = if knows_utf8 { Encoding::Utf8 } else { Encoding::Utf16 };
        self.state = State::Running;
        to_value(capabilities::result(self.encoding))
    }

    /// Answers a request about a document.
    fn ask(&self, method: &str, params: Value) -> Result<Value, Failure> {
        match method {
            asks::CodeActionRequest::METHOD => self.answer::<asks::CodeActionRequest>(params, |p| {
                let document = self.document(&p.text_document)?;
                Ok(Some(diagnostics::code_actions(document, p.range, &p.context)))
            }),
            asks::Formatting::METHOD => self
                .answer::<asks::Formatting>(params, |p| Ok(Some(formatting::edits(self.document(&p.text_document)?)))),
            asks::HoverRequest::METHOD => self.answer::<asks::HoverRequest>(params, |p| {
                let at = p.text_document_position_params;
                Ok(navigation::hover(self.document(&at.text_document)?, at.position))
            }),
            asks::Completion::METHOD => self.answer::<asks::Completion>(params, |p| {
                let at = p.text_document_position;
                let document = self.document(&at.text_document)?;
                Ok(Some(CompletionResponse::Array(completion::complete(document, at.position, self.snippets))))
            }),
            asks::GotoDefinition::METHOD => self.answer::<asks::GotoDefinition>(params, |p| {
                let at = p.text_document_position_params;
                let document = self.document(&at.text_document)?;
                Ok(navigation::definition(document, at.position).map(GotoDefinitionResponse::Scalar))
            }),
            asks::References::METHOD => self.answer::<asks::References>(params, |p| {
                let at = p.text_document_position;
                let document = self.document(&at.text_document)?;
                Ok(navigation::references(document, at.position, p.context.include_declaration))
            }),
            asks::DocumentHighlightRequest::METHOD => self.answer::<asks::DocumentHighlightRequest>(params, |p| {
                let at = p.text_document_position_params;
                Ok(navigation::highlights(self.document(&at.text_document)?, at.position))
            }),
            asks::PrepareRenameRequest::METHOD => self.answer::<asks::PrepareRenameRequest>(params, |at| {
                rename::prepare(self.document(&at.text_document)?, at.position)
            }),
            asks::Rename::METHOD => self.answer::<asks::Rename>(params, |p| {
                let at = p.text_document_position;
                rename::rename(self.document(&at.text_document)?, at.position, &p.new_name).map(Some)
            }),
            asks::DocumentSymbolRequest::METHOD => self.answer::<asks::DocumentSymbolRequest>(params, |p| {
                let document = self.document(&p.text_document)?;
                Ok(Some(DocumentSymbolResponse::Nested(outline::symbols(document))))
            }),
            asks::SemanticTokensFullRequest::METHOD => self.answer::<asks::SemanticTokensFullRequest>(params, |p| {
                let document = self.document(&p.text_document)?;
                Ok(Some(SemanticTokensResult::Tokens(semantic_tokens::tokens(document))))
            }),
            _ => Err(Failure::new(ErrorCode::MethodNotFound, format!("there is no request `{method}`"))),
        }
    }

    fn answer<R: Ask>(
        &self,
        params: Value,
        answer: impl FnOnce(R::Params) -> Result<R::Result, Failure>,
    ) -> Result<Value, Failure> {
        let params = parameters(R::METHOD, params)?;
        to_value(answer(params)?)
    }

    fn document(&self, of: &TextDocumentIdentifier) -> Result<&Document, Failure> {
        let absent = || Failure::new(ErrorCode::InvalidParams, format!("{} is not open", of.uri.as_str()));
        self.documents.get(&of.uri).ok_or_else(absent)
    }

    fn notification(&mut self, notification: Notification) -> Vec<Message> {
        let Notification { method, params } = notification;
        if method == notes::Exit::METHOD {
            self.state = State::Exited { orderly: self.state == State::ShutDown };
            return Vec::new();
        }
        if self.state != State::Running {
            return Vec::new();
        }
        let done = match method.as_str() {
            notes::DidOpenTextDocument::METHOD => parameters(&method, params).and_then(|p| self.open(p)),
            notes::DidChangeTextDocument::METHOD => parameters(&method, params).and_then(|p| self.change(p)),
            notes::DidCloseTextDocument::METHOD => parameters(&method, params).map(|p| vec![self.close(p)]),
            // Nothing follows from others: a file was saved, a request cancelled that has its response already.
            _ => Ok(Vec::new()),
        };
        done.unwrap_or_else(|failure| vec![log(failure.message)])
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) -> Result<Vec<Message>, Failure> {
        let opened = params.text_document;
        let open = |path: &str| self.text_of(path);
        let document = Document::new(opened.uri.clone(), opened.version, opened.text, self.encoding, &open);
        self.keep(&opened.uri, document)
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) -> Result<Vec<Message>, Failure> {
        let uri = params.text_document.uri;
        let Some(document) = self.documents.remove(&uri) else {
            return Err(Failure::refused(format!("{} was changed, but is not open", uri.as_str())));
        };
        let open = |path: &str| self.text_of(path);
        let document = document.changed(params.text_document.version, params.content_changes, &open);
        self.keep(&uri, document)
    }

    /// Remembers a document and says what is wrong with it.
    fn keep(&mut self, uri: &Uri, document: Option<Document>) -> Result<Vec<Message>, Failure> {
        let Some(document) = document else {
            self.documents.remove(uri);
            let name = uri.as_str();
            return Err(Failure::refused(format!("{name} has more than {MAX_BYTES} bytes and is left alone")));
        };
        let mut published = vec![note::<notes::PublishDiagnostics>(diagnostics::publish(&document, self.related))];
        self.documents.insert(uri.clone(), document);
        published.extend(self.renewed(&path_of(uri)));
        Ok(published)
    }

    /// What is wrong with the documents that include a file, which has changed.
    fn renewed(&mut self, path: &str) -> Vec<Message> {
        let includes = |document: &&Document| document.includes(path);
        let all: Vec<Uri> = self.documents.values().filter(includes).map(|document| document.uri.clone()).collect();
        let mut published = Vec::new();
        for uri in all {
            let Some(document) = self.documents.remove(&uri) else { continue };
            let open = |path: &str| self.text_of(path);
            let version = document.version;
            if let Some(document) = document.changed(version, Vec::new(), &open) {
                published.push(note::<notes::PublishDiagnostics>(diagnostics::publish(&document, self.related)));
                self.documents.insert(uri, document);
            }
        }
        published
    }

    /// The text of a file: as it is in the editor, if it is open there.
    fn text_of(&self, path: &str) -> Result<String, String> {
        let opened = self.documents.values().find(|document| path_of(&document.uri) == path);
        opened.map_or_else(|| (self.read_file)(path), |document| Ok(document.text.clone()))
    }

    fn close(&mut self, params: DidCloseTextDocumentParams) -> Message {
        let uri = params.text_document.uri;
        self.documents.remove(&uri);
        note::<notes::PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: None })
    }
}

fn parameters<P: DeserializeOwned>(method: &str, params: Value) -> Result<P, Failure> {
    let wrong = |error| Failure::new(ErrorCode::InvalidParams, format!("`{method}`: {error}"));
    serde_json::from_value(params).map_err(wrong)
}

fn to_value(result: impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(result).map_err(|error| Failure::new(ErrorCode::InternalError, error.to_string()))
}

fn response(id: RequestId, result: Result<Value, Failure>) -> Response {
    match result {
        Ok(value) => Response::new_ok(id, value),
        Err(failure) => Response::new_err(id, failure.code, failure.message),
    }
}

fn note<N: notes::Notification>(params: N::Params) -> Message {
    // The protocol's own types always become JSON.
    let params = serde_json::to_value(params).unwrap_or_default();
    Message::Notification(Notification { method: N::METHOD.to_owned(), params })
}

fn log(message: String) -> Message {
    note::<notes::LogMessage>(LogMessageParams { typ: MessageType::ERROR, message })
}
