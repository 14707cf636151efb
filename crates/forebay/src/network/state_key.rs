//! The key of a state: `key` and `objects` of `[[state]]`.

use crate::document::{Node, Table};
use crate::error::Result;
use forebay_core::registry::suggest;
use forebay_sim::net::{Objects, StateKey};

/// Objects of a content store at most.
const MOST_OBJECTS: u64 = 1_000_000_000;
/// The greatest skew.
const MOST_SKEW: f64 = 10.0;

/// Reads the key of a `[[state]]`, with its place in the scenario.
pub(super) fn read(table: &Table<'_>) -> Result<StateKey> {
    let node = table.require("key", "key = \"flow\"")?;
    let word = node.text("key")?;
    let found = StateKey::ALL.iter().find(|(name, _)| *name == word).map(|(_, key)| *key);
    let key = found.ok_or_else(|| {
        let names = StateKey::ALL.map(|(name, _)| name);
        node.error(format!("unknown `key` \"{word}\"{}", suggest(word, names)))
    })?;
    match (table.get("objects"), key) {
        (Some(node), StateKey::Object(_)) => objects(node).map(StateKey::Object),
        (Some(node), _) => Err(node.error("`objects` needs key = \"object\"")),
        (None, key) => Ok(key),
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 10,000")]
fn objects(node: &Node) -> Result<Objects> {
    let table = node.table("`objects`")?;
    let default = Objects::DEFAULT;
    let count = table.get("count").map(|node| node.integer("count", 1, MOST_OBJECTS)).transpose()?;
    let skew = table.get("skew").map(|node| node.number_from("skew", 0.0, MOST_SKEW)).transpose()?;
    table.finish()?;
    Ok(Objects {
        count: count.and_then(|count| u32::try_from(count).ok()).unwrap_or(default.count),
        skew: skew.map_or(default.skew, |skew| (skew * 1e3).round() as u32),
        ..default
    })
}
