//! Every name that forebay knows, from the registries.
//!
//! Parts of forebay that this crate may not use add their own entries with [`Entry::of`]: the command adds datapaths, back ends and
//! measures.
//!
//! ```
//! use forebay::catalogue::{self, Kind};
//!
//! let entries = catalogue::entries();
//! let queue = entries.iter().find(|entry| entry.kind == Kind::Queue && entry.name == "sp-pifo").unwrap();
//! assert_eq!(queue.example(), "queue = \"sp-pifo\"");
//! assert!(queue.params.iter().any(|param| param.name == "queues"));
//!
//! assert_eq!(catalogue::kind("cache policies"), Ok(Kind::CachePolicy));
//! assert_eq!(catalogue::kind("queus").unwrap_err().to_string(), "unknown kind `queus`; did you mean `queues`?");
//! ```

use crate::error::WrongValue;
use crate::figure::KINDS;
use crate::metric::{FAMILIES, Family, Metric, ResultKind};
use forebay_cache::{ADMISSIONS, Choice, POLICIES, PREFETCHERS};
use forebay_core::registry::suggest;
use forebay_core::{About, Exactness, Named, ParamSpec};
use forebay_sched::queues::QUEUES;
use forebay_sched::{DROP_RULES, FLOW_RANKS, MARK_RULES, PACE_RULES, RANK_FNS};
use forebay_sim::attack::applications::{APPLICATIONS, ApplicationEntry};
use forebay_sim::net::topology::TOPOLOGIES;
use forebay_sim::net::transport::TRANSPORTS;
use forebay_sim::net::workload::pattern::PATTERNS;
use forebay_sim::net::workload::size::SIZES;
use forebay_targets::{TARGETS, Target};
use forebay_traces::DISTRIBUTIONS;
use forebay_traces::requests::{FORMATS, GENERATORS};

mod kind;

pub use kind::Kind;

/// A name and its kind.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The kind of the name.
    pub kind: Kind,
    /// The name.
    pub name: &'static str,
    /// The name with its required parameters, as its example writes it.
    written: &'static str,
    /// Its description in one line.
    pub title: &'static str,
    /// Whether the thing serves packets in the order of their ranks.
    pub exactness: Exactness,
    /// Further facts for people: requirements, costs, and the source.
    pub facts: Vec<(&'static str, String)>,
    /// The parameters.
    pub params: &'static [ParamSpec],
    /// Other names by which people know the thing.
    pub also_known_as: Vec<&'static str>,
    /// For a cache policy, whether it has a MAD form.
    pub mad: bool,
    /// For a cache policy, whether rules of admission go in front of it and of its MAD form.
    pub admission: bool,
    /// For a metric, how to judge it.
    pub judged: Option<Judged>,
}

/// The facts that judge a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judged {
    /// The metric's unit in JSON.
    pub unit: &'static str,
    /// Whether `higher`, `lower` or `neither` is better.
    pub better: &'static str,
    /// The command that prints it.
    command: &'static str,
}

impl Entry {
    /// Creates an entry from an entry of a registry.
    #[must_use]
    pub fn of(kind: Kind, entry: &'static impl Named) -> Self {
        let About { name, title, exactness, hardware, cost, source, params } = *entry.about();
        Self {
            kind,
            name,
            written: name,
            title,
            exactness,
            facts: vec![("hardware", hardware.to_owned()), ("cost", cost.to_owned()), ("source", source.to_owned())],
            params,
            also_known_as: entry.also_known_as().to_vec(),
            judged: None,
            mad: false,
            admission: false,
        }
    }

    /// Returns whether `name` is one of the entry's forms: `lru-mad`, `lru-bloom` and `lru-mad-tinylfu` are forms of `lru`.
    #[must_use]
    pub fn has_form(&self, name: &str) -> bool {
        let is_own = |choice: Choice| choice.is_form() && choice.entry().about.name == self.name;
        // With parameters in brackets it is a policy, and no name.
        self.kind == Kind::CachePolicy && !name.contains('(') && name.parse().is_ok_and(is_own)
    }

