//! A report as a table, as CSV, and as the files of a folder. JSON is the report itself.
//!
//! ```
//! use forebay::output::{csv, table};
//!
//! let header = ["policy", "packets dropped"];
//! let rows = [["fifo", "120"], ["srpt, exact", "7"]].map(|row| row.map(str::to_owned).to_vec());
//! println!("{}", table::plain_table(header.map(str::to_owned).to_vec(), rows.to_vec())); // for people
//! let text = csv::lines(&header, rows.into_iter()); // for other tools
//! assert_eq!(text, "policy,packets dropped\nfifo,120\n\"srpt, exact\",7\n");
//! ```

pub(crate) mod atomic_file;
pub(crate) mod columns;
pub mod csv;
pub(crate) mod digits;
pub mod folder;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
pub mod table;
pub mod temporary_file;
