//! A detail table as CSV.

use super::join::{Axis, CELL, Cell, Joined};
use super::table::DetailTable;
use crate::disk::Folder;
use crate::error::Result;
use crate::output::atomic_file::Unfinished;
use crate::output::csv::quoted;
use csv::StringRecord;
use std::io::Write as _;

/// Bytes that are written at a time.
const AT_A_TIME: usize = 1 << 16;

/// The file to which rows are written.
pub(super) struct CsvTable {
    file: Unfinished,
    buffer: Vec<u8>,
    /// The columns of the cell, as each of its rows begins.
    cell: Vec<u8>,
}

impl CsvTable {
    /// Returns the name of a table's file.
    pub(super) fn name(table: &DetailTable) -> String {
        format!("{}.csv", table.name)
    }

    pub(super) fn begin(folder: &Folder, table: &'static DetailTable, axes: &[Axis]) -> Result<Self> {
        let axes = axes.iter().map(|axis| quoted(&axis.column(table)).into_owned());
        let own = CELL.into_iter().chain(table.columns.iter().map(|column| column.name));
        let header = axes.chain(own.map(str::to_owned)).collect::<Vec<_>>().join(",") + "\n";
        Ok(Self { file: Unfinished::begin(folder, &Self::name(table))?, buffer: header.into_bytes(), cell: Vec::new() })
    }

    fn empty_buffer(&mut self) -> Result<()> {
        self.file.write_all(&self.buffer).map_err(|error| self.file.failed(&error))?;
        self.buffer.clear();
        Ok(())
    }
}

impl Joined for CsvTable {
    fn cell(&mut self, axes: &[Axis], cell: &Cell<'_>) {
        self.cell.clear();
        let repetition = cell.run.repetition.to_string();
        let axes = axes.iter().map(|axis| cell.value(axis).unwrap_or_default());
        for text in axes.chain([cell.run.policy.as_str(), &repetition]) {
            self.cell.extend_from_slice(quoted(text).as_bytes());
            self.cell.push(b',');
        }
    }

    fn row(&mut self, row: &StringRecord) -> Result<()> {
        self.buffer.extend_from_slice(&self.cell);
        for (place, field) in row.iter().enumerate() {
            if place > 0 {
                self.buffer.push(b',');
            }
            self.buffer.extend_from_slice(quoted(field).as_bytes());
        }
        self.buffer.push(b'\n');
        if self.buffer.len() >= AT_A_TIME { self.empty_buffer() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.empty_buffer()?;
        self.file.finish()
    }
}
