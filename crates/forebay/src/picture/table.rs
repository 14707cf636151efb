//! A table of any result: columns by name. Equal texts are stored once.

use super::axis_titles::unit_of_field;
use crate::error::{Result, UserError};
use crate::figure::Unit;
use crate::frame::{Frame, Row};
use forebay_core::units::parse_bytes;
use forebay_core::{Duration, Rate};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Columns of equal length.
#[derive(Debug, Clone, Default)]
pub struct Table {
    columns: Vec<Column>,
    rows: usize,
}

/// A column.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    /// That of the values of an axis, where the scenario writes it behind all of them.
    unit: Option<Unit>,
    /// Each text once, in the order in which they come first.
    texts: Vec<String>,
    /// The text of each row, by its place in `texts`.
    places: Vec<u32>,
    /// The texts as numbers, if they are numbers.
    numbers: Vec<Option<f64>>,
    known: HashMap<String, u32>,
}

impl Column {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            unit: None,
            texts: Vec::new(),
            places: Vec::new(),
            numbers: Vec::new(),
            known: HashMap::new(),
        }
    }

    fn push(&mut self, text: &str) {
        let place = self.known.get(text).copied().unwrap_or_else(|| {
            let place = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
            self.texts.push(text.to_owned());
            self.numbers.push(text.parse().ok().filter(|number: &f64| number.is_finite()));
            self.known.insert(text.to_owned(), place);
            place
        });
        self.places.push(place);
    }

    /// Returns the text in a row; empty if there is none.
    pub(super) fn text(&self, row: usize) -> &str {
        &self.texts[self.places[row] as usize]
    }

    /// Returns the number in a row.
    pub(super) fn number(&self, row: usize) -> Option<f64> {
        self.numbers[self.places[row] as usize]
    }

    /// Returns the unit of the column's numbers, which are values of this field.
    pub(super) fn unit(&self, field: &str) -> Unit {
        self.unit.clone().unwrap_or_else(|| unit_of_field(field))
    }

    /// Returns all different texts of the rows.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }
}

impl Table {
    fn new(names: &[&str]) -> Self {
        Self { columns: names.iter().map(|name| Column::new(name)).collect(), rows: 0 }
    }

