//! Values that arguments of a command give, as a document.

use super::{Node, Value};
use crate::error::Place;

impl Node {
    /// Returns a value that the argument `argument` gives.
    pub fn given(argument: &str, value: Value) -> Self {
        Self { value, place: Place::Argument(argument.to_owned()), field: None }
    }

    /// Returns a text that the argument `argument` gives.
    pub fn given_text(argument: &str, text: impl Into<String>) -> Self {
        Self::given(argument, Value::Text(text.into()))
    }

    /// Returns a table with these fields that the argument `argument` gives.
    pub fn given_table<'a>(argument: &str, fields: impl IntoIterator<Item = (&'a str, Self)>) -> Self {
        let field = |(name, node): (&str, Self)| (name.to_owned(), Self { field: Some(name.to_owned()), ..node });
        Self::given(argument, Value::Table(fields.into_iter().map(field).collect()))
    }
}

impl Value {
    /// Returns a whole number; as a text if it does not fit 63 bits.
    pub fn whole(number: u64) -> Self {
        i64::try_from(number).map_or_else(|_| Self::Text(number.to_string()), Self::Integer)
    }
}
