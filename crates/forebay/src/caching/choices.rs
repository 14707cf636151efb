//! Fields of a cache whose value is one of some words.

use crate::document::Table;
use crate::error::Result;
use forebay_cache::{Model, SizeChange};
use forebay_core::registry::suggest;

/// The models that are played.
pub(super) fn models(table: &Table<'_>) -> Result<&'static [Model]> {
    Ok(match choice_of(table, "model", &["both", "delayed", "classical"])? {
        Some("delayed") => &[Model::DelayedHits],
        Some("classical") => &[Model::Classical],
        _ => &[Model::DelayedHits, Model::Classical],
    })
}

/// Reads the treatment of a request whose object has another size, if the field is present.
pub(super) fn size_change(table: &Table<'_>, sized: bool) -> Result<Option<SizeChange>> {
    let Some(node) = table.get("size_change").filter(|_| !sized) else {
        let chosen = choice_of(table, "size_change", &["hit", "miss", "update"])?;
        return Ok(chosen.map(|word| match word {
            "miss" => SizeChange::Miss,
            "update" => SizeChange::Update,
            _ => SizeChange::Hit,
        }));
    };
    Err(node.error("this setting needs the sizes of objects; add `sizes = \"bytes\"`, or leave it out"))
}

/// One of these words, if the field is there.
pub(super) fn choice_of(
    table: &Table<'_>,
    field: &'static str,
    words: &[&'static str],
) -> Result<Option<&'static str>> {
    let Some(node) = table.get(field) else { return Ok(None) };
    let text = node.text(field)?;
    match words.iter().find(|word| **word == text) {
        Some(word) => Ok(Some(word)),
        None => {
            let known = suggest(text, words.iter().copied());
            Err(node.error(format!("`{field}` must be one of {}, not `{text}`{known}", words.join(", "))))
        }
    }
}
