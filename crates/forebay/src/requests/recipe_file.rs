//! A recipe in a file of its own, which several scenarios and command lines can name: TOML with the fields of the table `trace`.
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

/// Returns whether a file of this name contains a recipe.
pub(super) fn is_meant(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

/// Returns the recipe in the file called `name`, as the command line writes it.
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

/// Returns whether a document is a scenario of any kind.
pub(super) fn is_scenario(document: &Node) -> bool {
    document.has("policy") || SCENARIOS.iter().any(|kind| document.has(kind.top.within[0].name))
}
