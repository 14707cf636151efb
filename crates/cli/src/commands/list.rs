//! `forebay list`: every name, kind by kind.

use crate::Done;
use crate::args::{Format, ListArgs};
use forebay::catalogue::entries;
use forebay::error::Result;
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
    let rows: Vec<Row> = entries()
        .iter()
        .map(|entry| Row {
            kind: entry.kind.title(),
            name: entry.about.name,
            order: entry.about.exactness.to_string(),
            title: entry.about.title,
        })
        .collect();
    Ok(Done::ok(match args.format {
        Format::Json => folder::json(&rows)?,
        Format::Csv => csv::lines(
            &["kind", "name", "order", "title"],
            rows.iter()
                .map(|row| vec![row.kind.to_owned(), row.name.to_owned(), row.order.clone(), row.title.to_owned()]),
        ),
        Format::Table => text(),
    }))
}

fn text() -> String {
    let entries = entries();
    let width = entries.iter().map(|entry| entry.about.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    let mut last = "";
    for entry in &entries {
        let kind = entry.kind.title();
        if kind != last {
            if !last.is_empty() {
                out.push('\n');
            }
            out.push_str(&format!("{}\n", entry.kind.plural()));
            last = kind;
        }
        let order = match entry.about.exactness {
            Exactness::NotApplicable => String::new(),
            order => format!(" [{order}]"),
        };
        out.push_str(&format!("  {:width$}  {}{order}\n", entry.about.name, entry.about.title));
    }
    out.push_str(
        "\n`forebay explain NAME` says more about each; `forebay explain network` about scenarios of networks.\n",
    );
    table::trim_lines(&out)
}
