//! A recipe in a file of its own, which several scenarios and command lines can name: TOML with the fields that `trace` takes as a
//! table.
//!
//! ```toml
//! mixture = [{ name = "zipf", requests = 900_000 }, { name = "scans", requests = 100_000 }]
//! ```

use crate::caching::scenario_values;
use crate::document::Node;
use crate::error::{Result, UserError, short_text};
use crate::fields::SCENARIOS;
use crate::scenario::Files;
use std::path::Path;

/// Whether a file of this name has a recipe in it.
pub(super) fn is_meant(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

/// The recipe in the file that is called `name`, as the command line takes it.
pub(super) fn read(name: &str, files: &dyn Files) -> Result<String> {
    let (place, content) = files.open(name)?;
    let text = short_text(&place, content, "a recipe")?;
    let document = Node::parse(&place, &text)?;
    if is_scenario(&document) {
        let fix = "a recipe has fields like `name = \"zipf\"`; run the scenario with `forebay run`";
        return Err(UserError::at(place, format!("this is a scenario, not a request trace; {fix}")));
    }
    scenario_values::trace(&document)
}

/// Whether it is a scenario of any kind.
pub(super) fn is_scenario(document: &Node) -> bool {
    document.has("policy") || SCENARIOS.iter().any(|kind| document.has(kind.top.within[0].name))
}
