//! The rows of one run, kept with its result.

use super::table::{DetailTable, Value};
use crate::error::{Result, UserError};
use crate::output::atomic_file::Unfinished;
use crate::output::csv::quoted;
use crate::run::{Kept, part_of_run};
use sha2::{Digest as _, Sha256};
use std::io::{self, Write};

/// Bytes that are written at a time.
const AT_A_TIME: usize = 1 << 16;

/// The place to which a run writes its rows.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    /// The folder, and the key of the run; [`None`] where nothing is kept.
    to: Option<(&'a Kept, &'a str)>,
}

impl<'a> Rows<'a> {
    /// Creates the place next to the result that is kept under this key, if it is kept.
    pub(crate) fn new(kept: Option<&'a Kept>, key: &'a str) -> Self {
        Self { to: kept.map(|kept| (kept, key)) }
    }

    /// Begins the part of a table; returns [`None`] if results are not kept.
    pub(crate) fn begin(&self, table: &'static DetailTable) -> Result<Option<PartWriter>> {
        let Some((kept, key)) = self.to else { return Ok(None) };
        Ok(Some(PartWriter::new(table, Unfinished::begin(kept.runs(), &part_of_run(key, table.name))?)))
    }

    /// Writes the part of a table as a whole, if it is kept.
    pub(crate) fn write<'v, const N: usize>(
        &self,
        table: &'static DetailTable,
        rows: impl Iterator<Item = [Value<'v>; N]>,
    ) -> Result<Option<Part>> {
        let Some(mut part) = self.begin(table)? else { return Ok(None) };
        rows.for_each(|row| part.row(&row));
        part.finish().map(Some)
    }
}

/// Writes rows as CSV.
pub(crate) struct PartWriter {
    table: &'static DetailTable,
    file: Unfinished,
    sum: Sha256,
    buffer: Vec<u8>,
    /// The first error; nothing is written after it.
    failed: Option<UserError>,
}

impl PartWriter {
    fn new(table: &'static DetailTable, file: Unfinished) -> Self {
        let mut buffer = Vec::with_capacity(AT_A_TIME * 2);
        write_header(&mut buffer, table);
        Self { table, file, sum: Sha256::new(), buffer, failed: None }
    }

    /// Writes a row. If it cannot be written, [`finish`](Self::finish) returns the error.
    pub(crate) fn row(&mut self, values: &[Value<'_>]) {
        debug_assert_eq!(values.len(), self.table.columns.len(), "{}", self.table.name);
        write_row(&mut self.buffer, values);
        if self.buffer.len() >= AT_A_TIME {
            self.empty_buffer();
        }
    }

    #[cold]
    fn empty_buffer(&mut self) {
        self.sum.update(&self.buffer);
        if self.failed.is_none()
            && let Err(error) = self.file.write_all(&self.buffer)
        {
            self.failed = Some(self.file.failed(&error));
        }
        self.buffer.clear();
    }

    /// Ends the part.
    ///
    /// # Errors If it could not be written, for example because the disk is full.
    pub(crate) fn finish(mut self) -> Result<Part> {
        self.empty_buffer();
        match self.failed {
            Some(error) => Err(error),
            None => Ok(Part { table: self.table.name, file: self.file, sum: self.sum }),
        }
    }
}

/// All rows of a table of a run. The part is kept with the result of the run, and removed if the result is not kept.
pub(crate) struct Part {
    pub(crate) table: &'static str,
    pub(crate) file: Unfinished,
    /// The checksum of the part's content.
    pub(crate) sum: Sha256,
}

fn write_header(out: &mut Vec<u8>, table: &DetailTable) {
    let names: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
    out.extend_from_slice(names.join(",").as_bytes());
    out.push(b'\n');
}

fn write_row(out: &mut Vec<u8>, values: &[Value<'_>]) {
    for (place, value) in values.iter().enumerate() {
        if place > 0 {
            out.push(b',');
        }
        // A vector takes all bytes.
        let _taken: io::Result<()> = match *value {
            Value::Text(text) => out.write_all(quoted(text).as_bytes()),
            Value::Whole(number) => write!(out, "{number}"),
            Value::Number(number) => write!(out, "{number}"),
            Value::Flag(flag) => write!(out, "{flag}"),
            Value::Missing => Ok(()),
        };
    }
    out.push(b'\n');
}

/// Returns rows as the text of a part, for tests.
#[cfg(test)]
pub(crate) fn text<'v, const N: usize>(table: &DetailTable, rows: impl Iterator<Item = [Value<'v>; N]>) -> String {
    assert_eq!(table.columns.len(), N);
    let mut out = Vec::new();
    write_header(&mut out, table);
    rows.for_each(|row| write_row(&mut out, &row));
    String::from_utf8(out).unwrap()
}
