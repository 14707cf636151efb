//! Recipes of the pictures that every result of a kind has, for all axes of a sweep.

use super::Request;
use super::named_picture::Picture;
use super::rows::AXIS;
use super::table::Table;
use crate::error::Result;
use crate::figure::{Figure, Panel};
use crate::frame::Frame;
use std::collections::BTreeSet;

/// The ratio of the greatest value to the least from which a horizontal axis is logarithmic.
const WIDE: f64 = 30.0;

/// A picture that every result with these numbers has.
pub(crate) struct Recipe {
    /// The first part of the file's name, before the name of the axis.
    pub(crate) name: &'static str,
    /// The subject of the picture, for its title.
    pub(crate) what: &'static str,
    /// Metrics, and whether their axes are logarithmic.
    pub(crate) y: &'static [(&'static str, bool)],
    /// The horizontal axis.
    pub(crate) across: Across,
    /// The subject that has panels of its own, if there is one.
    pub(crate) subject: Option<&'static str>,
}

/// The kinds of horizontal axes.
pub(crate) enum Across {
    /// Each axis of the sweep whose values are numbers: a picture for each.
    EachAxis,
    /// A field, with panels for the values of all axes.
    Field(&'static str),
}

/// The result of a sweep.
pub(crate) struct Sweep<'a> {
    /// The name of the scenario.
    pub(crate) scenario: &'a str,
    /// All numbers.
    pub(crate) frame: &'a Frame,
    /// The rows that recipes may use.
    pub(crate) table: &'a Table,
    /// The axes that are within policies.
    pub(crate) of_policies: &'a BTreeSet<String>,
}

impl Recipe {
    /// The pictures of a result; none if it lacks the numbers.
    fn pictures(&self, sweep: &Sweep<'_>) -> Result<Vec<Picture>> {
        match self.across {
            Across::Field(field) => {
                let title = format!("{}: {}", sweep.scenario, self.what);
                Ok(self.picture(sweep, field, self.name, title)?.into_iter().collect())
            }
            Across::EachAxis => {
                let mut pictures = Vec::new();
                for axis in sweep.shared().filter(|axis| sweep.is_numeric(axis)) {
                    pictures.extend(self.of_axis(sweep, axis)?);
                }
                Ok(pictures)
            }
        }
    }

    /// Returns the picture over one axis.
    pub(crate) fn of_axis(&self, sweep: &Sweep<'_>, axis: &str) -> Result<Vec<Picture>> {
        let title = format!("{}: {} by {}", sweep.scenario, self.what, axis.replace('_', " "));
        let picture = self.picture(sweep, axis, &format!("{}-by-{axis}", self.name), title)?;
        Ok(picture.into_iter().collect())
    }

    fn picture(&self, sweep: &Sweep<'_>, x: &str, name: &str, title: String) -> Result<Option<Picture>> {
        let is_axis = matches!(self.across, Across::EachAxis);
        let others = sweep.shared().filter(|axis| !is_axis || *axis != x).map(|axis| sweep.field(axis));
        let own: Vec<String> = sweep.own().into_iter().map(|axis| sweep.field(axis)).collect();
        let policy = (sweep.has_several("policy") || own.is_empty()).then(|| "policy".to_owned());
        let request = Request {
            x: Some(if is_axis { sweep.field(x) } else { x.to_owned() }),
            by: policy.into_iter().chain(own).collect(),
            panel_by: self.subject.map(str::to_owned).into_iter().chain(others).collect(),
            ..Request::default()
        };
        let mut kind = "";
        let mut figure = Figure::default();
        let mut of_metrics: Vec<Vec<Panel>> = Vec::new();
        // A field that is neither an axis nor the policy is a kind of subjects.
        let of_field = (!is_axis && x != "policy").then_some(x);
        for (metric, is_logarithmic) in self.y.iter().filter(|(metric, _)| sweep.has(metric, self.subject.or(of_field)))
        {
            let log = [is_axis && sweep.is_wide(x), *is_logarithmic];
            let request = Request { y: vec![(*metric).to_owned()], log, ..request.clone() };
            (figure, kind) = request.figure(sweep.table)?;
            // What is not on a logarithmic axis is in no panel of it.
            figure.panels.retain(|panel| panel.points().next().is_some());
            of_metrics.push(std::mem::take(&mut figure.panels));
        }
        of_metrics.retain(|panels| !panels.is_empty());
        // A column for each metric.
        figure.across = (of_metrics.len() > 1).then_some(of_metrics.len());
        let rows = of_metrics.iter().map(Vec::len).max().unwrap_or(0);
        let mut columns: Vec<_> = of_metrics.into_iter().map(Vec::into_iter).collect();
        for _ in 0..rows {
            figure.panels.extend(columns.iter_mut().filter_map(Iterator::next));
        }
        figure.title = title;
        Ok(Picture::of_panels(name, kind, figure))
    }
}

