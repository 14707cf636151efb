//! The policy that the others are compared with.

use crate::document::Node;
use crate::error::{Result, UserError};
use forebay_core::registry::suggest;

/// Returns the name in the field `baseline`, if there is one.
///
/// # Errors If none of these policies has this name.
pub(crate) fn baseline<'a>(
    field: Option<&Node>,
    policies: impl IntoIterator<Item = &'a str>,
) -> Result<Option<String>> {
    let Some(node) = field else { return Ok(None) };
    let wanted = node.text("baseline")?;
    let check = unknown_policy(wanted, policies);
    check.map_or(Ok(Some(wanted.to_owned())), |message| {
        Err(node.error(format!("`baseline` must be the name of a policy; {message}")))
    })
}

/// Returns the baseline of combined runs: the given one, otherwise the scenario's.
///
/// # Errors If none of the policies has this name.
pub(crate) fn merged_baseline(
    wanted: Option<&str>,
    of_scenario: Option<String>,
    policies: &[String],
) -> Result<Option<String>> {
    let Some(wanted) = wanted else { return Ok(of_scenario) };
    let check = unknown_policy(wanted, policies.iter().map(String::as_str));
    check.map_or(Ok(Some(wanted.to_owned())), |message| Err(UserError::argument("baseline", message)))
}

/// Returns the error about a name that no policy has.
pub(crate) fn unknown_policy<'a>(wanted: &str, policies: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for name in policies {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    (!names.contains(&wanted)).then(|| format!("there is no policy `{wanted}`{}", suggest(wanted, names)))
}
