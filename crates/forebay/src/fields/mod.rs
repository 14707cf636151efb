//! Every field of every kind of scenario: name, meaning, type, default, example.
//!
//! `forebay explain` prints these tables. The pages in `docs/` are the manual. One test checks that the tables in the manual have the same
//! fields, meanings and defaults. Another test checks that the readers of scenarios ask for no other fields.
//!
//! ```
//! use forebay::fields::{self, Found};
//! let found = fields::find("port.rate");
//! assert!(matches!(&found[..], [Found::Field(table, field)] if table.name == "[port]" && field.name == "rate"));
//! ```

mod application;
mod attack;
mod attack_scenario;
mod cache;
mod cache_policy;
mod fetch_latency;
mod field_type;
mod json_schema;
mod network;
mod policy;
mod port;
mod range;
#[cfg(test)]
mod schema_tests;
mod seer;
mod state;
mod state_store;
#[cfg(test)]
mod tests;
mod traffic;
mod workload;

pub(crate) use attack_scenario::TOP as ATTACK;
pub(crate) use cache::{BOUND_TOP as BOUND, CACHE_TOP as CACHE, CURVE_TOP as CURVE};
pub(crate) use fetch_latency::DISTRIBUTIONS as LATENCY_DISTRIBUTIONS;
pub use field_type::{Key, Range, Type};
pub use json_schema::json_schema;
pub(crate) use network::TOP as NETWORK;
pub(crate) use port::TOP as PORT;

/// A table of a scenario.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// The table's name as users write it, like `[[policy]]`.
    pub name: &'static str,
    /// The word by which `explain` finds the table, like `policy`.
    pub word: &'static str,
    /// The kind of scenario that has the table: one of [`SCENARIOS`].
    pub scenario: &'static str,
    /// A description in one line.
    pub title: &'static str,
    /// The table's place in the manual.
    pub manual: Manual,
    /// The names that readers use for the table in messages.
    pub readers: &'static [&'static str],
    /// Groups of fields: exactly one field of each group must be present.
    pub needs: &'static [&'static [&'static str]],
    /// The tables within this table.
    pub within: &'static [Within],
    /// The table's fields, in the order of the manual.
    pub fields: &'static [Field],
}

/// A table of the manual.
#[derive(Debug, Clone, Copy)]
pub struct Manual {
    /// The page of the manual.
    pub page: &'static str,
    /// The heading above the table.
    pub section: &'static str,
    /// The head of the first column of the table's fields; [`None`] if the text explains them.
    pub column: Option<&'static str>,
}

/// A table within a table.
#[derive(Debug, Clone, Copy)]
pub struct Within {
    /// The name of the inner table.
    pub name: &'static str,
    /// The type of the inner table: a table, a list of tables, or one of several tables.
    pub takes: Type,
    /// Whether the inner table is required.
    pub is_required: bool,
}

/// A field of a table.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The field's name.
    pub name: &'static str,
    /// The values that the field accepts.
    pub takes: Type,
    /// The meaning of the field's value.
    pub meaning: &'static str,
    /// The default value; [`None`] if the field, or another field in its place, is required.
    pub default: Option<&'static str>,
    /// An example of a value, as TOML.
    pub example: &'static str,
}

/// A class of packets.
const CLASS: Type = Type::Integer { min: 0, max: 255, unit: "" };

/// A kind of scenario.
#[derive(Debug, Clone, Copy)]
pub struct Scenario {
    /// The word by which `explain` finds the kind.
    pub word: &'static str,
    /// A description in one line.
    pub title: &'static str,
    /// The top level of the scenario.
    pub top: &'static Table,
}

