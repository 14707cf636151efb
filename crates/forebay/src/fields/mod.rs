//! Every field of every kind of scenario: name, meaning, type, default, example.
//!
//! `forebay explain` prints these tables. The pages in `docs/` are the manual: a test holds that their tables have the same
//! fields, meanings and defaults, and another one that the readers of scenarios ask for no other fields.
//!
//! ```
//! use forebay::fields::{self, Found};
//! let found = fields::find("port.rate");
//! assert!(matches!(&found[..], [Found::Field(table, field)] if table.name == "[port]" && field.name == "rate"));
//! ```

mod application;
mod attack_study;
mod network;
mod policy;
mod port;
mod queue_study;
mod seer;
mod state;
#[cfg(test)]
mod tests;
mod traffic;
mod workload;

use std::fmt;

/// A table of a scenario.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// As it is written, like `[[policy]]`.
    pub name: &'static str,
    /// By which word `explain` knows it, like `policy`.
    pub word: &'static str,
    /// The kind of scenario that has it: one of [`SCENARIOS`].
    pub scenario: &'static str,
    /// What it is, in one line.
    pub title: &'static str,
    /// Where it stands in the manual.
    pub manual: Manual,
    /// What readers call it in messages.
    pub readers: &'static [&'static str],
    /// Its fields, in the order of the manual.
    pub fields: &'static [Field],
}

/// A table of the manual.
#[derive(Debug, Clone, Copy)]
pub struct Manual {
    /// The page.
    pub page: &'static str,
    /// The heading above it.
    pub section: &'static str,
    /// The head of its first column.
    pub column: &'static str,
}

/// A field of a table.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub takes: Type,
    /// What it sets.
    pub meaning: &'static str,
    /// What holds without it; [`None`] where it must be given, alone or in place of another field.
    pub default: Option<&'static str>,
    /// A value, as TOML.
    pub example: &'static str,
}

/// What a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// A text.
    Text,
    /// The name of a file.
    File,
    /// True or false.
    Boolean,
    /// A whole number, and of what.
    Integer(&'static str),
    /// A number, and of what.
    Number(&'static str),
    /// A number, or a distribution from which it is drawn.
    Drawn,
    /// One of these texts; other forms are in the meaning.
    Choice(&'static [&'static str]),
    /// The name of a thing of this kind.
    Name(&'static str),
    /// A time.
    Duration,
    /// Bits per second.
    Rate,
    /// Packets or bytes.
    Buffer,
    /// A number of entries, or a share.
    Share,
    /// A list, and of what.
    List(&'static str),
    /// A table.
    Table,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => f.write_str("a text"),
            Self::File => f.write_str("the name of a file"),
            Self::Boolean => f.write_str("true or false"),
            Self::Integer("") => f.write_str("a whole number"),
            Self::Integer(unit) => write!(f, "a whole number ({unit})"),
            Self::Number("") => f.write_str("a number"),
            Self::Number(unit) => write!(f, "a number ({unit})"),
            Self::Drawn => f.write_str("a number, or a distribution"),
            Self::Choice(choices) => {
                let quoted: Vec<String> = choices.iter().map(|choice| format!("\"{choice}\"")).collect();
                f.write_str(&quoted.join(" or "))
            }
            Self::Name(kind) => write!(f, "the name of a {kind}, or a table with `name` and parameters"),
            Self::Duration => f.write_str("a time with its unit (ps, ns, us, ms, s)"),
            Self::Rate => f.write_str("a rate with its unit (bps, kbps, Mbps, Gbps, Tbps)"),
            Self::Buffer => f.write_str("packets or bytes, with their unit"),
            Self::Share => f.write_str("a whole number, or a share"),
            Self::List(of) => write!(f, "a list of {of}"),
            Self::Table => f.write_str("a table"),
        }
    }
}

/// The kinds of scenarios, and what each is.
pub const SCENARIOS: [(&str, &str); 4] = [
    ("scenario", "A scenario of one port: [port], [traffic] and [[policy]]"),
    ("queue_study", "A queue study: [queue_study] and [[queue]]"),
    ("attack_study", "An attack study: [attack_study] and [[policy]]"),
    ("network", "A scenario of networks: [network], [[workload]] and [[scheme]]"),
];

/// All tables, by kind of scenario.
pub const TABLES: &[Table] = &[
    port::TOP,
    port::PORT,
    traffic::RECORDING,
    traffic::RECIPE,
    traffic::ORDER,
    policy::POLICY,
    policy::OPENQUEUE,
    policy::NODE,
    queue_study::STUDY,
    queue_study::QUEUE,
    attack_study::STUDY,
    attack_study::INNOCENT,
    attack_study::ATTACK,
    attack_study::PACKETS,
    attack_study::SEARCH,
    application::REASSEMBLY,
    application::MATCHER,
    application::OWN_ATTACK,
    network::NETWORK,
    workload::WORKLOAD,
    workload::SCHEME,
    network::FAILURE,
    state::STATE,
    seer::SEER,
];

/// What a word means in scenarios.
#[derive(Debug, Clone, Copy)]
pub enum Found {
    /// A kind of scenario: its title.
    Scenario(&'static str),
    /// A table.
    Table(&'static Table),
    /// A field of a table.
    Field(&'static Table, &'static Field),
}

/// Everything that is called `word`: a kind of scenario with all its tables, tables, and fields, also as `port.rate`.
pub fn find(word: &str) -> Vec<Found> {
    let mut found = Vec::new();
    if let Some((kind, title)) = SCENARIOS.iter().find(|(kind, _)| *kind == word) {
        found.push(Found::Scenario(title));
        found.extend(TABLES.iter().filter(|table| table.scenario == *kind).map(Found::Table));
    } else {
        found.extend(TABLES.iter().filter(|table| table.word == word).map(Found::Table));
    }
    let (of, name) = word.rsplit_once('.').unwrap_or(("", word));
    let of = of.rsplit('.').next().unwrap_or_default();
    let named = TABLES.iter().filter(|table| of.is_empty() || table.word == of).flat_map(|table| {
        table.fields.iter().filter(|field| field.name == name).map(move |field| Found::Field(table, field))
    });
    found.extend(named);
    found
}

/// Every word that [`find`] knows.
pub fn names() -> impl Iterator<Item = &'static str> {
    let of_tables =
        TABLES.iter().flat_map(|table| std::iter::once(table.word).chain(table.fields.iter().map(|field| field.name)));
    SCENARIOS.iter().map(|(kind, _)| *kind).chain(of_tables)
}