/// Returns the rows of a frame that these recipes need.
pub(crate) fn rows_of(frame: &Frame, recipes: &[Recipe]) -> Table {
    let metrics = || recipes.iter().flat_map(|recipe| recipe.y);
    Table::of_rows(frame, |row| metrics().any(|(metric, _)| *metric == row.metric))
}

impl Sweep<'_> {
    /// Returns the pictures of all recipes.
    pub(crate) fn pictures(&self, recipes: &[Recipe]) -> Result<Vec<Picture>> {
        let mut pictures = Vec::new();
        for recipe in recipes {
            pictures.extend(recipe.pictures(self)?);
        }
        Ok(pictures)
    }

    fn texts(&self, field: &str) -> impl Iterator<Item = &str> {
        self.table.column(field).into_iter().flat_map(|column| column.texts())
    }

    fn has_several(&self, field: &str) -> bool {
        self.texts(field).nth(1).is_some()
    }

    /// The axes by which policies differ from themselves: they belong to their names. So do names within policies, which are there
    /// to be compared.
    fn own(&self) -> Vec<&str> {
        let is_own = |axis: &&String| {
            self.texts(axis).any(str::is_empty) || (self.of_policies.contains(*axis) && !self.are_numbers(axis))
        };
        self.frame.axes().iter().filter(is_own).map(String::as_str).collect()
    }

    /// The axes that all policies have.
    fn shared(&self) -> impl Iterator<Item = &str> {
        let own = self.own();
        self.frame.axes().iter().map(String::as_str).filter(move |axis| !own.contains(axis))
    }

    fn are_numbers(&self, axis: &str) -> bool {
        let column = self.table.column(axis);
        column.is_some_and(|column| (0..self.table.len()).all(|row| column.number(row).is_some()))
    }

    /// Whether the axis has several values, all numbers of one kind: not both shares of something and absolute ones.
    fn is_numeric(&self, axis: &str) -> bool {
        let shares = self.written(axis).filter(|text| text.ends_with('%')).count();
        self.are_numbers(axis) && self.has_several(axis) && (shares == 0 || shares == self.written(axis).count())
    }

    /// The values of an axis as the scenario writes them.
    fn written(&self, axis: &str) -> impl Iterator<Item = &str> {
        let place = self.frame.axes().iter().position(|name| name == axis);
        self.frame.rows().filter_map(move |row| row.axes[place?].as_deref())
    }

    fn is_wide(&self, axis: &str) -> bool {
        let numbers = || self.texts(axis).filter_map(|text| text.parse::<f64>().ok());
        let least = numbers().fold(f64::INFINITY, f64::min);
        least > 0.0 && numbers().fold(0.0, f64::max) > WIDE * least
    }

    /// The name of an axis as a request has it.
    fn field(&self, axis: &str) -> String {
        if self.texts("subject").any(|kind| kind == axis) { format!("{AXIS}{axis}") } else { axis.to_owned() }
    }

    /// Whether there are numbers of this metric, of the subject of the picture.
    fn has(&self, metric: &str, subject: Option<&str>) -> bool {
        let wanted = subject.unwrap_or("all");
        let (Some(metrics), Some(subjects)) = (self.table.column("metric"), self.table.column("subject")) else {
            return false;
        };
        (0..self.table.len()).any(|row| metrics.text(row) == metric && subjects.text(row) == wanted)
    }
}
