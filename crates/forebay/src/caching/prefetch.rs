//! Reads `prefetch` of `[cache]`: the prefetcher, which fetches objects before they are requested.

use super::scenario::Setting;
use crate::document::Table;
use crate::error::Result;
use forebay_cache::{Choice, Model, PrefetchChoice};

/// The word for no prefetching, so that an axis can have it.
const NONE: &str = "none";

/// Reads the prefetcher, if there is one. Every object must use one entry, since the size of an object is unknown before its first request.
/// Policies that know the future are rejected, since they plan only for fetches that requests begin.
pub(super) fn read(table: &Table<'_>, setting: &mut Setting, choices: &[Choice]) -> Result<Option<PrefetchChoice>> {
    let Some(node) = table.get("prefetch") else { return Ok(None) };
    let text = node.text("prefetch")?;
    if text == NONE {
        return Ok(None);
    }
    let prefetch: PrefetchChoice = text.parse().map_err(|error: forebay_cache::ChoiceError| node.error(error))?;
    if setting.sized {
        return Err(
            node.error("the size of an object is not known before its first request; leave `sizes` or `prefetch` out")
        );
    }
    if table.get("model").is_some() && setting.models.contains(&Model::Classical) {
        let message =
            "prefetching needs the model with delayed hits; leave `model` out, or write `model = \"delayed\"`";
        return Err(node.error(message));
    }
    if let Some(policy) = choices.iter().find(|choice| choice.offline()) {
        let message = format!("`{policy}` plans for a future without prefetching; leave it or `prefetch` out");
        return Err(node.error(message));
    }
    setting.models = &[Model::DelayedHits];
    setting.places.prefetch = node.clone();
    Ok(Some(prefetch))
}
