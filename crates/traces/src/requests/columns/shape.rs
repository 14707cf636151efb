//! The meaning of the columns of a text, by options or a preset, and their places.

use super::fields::Delimiter;
use crate::TraceError;
use crate::requests::names::{KEYS, SIZES, TIMES, place, plain};
use crate::requests::ticks::Unit;
use forebay_core::registry::suggest;

/// The meaning of the columns. A column is a number from 1, or its name in the first line. An empty text means a column that is found by
/// its name, and `0` means none. A column whose name ends in `?` is optional.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    /// An example of a line, for messages.
    pub(crate) like: &'static str,
    pub(crate) time: String,
    /// The column of the key; several columns with `+` between them are one key.
    pub(crate) key: String,
    /// The column of the size; several columns with `+` between them are added.
    pub(crate) size: String,
    pub(crate) operation: String,
    /// The operations that are requests; if empty, all are.
    pub(crate) operations: Vec<String>,
    /// The option that selects all operations, for messages.
    pub(crate) all_operations: &'static str,
    /// The column of the first byte of a range, for blocks.
    pub(crate) offset: String,
    /// The column of the number of times that a request is repeated.
    pub(crate) count: String,
    /// The column of the measured time of a fetch.
    pub(crate) latency: String,
    pub(crate) latency_unit: Unit,
    /// The number of bytes in one unit of the offset.
    pub(crate) sector: u64,
    /// The number of bytes in one unit of the size.
    pub(crate) size_sector: u64,
    /// The number of bytes in a block, if ranges are cut into blocks.
    pub(crate) block: Option<u64>,
    pub(crate) unit: Option<Unit>,
    pub(crate) delimiter: Delimiter,
    /// Whether the first line has names; `None` to decide by its content.
    pub(crate) header: Option<bool>,
    /// Whether columns without a setting are found by common names, or by their places.
    pub(crate) found_by_name: bool,
    /// Whether requests that are slightly out of order are sorted.
    pub(crate) sorts: bool,
}

/// The places of the columns, from 0.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Places {
    pub(super) time: Option<usize>,
    pub(super) key: Vec<usize>,
    pub(super) size: Vec<usize>,
    pub(super) operation: Option<usize>,
    pub(super) offset: Option<usize>,
    pub(super) count: Option<usize>,
    pub(super) latency: Option<usize>,
    /// The number of columns that are read.
    pub(super) width: usize,
}

/// The ways in which a person names a column.
enum Column<'a> {
    None,
    At(usize),
    Named { name: &'a str, is_needed: bool },
}

impl<'a> Column<'a> {
    fn read(text: &'a str) -> Self {
        match text.parse::<usize>() {
            Ok(0) => Self::None,
            Ok(number) => Self::At(number - 1),
            Err(_) => match text.strip_suffix('?') {
                Some(name) => Self::Named { name, is_needed: false },
                None => Self::Named { name: text, is_needed: true },
            },
        }
    }
}

impl Shape {
    /// Returns whether a column is given by name, so that the first line must have names.
    pub(super) fn has_names(&self) -> bool {
        let texts = [&self.time, &self.key, &self.size, &self.operation, &self.offset, &self.count, &self.latency];
        let mut columns = texts.into_iter().flat_map(|text| columns(text));
        columns.any(|column| matches!(column, Column::Named { .. }))
    }

    /// Returns the places of the columns if the first line has these names, or has none.
    pub(super) fn places(&self, names: Option<&[String]>) -> Result<Places, TraceError> {
        let find = |text: &str| -> Result<Vec<usize>, TraceError> {
            let places = columns(text).map(|column| self.place(&column, names)).collect::<Result<Vec<_>, _>>()?;
            Ok(places.into_iter().flatten().collect())
        };
        let one = |option: &str, text: &str| match find(text)?[..] {
            [] => Ok(None),
            [place] => Ok(Some(place)),
            _ => Err(TraceError::File(format!("`{option}` must be one column, not `{text}`"))),
        };
        let mut places = Places {
            time: one("time", &self.time)?,
            key: find(&self.key)?,
            size: find(&self.size)?,
            operation: one("op", &self.operation)?,
            offset: one("offset", &self.offset)?,
            count: one("count", &self.count)?,
            latency: one("latency", &self.latency)?,
            width: 0,
        };
        if self.found_by_name {
            self.find_others(&mut places, names)?;
        }
        if places.key.is_empty() {
            return Err(TraceError::File("`key` must be a column from 1; a request needs an object".to_owned()));
        }
        if self.block.is_some() {
            // Other columns of the key say which volume a block belongs to.
            let offset = places.offset.or(places.key.last().copied());
            places.offset = offset;
            places.key.retain(|place| Some(*place) != offset);
        }
        let single = [places.time, places.operation, places.offset, places.count, places.latency];
        let all = single.iter().flatten().chain(&places.key).chain(&places.size);
        places.width = all.max().map_or(0, |last| last + 1);
        Ok(places)
    }

    /// The columns of which nothing is said.
    fn find_others(&self, places: &mut Places, names: Option<&[String]>) -> Result<(), TraceError> {
        let is_open = |text: &str| text.is_empty();
        let Some(names) = names.filter(|names| self.has_names() || Self::are_known(names)) else {
            let default = |text: &str, place: usize| is_open(text).then_some(place);
            places.time = places.time.or(default(&self.time, 0));
            places.key.extend(default(&self.key, 1));
            places.size.extend(default(&self.size, 2));
            return Ok(());
        };
        if is_open(&self.time) {
            places.time = place(names, TIMES);
            if places.time.is_none() {
                return Err(unnamed("time", "time=COLUMN, or time=0 if a line is a slot", names));
            }
        }
        if is_open(&self.key) {
            places.key.extend(place(names, KEYS));
            if places.key.is_empty() {
                return Err(unnamed("key", "key=COLUMN", names));
            }
        }
        if is_open(&self.size) {
            places.size.extend(place(names, SIZES));
        }
        Ok(())
    }

    /// Returns whether a first line names the time and the key.
    pub(crate) fn are_known(names: &[String]) -> bool {
        place(names, TIMES).is_some() && place(names, KEYS).is_some()
    }

    fn place(&self, column: &Column<'_>, names: Option<&[String]>) -> Result<Option<usize>, TraceError> {
        match (column, names) {
            (Column::None, _) => Ok(None),
            (Column::At(place), _) => Ok(Some(*place)),
            (Column::Named { name, .. }, None) => Err(TraceError::File(format!(
                "`{name}` is the name of a column, but the first line has no names; say the number of the column, from 1"
            ))),
            (Column::Named { name, is_needed }, Some(names)) => {
                let wanted = plain(name.as_bytes());
                let place = names.iter().position(|known| *known == wanted);
                if place.is_none() && *is_needed {
                    let near = suggest(&wanted, names.iter().map(String::as_str));
                    return Err(TraceError::at(1, format!("the first line has no column `{name}`{near}")));
                }
                Ok(place)
            }
        }
    }
}

fn unnamed(what: &str, option: &str, names: &[String]) -> TraceError {
    TraceError::at(1, format!("the first line names no {what}; say {option}; its columns are {}", names.join(", ")))
}

/// The columns that an option names.
fn columns(text: &str) -> impl Iterator<Item = Column<'_>> {
    text.split('+').map(str::trim).filter(|text| !text.is_empty()).map(Column::read)
}
