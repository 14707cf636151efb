//! Makes the points of a figure from the rows of a request.

use super::Request;
use super::axis_titles::{column, title_of_metric, unit_of_metric};
use super::rows::{Field, Rows, bare, used};
use super::table::{Column, Table};
use crate::error::{Result, UserError};
use crate::figure::{Axis, Figure, KINDS, Kind, Panel, Series, Unit};
use forebay_core::Named as _;
use forebay_core::registry::find;

/// With more values than this on its horizontal axis, a plot is a time series by default.
const MOST_POINTS: usize = 60;

pub(super) fn make(request: &Request, table: &Table) -> Result<(Figure, &'static str)> {
    let rows = Rows::new(table);
    let request = &with_defaults(request, rows)?;
    let mut chosen: Vec<(&str, Vec<usize>)> = Vec::new();
    for metric in &request.y {
        chosen.push((metric, rows.of(request, metric)?));
    }
    let all: Vec<usize> = chosen.iter().flat_map(|(_, rows)| rows.iter().copied()).collect();
    let by = fields(rows, "by", &request.by)?;
    let panel_by = fields(rows, "panel-by", &request.panel_by)?;
    let x = request.x.as_ref().map(|name| Ok((name, rows.field("x", name)?.column()))).transpose()?;
    let kind = kind_of(request, x.map(|(_, column)| column), &all)?;
    refuse_mixtures(request, rows, &all)?;
    let places = Places::new(x.map(|(name, column)| (name.as_str(), column)), request.log[0], &all);
    let title_of_panel = |row: usize| name_of(&panel_by, row);
    let mut figure = Figure { title: request.title.clone(), by: request.by.join(", "), ..Figure::default() };
    for (metric, rows_of_metric) in &chosen {
        let values = Values::new(rows, metric, rows_of_metric, request.log[1]);
        let by_panel = if let [(_, field)] = panel_by[..] { Some(field.column()) } else { None };
        for title in in_order(rows_of_metric, by_panel, title_of_panel) {
            let mine: Vec<usize> = rows_of_metric.iter().copied().filter(|row| title_of_panel(*row) == title).collect();
            figure.panels.push(panel(kind, title, &mine, &by, &places, &values));
        }
    }
    // A policy looks as it does in figures of all policies.
    let every = 0..table.len();
    figure.others = in_order(&every.collect::<Vec<_>>(), None, |row| name_of(&by, row));
    if figure.others.len() > figure.panels.iter().map(|panel| panel.series.len()).sum::<usize>() + 100 {
        figure.others.clear();
    }
    Ok((figure, kind.about().name))
}

/// Fields by their names, which an option gives.
fn fields<'a>(rows: Rows<'a>, option: &str, names: &'a [String]) -> Result<Vec<(&'a str, Field<'a>)>> {
    names.iter().map(|name| Ok((name.as_str(), rows.field(option, name)?))).collect()
}

/// The request with the policy where it says nothing.
fn with_defaults(request: &Request, rows: Rows<'_>) -> Result<Request> {
    let mut request = request.clone();
    if request.y.is_empty() {
        let all = rows.metrics().join(", ");
        return Err(UserError::argument("y", format!("name what is plotted; this result has {all}")));
    }
    let kind = request.kind.as_deref().and_then(|name| KINDS.iter().find(|kind| kind.about().name == name));
    let has_policy = rows.field("by", "policy").is_ok();
    if request.x.is_none() && has_policy && !kind.is_some_and(Kind::needs_no_x) {
        request.x = Some("policy".to_owned());
    }
    if request.x.is_none() && !kind.is_some_and(Kind::needs_no_x) {
        return Err(UserError::argument("x", "name the field of the horizontal axis"));
    }
    if request.by.is_empty() && has_policy && !request.panel_by.iter().any(|field| field == "policy") {
        request.by = vec!["policy".to_owned()];
    }
    Ok(request)
}

fn kind_of(request: &Request, x: Option<&Column>, rows: &[usize]) -> Result<&'static Kind> {
    let name = match (&request.kind, x) {
        (Some(name), _) => name,
        (None, Some(column)) if rows.iter().all(|row| column.number(*row).is_some()) => {
            let mut numbers: Vec<f64> = rows.iter().filter_map(|row| column.number(*row)).collect();
            numbers.sort_by(f64::total_cmp);
            numbers.dedup();
            if numbers.len() > MOST_POINTS { "time-series" } else { "lines" }
        }
        _ => "bars",
    };
    find("kind of plot", KINDS, name).map_err(|error| UserError::argument("kind", error.to_string()))
}

/// Rows that differ in a field that no option names would be averaged, as if it did not matter.
fn refuse_mixtures(request: &Request, rows: Rows<'_>, chosen: &[usize]) -> Result<()> {
    let used: Vec<&str> = used(request).into_iter().map(bare).collect();
    let is_free = |column: &&Column| {
        let own = ["subject", "item", "metric", "unit", "repetition", "value"];
        rows.is_long && !own.contains(&column.name.as_str()) && !used.contains(&column.name.as_str())
    };
    for column in rows.table.columns().iter().filter(is_free) {
        let values = in_order(chosen, Some(column), |row| column.text(row).to_owned());
        if values.len() > 1 {
            let (name, first) = (&column.name, &values[0]);
            let what = format!(
                "`{name}` has {} values here, and the figure would mix them; choose one with --where {name}={first}, or name it with --by \
                 or --panel-by",
                values.len()
            );
            return Err(UserError::argument("where", what));
        }
    }
    Ok(())
}

