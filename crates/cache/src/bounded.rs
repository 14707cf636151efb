//! Policies that are embedded in programs: their memory is bounded, and they learn from real fetches.

use crate::choice::Choice;

/// The text of a policy for a cache in a program. Its memory is bounded: it does not grow with every key that was ever
/// requested. The durations of fetches correct its estimates.
///
/// A MAD form has `counters=ghost` and `latency=corrected` unless the text says otherwise, and LIRS remembers ghosts of
/// twice its capacity.
///
/// # Errors
/// If a MAD form is to count for ever.
pub fn bounded(policy: &str) -> Result<String, String> {
    let policy = policy.trim();
    let is_mad = policy.parse().is_ok_and(|choice: Choice| choice.is_mad());
    let (name, params) = policy.split_once('(').unwrap_or((policy, ")"));
    let value = |key: &str| {
        let mut given = params.trim_end_matches(')').split(',').filter_map(|param| param.split_once('='));
        given.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim())
    };
    let mut added = Vec::new();
    if policy.starts_with("lirs") && value("ghost").is_none() {
        added.push("ghost=2");
    }
    if is_mad {
        match value("counters") {
            None => added.push("counters=ghost"),
            Some("forever" | "auto") => {
                let message =
                    "memory would grow with every key that is requested; take counters=ghost or counters=cached";
                return Err(format!("`{policy}`: {message}"));
            }
            Some(_) => {}
        }
        if value("latency").is_none() {
            added.push("latency=corrected");
        }
    }
    if added.is_empty() {
        return Ok(policy.to_owned());
    }
    let rest = params.trim_start();
    Ok(format!("{name}({}{}{rest}", added.join(","), if rest == ")" { "" } else { "," }))
}

#[cfg(test)]
mod tests {
    use super::bounded;

    #[test]
    fn each_form_has_what_it_needs_and_nothing_twice() {
        assert_eq!(bounded("lru").unwrap(), "lru");
        assert_eq!(bounded(" lru-mad ").unwrap(), "lru-mad(counters=ghost,latency=corrected)");
        assert_eq!(bounded("lru-mad(sample=64)").unwrap(), "lru-mad(counters=ghost,latency=corrected,sample=64)");
        assert_eq!(bounded("lru-mad(counters = cached)").unwrap(), "lru-mad(latency=corrected,counters = cached)");
        assert_eq!(bounded("lirs").unwrap(), "lirs(ghost=2)");
        assert_eq!(bounded("lirs(ghost=3)").unwrap(), "lirs(ghost=3)");
        assert!(bounded("lru-mad(counters=forever)").is_err());
        for policy in ["lru", "lru-mad", "lirs", "lirs-mad", "s3-fifo(small=0.2)", "lru-k-mad(k=3)"] {
            assert!(bounded(policy).unwrap().parse::<crate::Choice>().is_ok(), "{policy}");
        }
    }
}
