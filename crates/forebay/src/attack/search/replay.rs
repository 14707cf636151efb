//! An attack that was found as a study that `forebay attack` plays, with the same packets.

use super::confirm::MEASURED_WITH;
use super::report::{Row, SearchReport};
use crate::document::{Node, Value};
use crate::error::Place;
use crate::error::{Result, UserError};
use crate::op_streams::Names;
use forebay_core::convert::saturate;
use forebay_sim::attack::Timing;
use forebay_sim::attack::search::Candidate;
use std::path::Path;

/// A study for each attack that was found, with the name of its file. `document` is the study that was searched, and stands in
/// `folder`; files that it names are found from anywhere.
pub fn files(report: &SearchReport, document: &Node, folder: &Path) -> Result<Vec<(String, String)>> {
    let mut document = document.clone();
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = std::path::absolute(folder).map_err(|error| UserError::io(folder, "found", &error))?;
    find_from_anywhere(&mut document, &folder);
    let mut names = Names::default();
    let files = report.rows.iter().filter_map(|row| {
        let found = row.place.found.as_ref()?;
        let name = names.of_file(&format!("attack-{}-{}", row.policy, row.innocent_gbps), ".toml");
        Some((name, file(report, row, found, document.clone())))
    });
    Ok(files.collect())
}

fn file(report: &SearchReport, row: &Row, found: &Candidate, mut document: Node) -> String {
    let integer = |number: u64| Value::Integer(saturate(number));
    let text = |number: u64, unit: &str| Value::Text(format!("{number} {unit}"));
    document.put(&["seed"], integer(report.seed));
    let study = |key| ["attack_study", key];
    document.put(&study("packets"), integer(row.packets.unwrap_or(1)));
    document.put(&study("warmup"), integer(row.warmup.unwrap_or(0)));
    document.put(&["repetitions"], integer(MEASURED_WITH));
    let innocent = |key| ["attack_study", "innocent", key];
    document.remove(&innocent("rates"));
    document.put(&innocent("rate"), text(row.place.innocent_bps, "bps"));
    let attack = |key| ["attack_study", "attack", key];
    document.remove(&attack("rates"));
    document.put(&attack("rate"), Value::Text(format!("{:.0} bps", found.rate_bps)));
    let kinds = found.attack.strategies.iter().map(|one| {
        table([
            ("size_bytes", Value::Integer(one.job.size_bytes.into())),
            ("job", text(one.job.work.as_ps(), "ps")),
            ("flows", Value::Integer(one.flows.into())),
            ("share", Value::Number(one.share)),
        ])
    });
    document.put(&attack("strategy"), Value::Array(kinds.map(node).collect()));
    document.remove(&attack("on_off"));
    if let Timing::OnOff { period, duty } = found.attack.timing {
        document.put(&attack("on_off"), table([("period", text(period.as_ps(), "ps")), ("duty", Value::Number(duty))]));
    }
    if let Some(Value::Array(policies)) = document.value_at(&["policy"]) {
        *policies = policies.get(row.place.policy).cloned().into_iter().collect();
    }
    let found = row.displacement.map_or_else(String::new, |number| format!(": {number:.4} innocent bits per bit"));
    format!("# The most harmful attack that was found{found}. `forebay attack` plays it.\n{}", document.to_toml())
}

/// Makes paths absolute.
fn find_from_anywhere(document: &mut Node, folder: &Path) {
    let absolute = |value: Option<&mut Value>| {
        if let Some(Value::Text(path)) = value {
            *path = folder.join(&*path).display().to_string();
        }
    };
    absolute(document.value_at(&["attack_study", "innocent", "jobs"]));
    absolute(document.value_at(&["attack_study", "innocent", "application", "pcap"]));
    if let Some(Value::Array(policies)) = document.value_at(&["policy"]) {
        policies.iter_mut().for_each(|policy| absolute(policy.value_at(&["policy"])));
    }
}

fn node(value: Value) -> Node {
    Node { value, place: Place::Setting(String::new()), field: None }
}

fn table<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Table(fields.map(|(key, value)| (key.to_owned(), node(value))).into())
}
