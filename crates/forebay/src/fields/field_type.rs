//! The types of fields.

use super::Table;
use crate::catalogue::Kind;
use std::fmt;

/// The values that a field accepts. Messages, `explain` and the JSON Schema are made from this type.
#[derive(Debug, Clone, Copy)]
pub enum Type {
    /// A text.
    Text,
    /// A name for results: 1 to 40 characters.
    Label,
    /// The name of a file.
    File,
    /// True or false.
    Boolean,
    /// A whole number in a range, and of what.
    Integer {
        /// The least.
        min: u64,
        /// The greatest.
        max: u64,
        /// The counted thing.
        unit: &'static str,
    },
    /// A number in a range, and of what.
    Number {
        /// The range.
        range: Range,
        /// The measured quantity.
        unit: &'static str,
    },
    /// A whole number in a range, or a distribution over such numbers.
    Drawn {
        /// The least.
        min: u64,
        /// The greatest.
        max: u64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// The name of a thing of this kind, or a table with `name` and parameters.
    Named(Kind),
    /// A table with the name `application` and parameters of the attack on one.
    ApplicationAttack,
    /// A cache policy of a state, with its parameters in brackets.
    StatePolicy,
    /// A cache policy, with its parameters in brackets.
    CachePolicy,
    /// Entries, bytes, or a share of the objects of a trace.
    Capacity,
    /// Slots, a time, or a distribution of these.
    FetchLatency,
    /// A time.
    Duration,
    /// A time above zero.
    PositiveDuration,
    /// The rate of a clock.
    Frequency,
    /// Bits per second.
    Rate,
    /// Bytes, with their unit.
    Bytes,
    /// Packets or bytes, with their unit.
    Buffer,
    /// A percentage.
    Percent,
    /// A list.
    List {
        /// The type of each item.
        of: &'static Type,
        /// The maximum number of items.
        most: usize,
    },
    /// A table with these fields.
    Table(&'static Table),
    /// A table with arbitrary keys.
    Map {
        /// The meaning of a key.
        key: Key,
        /// The type of each value.
        of: &'static Type,
    },
    /// One of these.
    Any(&'static [Type]),
}

/// A range of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// From the first to the second.
    From(f64, f64),
    /// Above the first, up to the second.
    Above(f64, f64),
}

/// The keys of a table with arbitrary keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// A class: 0 to 255.
    Class,
    /// The name of a constant of a policy.
    Constant,
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::From(min, max) => write!(f, "from {min} to {max}"),
            Self::Above(above, max) => write!(f, "above {above} and up to {max}"),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => f.write_str("a text in quotes"),
            Self::Label => f.write_str("a name of 1 to 40 characters"),
            Self::File => f.write_str("the name of a file"),
            Self::Boolean => f.write_str("true or false"),
            Self::Integer { min, max, unit: "" } => write!(f, "a whole number from {min} to {max}"),
            Self::Integer { min, max, unit } => write!(f, "a whole number from {min} to {max} ({unit})"),
            Self::Number { range, unit: "" } => write!(f, "a number {range}"),
            Self::Number { range, unit } => write!(f, "a number {range} ({unit})"),
            Self::Drawn { min, max } => write!(f, "a whole number from {min} to {max}, or a distribution"),
            Self::Choice(words) => {
                let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                f.write_str(&quoted.join(" or "))
            }
            Self::Named(kind) => {
                write!(f, "the name of {}, or a table with `name` and parameters", kind.with_article())
            }
            Self::ApplicationAttack => f.write_str("a table with the name `application` and parameters of its attack"),
            Self::StatePolicy => {
                f.write_str("the name of a cache policy, perhaps with parameters in brackets and `-seer`")
            }
            Self::CachePolicy => f.write_str("the name of a cache policy, perhaps with parameters in brackets"),
            Self::Capacity => {
                f.write_str("a number of entries, bytes with their unit, or a share like \"5%\" or \"5%active\"")
            }
            Self::FetchLatency => f.write_str("a number of slots, a time with its unit, or a distribution of these"),
            Self::Duration => f.write_str("a time with its unit (ps, ns, us, ms, s)"),
            Self::PositiveDuration => f.write_str("a time above 0 with its unit (ps, ns, us, ms, s)"),
            Self::Frequency => f.write_str("a frequency with its unit (Hz, kHz, MHz, GHz)"),
            Self::Rate => f.write_str("a rate with its unit (bps, kbps, Mbps, Gbps, Tbps)"),
            Self::Bytes => f.write_str("a size with its unit (B, KB, MB, GB, KiB, MiB)"),
            Self::Buffer => f.write_str("packets or bytes, with their unit"),
            Self::Percent => f.write_str("a percentage like \"20 %\""),
            Self::List { of, most } => write!(f, "a list of at most {most}, each {of}"),
            Self::Table(table) => {
                let names: Vec<&str> = table.fields.iter().map(|field| field.name).collect();
                write!(f, "a table with {}", names.join(", "))
            }
            Self::Map { key: Key::Class, of } => write!(f, "a table with a class (0 to 255) and {of} in each entry"),
            Self::Map { key: Key::Constant, of } => {
                write!(f, "a table with the name of a constant and {of} in each entry")
            }
            Self::Any(types) => {
                let texts: Vec<String> = types.iter().map(ToString::to_string).collect();
                f.write_str(&texts.join("; or "))
            }
        }
    }
}
