//! The result of a change under traffic, and why it is rejected (`docs/openqueue-semantics.md`, section 8).

use forebay_core::Time;
use std::fmt;

/// The treatment of queued packets (8.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Transition {
    /// Queued packets leave first, by the rules of the version that enqueued them.
    Drain,
    /// Queued packets get their ranks in the new orders. A packet that was served for some cycles departs with its remaining `processing`
    /// at that time.
    Rerank,
}

impl fmt::Display for Transition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Drain => "drain",
            Self::Rerank => "rerank",
        })
    }
}

/// A change that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// The new version.
    pub version: u32,
    /// The treatment of queued packets.
    pub transition: Transition,
    /// Packets that were moved to the new version's orders.
    pub carried: u64,
    /// Packets that will leave under older versions.
    pub draining: u64,
}

/// A change for the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransitionRecord {
    /// The time of the request and of the change.
    pub asked: Time,
    /// The new version.
    pub version: u32,
    /// The treatment of queued packets.
    pub transition: Transition,
    /// Packets that were queued at that time.
    pub waiting: u64,
    /// When the last of them left or was pushed out; `None` if some remain.
    pub done: Option<Time>,
}

/// Packets that a new version has no queue or port for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stranded {
    /// The queue or port.
    pub name: String,
    /// The number of packets that are queued there.
    pub packets: u64,
}

/// Why a change was rejected. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Packets would be lost (8.4).
    #[error("{}", stranded(*.transition, .places, *.other_helps))]
    Stranded {
        /// The requested transition.
        transition: Transition,
        /// The queues (rerank) or ports (drain) where packets wait.
        places: Vec<Stranded>,
        /// Whether the other transition would be possible.
        other_helps: bool,
    },
    /// The new version was built before the policy was changed last.
    #[error("version {built} was built, but the policy has reached version {present}; change it again")]
    Outdated {
        /// The version that was built.
        built: u32,
        /// The version that runs.
        present: u32,
    },
    /// The policy has this number of ports where one is needed.
    #[error("the policy has {0} ports, but runs at one port; list all queues in one `Port(...)`")]
    Ports(usize),
    /// One of the two versions has stages.
    #[error(
        "a port leads into queues of a later stage (`next`), and such a policy cannot be changed while it runs; start \
         again with the new one"
    )]
    Stages,
    /// The new version's ports have other names.
    #[error("the links are served by the ports {present}, but the new version has {wanted}; keep the ports' names")]
    OtherPorts {
        /// The ports of the present version.
        present: String,
        /// The ports of the new version.
        wanted: String,
    },
}

/// Returns a text such as ``12 packets wait in `q3` and 1 in `q4`, which the new version does not have; ...``.
fn stranded(transition: Transition, places: &[Stranded], other_helps: bool) -> String {
    let (preposition, other) = match transition {
        Transition::Drain => ("at port", Transition::Rerank),
        Transition::Rerank => ("in", Transition::Drain),
    };
    let mut text = String::new();
    for (at, place) in places.iter().enumerate() {
        let (count, name) = (place.packets, &place.name);
        text += &match at {
            0 if count == 1 => format!("1 packet waits {preposition} `{name}`"),
            0 => format!("{count} packets wait {preposition} `{name}`"),
            _ if at + 1 == places.len() => format!(" and {count} {preposition} `{name}`"),
            _ => format!(", {count} {preposition} `{name}`"),
        };
    }
    let they = if places.len() == 1 { "it" } else { "them" };
    let other = if other_helps { format!("change with {other}, or ") } else { String::new() };
    format!("{text}, which the new version does not have; {other}let {they} empty first")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_waits_where_and_what_helps() {
        let places = |list: &[(&str, u64)]| {
            list.iter().map(|&(name, packets)| Stranded { name: name.to_owned(), packets }).collect::<Vec<_>>()
        };
        let text = |transition, list: &[(&str, u64)], other_helps| {
            Refused::Stranded { transition, places: places(list), other_helps }.to_string()
        };
        assert_eq!(
            text(Transition::Rerank, &[("q3", 12)], true),
            "12 packets wait in `q3`, which the new version does not have; change with drain, or let it empty first"
        );
        assert_eq!(
            text(Transition::Drain, &[("left", 1), ("right", 2), ("up", 3)], false),
            "1 packet waits at port `left`, 2 at port `right` and 3 at port `up`, which the new version does not have; \
             let them empty first"
        );
    }
}
