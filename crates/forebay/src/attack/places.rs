//! Files that a scenario of attacks names, as places that are the same from anywhere.

use crate::document::{Node, Value};
use crate::error::{Result, UserError};
use std::path::Path;

/// Makes the names of files absolute in a scenario that stands in `folder`.
///
/// # Errors
/// If the folder has no place.
pub fn find_from_anywhere(document: &mut Node, folder: &Path) -> Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = std::path::absolute(folder).map_err(|error| UserError::io(folder, "found", &error))?;
    let places: [(&[&str], &str); 4] = [
        (&["innocent"], "jobs"),
        (&["innocent"], "replay"),
        (&["innocent", "application"], "pcap"),
        (&["policy"], "policy"),
    ];
    for (tables, file) in places {
        if let Some(value) = document.value_at(tables) {
            absolute_in(value, file, &folder);
        }
    }
    Ok(())
}

/// In the field `file` of a table, or of each table in a list.
fn absolute_in(tables: &mut Value, file: &str, folder: &Path) {
    match tables {
        Value::Table(fields) => {
            fields.iter_mut().filter(|(name, _)| name == file).for_each(|(_, node)| absolute(&mut node.value, folder));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| absolute_in(&mut item.value, file, folder)),
        _ => {}
    }
}

fn absolute(value: &mut Value, folder: &Path) {
    match value {
        Value::Text(path) => *path = folder.join(&*path).display().to_string(),
        Value::Array(items) => items.iter_mut().for_each(|item| absolute(&mut item.value, folder)),
        _ => {}
    }
}