fn panel(
    kind: &Kind,
    title: String,
    rows: &[usize],
    by: &[(&str, Field<'_>)],
    places: &Places<'_>,
    values: &Values<'_>,
) -> Panel {
    let only = if let [(_, field)] = by { Some(field.column()) } else { None };
    let series = in_order(rows, only, |row| name_of(by, row)).into_iter().map(|name| {
        let mine = rows.iter().filter(|row| name_of(by, **row) == name);
        let mut samples: Vec<(f64, f64)> = mine.filter_map(|row| Some((places.at(*row)?, values.at(*row)?))).collect();
        samples.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series { points: kind.points(&samples), name }
    });
    let series = series.collect();
    let (x, y) = if kind.needs_no_x() {
        let x = Axis { is_logarithmic: places.is_logarithmic, ..values.axis.clone() };
        (
            x,
            Axis {
                is_logarithmic: values.axis.is_logarithmic,
                ..Axis::linear("share of the values up to this", Unit::Share)
            },
        )
    } else {
        (places.axis.clone(), values.axis.clone())
    };
    Panel { title, x, y, series }
}

/// Each text of the rows once: numbers in ascending order, others in their order.
fn in_order(rows: &[usize], column: Option<&Column>, text: impl Fn(usize) -> String) -> Vec<String> {
    let mut known: Vec<(Option<f64>, String)> = Vec::new();
    for row in rows {
        let text = text(*row);
        if !known.iter().any(|(_, other)| *other == text) {
            known.push((column.and_then(|column| column.number(*row)), text));
        }
    }
    if known.iter().all(|(number, _)| number.is_some()) {
        known.sort_by(|a, b| a.0.unwrap_or(0.0).total_cmp(&b.0.unwrap_or(0.0)));
    }
    known.into_iter().map(|(_, text)| text).collect()
}

/// The values of the fields by which series or panels differ, as far as the row has them.
fn name_of(by: &[(&str, Field<'_>)], row: usize) -> String {
    let has = |(_, field): &&(&str, Field<'_>)| !field.column().text(row).is_empty();
    let values: Vec<String> = by.iter().filter(has).map(|(name, field)| value_of(name, *field, row)).collect();
    values.join(", ")
}

/// A value as people read it: a number, true and false with the name of the field.
fn value_of(name: &str, field: Field<'_>, row: usize) -> String {
    let (name, column) = (bare(name), field.column());
    match column.number(row) {
        Some(number) if name != "policy" => format!("{} {}", name.replace('_', " "), column.unit(name).one(number)),
        _ => match column.text(row) {
            truth @ ("true" | "false") => format!("{} {truth}", name.replace('_', " ")),
            text => text.to_owned(),
        },
    }
}

/// Where rows are on the horizontal axis.
struct Places<'a> {
    column: Option<&'a Column>,
    axis: Axis,
    is_logarithmic: bool,
    /// Texts of the column in the order of the names of the axis.
    texts: Vec<String>,
    factor: f64,
}

impl<'a> Places<'a> {
    fn new(x: Option<(&str, &'a Column)>, is_logarithmic: bool, rows: &[usize]) -> Self {
        let Some((name, column)) = x else {
            return Self { column: None, axis: Axis::default(), is_logarithmic, texts: Vec::new(), factor: 1.0 };
        };
        let name = bare(name);
        let (title, in_column, factor) = self::column(name);
        let unit = if in_column == Unit::Plain { column.unit(name) } else { in_column };
        let are_numbers = rows.iter().all(|row| column.number(*row).is_some());
        let texts = in_order(rows, Some(column), |row| column.text(row).to_owned());
        let axis = if are_numbers {
            Axis { is_logarithmic, ..Axis::linear(title, unit) }
        } else {
            Axis::named(title, texts.clone())
        };
        Self { column: Some(column), axis, is_logarithmic, texts, factor }
    }

    fn at(&self, row: usize) -> Option<f64> {
        let Some(column) = self.column else { return Some(0.0) };
        if self.axis.names.is_empty() {
            column.number(row).map(|number| number * self.factor)
        } else {
            self.texts.iter().position(|text| text == column.text(row)).map(|place| place as f64)
        }
    }
}

/// The values of rows.
struct Values<'a> {
    column: Option<&'a Column>,
    axis: Axis,
    factor: f64,
}

impl<'a> Values<'a> {
    fn new(rows: Rows<'a>, metric: &str, of: &[usize], is_logarithmic: bool) -> Self {
        let unit = rows.table.column("unit").filter(|_| rows.is_long).zip(of.first());
        let (title, unit, factor) = match unit {
            Some((unit, first)) => (title_of_metric(metric), unit_of_metric(metric, unit.text(*first)), 1.0),
            None => column(metric),
        };
        let name = if rows.is_long { "value" } else { metric };
        let axis = Axis { is_logarithmic, ..Axis::linear(title, unit) };
        Self { column: rows.table.column(name), axis, factor }
    }

    fn at(&self, row: usize) -> Option<f64> {
        Some(self.column?.number(row)? * self.factor)
    }
}
