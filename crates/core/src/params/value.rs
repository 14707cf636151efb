//! The values of parameters in scenarios.

use std::fmt;

/// A value that a scenario gives to a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum ParamValue {
    /// True or false.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// Any number.
    Number(f64),
    /// A text: a word, or a quantity with its unit.
    Text(String),
    /// A list.
    List(Vec<ParamValue>),
    /// A table, with its entries in the order of the scenario file.
    Table(Vec<(String, ParamValue)>),
}

impl fmt::Display for ParamValue {
    /// Writes the value as a scenario file could have it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(value) => value.fmt(f),
            Self::Integer(number) => number.fmt(f),
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Self::Table(_) => f.write_str("a table"),
        }
    }
}