/// The kinds of scenarios.
pub static SCENARIOS: [Scenario; 6] = [
    Scenario { word: "scenario", title: "A scenario of one port: [port], [traffic] and [[policy]]", top: &port::TOP },
    Scenario {
        word: "attacks",
        title: "Policies under attack: [processor], [innocent], [attack] and [[policy]]",
        top: &attack_scenario::TOP,
    },
    Scenario {
        word: "network",
        title: "A scenario of networks: [network], [[workload]] and [[policy]]",
        top: &network::TOP,
    },
    Scenario { word: "cache", title: "A comparison of caches: [cache] and [[policy]]", top: &cache::CACHE_TOP },
    Scenario {
        word: "curve",
        title: "Miss ratio and latency of caches over the capacity: [curve] and [[policy]]",
        top: &cache::CURVE_TOP,
    },
    Scenario { word: "bound", title: "Bounds of the lowest latency of any cache: [bound]", top: &cache::BOUND_TOP },
];

/// All tables, by kind of scenario.
pub static TABLES: &[&Table] = &[
    &port::TOP,
    &range::RANGE,
    &port::PORT,
    &traffic::RECORDING,
    &traffic::RECIPE,
    &traffic::ORDER,
    &policy::POLICY,
    &policy::OPENQUEUE,
    &policy::CHANGE,
    &policy::STEPS,
    &policy::NODE,
    &attack_scenario::PROCESSOR,
    &attack::ESTIMATE,
    &attack_scenario::INNOCENT,
    &attack::LINEAR,
    &attack_scenario::ATTACK,
    &attack::PACKETS,
    &attack::ON_OFF,
    &attack::BELOW,
    &attack::SUSPECTED,
    &attack_scenario::SEARCH,
    &attack::PERIOD,
    &application::REASSEMBLY,
    &application::FLOW_BYTES,
    &application::MATCHER,
    &application::OWN_ATTACK,
    &network::NETWORK,
    &network::TOPOLOGY_FILE,
    &network::RECORDING,
    &network::SHARED_BUFFER,
    &network::SERIES,
    &workload::WORKLOAD,
    &workload::SCHEME,
    &network::FAILURE,
    &state::STATE,
    &state_store::OBJECTS,
    &state_store::STORE,
    &state_store::DRAWN,
    &seer::SEER,
    &cache::CACHE,
    &cache::CURVE,
    &cache::BOUND,
    &cache_policy::MIXTURE,
    &fetch_latency::DRAWN_LATENCY,
    &fetch_latency::ORIGINS,
    &fetch_latency::ORIGIN,
    &fetch_latency::OBJECT_LATENCIES,
    &cache_policy::CACHE_POLICY,
];

/// The meaning of a word in scenarios.
#[derive(Debug, Clone, Copy)]
pub enum Found {
    /// A kind of scenario: its title.
    Scenario(&'static str),
    /// A table.
    Table(&'static Table),
    /// A field of a table.
    Field(&'static Table, &'static Field),
}

/// Returns everything that is called `word`: a kind of scenario with all its tables, tables, and fields, also as `port.rate`.
pub fn find(word: &str) -> Vec<Found> {
    let mut found = Vec::new();
    if let Some(kind) = SCENARIOS.iter().find(|kind| kind.word == word) {
        found.push(Found::Scenario(kind.title));
        found.extend(TABLES.iter().filter(|table| table.scenario == kind.word).map(|table| Found::Table(table)));
    } else {
        found.extend(TABLES.iter().filter(|table| table.word == word).map(|table| Found::Table(table)));
    }
    let (of, name) = word.rsplit_once('.').unwrap_or(("", word));
    let of = of.rsplit('.').next().unwrap_or_default();
    let named = TABLES.iter().filter(|table| of.is_empty() || table.word == of).flat_map(|table| {
        table.fields.iter().filter(|field| field.name == name).map(move |field| Found::Field(table, field))
    });
    found.extend(named);
    found
}

/// Returns every word that [`find`] knows.
pub fn names() -> impl Iterator<Item = &'static str> {
    let of_tables =
        TABLES.iter().flat_map(|table| std::iter::once(table.word).chain(table.fields.iter().map(|field| field.name)));
    SCENARIOS.iter().map(|kind| kind.word).chain(of_tables)
}
