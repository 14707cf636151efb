//! A detail table as Parquet.

use super::join::{Axis, CELL, Cell, Joined};
use super::table::{DetailTable, Takes};
use crate::disk::Folder;
use crate::error::{Result, UserError};
use crate::output::atomic_file::Unfinished;
use crate::output::parquet::{Column, ParquetFile};
use csv::StringRecord;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use std::io;
use std::path::{Path, PathBuf};

/// Rows of a row group, which are in memory at one time.
const ROWS_AT_A_TIME: usize = 1 << 16;

/// The file to which rows are written.
pub(super) struct ParquetTable {
    path: PathBuf,
    file: ParquetFile<Unfinished>,
    /// The rows that are not written yet: axes, policy, repetition, and the columns of the table.
    columns: Vec<(String, Column)>,
    rows: usize,
    /// The columns of the cell, of which each of its rows has a copy.
    cell: Vec<Of>,
}

/// The values that all rows of a cell share in a column.
enum Of {
    Text(Option<ByteArray>),
    Number(Option<f64>),
    Whole(i64),
}

impl ParquetTable {
    pub(super) fn begin(folder: &Folder, table: &'static DetailTable, axes: &[Axis]) -> Result<Self> {
        let axes = axes.iter().map(|axis| {
            let column = if axis.is_number { Column::Number(Vec::new()) } else { Column::Text(Vec::new()) };
            (axis.column(table), column)
        });
        let cell = CELL.into_iter().zip([Column::Text(Vec::new()), Column::Whole(Vec::new())]);
        let own = table.columns.iter().map(|column| (column.name, empty(column.takes)));
        let columns: Vec<_> = axes.chain(cell.chain(own).map(|(name, column)| (name.to_owned(), column))).collect();
        let name = format!("{}.parquet", table.name);
        let path = folder.file(&name);
        let file = Unfinished::begin(folder, &name)?;
        let file = ParquetFile::begin(file, table.name, &columns).map_err(|error| failed(&path, error))?;
        Ok(Self { path, file, columns, rows: 0, cell: Vec::new() })
    }

    fn write_rows(&mut self) -> Result<()> {
        if self.rows > 0 {
            self.file.rows(&self.columns).map_err(|error| failed(&self.path, error))?;
            self.columns.iter_mut().for_each(|(_, column)| column.clear());
            self.rows = 0;
        }
        Ok(())
    }
}

impl Joined for ParquetTable {
    fn cell(&mut self, axes: &[Axis], cell: &Cell<'_>) {
        let axes = axes.iter().map(|axis| match cell.value(axis) {
            value if axis.is_number => Of::Number(value.and_then(|value| value.parse().ok())),
            value => Of::Text(value.map(ByteArray::from)),
        });
        let own = [Of::Text(Some(cell.run.policy.as_str().into())), Of::Whole(cell.run.repetition.cast_signed())];
        self.cell = axes.chain(own).collect();
    }

    fn row(&mut self, row: &StringRecord) -> Result<()> {
        let (of_cell, own) = self.columns.split_at_mut(self.cell.len());
        for ((_, column), value) in of_cell.iter_mut().zip(&self.cell) {
            match (column, value) {
                (Column::Text(values), Of::Text(value)) => values.push(value.clone()),
                (Column::Number(values), Of::Number(value)) => values.push(*value),
                (Column::Whole(values), Of::Whole(value)) => values.push(*value),
                _ => unreachable!("a column is made for what its cells have"),
            }
        }
        own.iter_mut().zip(row).for_each(|((_, column), field)| push(column, field));
        self.rows += 1;
        if self.rows == ROWS_AT_A_TIME { self.write_rows() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.write_rows()?;
        self.file.finish().map_err(|error| failed(&self.path, error))?.finish()
    }
}

fn empty(takes: Takes) -> Column {
    match takes {
        Takes::Text => Column::Text(Vec::new()),
        Takes::Count => Column::Count(Vec::new()),
        Takes::Code => Column::Code(Vec::new()),
        Takes::Number => Column::Number(Vec::new()),
        Takes::Flag => Column::Flag(Vec::new()),
    }
}

/// Appends a field of CSV; nothing is no value.
fn push(column: &mut Column, field: &str) {
    match column {
        Column::Text(values) => values.push((!field.is_empty()).then(|| field.into())),
        Column::Number(values) => values.push(field.parse().ok()),
        Column::Count(values) => values.push(field.parse().ok()),
        Column::Code(values) => values.push(field.parse().ok().map(u64::cast_signed)),
        Column::Flag(values) => values.push(field.parse().ok()),
        Column::Whole(values) => values.push(field.parse().unwrap_or_default()),
    }
}

fn failed(path: &Path, error: ParquetError) -> UserError {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => UserError::io(path, "written", &error),
            Err(other) => UserError::at(path.display(), format!("cannot be written: {other}")),
        },
        other => UserError::at(path.display(), format!("cannot be written: {other}")),
    }
}
