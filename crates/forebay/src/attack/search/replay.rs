//! Writes an attack that was found as a scenario, which runs it with the same packets.

use super::confirm::MEASURED_WITH;
use super::report::{Row, SearchReport};
use crate::attack::file_paths::find_from_anywhere;
use crate::document::{Node, Value};
use crate::error::Place;
use crate::error::Result;
use crate::op_streams::Names;
use forebay_core::convert::saturate;
use forebay_sim::attack::Timing;
use forebay_sim::attack::search::Candidate;
use std::path::Path;

/// Returns a scenario for each attack that was found, with the name of its file. `folder` has the scenario that was searched; the paths of
/// its files are made absolute.
pub fn files(report: &SearchReport, folder: &Path) -> Result<Vec<(String, String)>> {
    let mut names = Names::default();
    let files = report.results.iter().filter_map(|row| {
        let found = row.place.found.as_ref()?;
        let name = names.of_file(&format!("attack-{}-{}", row.policy, row.innocent_gbps), ".toml");
        Some(file(report, row, found, folder).map(|text| (name, text)))
    });
    files.collect()
}

fn file(report: &SearchReport, row: &Row, found: &Candidate, folder: &Path) -> Result<String> {
    let integer = |number: u64| Value::Integer(saturate(number));
    let text = |number: u64, unit: &str| Value::Text(format!("{number} {unit}"));
    let mut document = row.place.document.clone();
    find_from_anywhere(&mut document, folder)?;
    document.put(&["name"], Value::Text(report.scenario.clone()));
    document.put(&["seed"], integer(report.seed));
    document.put(&["repetitions"], integer(MEASURED_WITH));
    document.put(&["innocent", "packets"], integer(row.packets.unwrap_or(1)));
    document.put(&["innocent", "warmup"], integer(row.warmup.unwrap_or(0)));
    document.put(&["attack", "rate"], Value::Text(format!("{:.0} bps", found.rate_bps)));
    let kinds = found.attack.strategies.iter().map(|one| {
        table([
            ("size_bytes", Value::Integer(one.job.size_bytes.into())),
            ("job", text(one.job.work.as_ps(), "ps")),
            ("flows", Value::Integer(one.flows.into())),
            ("share", Value::Number(one.share)),
        ])
    });
    document.put(&["attack", "strategy"], Value::Array(kinds.map(node).collect()));
    document.remove(&["attack", "on_off"]);
    if let Timing::OnOff { period, duty } = found.attack.timing {
        let on_off = table([("period", text(period.as_ps(), "ps")), ("duty", Value::Number(duty))]);
        document.put(&["attack", "on_off"], on_off);
    }
    let found = row.displacement.map_or_else(String::new, |number| format!(": {number:.4} innocent bits per bit"));
    Ok(format!("# The most harmful attack that was found{found}. `forebay run` plays it.\n{}", document.to_toml()))
}

fn node(value: Value) -> Node {
    Node { value, place: Place::Setting(String::new()), field: None }
}

fn table<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Table(fields.map(|(key, value)| (key.to_owned(), node(value))).into())
}
