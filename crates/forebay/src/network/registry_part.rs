//! An entry of a registry that a scenario names as `"name"` or as `{ name = "name", parameter = 1 }`.

use crate::document::{Node, Table};
use crate::error::{Result, UserError};
use crate::scenario::{param, param_error};
use forebay_core::registry::find;
use forebay_core::{Named, ParamError, Params};

/// An entry of a registry and its parameters.
#[derive(Debug)]
pub(super) struct Part<E: 'static> {
    pub(super) entry: &'static E,
    pub(super) params: Params,
    /// Where it stands, with all its parameters.
    node: Node,
}

impl<E> Clone for Part<E> {
    fn clone(&self) -> Self {
        Self { entry: self.entry, params: self.params.clone(), node: self.node.clone() }
    }
}

impl<E: Named> Part<E> {
    /// Reads `what`, which names one of `entries` of this kind. `extra` may read fields that are no parameters.
    pub(super) fn read(node: &Node, what: &str, kind: &str, entries: &'static [E]) -> Result<Self> {
        let with_parameters = node.with_parameters(what)?;
        let table = with_parameters.table(what)?;
        let name = table.require("name", "name = \"...\"")?;
        let entry = find(kind, entries, name.text("name")?).map_err(|message| name.error(message))?;
        Self::of_entry(node, what, entry)
    }

    /// Reads the parameters of `what`, whose entry is known.
    pub(super) fn of_entry(node: &Node, what: &str, entry: &'static E) -> Result<Self> {
        let node = node.with_parameters(what)?;
        let table = node.table(what)?;
        table.require("name", "name = \"...\"")?;
        let params = params(&node, &table, entry)?;
        Ok(Self { entry, params, node })
    }

    /// Returns an error about one of the entry's parameters, or about all.
    pub(super) fn error(&self, error: &ParamError) -> UserError {
        param_error(&self.node, error)
    }

    /// Returns the entry's name.
    pub(super) fn name(&self) -> &'static str {
        self.entry.about().name
    }

    /// Returns the field `key` of the entry's table.
    pub(super) fn field(&self, key: &'static str) -> Option<&Node> {
        self.node.table("this").ok()?.get(key)
    }

    /// Returns the entry's place in the scenario.
    pub(super) fn node(&self) -> &Node {
        &self.node
    }
}

fn params<E: Named>(node: &Node, table: &Table<'_>, entry: &E) -> Result<Params> {
    let given = table.rest().map(|(key, node)| (key.to_owned(), param(node))).collect();
    Params::check(entry.about().params, given).map_err(|error| param_error(node, &error))
}
