//! Which detail tables a scenario asks for.

use crate::disk::Folder;
use crate::document::{Table, Value};
use crate::error::Result;
use crate::observer::Observer;

/// Whether `record` of the top level names this table, which is the only one that this kind of scenario can record.
pub(crate) fn recorded(top: &Table<'_>, table: &'static str) -> Result<bool> {
    let Some(node) = top.get("record") else { return Ok(false) };
    let wrong = |what: String| Err(node.error(format!("`record` must be a list like [\"{table}\"], not {what}")));
    let Value::Array(items) = &node.value else { return wrong(format!("a {}", node.kind())) };
    for item in items {
        let name = item.text("record")?;
        if name != table {
            return wrong(format!("`{name}`, which scenarios of this kind do not have"));
        }
    }
    Ok(!items.is_empty())
}

/// Says that recorded tables are not written, where no folder keeps them.
pub(crate) fn warn_if_lost(is_recorded: bool, folder: Option<&Folder>, observer: &dyn Observer) {
    if is_recorded && folder.is_none() {
        observer.warn("`record` writes nothing here: add --out DIR, and leave --record-ops out");
    }
}
