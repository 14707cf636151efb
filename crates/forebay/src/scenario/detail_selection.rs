//! The detail tables that a scenario asks for.

use crate::disk::Folder;
use crate::document::{Table, Value};
use crate::error::Result;
use crate::observer::Observer;

/// Returns those of these detail tables that `record` of the top level names.
pub(crate) fn recorded_of(top: &Table<'_>, tables: &[&'static str]) -> Result<Vec<&'static str>> {
    let Some(node) = top.get("record") else { return Ok(Vec::new()) };
    let all = tables.join("\", \"");
    let wrong = |what: String| Err(node.error(format!("`record` must be a list like [\"{all}\"], not {what}")));
    let mut named = Vec::new();
    let Value::Array(items) = &node.value else { return wrong(format!("a {}", node.kind())) };
    for item in items {
        let name = item.text("record")?;
        match tables.iter().find(|table| **table == name) {
            Some(table) => named.push(*table),
            None => return wrong(format!("`{name}`, which scenarios of this kind do not have")),
        }
    }
    Ok(named)
}

/// Warns that recorded tables are not written, if no folder keeps them.
pub(crate) fn warn_if_lost(is_recorded: bool, folder: Option<&Folder>, observer: &dyn Observer) {
    if is_recorded && folder.is_none() {
        observer.warn("`record` writes nothing here: add --out DIR, and leave --record-ops out");
    }
}
