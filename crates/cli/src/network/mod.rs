//! The network scenario: many hosts and switches, transports, schemes that are compared on the same flows.

mod columns;
pub(crate) mod csv;
mod digits;
pub(crate) mod flows_csv;
pub(crate) mod measure;
pub(crate) mod plot;
mod ports;
pub(crate) mod ports_csv;
mod quantity;
pub(crate) mod report;
pub(crate) mod run_result;
#[cfg(test)]
mod sample;
pub(crate) mod series_csv;
mod spread;
pub(crate) mod table;
mod unfinished;
