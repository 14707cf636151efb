//! A report as a table, as CSV, and as a picture. JSON is the report itself.

pub(crate) mod bars;
pub mod csv;
pub mod curves;
pub mod folder;
pub(crate) mod plot;
pub mod table;
