//! The policy of states as a person writes it: the policy of a cache, or with `-seer` the policy of a cache that receives notifications.

use crate::document::Node;
use crate::error::Result;
use crate::error::WrongValue;
use forebay_cache::{Choice, ChoiceError};
use forebay_core::registry::is_slip;
use std::fmt;
use std::str::FromStr;

/// The end of the name of a policy whose cache receives notifications.
pub(super) const TOLD: &str = "-seer";

/// The eviction policy, and whether the cache receives notifications.
#[derive(Debug, Clone)]
pub(super) struct StatePolicy {
    text: String,
    /// The eviction policy; with notifications, it chooses among the entries that no expected packet needs.
    pub(super) choice: Choice,
    pub(super) is_told: bool,
}

impl StatePolicy {
    pub(super) fn read(node: &Node) -> Result<Self> {
        node.text("policy")?.parse().map_err(|wrong: WrongValue| node.error(wrong))
    }
}

impl fmt::Display for StatePolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for StatePolicy {
    type Err = WrongValue;

    fn from_str(text: &str) -> std::result::Result<Self, WrongValue> {
        let text = text.trim();
        let (name, params) = text.split_at(text.find('(').unwrap_or(text.len()));
        let name = name.trim_end().to_lowercase();
        let base = if name == TOLD[1..] { Some("lru") } else { name.strip_suffix(TOLD) };
        let Some(base) = base else {
            let choice = text.parse().map_err(|unknown: ChoiceError| {
                let meant = Choice::names().map(|known| known + TOLD).find(|known| is_slip(&name, known));
                meant.map_or_else(
                    || unknown.to_string(),
                    |meant| format!("unknown cache policy `{name}`; did you mean `{meant}`?"),
                )
            })?;
            return Ok(Self { text: text.to_owned(), choice, is_told: false });
        };
        let choice: Choice = format!("{base}{params}").parse()?;
        if choice.offline() {
            return Err(format!(
                "`{text}`: `{base}` must know the whole trace, but neighbours notify only of packets in their queues; use another policy, \
                 such as lru{TOLD}"
            ).into());
        }
        Ok(Self { text: format!("{base}{TOLD}{params}"), choice, is_told: true })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let policy: StatePolicy = text.parse().unwrap();
        format!("{policy} {} {}", policy.choice, policy.is_told)
    }

    #[test]
    fn a_policy_may_be_told() {
        assert_eq!(shown("lru"), "lru lru false");
        assert_eq!(shown("seer"), "lru-seer lru true");
        assert_eq!(shown("LRU-K-Seer (k=3)"), "lru-k-seer(k=3) lru-k(k=3) true");
        assert_eq!(shown("arc-mad-seer"), "arc-mad-seer arc-mad true");
        assert_eq!(shown("lru-tinylfu-seer"), "lru-tinylfu-seer lru-tinylfu true");
    }

    #[test]
    fn mistakes_are_told() {
        let error = |text: &str| text.parse::<StatePolicy>().unwrap_err().to_string();
        assert!(error("lruu-seer").contains("did you mean `lru`?"));
        assert!(error("lru-ser").contains("did you mean `lru-seer`?"));
        assert!(error("belady-seer").contains("must know the whole trace"));
        assert!(error("lru-seer(x=1)").contains("unknown parameter `x`"));
    }
}
