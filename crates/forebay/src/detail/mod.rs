//! Detail tables: a row for each flow, packet or request of a whole sweep, in one file.
//!
//! A run writes its rows into a part beside its kept result. When all runs are there, [`join()`] puts the parts together
//! in the order of the plan, with columns for the axes, the policy and the repetition. Neither keeps the rows in memory, and the
//! bytes of the file depend neither on the number of threads nor on interrupts.

mod csv;
mod join;
mod kinds;
#[cfg(feature = "parquet")]
mod parquet;
mod run_rows;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use join::{files_in, join, names, refuse_foreign};
#[cfg(test)]
pub(crate) use run_rows::text;
pub(crate) use run_rows::{Part, PartWriter, Rows};
pub(crate) use table::{Column, DetailTable, Value};