    /// Returns all entries of a registry.
    pub fn all<E: Named>(kind: Kind, entries: &'static [E]) -> impl Iterator<Item = Self> {
        entries.iter().map(move |entry| Self::of(kind, entry))
    }

    fn of_target(target: &'static &'static dyn Target) -> Self {
        let mut entry = Self::of(Kind::Target, target);
        entry
            .facts
            .extend(target.options().iter().map(|option| ("option", format!("{}: {}", option.name, option.help))));
        entry
    }

    /// An application, with the parameters of the attack on it.
    fn of_application(application: &'static ApplicationEntry) -> Self {
        let mut entry = Self::of(Kind::Application, application);
        let of_attack = |param: &ParamSpec| {
            let default =
                param.kind.default_text().map_or_else(String::new, |default| format!(" (default: {default})"));
            ("attack", format!("{}: {}{default}", param.name, param.meaning))
        };
        entry.facts.extend(application.attack.iter().map(of_attack));
        entry
    }

    /// A metric with all its statistics.
    fn of_metric(family: &'static Family, statistics: &[&'static Metric]) -> Self {
        let first = statistics[0];
        let name = first.base();
        let better = first.better_in(family).name();
        let kinds = || statistics.iter().flat_map(|metric| metric.of).map(|of| of.kind());
        let mut facts = vec![("unit", first.unit.name().to_owned()), ("better", better.to_owned())];
        if statistics.len() > 1 || first.name != first.in_table {
            let names = |metric: &&Metric| {
                ("names", format!("{} ({} in JSON): {}", metric.in_table, metric.name, metric.meaning))
            };
            facts.extend(statistics.iter().map(names));
        }
        let title = if statistics.len() > 1 { family.definition } else { first.meaning };
        if title != family.definition {
            facts.push(("about", family.definition.to_owned()));
        }
        facts.extend([
            ("of", each_once(kinds().map(ResultKind::words), "; ")),
            ("cost", family.cost.to_owned()),
            ("source", family.source.unwrap_or("no publication").to_owned()),
            ("page", each_once(kinds().map(ResultKind::page), ", ")),
        ]);
        let others = statistics.iter().flat_map(|metric| [metric.in_table, metric.name]).filter(|other| *other != name);
        let mut also_known_as: Vec<&str> = others.collect();
        also_known_as.dedup();
        Self {
            kind: Kind::Metric,
            name,
            written: name,
            title,
            exactness: Exactness::NotApplicable,
            facts,
            params: &[],
            also_known_as,
            mad: false,
            admission: false,
            judged: Some(Judged { unit: first.unit.name(), better, command: first.of[0].kind().command() }),
        }
    }

    /// The metrics of a family: the statistics of each are one entry.
    fn of_family(family: &'static Family) -> Vec<Self> {
        let metrics: Vec<&Metric> = family.metrics.iter().collect();
        metrics.chunk_by(|a, b| a.base() == b.base()).map(|statistics| Self::of_metric(family, statistics)).collect()
    }

    /// Returns an example of its use in a scenario or a command.
    #[must_use]
    pub fn example(&self) -> String {
        match self.judged {
            Some(judged) => judged.command.to_owned(),
            None => self.kind.example(self.written),
        }
    }
}

/// Joins words, each different word once.
fn each_once<'a>(words: impl Iterator<Item = &'a str>, between: &str) -> String {
    let mut own: Vec<&str> = Vec::new();
    for word in words {
        if !own.contains(&word) {
            own.push(word);
        }
    }
    own.join(between)
}

