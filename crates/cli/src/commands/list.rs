//! `forebay list [KIND]`: prints all names, kind by kind.

use crate::Done;
use crate::args::{Format, ListArgs};
use crate::catalogue;
use crate::error::{Result, UserError};
use forebay::catalogue::{Entry, Judged, kind};
use forebay::output::{csv, folder, table};
use forebay_core::Exactness;
use serde::Serialize;

#[derive(Serialize)]
struct Row {
    kind: &'static str,
    name: &'static str,
    order: String,
    /// The unit of a metric in JSON.
    unit: &'static str,
    /// Whether higher or lower values of a metric are better.
    better: &'static str,
    title: &'static str,
}

pub(crate) fn run(args: &ListArgs) -> Result<Done> {
    let wanted = args.kind.as_deref().map(kind).transpose().map_err(UserError::new)?;
    let mut entries = catalogue::all();
    entries.retain(|entry| wanted.is_none_or(|wanted| entry.kind == wanted));
    let rows: Vec<Row> = entries
        .iter()
        .map(|entry| Row {
            kind: entry.kind.title(),
            name: entry.name,
            order: entry.exactness.to_string(),
            unit: entry.judged.map_or("-", |judged| judged.unit),
            better: entry.judged.map_or("-", |judged| judged.better),
            title: entry.title,
        })
        .collect();
    Ok(Done::ok(match args.format {
        Format::Json => folder::json(&rows)?,
        Format::Csv => csv::lines(
            &["kind", "name", "order", "unit", "better", "title"],
            rows.iter().map(|row| {
                [row.kind, row.name, &row.order, row.unit, row.better, row.title].map(str::to_owned).to_vec()
            }),
        ),
        Format::Table => text(&entries),
    }))
}

fn text(entries: &[Entry]) -> String {
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    let mut last = "";
    for entry in entries {
        let kind = entry.kind.title();
        if kind != last {
            if !last.is_empty() {
                out.push('\n');
            }
            out.push_str(&format!("{}\n", entry.kind.plural()));
            last = kind;
        }
        let more = match (entry.exactness, entry.judged) {
            (_, Some(Judged { unit, better: "neither", .. })) => format!(" [{unit}]"),
            (_, Some(Judged { unit, better, .. })) => format!(" [{unit}, {better} is better]"),
            (Exactness::NotApplicable, None) => String::new(),
            (order, None) => format!(" [{order}]"),
        };
        out.push_str(&format!("  {:width$}  {}{more}\n", entry.name, entry.title));
    }
    out.push_str(
        "\n`forebay explain NAME` says more about each. `forebay explain scenario`, `attacks` and \
         `network` print the fields of scenarios.\n",
    );
    table::trim_lines(&out)
}
