//! The numbers of a figure as CSV.

use crate::figure::drawing::{Drawing, Format};
use crate::output::csv::lines;

/// The entry of the registry.
pub(crate) const ENTRY: Format =
    Format { ending: "csv", write: |drawing: &Drawing<'_>| Ok(text(drawing).into_bytes()) };

/// A row for each point: its panel and series, x, y, half the width of the interval, and how many numbers y is made of.
fn text(drawing: &Drawing<'_>) -> String {
    let figure = drawing.figure;
    let series = if figure.by.is_empty() { "series" } else { &figure.by };
    let header = ["panel", series, "x", "y", "ci95", "samples", "x_axis", "x_unit", "y_axis", "y_unit"];
    let rows = figure.panels.iter().flat_map(|panel| {
        panel.series.iter().flat_map(move |series| {
            series.points.iter().map(move |point| {
                let name = crate::figure::names::name_of(&panel.x, point.x);
                vec![
                    panel.title.clone(),
                    series.name.clone(),
                    name.map_or_else(|| point.x.to_string(), str::to_owned),
                    point.y.to_string(),
                    point.ci95.map_or_else(String::new, |ci95| ci95.to_string()),
                    point.samples.to_string(),
                    panel.x.title.clone(),
                    panel.x.unit.base().to_owned(),
                    panel.y.title.clone(),
                    panel.y.unit.base().to_owned(),
                ]
            })
        })
    });
    lines(&header, rows)
}