/// Returns all entries of this crate and of the crates below it, kind by kind.
#[must_use]
pub fn entries() -> Vec<Entry> {
    let policies = Entry::all(Kind::CachePolicy, POLICIES).zip(POLICIES).map(|(entry, policy)| Entry {
        mad: policy.make.mad.is_some(),
        admission: !policy.offline,
        ..entry
    });
    let pace_rules = Entry::all(Kind::PaceRule, PACE_RULES)
        .zip(PACE_RULES)
        .map(|(entry, rule)| Entry { written: rule.example, ..entry });
    let prefetchers = Entry::all(Kind::Prefetcher, PREFETCHERS)
        .zip(PREFETCHERS)
        .map(|(entry, prefetcher)| Entry { written: prefetcher.example, ..entry });
    Entry::all(Kind::RankFunction, RANK_FNS)
        .chain(Entry::all(Kind::FlowRank, FLOW_RANKS))
        .chain(Entry::all(Kind::Queue, QUEUES))
        .chain(Entry::all(Kind::DropRule, DROP_RULES))
        .chain(Entry::all(Kind::MarkRule, MARK_RULES))
        .chain(pace_rules)
        .chain(Entry::all(Kind::Distribution, DISTRIBUTIONS))
        .chain(Entry::all(Kind::Topology, TOPOLOGIES))
        .chain(Entry::all(Kind::Transport, TRANSPORTS))
        .chain(Entry::all(Kind::FlowSize, SIZES))
        .chain(Entry::all(Kind::Pattern, PATTERNS))
        .chain(APPLICATIONS.iter().map(Entry::of_application))
        .chain(policies)
        .chain(Entry::all(Kind::AdmissionRule, ADMISSIONS))
        .chain(prefetchers)
        .chain(Entry::all(Kind::RequestFormat, FORMATS))
        .chain(Entry::all(Kind::RequestGenerator, GENERATORS))
        .chain(TARGETS.iter().map(Entry::of_target))
        .chain(Entry::all(Kind::KindOfPlot, KINDS))
        .chain(FAMILIES.iter().flat_map(Entry::of_family))
        .collect()
}

/// Returns the kind that a person calls `name`, like `queues` or `cache-policy`.
///
/// # Errors
/// Says that the kind is unknown and which known one is near.
pub fn kind(name: &str) -> Result<Kind, WrongValue> {
    let wanted = name.to_lowercase().replace([' ', '_'], "-");
    let words = |kind: &Kind| [kind.plural(), kind.title().to_owned()].map(|words| words.replace(' ', "-"));
    Kind::ALL.into_iter().find(|kind| words(kind).contains(&wanted)).ok_or_else(|| {
        let known = Kind::ALL.map(|kind| words(&kind)[0].clone());
        format!("unknown kind `{name}`{}", suggest(&wanted, known.iter().map(String::as_str))).into()
    })
}

/// Returns whether any entry has a parameter of this name.
#[cfg(test)]
pub(crate) fn has_parameter(name: &str) -> bool {
    entries().iter().any(|entry| entry.params.iter().any(|param| param.name == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_says_what_it_is() {
        for Entry { kind, name, title, facts, .. } in entries() {
            assert!(!title.is_empty() && facts.iter().all(|(_, text)| !text.is_empty()), "{name}");
            let between = if kind == Kind::Metric { '_' } else { '-' };
            assert!(name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == between), "{name}");
            assert!(!title.ends_with('.'), "{name}");
        }
    }

    #[test]
    fn names_are_unique_within_a_kind() {
        let names_of = |entry: &Entry| [&[entry.name], &entry.also_known_as[..]].concat();
        let mut names: Vec<_> = entries()
            .iter()
            .flat_map(|entry| names_of(entry).into_iter().map(|name| (entry.kind.title(), name)))
            .collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn kinds_are_found_by_name() {
        assert_eq!(kind("queues"), Ok(Kind::Queue));
        assert_eq!(kind("Cache policy"), Ok(Kind::CachePolicy));
        assert_eq!(kind("back-ends"), Ok(Kind::BackEnd));
        assert_eq!(kind("queus").unwrap_err().to_string(), "unknown kind `queus`; did you mean `queues`?");
    }

    #[test]
    fn policies_have_forms() {
        let of =
            |name: &str| entries().into_iter().filter(|entry| entry.has_form(name)).map(|entry| entry.name).collect();
        let forms: [Vec<&str>; 9] = [
            of("lru-mad"),
            of("lru-tinylfu"),
            of("arc-mad-bloom"),
            of("lru-mad-tinylfu"),
            of("random-tinylfu"),
            of("random-mad-tinylfu"),
            of("belady-tinylfu"),
            of("w-tinylfu"),
            of("lru"),
        ];
        assert_eq!(forms.concat(), ["lru", "lru", "arc", "lru", "random"]);
    }
}
