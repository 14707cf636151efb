//! The rows of a table that a picture shows, and their fields.

use super::Request;
use super::table::{Column, Table};
use crate::error::{Result, UserError};
use forebay_core::registry::suggest;

/// Columns of the long table that are no fields.
const OWN: [&str; 6] = ["subject", "item", "metric", "unit", "repetition", "value"];

/// The prefix of the name of an axis that is also a kind of subjects.
pub(super) const AXIS: &str = "axis:";

/// Returns the name of a field without the prefix of axes.
pub(super) fn bare(name: &str) -> &str {
    name.strip_prefix(AXIS).unwrap_or(name)
}

/// A field of a row.
#[derive(Clone, Copy)]
pub(super) enum Field<'a> {
    /// A column.
    Column(&'a Column),
    /// The item of a kind of subjects, such as `size_class`.
    Item(&'a Column),
}

impl<'a> Field<'a> {
    pub(super) fn column(self) -> &'a Column {
        match self {
            Self::Column(column) | Self::Item(column) => column,
        }
    }
}

/// A table, and whether it is a long table, with a row for each number.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) table: &'a Table,
    pub(super) is_long: bool,
}

impl<'a> Rows<'a> {
    pub(super) fn new(table: &'a Table) -> Self {
        let is_long = OWN.iter().all(|name| table.column(name).is_some());
        Self { table, is_long }
    }

    /// Returns the metrics of a long table, or the columns of another table.
    pub(super) fn metrics(self) -> Vec<&'a str> {
        match self.table.column("metric").filter(|_| self.is_long) {
            Some(column) => column.texts().collect(),
            None => self.table.columns().iter().map(|column| column.name.as_str()).collect(),
        }
    }

    /// The names of fields: columns, and kinds of subjects.
    fn fields(self) -> Vec<&'a str> {
        let columns = self.table.columns().iter().map(|column| column.name.as_str());
        let columns = columns.filter(|name| !self.is_long || !OWN.contains(name) || *name == "repetition");
        columns.chain(self.subjects()).collect()
    }

    /// Kinds of subjects but `all`.
    fn subjects(self) -> impl Iterator<Item = &'a str> {
        let column = self.table.column("subject").filter(|_| self.is_long);
        column.into_iter().flat_map(Column::texts).filter(|subject| *subject != "all")
    }

    /// Returns the field of this name, which an option gives. `axis:rank` is the axis if `rank` is a kind of subjects as well.
    pub(super) fn field(self, option: &str, name: &str) -> Result<Field<'a>> {
        let is_axis = name.starts_with(AXIS);
        let name = bare(name);
        if !is_axis
            && let Some(kind) = self.subjects().find(|subject| *subject == name)
            && let Some(items) = self.table.column("item")
        {
            debug_assert_eq!(kind, name);
            return Ok(Field::Item(items));
        }
        let fields = self.fields();
        let column = self.table.column(name).filter(|_| fields.contains(&name));
        column.map(Field::Column).ok_or_else(|| {
            let near = suggest(name, fields.iter().copied());
            let all =
                if near.contains("known are") { String::new() } else { format!(" Fields are {}.", fields.join(", ")) };
            UserError::argument(option, format!("this result has no field `{name}`{near}{all}"))
        })
    }

    /// Returns the rows with this metric, with the subject and the values of the request.
    pub(super) fn of(self, request: &Request, metric: &str) -> Result<Vec<usize>> {
        let metrics = self.metrics();
        if !metrics.contains(&metric) {
            let near = suggest(metric, metrics.iter().copied());
            let all = if near.contains("known are") {
                String::new()
            } else {
                format!(" Metrics are {}.", metrics.join(", "))
            };
            return Err(UserError::argument("y", format!("this result has no metric `{metric}`{near}{all}")));
        }
        let mut wanted: Vec<(&Column, &str)> = Vec::new();
        for (name, value) in &request.with {
            wanted.push((self.field("where", name)?.column(), value));
        }
        let subject = self.subject(request)?;
        if let (true, Some(metrics), Some(subjects)) =
            (self.is_long, self.table.column("metric"), self.table.column("subject"))
        {
            wanted.extend([(metrics, metric), (subjects, subject)]);
        }
        let is_wanted = |row: &usize| wanted.iter().all(|(column, value)| is_same(column, *row, value));
        let rows: Vec<usize> = (0..self.table.len()).filter(is_wanted).collect();
        if rows.is_empty() { Err(self.nothing(request, metric, subject)) } else { Ok(rows) }
    }

    /// The kind of subjects that some field of the request names; else `all`.
    fn subject(self, request: &Request) -> Result<&'a str> {
        let used = used(request);
        let mut named = self.subjects().filter(|subject| used.contains(subject));
        let first = named.next();
        match (first, named.next()) {
            (Some(first), Some(second)) => {
                let what = format!("a number belongs to a {first} or to a {second}, not to both; choose one");
                Err(UserError::argument("by", what))
            }
            (first, _) => Ok(first.unwrap_or("all")),
        }
    }

    /// Why there is no row.
    fn nothing(self, request: &Request, metric: &str, subject: &str) -> UserError {
        let (Some(metrics), Some(subjects)) = (self.table.column("metric"), self.table.column("subject")) else {
            return UserError::argument("where", "no row has these values");
        };
        let mut there: Vec<&str> = Vec::new();
        for row in (0..self.table.len()).filter(|row| metrics.text(*row) == metric) {
            if !there.contains(&subjects.text(row)) {
                there.push(subjects.text(row));
            }
        }
        if there.contains(&subject) {
            for (name, value) in &request.with {
                let Ok(field) = self.field("where", name) else { continue };
                if !(0..self.table.len()).any(|row| is_same(field.column(), row, value)) {
                    let near = suggest(value, field.column().texts().filter(|text| !text.is_empty()));
                    return UserError::argument("where", format!("`{name}` is never `{value}`{near}"));
                }
            }
            return UserError::argument("where", "no row has these values together");
        }
        let of = there.join(", ");
        let what = format!(
            "`{metric}` is a number of {of}, not of {subject}; name {of} with --x, --by, --panel-by or --where"
        );
        UserError::argument("y", what)
    }
}

/// Whether a row has the value, as text or as number.
fn is_same(column: &Column, row: usize, value: &str) -> bool {
    column.text(row) == value || column.number(row).is_some_and(|number| value.parse() == Ok(number))
}

/// Returns every field that a request names.
pub(super) fn used(request: &Request) -> Vec<&str> {
    let with = request.with.iter().map(|(name, _)| name);
    request.x.iter().chain(&request.panel_by).chain(&request.by).chain(with).map(String::as_str).collect()
}
