//! A detail table: a name, columns, and rows of values.

/// A kind of detail table.
#[derive(Debug)]
pub(crate) struct DetailTable {
    /// The name of the table's files, without their endings.
    pub(crate) name: &'static str,
    /// The columns after those of the cell.
    pub(crate) columns: &'static [Column],
}

/// A column. `docs/result.md` has its unit and its meaning.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    #[cfg_attr(not(feature = "parquet"), expect(dead_code, reason = "CSV has no types"))]
    pub(crate) takes: Takes,
}

/// The type of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    Text,
    /// A count or a size: below 2^63.
    Count,
    /// A whole number of up to 64 bits, such as a rank or a key.
    Code,
    Number,
    Flag,
}

impl Column {
    pub(crate) const fn text(name: &'static str) -> Self {
        Self { name, takes: Takes::Text }
    }

    pub(crate) const fn count(name: &'static str) -> Self {
        Self { name, takes: Takes::Count }
    }

    pub(crate) const fn code(name: &'static str) -> Self {
        Self { name, takes: Takes::Code }
    }

    pub(crate) const fn number(name: &'static str) -> Self {
        Self { name, takes: Takes::Number }
    }

    pub(crate) const fn flag(name: &'static str) -> Self {
        Self { name, takes: Takes::Flag }
    }
}

/// A value of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'a> {
    Text(&'a str),
    /// A value of a [`Takes::Count`] or a [`Takes::Code`].
    Whole(u64),
    Number(f64),
    Flag(bool),
    Missing,
}

impl Value<'_> {
    /// Returns the number as a value, if there is one.
    pub(crate) fn number(number: Option<f64>) -> Self {
        number.map_or(Self::Missing, Self::Number)
    }
}
