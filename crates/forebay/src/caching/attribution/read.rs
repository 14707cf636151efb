//! Reads `attribute`: two names of policies or schedules.

use super::Pair;
use crate::caching::scenario::Setting;
use crate::caching::{BEST_SCHEDULE, SCHEDULE_OF_FILE};
use crate::document::{Node, Value};
use crate::error::Result;
use forebay_cache::Choice;
use forebay_core::registry::suggest;

/// Returns the names that `attribute` accepts.
pub(in crate::caching) fn names(choices: &[Choice], setting: &Setting) -> Vec<String> {
    let mut names: Vec<String> = choices.iter().map(ToString::to_string).collect();
    names.extend(setting.search.map(|_| BEST_SCHEDULE.to_owned()));
    names.extend(setting.schedule.as_ref().map(|_| SCHEDULE_OF_FILE.to_owned()));
    names
}

/// Reads two of these names.
pub(in crate::caching) fn read(node: &Node, names: &[String]) -> Result<Pair> {
    const EXAMPLE: &str = "attribute = [\"lru\", \"lru-mad\"]";
    let wrong = || node.error(format!("`attribute` must be two policies, like {EXAMPLE}"));
    let Value::Array(items) = &node.value else { return Err(wrong()) };
    let [before, after] = &items[..] else { return Err(wrong()) };
    let policy = |node: &Node| {
        let name = node.text("attribute")?;
        if names.iter().any(|own| own == name) {
            return Ok(name.to_owned());
        }
        Err(node.error(match name {
            BEST_SCHEDULE => format!("`{name}` comes from a search for bounds; add for example `bound_seconds = 20`"),
            SCHEDULE_OF_FILE => format!("`{name}` comes from a file; add for example `schedule = \"schedule.csv\"`"),
            _ => {
                let known = suggest(name, names.iter().map(String::as_str));
                format!("`attribute` must name policies; there is no `{name}`{known}")
            }
        }))
    };
    let pair = Pair { before: policy(before)?, after: policy(after)? };
    if pair.before == pair.after {
        return Err(node.error(format!("`attribute` names one policy twice; name two, like {EXAMPLE}")));
    }
    Ok(pair)
}
