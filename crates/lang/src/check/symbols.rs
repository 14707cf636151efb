//! All names, with the ranges of their definitions and uses, for editors.

use super::properties::{BUILTINS, LIBRARY, Owner, PROPERTIES, Property};
use super::tree::Ident;
use crate::symbol::{Symbol, SymbolKind};
use rowan::TextRange;
use std::collections::{BTreeSet, HashMap};

/// A symbol by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SymbolId(usize);

#[derive(Debug)]
struct Known {
    symbol: Symbol,
    references: BTreeSet<(u32, u32)>,
}

#[derive(Debug)]
pub(super) struct Symbols {
    all: Vec<Known>,
    /// The symbols by the range of their definition.
    defined: HashMap<TextRange, SymbolId>,
    /// The symbols of the language: `mod`, `queue.currSize`.
    brought: HashMap<String, SymbolId>,
}

impl Symbols {
    pub(super) fn new() -> Self {
        let mut symbols = Self { all: Vec::new(), defined: HashMap::new(), brought: HashMap::new() };
        for (name, about) in BUILTINS {
            symbols.bring(name, name, SymbolKind::Function, about);
        }
        for (name, about) in LIBRARY {
            let kind = if *name == "tailDrop" { SymbolKind::Condition } else { SymbolKind::Comparator };
            symbols.bring(name, name, kind, &format!("{about}; a file may define its own"));
        }
        for property in PROPERTIES {
            let key = key(property.owner, property.name);
            let shown = if property.is_method() { "()" } else { "" };
            let hover = format!("**{}{shown}** of a {}: {}", property.name, property.owner.name(), property.about);
            symbols.bring(&key, property.name, SymbolKind::Property, &hover);
        }
        symbols
    }

    fn bring(&mut self, key: &str, name: &str, kind: SymbolKind, hover: &str) {
        let id = self.add(name, kind, None, hover.to_owned());
        self.brought.insert(key.to_owned(), id);
    }

    fn add(&mut self, name: &str, kind: SymbolKind, definition: Option<TextRange>, hover: String) -> SymbolId {
        let symbol = Symbol { name: name.to_owned(), kind, definition, references: Vec::new(), hover };
        self.all.push(Known { symbol, references: BTreeSet::new() });
        SymbolId(self.all.len() - 1)
    }

    /// Returns the symbol that is defined in this range; a range defines one symbol, however often it is checked.
    pub(super) fn define(&mut self, name: &Ident, kind: SymbolKind, hover: impl FnOnce() -> String) -> SymbolId {
        if let Some(id) = self.defined.get(&name.span) {
            return *id;
        }
        let id = self.add(&name.text, kind, Some(name.span), hover());
        self.defined.insert(name.span, id);
        id
    }

    pub(super) fn refer(&mut self, id: SymbolId, span: TextRange) {
        let known = &mut self.all[id.0];
        if known.symbol.definition != Some(span) {
            known.references.insert((span.start().into(), span.end().into()));
        }
    }

    pub(super) fn refer_brought(&mut self, name: &str, span: TextRange) {
        if let Some(id) = self.brought.get(name).copied() {
            self.refer(id, span);
        }
    }

    pub(super) fn refer_property(&mut self, property: &Property, span: TextRange) {
        self.refer_brought(&key(property.owner, property.name), span);
    }

    pub(super) fn add_to_hover(&mut self, id: SymbolId, text: &str) {
        self.all[id.0].symbol.hover.push_str(text);
    }

    pub(super) fn is_used(&self, id: SymbolId) -> bool {
        !self.all[id.0].references.is_empty()
    }

    pub(super) fn into_symbols(self) -> Vec<Symbol> {
        let with_references = |known: Known| {
            let range = |(start, end): (u32, u32)| TextRange::new(start.into(), end.into());
            Symbol { references: known.references.into_iter().map(range).collect(), ..known.symbol }
        };
        self.all.into_iter().map(with_references).collect()
    }
}

fn key(owner: Owner, name: &str) -> String {
    format!("{}.{name}", owner.name())
}
