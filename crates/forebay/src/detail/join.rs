//! Joins the parts of runs into one file for each kind of detail table.

use super::csv::CsvTable;
use super::kinds::ALL;
#[cfg(feature = "parquet")]
use super::parquet::ParquetTable;
use super::table::DetailTable;
use crate::disk::Folder;
use crate::error::{Result, UserError};
use crate::frame::in_si;
use crate::run::{Kept, PlannedRun, part_of_run};
use csv::{Reader, StringRecord};
use std::collections::HashSet;
use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _};

/// The columns after those of the axes, in every table.
pub(super) const CELL: [&str; 2] = ["policy", "repetition"];

/// Bytes of a first line at most.
const LONGEST_HEADER: u64 = 1 << 16;

/// Joins the parts that these runs have left in a folder, in their order. Removes tables from the folder if no run has a part of them.
///
/// # Errors If a table cannot be written, or would overwrite a file that is no detail table.
pub(crate) fn join(kept: &Kept, runs: &[&PlannedRun]) -> Result<()> {
    let mut cells = Vec::new();
    for run in runs {
        cells.push(Cell {
            run,
            axes: run.axes()?.into_iter().map(|(name, value)| (name, in_si(&value.text))).collect(),
        });
    }
    let axes = axes(&cells);
    let there: HashSet<String> = kept.runs().names()?.into_iter().collect();
    for &table in ALL {
        let parts = cells.iter().map(|cell| (cell, part_of_run(&cell.run.key, table.name)));
        let parts: Vec<(&Cell<'_>, String)> = parts.filter(|(_, part)| there.contains(part)).collect();
        let is_ours = is_ours(kept.folder(), table)?;
        if !parts.is_empty() {
            refuse_foreign(kept.folder(), [table])?;
            write(table, &axes, &parts, kept)?;
        } else if is_ours == Some(true) {
            files(table).iter().try_for_each(|name| kept.folder().remove(name))?;
        }
    }
    Ok(())
}

/// Rejects a folder in which one of these tables would overwrite a file that is no such table.
///
/// # Errors
/// If there is such a file.
pub(crate) fn refuse_foreign(folder: &Folder, tables: impl IntoIterator<Item = &'static DetailTable>) -> Result<()> {
    let mut known: Vec<&str> = Vec::new();
    for table in tables {
        if !known.contains(&table.name) && is_ours(folder, table)? == Some(false) {
            let message = "the run would overwrite this file, which is not a table of an earlier run; move it, or choose another folder";
            return Err(UserError::at(folder.file(&files(table)[0]).display(), message));
        }
        known.push(table.name);
    }
    Ok(())
}

/// Returns the names of all detail tables in a folder.
pub(crate) fn files_in(folder: &Folder) -> Result<Vec<String>> {
    let there = folder.names()?;
    let mut names = Vec::new();
    for table in ALL {
        if is_ours(folder, table)? == Some(true) {
            names.extend(files(table).into_iter().filter(|name| there.contains(name)));
        }
    }
    Ok(names)
}

/// Returns the names of all files that a run may leave.
pub(crate) fn names() -> impl Iterator<Item = String> {
    ALL.iter().flat_map(|table| files(table))
}

/// The names of a table's files: CSV and Parquet.
fn files(table: &DetailTable) -> [String; 2] {
    ["csv", "parquet"].map(|ending| format!("{}.{ending}", table.name))
}

/// Whether a file begins as a table of this kind does; [`None`] if there is no file.
fn is_ours(folder: &Folder, table: &DetailTable) -> Result<Option<bool>> {
    let [name, _] = files(table);
    let Some(file) = folder.open(&name)? else { return Ok(None) };
    let mut line = Vec::new();
    let read = BufReader::new(file).take(LONGEST_HEADER).read_until(b'\n', &mut line);
    read.map_err(|error| folder.unreadable(&name, &error))?;
    let first = table.columns.first().map_or("", |column| column.name);
    let expected = format!("{},{first},", CELL.join(","));
    Ok(Some(String::from_utf8_lossy(&line).contains(&expected)))
}

/// A run with the values of its axes, in SI units.
pub(super) struct Cell<'a> {
    pub(super) run: &'a PlannedRun,
    axes: Vec<(String, String)>,
}

impl Cell<'_> {
    /// Returns the value of an axis, if the run has one.
    pub(super) fn value(&self, axis: &Axis) -> Option<&str> {
        self.axes.iter().find(|(name, _)| *name == axis.name).map(|(_, value)| value.as_str())
    }
}

/// The column of a swept field.
pub(super) struct Axis {
    name: String,
    /// Whether all values of the field are numbers.
    pub(super) is_number: bool,
}

impl Axis {
    /// Returns the name of the axis's column: `axis:NAME` if the table itself has a column of this name.
    pub(super) fn column(&self, table: &DetailTable) -> String {
        let is_taken = table.columns.iter().map(|column| column.name).chain(CELL).any(|name| name == self.name);
        if is_taken { format!("axis:{}", self.name) } else { self.name.clone() }
    }
}

/// All axes of these cells, in their order, as the long table has them.
fn axes(cells: &[Cell<'_>]) -> Vec<Axis> {
    let mut axes: Vec<Axis> = Vec::new();
    for (name, value) in cells.iter().flat_map(|cell| &cell.axes) {
        let is_number = value.parse::<f64>().is_ok();
        match axes.iter_mut().find(|axis| axis.name == *name) {
            Some(axis) => axis.is_number &= is_number,
            None => axes.push(Axis { name: name.clone(), is_number }),
        }
    }
    axes
}

/// A file that receives the rows of all cells, cell by cell.
pub(super) trait Joined {
    /// The rows that follow are of this cell.
    fn cell(&mut self, axes: &[Axis], cell: &Cell<'_>);

    /// A row, without the columns of its cell.
    fn row(&mut self, row: &StringRecord) -> Result<()>;

    /// All rows are there.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// Reads each part once, row by row, and writes all files of a table.
fn write(table: &'static DetailTable, axes: &[Axis], parts: &[(&Cell<'_>, String)], kept: &Kept) -> Result<()> {
    let mut files: Vec<Box<dyn Joined>> = vec![Box::new(CsvTable::begin(kept.folder(), table, axes)?)];
    #[cfg(feature = "parquet")]
    files.push(Box::new(ParquetTable::begin(kept.folder(), table, axes)?));
    let mut row = StringRecord::new();
    for (cell, part) in parts {
        let unreadable = |error: &io::Error| kept.runs().unreadable(part, error);
        let content = kept.runs().open(part)?.ok_or_else(|| unreadable(&ErrorKind::NotFound.into()))?;
        let mut rows = Reader::from_reader(content);
        files.iter_mut().for_each(|file| file.cell(axes, cell));
        while rows.read_record(&mut row).map_err(|error| unreadable(&error.into()))? {
            files.iter_mut().try_for_each(|file| file.row(&row))?;
        }
    }
    files.into_iter().try_for_each(Joined::finish)
}
