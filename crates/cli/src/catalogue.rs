//! Every name that forebay knows, from the registries.

use forebay_cache::POLICIES;
use forebay_core::{About, Named};
use forebay_sched::queues::QUEUES;
use forebay_sched::{DROP_RULES, FLOW_RANKS, MARK_RULES, RANK_FNS};
use forebay_sim::net::topology::TOPOLOGIES;
use forebay_sim::net::transport::TRANSPORTS;
use forebay_sim::net::workload::pattern::PATTERNS;
use forebay_sim::net::workload::size::SIZES;
use forebay_traces::DISTRIBUTIONS;
use forebay_traces::requests::{FORMATS, GENERATORS};

/// A name and what kind of thing it is.
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    pub(crate) about: &'static About,
    pub(crate) also_known_as: &'static [&'static str],
    /// For a cache policy: whether it has a MAD form.
    pub(crate) mad: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    RankFunction,
    FlowRank,
    Queue,
    DropRule,
    MarkRule,
    Distribution,
    Topology,
    Transport,
    FlowSize,
    Pattern,
    CachePolicy,
    RequestFormat,
    RequestGenerator,
}

impl Kind {
    /// The kind's name.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::RankFunction => "rank function",
            Self::FlowRank => "flow rank",
            Self::Queue => "queue",
            Self::DropRule => "drop rule",
            Self::MarkRule => "mark rule",
            Self::Distribution => "distribution",
            Self::Topology => "topology",
            Self::Transport => "transport",
            Self::FlowSize => "flow size",
            Self::Pattern => "traffic pattern",
            Self::CachePolicy => "cache policy",
            Self::RequestFormat => "request format",
            Self::RequestGenerator => "request generator",
        }
    }

    /// The name of many of the kind.
    pub(crate) fn plural(self) -> String {
        match self {
            Self::CachePolicy => "cache policies".to_owned(),
            Self::Topology => "topologies".to_owned(),
            other => format!("{}s", other.title()),
        }
    }

    /// How a scenario, or a command, uses one called `name`.
    pub(crate) fn example(self, name: &str) -> String {
        match self {
            Self::RankFunction | Self::FlowRank => format!("rank = \"{name}\""),
            Self::Queue => format!("queue = \"{name}\""),
            Self::DropRule => format!("drop = \"{name}\""),
            Self::MarkRule => format!("mark = \"{name}\""),
            Self::Distribution => format!("rank = {{ distribution = \"{name}\", min = 0, max = 100 }}"),
            Self::Topology => format!("topology = \"{name}\""),
            Self::Transport => format!("transport = \"{name}\""),
            Self::FlowSize => format!("sizes = \"{name}\""),
            Self::Pattern => format!("pattern = \"{name}\""),
            Self::CachePolicy => format!("forebay cache TRACE --policy {name} --capacity 64 --latency 100"),
            Self::RequestFormat => format!("forebay trace info FILE --format-in {name}"),
            Self::RequestGenerator => format!("forebay trace info {name}:objects=1e4,requests=1e6"),
        }
    }
}

/// All entries, kind by kind.
pub(crate) fn entries() -> Vec<Entry> {
    fn of<E: Named>(kind: Kind, entries: &'static [E]) -> impl Iterator<Item = Entry> {
        entries.iter().map(move |entry| Entry {
            kind,
            about: entry.about(),
            also_known_as: entry.also_known_as(),
            mad: false,
        })
    }
    of(Kind::RankFunction, RANK_FNS)
        .chain(of(Kind::FlowRank, FLOW_RANKS))
        .chain(of(Kind::Queue, QUEUES))
        .chain(of(Kind::DropRule, DROP_RULES))
        .chain(of(Kind::MarkRule, MARK_RULES))
        .chain(of(Kind::Distribution, DISTRIBUTIONS))
        .chain(of(Kind::Topology, TOPOLOGIES))
        .chain(of(Kind::Transport, TRANSPORTS))
        .chain(of(Kind::FlowSize, SIZES))
        .chain(of(Kind::Pattern, PATTERNS))
        .chain(
            of(Kind::CachePolicy, POLICIES)
                .zip(POLICIES)
                .map(|(entry, policy)| Entry { mad: policy.make.mad.is_some(), ..entry }),
        )
        .chain(of(Kind::RequestFormat, FORMATS))
        .chain(of(Kind::RequestGenerator, GENERATORS))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_says_what_it_is() {
        for Entry { about, .. } in entries() {
            let texts = [about.name, about.title, about.hardware, about.cost, about.source];
            assert!(texts.iter().all(|text| !text.is_empty()), "{}", about.name);
            assert!(
                about.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
                "{}",
                about.name
            );
            assert!(!about.title.ends_with('.'), "{}", about.name);
        }
    }

    #[test]
    fn names_are_unique_within_a_kind() {
        let names_of = |entry: &Entry| [&[entry.about.name], entry.also_known_as].concat();
        let mut names: Vec<_> = entries()
            .iter()
            .flat_map(|entry| names_of(entry).into_iter().map(|name| (entry.kind.title(), name)))
            .collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
