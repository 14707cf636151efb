//! Makes the paths of files in scenarios of attacks absolute, so that they can be found from any folder.

use crate::document::{Node, Value};
use crate::error::{Result, UserError};
use std::path::Path;

/// The fields that name files.
const PLACES: [&[&str]; 5] = [
    &["innocent", "jobs"],
    &["innocent", "replay"],
    &["innocent", "application", "pcap"],
    &["policy", "policy"],
    &["policy", "below", "policy"],
];

/// Makes the names of files absolute in a scenario that is in `folder`.
///
/// # Errors If the path of the folder cannot be found.
pub fn find_from_anywhere(document: &mut Node, folder: &Path) -> Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = std::path::absolute(folder).map_err(|error| UserError::io(folder, "found", &error))?;
    PLACES.iter().for_each(|place| absolute_at(&mut document.value, place, &folder));
    Ok(())
}

/// At a place that tables, or each table of lists, have.
fn absolute_at(value: &mut Value, place: &[&str], folder: &Path) {
    match (value, place.split_first()) {
        (Value::Array(items), _) => items.iter_mut().for_each(|item| absolute_at(&mut item.value, place, folder)),
        (Value::Table(fields), Some((name, rest))) => {
            let named = fields.iter_mut().filter(|(field, _)| field == name);
            named.for_each(|(_, node)| absolute_at(&mut node.value, rest, folder));
        }
        (Value::Text(path), None) => *path = folder.join(&*path).display().to_string(),
        _ => {}
    }
}
