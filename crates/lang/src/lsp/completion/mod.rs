//! What the author may want to write next.

mod context;
mod snippets;

use crate::SymbolKind;
use crate::lsp::document::Document;
use crate::lsp::properties::{self, Object, Usage};
use crate::lsp::scope::{Declared, globals};
use crate::lsp::word_meanings::{self, Builtin};
use context::{Context, Expected, Wanted, context};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, InsertTextFormat, MarkupContent, MarkupKind,
    Position, Range, TextEdit,
};

/// Members of a family that are proposed one by one.
const MAX_MEMBERS: u32 = 16;

/// What can be written at a position; with places to fill in if the editor knows `snippets`.
pub(crate) fn complete(document: &Document, position: Position, snippets: bool) -> Vec<CompletionItem> {
    let Some(context) = context(&document.text, document.offset(position)) else { return Vec::new() };
    let mut list = List { document, range: document.range(context.typed), snippets, items: Vec::new() };
    list.fill(&context);
    list.items
}

struct List<'a> {
    document: &'a Document,
    range: Range,
    snippets: bool,
    items: Vec<CompletionItem>,
}

impl List<'_> {
    fn fill(&mut self, context: &Context) {
        match &context.expected {
            Expected::Nothing => {}
            Expected::Words(words) => {
                for word in words {
                    self.word(word);
                }
            }
            Expected::Statement => {
                for (label, detail, snippet) in snippets::STATEMENTS {
                    self.add(label, CompletionItemKind::SNIPPET, detail, None, snippet);
                }
                for declared in globals(&context.root) {
                    if matches!(declared.kind, SymbolKind::Queue | SymbolKind::Port | SymbolKind::Buffer) {
                        self.declared(&declared);
                    }
                }
            }
            Expected::Case => self.add("(", CompletionItemKind::SNIPPET, "another case", None, snippets::CASE),
            Expected::Action { classifies } => {
                // `enter` is the one action of `classify` and `next`, and of nothing else.
                for (name, snippet, doc) in
                    word_meanings::actions().filter(|(name, ..)| (*name == "enter") == *classifies)
                {
                    self.add(name, CompletionItemKind::KEYWORD, "action", Some(doc), snippet);
                }
            }
            Expected::Unit(others) => {
                for (unit, doc) in word_meanings::UNITS {
                    self.add(unit, CompletionItemKind::UNIT, "unit", Some(doc), unit);
                }
                for word in others {
                    self.word(word);
                }
            }
            Expected::Property(objects, usage) => self.properties(objects, *usage),
            Expected::Value(wanted) => self.values(context, *wanted),
        }
    }

    fn properties(&mut self, objects: &[Object], usage: Usage) {
        for object in objects {
            for property in properties::of(*object).filter(|property| property.usages.contains(&usage)) {
                let kind = match property.written.ends_with(')') {
                    true => CompletionItemKind::METHOD,
                    false => CompletionItemKind::PROPERTY,
                };
                let detail = format!("property of a {}", object.word());
                match self.items.iter_mut().find(|item| item.label == property.written) {
                    Some(item) => item.detail = item.detail.take().map(|before| format!("{before}, {}", object.word())),
                    None => self.add(property.written, kind, &detail, Some(property.doc), property.written),
                }
            }
        }
    }

    fn values(&mut self, context: &Context, wanted: Wanted) {
        let fits = |kind: SymbolKind| match wanted {
            Wanted::Comparator => kind == SymbolKind::Comparator,
            Wanted::Condition => kind == SymbolKind::Condition,
            Wanted::Definition | Wanted::Operand => true,
        };
        for declared in context.locals.iter().filter(|declared| fits(declared.kind)) {
            self.declared(declared);
        }
        let is_hidden = |declared: &Declared| context.locals.iter().any(|local| local.name == declared.name);
        let globals = globals(&context.root);
        for declared in globals.iter().filter(|declared| fits(declared.kind) && !is_hidden(declared)) {
            self.declared(declared);
        }
        let is_constructor = |builtin: &Builtin| matches!(builtin.name, "Queue" | "Port" | "Buffer");
        let in_condition = !context.locals.is_empty();
        for builtin in &word_meanings::BUILTINS {
            let fitting = match builtin.name {
                _ if is_constructor(builtin) => wanted == Wanted::Definition,
                "arriving" | "now" => wanted == Wanted::Operand && in_condition,
                _ => fits(builtin.kind),
            };
            let taken = globals.iter().chain(&context.locals).any(|declared| declared.name == builtin.name);
            if fitting && !taken {
                let detail = word_meanings::kind(builtin.kind);
                self.add(builtin.name, item_kind(builtin.kind), detail, Some(builtin.doc), builtin.snippet);
            }
        }
        if matches!(wanted, Wanted::Operand | Wanted::Definition) {
            for word in ["true", "false", "not"] {
                self.word(word);
            }
            if wanted == Wanted::Operand {
                self.word("let");
            }
        }
    }

    fn word(&mut self, word: &str) {
        self.add(word, CompletionItemKind::KEYWORD, "keyword", word_meanings::doc(word), word);
    }

    fn declared(&mut self, declared: &Declared) {
        let known = &self.document.analysis.symbols;
        let symbol = known.iter().find(|symbol| symbol.name == declared.name && symbol.kind == declared.kind);
        let doc = symbol.map(|symbol| symbol.hover.as_str());
        let (kind, detail) = (item_kind(declared.kind), word_meanings::kind(declared.kind));
        let name = declared.name.as_str();
        let Some(range) = &declared.range else { return self.add(name, kind, detail, doc, name) };
        self.add(&format!("{name}[{range}]"), kind, "all members of a family", doc, &format!("{name}[{range}]"));
        self.add(&format!("{name}[…]"), kind, "a member of a family", doc, &format!("{name}[${{1:i}}]"));
        let ends = range
            .split_once("..")
            .and_then(|(first, last)| Some((first.trim().parse::<u32>().ok()?, last.trim().parse::<u32>().ok()?)));
        if let Some((first, last)) = ends {
            for number in (first..=last).take(MAX_MEMBERS as usize) {
                self.add(&format!("{name}{number}"), kind, detail, doc, &format!("{name}{number}"));
            }
        }
    }

    fn add(&mut self, label: &str, kind: CompletionItemKind, detail: &str, doc: Option<&str>, snippet: &str) {
        let has_places = snippet.contains('$');
        let new_text = if self.snippets { snippet.to_owned() } else { snippets::plain(snippet) };
        let content = |doc: &str| MarkupContent { kind: MarkupKind::Markdown, value: doc.to_owned() };
        self.items.push(CompletionItem {
            label: label.to_owned(),
            kind: Some(kind),
            detail: Some(detail.to_owned()),
            documentation: doc.filter(|doc| !doc.is_empty()).map(|doc| Documentation::MarkupContent(content(doc))),
            // In the order in which they were added.
            sort_text: Some(format!("{:04}", self.items.len())),
            filter_text: label.contains(['[', '(']).then(|| label.split(['[', '(']).next().unwrap_or(label).to_owned()),
            insert_text_format: (self.snippets && has_places).then_some(InsertTextFormat::SNIPPET),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit { range: self.range, new_text })),
            ..CompletionItem::default()
        });
    }
}

fn item_kind(kind: SymbolKind) -> CompletionItemKind {
    match kind {
        SymbolKind::Constant => CompletionItemKind::CONSTANT,
        SymbolKind::Value | SymbolKind::Local => CompletionItemKind::VARIABLE,
        SymbolKind::Comparator | SymbolKind::Condition | SymbolKind::Function => CompletionItemKind::FUNCTION,
        SymbolKind::Queue | SymbolKind::Port | SymbolKind::Buffer => CompletionItemKind::STRUCT,
        SymbolKind::Property => CompletionItemKind::PROPERTY,
    }
}
