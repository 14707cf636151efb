//! `forebay list [KIND]`: every name, kind by kind.

use crate::Done;
use crate::args::{Format, ListArgs};
use crate::catalogue;
use crate::error::{Result, UserError};
use forebay::catalogue::{Entry, kind};
use forebay::output::{csv, folder, table};
use forebay_core::Exactness;
use serde::Serialize;

#[derive(Serialize)]
struct Row {
    kind: &'static str,
    name: &'static str,
    order: String,
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
            title: entry.title,
        })
        .collect();
    Ok(Done::ok(match args.format {
        Format::Json => folder::json(&rows)?,
        Format::Csv => csv::lines(
            &["kind", "name", "order", "title"],
            rows.iter()
                .map(|row| vec![row.kind.to_owned(), row.name.to_owned(), row.order.clone(), row.title.to_owned()]),
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
        let order = match entry.exactness {
            Exactness::NotApplicable => String::new(),
            order => format!(" [{order}]"),
        };
        out.push_str(&format!("  {:width$}  {}{order}\n", entry.name, entry.title));
    }
    out.push_str(
        "\n`forebay explain NAME` says more about each. `forebay explain scenario`, `attacks` and \
         `network` print the fields of scenarios.\n",
    );
    table::trim_lines(&out)
}
