//! Finds a pace rule by its name.

use crate::pace::PACE_RULES;
use crate::pacing::BuiltPaceRule;
use crate::part::Part;
use crate::spec::unknown;
use forebay_core::Params;
use forebay_core::registry::find;

/// Builds the rule that `part` names.
pub(crate) fn pace_rule(part: &Part) -> BuiltPaceRule {
    let entry = find("pace rule", PACE_RULES, &part.name).map_err(unknown)?;
    (entry.build)(&Params::check(entry.about.params, part.params.clone())?)
}
