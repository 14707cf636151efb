//! A report as a table, as CSV, and as a picture. JSON is the report itself.

pub mod bars;
pub mod csv;
pub mod curves;
pub mod folder;
pub mod plot;
pub mod table;
