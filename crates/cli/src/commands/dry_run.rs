//! `forebay run SCENARIO --dry-run`: what would be run.

use forebay::error::Result;
use forebay::output::table::plain_table;
use forebay::run::Part;
use forebay::{Question, Unit};
use forebay_core::Duration;

/// The list of cells with the runs of this part, and what all of them cost.
pub(super) fn describe(question: &Question, part: &Part) -> Result<String> {
    let costs = question.costs(part)?;
    let mut axes: Vec<&str> = Vec::new();
    for (name, _) in costs.iter().flat_map(|cost| &cost.axes) {
        if !axes.contains(&name.as_str()) {
            axes.push(name);
        }
    }
    let is_requests = costs.iter().any(|cost| cost.counted == Unit::Requests);
    let counted = if is_requests { "requests" } else { "packets" };
    let numbers = ["runs", "simulated", counted, "CPU seconds"];
    let header = ["policy"].iter().chain(&axes).chain(&numbers);
    let header = header.map(|head| (*head).to_owned()).collect();
    let rows = costs.iter().map(|cost| {
        let values = axes.iter().map(|axis| {
            let value = cost.axes.iter().find(|(name, _)| name == axis);
            value.map_or_else(|| "-".to_owned(), |(_, text)| text.clone())
        });
        let numbers = [
            cost.runs.to_string(),
            if cost.simulated == Duration::ZERO { "-".to_owned() } else { cost.simulated.to_string() },
            rounded(cost.packets * cost.runs as f64),
            rounded(cost.cpu_seconds * cost.runs as f64),
        ];
        std::iter::once(cost.policy.clone()).chain(values).chain(numbers).collect()
    });
    let runs: u64 = costs.iter().map(|cost| cost.runs).sum();
    let seconds: f64 = costs.iter().map(|cost| cost.cpu_seconds * cost.runs as f64).sum();
    Ok(format!(
        "{}\n{runs} runs, some {} CPU seconds; estimates are rough, often right within a factor of three\n",
        plain_table(header, rows.collect()),
        rounded(seconds)
    ))
}

/// With two digits.
fn rounded(number: f64) -> String {
    if number < 10.0 {
        return format!("{number:.1}");
    }
    let scale = 10_f64.powf(number.log10().floor() - 1.0);
    format!("{:.0}", (number / scale).round() * scale)
}
