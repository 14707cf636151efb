//! The capabilities of the server, for the client.

use crate::lsp::positions::Encoding;
use crate::lsp::{diagnostics, semantic_tokens};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CompletionOptions, HoverProviderCapability,
    InitializeResult, OneOf, RenameOptions, SemanticTokensFullOptions, SemanticTokensOptions, ServerCapabilities,
    ServerInfo, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, WorkDoneProgressOptions,
};

/// The answer to `initialize`.
pub(crate) fn result(encoding: Encoding) -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        ..TextDocumentSyncOptions::default()
    };
    let actions = CodeActionOptions {
        code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, diagnostics::FIX_ALL]),
        ..CodeActionOptions::default()
    };
    let completion = CompletionOptions {
        trigger_characters: Some([".", ",", "="].map(str::to_owned).to_vec()),
        ..CompletionOptions::default()
    };
    let tokens = SemanticTokensOptions {
        legend: semantic_tokens::legend(),
        full: Some(SemanticTokensFullOptions::Bool(true)),
        ..SemanticTokensOptions::default()
    };
    let rename =
        RenameOptions { prepare_provider: Some(true), work_done_progress_options: WorkDoneProgressOptions::default() };
    let capabilities = ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
        document_formatting_provider: Some(OneOf::Left(true)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(completion),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(rename)),
        document_symbol_provider: Some(OneOf::Left(true)),
        semantic_tokens_provider: Some(tokens.into()),
        ..ServerCapabilities::default()
    };
    let server = ServerInfo { name: "forebay".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
    InitializeResult { capabilities, server_info: Some(server) }
}
