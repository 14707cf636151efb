//! The common part of formats with fixed columns.

use super::{Shape, block_bytes};
use crate::TraceError;
use crate::requests::columns::Delimiter;
use crate::requests::ticks::Unit;
use forebay_core::{ParamSpec, Params};

/// The option that selects all operations, for messages.
const ALL: &str = "operations=all";

/// The parameter of traces of reads and writes of disks.
const DISK_OPERATIONS: ParamSpec = ParamSpec::choice(
    "operations",
    &["all", "reads", "writes"],
    "all",
    "which lines are requests: all, since a cache of blocks also keeps what is written, or reads or writes only",
);

/// The parameters of traces of disks.
pub(in crate::requests) const DISK_PARAMS: &[ParamSpec] = &[
    DISK_OPERATIONS,
    ParamSpec::text(
        "blocks",
        "",
        "the size of a block, as `4KiB`: a line is a request for each block that it touches; without it, for its first byte",
    ),
];

/// The parameter of traces of objects.
pub(in crate::requests) const OBJECT_OPERATIONS: ParamSpec = ParamSpec::choice(
    "operations",
    &["reads", "all"],
    "reads",
    "which lines are requests: those that read an object, or all",
);

impl Shape {
    /// Returns a format with this name and no columns yet, whose lines have commas and no names, and are sorted by time.
    pub(in crate::requests) fn preset(name: &'static str, like: &'static str) -> Self {
        Self {
            name,
            like,
            time: String::new(),
            key: String::new(),
            size: String::new(),
            operation: String::new(),
            operations: Vec::new(),
            all_operations: ALL,
            offset: String::new(),
            count: String::new(),
            latency: String::new(),
            latency_unit: Unit::MILLISECONDS,
            sector: 1,
            size_sector: 1,
            block: None,
            unit: Some(Unit::SECONDS),
            delimiter: Delimiter::Byte(b','),
            header: Some(false),
            found_by_name: false,
            sorts: true,
        }
    }

    /// Sets the columns of time, key and size.
    pub(in crate::requests) fn with(self, time: &str, key: &str, size: &str) -> Self {
        Self { time: time.to_owned(), key: key.to_owned(), size: size.to_owned(), ..self }
    }

    /// Sets the column of the measured time of a fetch.
    pub(in crate::requests) fn with_latency(self, column: &str, unit: Unit) -> Self {
        Self { latency: column.to_owned(), latency_unit: unit, ..self }
    }

    /// Sets the column of the operation, and the operations that read.
    pub(in crate::requests) fn with_reads(self, params: &Params, operation: &str, reads: &[&str]) -> Self {
        self.with_operations(operation, if params.text("operations") == "all" { &[] } else { reads })
    }

    /// Sets the columns of a trace of a disk: the operation with the words for reads and writes, and the parameter for blocks. The last
    /// column of the key is the offset.
    pub(in crate::requests) fn of_disk(
        self,
        params: &Params,
        operation: &str,
        [read, write]: [&str; 2],
    ) -> Result<Self, TraceError> {
        let block = block_bytes(params)?;
        let operations: &[&str] = match params.text("operations") {
            "reads" => &[read],
            "writes" => &[write],
            _ => &[read, write],
        };
        // Others, such as a flush, are for no block.
        let all_operations = if operations.len() > 1 { "" } else { self.all_operations };
        Ok(Self { block, all_operations, ..self.with_operations(operation, operations) })
    }

    fn with_operations(self, operation: &str, operations: &[&str]) -> Self {
        let operations = operations.iter().map(|&name| name.to_owned()).collect();
        Self { operation: operation.to_owned(), operations, ..self }
    }
}
