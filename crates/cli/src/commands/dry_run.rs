//! `forebay run SCENARIO --dry-run`: lists the runs without running them.

use crate::memory;
use forebay::error::Result;
use forebay::output::table::plain_table;
use forebay::run::{Memory, Part, readable_bytes};
use forebay::{Question, Unit};
use forebay_core::Duration;

/// The list of cells with the runs of this part and their costs.
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
    let numbers = ["runs", "simulated", counted, "CPU seconds", "memory"];
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
            bytes(cost.memory),
        ];
        std::iter::once(cost.policy.clone()).chain(values).chain(numbers).collect()
    });
    let runs: u64 = costs.iter().map(|cost| cost.runs).sum();
    let seconds: f64 = costs.iter().map(|cost| cost.cpu_seconds * cost.runs as f64).sum();
    let held: Vec<_> = costs.iter().map(|cost| (cost.memory, cost.runs)).collect();
    let held = Memory::at_a_time(&held, question.runs_at_a_time());
    let limit = memory::limit().map_or_else(String::new, |limit| format!(" of {}", readable_bytes(limit as f64)));
    Ok(format!(
        "{}\n{runs} runs, about {} CPU seconds; estimates are rough, often right within a factor of three\n\
         memory: {}{limit} in addition to the program's own 20 MB, with {} at a time\n",
        plain_table(header, rows.collect()),
        rounded(seconds),
        bytes(held),
        question.runs_at_a_time(),
    ))
}

/// Memory that is surely held, and the maximum if queues fill and all objects differ.
fn bytes(memory: Memory) -> String {
    let [surely, at_most] = [memory.surely, memory.at_most].map(readable_bytes);
    match () {
        () if surely == at_most => surely,
        () if memory.surely < 1e6 => format!("up to {at_most}"),
        () => format!("{surely} to {at_most}"),
    }
}

/// The number rounded to two digits.
fn rounded(number: f64) -> String {
    if number < 10.0 {
        return format!("{number:.1}");
    }
    let scale = 10_f64.powf(number.log10().floor() - 1.0);
    format!("{:.0}", (number / scale).round() * scale)
}