    fn push<'a>(&mut self, row: impl Iterator<Item = &'a str>) {
        for (column, text) in self.columns.iter_mut().zip(row) {
            column.push(text);
        }
        self.rows += 1;
    }

    /// Reads the table of a result: a file that ends in `.csv` or `.parquet`, or a folder with `result.csv` or `result.parquet`.
    ///
    /// # Errors
    /// If there is no such file, or it has no table.
    pub fn read(path: &Path) -> Result<Self> {
        let in_folder = ["result.csv", "result.parquet"].map(|name| path.join(name));
        let file = match (path.is_dir(), in_folder.iter().find(|file| file.is_file())) {
            (false, _) => path,
            (true, Some(file)) => file,
            (true, None) => {
                let what = "there is no result.csv or result.parquet in this folder; make one with `forebay run --out`";
                return Err(UserError::at(path.display(), what));
            }
        };
        let failed = |error| UserError::io(file, "read", &error);
        let name = file.display().to_string();
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => Self::from_csv(&name, &std::fs::read(file).map_err(failed)?),
            Some("parquet") => Self::from_parquet(&name, std::fs::File::open(file).map_err(failed)?),
            _ => Err(UserError::at(name, "this is not a table; give a folder of results, or a file .csv or .parquet")),
        }
    }

    /// Reads comma-separated values with a header.
    ///
    /// # Errors
    /// If a line has another number of fields than the header.
    pub fn from_csv(name: &str, bytes: &[u8]) -> Result<Self> {
        let wrong = |error: &csv::Error| {
            let line = error.position().map_or(1, csv::Position::line);
            match error.kind() {
                csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                    UserError::at_line(name, line, format!("{len} fields, but the header has {expected_len}"))
                }
                csv::ErrorKind::Utf8 { .. } => UserError::at_line(name, line, "this is not UTF-8"),
                _ => UserError::at_line(name, line, format!("cannot be read as CSV: {error}")),
            }
        };
        let mut reader = csv::ReaderBuilder::new().from_reader(bytes);
        let header = reader.headers().map_err(|error| wrong(&error))?.clone();
        let mut table = Self::new(&header.iter().collect::<Vec<_>>());
        for record in reader.records() {
            table.push(record.map_err(|error| wrong(&error))?.iter());
        }
        if table.rows == 0 {
            return Err(UserError::at(name, "this table has no rows"));
        }
        Ok(table)
    }

    /// A Parquet file.
    #[cfg(feature = "parquet")]
    fn from_parquet(name: &str, file: std::fs::File) -> Result<Self> {
        use parquet::file::reader::{FileReader as _, SerializedFileReader};
        use parquet::record::Field;
        let wrong = |error| UserError::at(name, format!("cannot be read as Parquet: {error}"));
        let reader = SerializedFileReader::new(file).map_err(wrong)?;
        let schema = reader.metadata().file_metadata().schema();
        let names: Vec<&str> = schema.get_fields().iter().map(|field| field.name()).collect();
        let mut table = Self::new(&names);
        for row in reader.get_row_iter(None).map_err(wrong)? {
            let row = row.map_err(wrong)?;
            let texts: Vec<String> = row
                .get_column_iter()
                .map(|(_, field)| match field {
                    Field::Null => String::new(),
                    Field::Str(text) => text.clone(),
                    // As CSV has it, where `to_string` of a field has quotes or zeros.
                    Field::Double(number) => number.to_string(),
                    Field::Float(number) => number.to_string(),
                    other => other.to_string(),
                })
                .collect();
            table.push(texts.iter().map(String::as_str));
        }
        if table.rows == 0 {
            return Err(UserError::at(name, "this table has no rows"));
        }
        Ok(table)
    }

    #[cfg(not(feature = "parquet"))]
    fn from_parquet(name: &str, _file: std::fs::File) -> Result<Self> {
        Err(UserError::at(name, "this build of forebay cannot read Parquet; give result.csv"))
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    pub(super) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }
}

impl From<&Frame> for Table {
    /// Returns the table of `result.csv`.
    fn from(frame: &Frame) -> Self {
        Self::of_rows(frame, |_| true)
    }
}

impl Table {
    /// Returns the table of some rows of a frame.
    pub(crate) fn of_rows(frame: &Frame, is_wanted: impl Fn(&Row<'_>) -> bool) -> Self {
        let mut table = Self::new(&frame.header());
        for (place, column) in table.columns.iter_mut().enumerate().take(frame.axes().len()) {
            let written: BTreeSet<&str> = frame.rows().filter_map(|row| row.axes[place].as_deref()).collect();
            column.unit = unit_of_texts(&written);
        }
        for row in frame.rows().filter(is_wanted) {
            table.push(row.texts().iter().map(String::as_str));
        }
        table
    }
}

/// The unit that all of these quantities have.
fn unit_of_texts(texts: &BTreeSet<&str>) -> Option<Unit> {
    let have = |is_one: &dyn Fn(&str) -> bool| {
        !texts.is_empty()
            && texts.iter().all(|text| text.ends_with(|last: char| last.is_ascii_alphabetic()) && is_one(text))
    };
    let is_rate = have(&|text| Rate::parse(text).is_ok());
    let is_bytes = have(&|text| parse_bytes(text).is_ok());
    let is_time = have(&|text| Duration::parse(text).is_ok());
    [(is_rate, Unit::BitsPerSecond), (is_bytes, Unit::Bytes), (is_time, Unit::Seconds)]
        .into_iter()
        .find_map(|(is_one, unit)| is_one.then_some(unit))
}
