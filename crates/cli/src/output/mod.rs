//! A report as a table, as CSV, and as a picture. JSON is the report itself.

pub(crate) mod bars;
pub(crate) mod csv;
pub(crate) mod curves;
pub(crate) mod folder;
pub(crate) mod plot;
pub(crate) mod table;
