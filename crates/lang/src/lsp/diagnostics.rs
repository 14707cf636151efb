//! Mistakes as the editor shows them, and their fixes.

use crate::lsp::document::Document;
use crate::{Code, Diagnostic, Fix, Severity};
use lsp_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, DiagnosticRelatedInformation,
    DiagnosticSeverity, DiagnosticTag, Location, NumberOrString, PublishDiagnosticsParams, Range, TextEdit,
    WorkspaceEdit,
};
use std::collections::HashMap;

/// Applies every fix of a file at once.
pub(crate) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.forebay");

/// What is wrong with a document.
pub(crate) fn publish(document: &Document, related: bool) -> PublishDiagnosticsParams {
    let diagnostics = document.analysis.diagnostics.iter().map(|found| convert(document, found, related)).collect();
    PublishDiagnosticsParams { uri: document.uri.clone(), diagnostics, version: Some(document.version) }
}

fn convert(document: &Document, found: &Diagnostic, related: bool) -> lsp_types::Diagnostic {
    let mut message = found.message.clone();
    if let Some(help) = &found.help {
        message.push('\n');
        message.push_str(help);
    }
    let label = |label: &crate::Label| DiagnosticRelatedInformation {
        location: Location { uri: document.uri.clone(), range: document.range(label.span) },
        message: label.text.clone(),
    };
    let labels: Vec<_> = found.labels.iter().map(label).collect();
    lsp_types::Diagnostic {
        range: document.range(found.span),
        severity: Some(match found.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(found.code.as_str().to_owned())),
        source: Some("forebay".to_owned()),
        message,
        // What has no effect is shown pale.
        tags: matches!(found.code, Code::Unused | Code::HiddenCase | Code::NeverHolds)
            .then(|| vec![DiagnosticTag::UNNECESSARY]),
        related_information: (related && !labels.is_empty()).then_some(labels),
        ..lsp_types::Diagnostic::default()
    }
}

/// The fixes of mistakes that touch a range, and one action for all fixes of the file.
pub(crate) fn code_actions(document: &Document, range: Range, context: &CodeActionContext) -> Vec<CodeActionOrCommand> {
    let wanted = |kind: &CodeActionKind| {
        context.only.as_ref().is_none_or(|only| only.iter().any(|wanted| includes(wanted.as_str(), kind.as_str())))
    };
    let asked = document.span(range);
    let mut actions = Vec::new();
    if wanted(&CodeActionKind::QUICKFIX) {
        for found in &document.analysis.diagnostics {
            let Some(fix) = &found.fix else { continue };
            let touches = |span: crate::TextRange| span.intersect(asked).is_some();
            if touches(found.span) || touches(fix.span) {
                actions.push(CodeAction {
                    title: title(document, fix),
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![convert(document, found, true)]),
                    edit: Some(edit(document, &[fix])),
                    is_preferred: Some(true),
                    ..CodeAction::default()
                });
            }
        }
    }
    let fixes = together(document);
    let explicit = context.only.is_some();
    if wanted(&FIX_ALL) && (fixes.len() > 1 || explicit && !fixes.is_empty()) {
        actions.push(CodeAction {
            title: format!("Apply all {} fixes of this file", fixes.len()),
            kind: Some(FIX_ALL),
            edit: Some(edit(document, &fixes)),
            ..CodeAction::default()
        });
    }
    actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()
}

/// Whether a kind is another one or below it: `source` includes `source.fixAll`.
fn includes(wanted: &str, kind: &str) -> bool {
    kind.strip_prefix(wanted).is_some_and(|rest| wanted.is_empty() || rest.is_empty() || rest.starts_with('.'))
}

/// The fixes that do not get in each other's way: of two that touch, the first.
fn together(document: &Document) -> Vec<&Fix> {
    let mut fixes: Vec<&Fix> = document.analysis.diagnostics.iter().filter_map(|found| found.fix.as_ref()).collect();
    fixes.sort_by_key(|fix| (fix.span.start(), fix.span.end()));
    let mut apart: Vec<&Fix> = Vec::new();
    for fix in fixes {
        if apart.last().is_none_or(|last| last.span.end() < fix.span.start()) {
            apart.push(fix);
        }
    }
    apart
}

fn edit(document: &Document, fixes: &[&Fix]) -> WorkspaceEdit {
    changes(
        document,
        fixes.iter().map(|fix| TextEdit { range: document.range(fix.span), new_text: fix.text.clone() }).collect(),
    )
}

/// Edits of one document.
pub(crate) fn changes(document: &Document, edits: Vec<TextEdit>) -> WorkspaceEdit {
    WorkspaceEdit { changes: Some(HashMap::from([(document.uri.clone(), edits)])), ..WorkspaceEdit::default() }
}

fn title(document: &Document, fix: &Fix) -> String {
    let (from, to) = (document.written(fix.span), fix.text.trim());
    match (from.is_empty(), to.is_empty()) {
        (true, _) => format!("Insert `{to}`"),
        (false, true) => format!("Remove `{}`", from.trim()),
        (false, false) => format!("Replace `{from}` with `{to}`"),
    }
}
