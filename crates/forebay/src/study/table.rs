//! A study as tables for people: one for each distribution of ranks and load.

use super::estimate::Estimate;
use super::quantity::Quantity;
use super::report::{CellReport, StudyReport};
use crate::output::table::{ns, percent, plain_table, rate};

/// Characters of a baseline that the head of a column has room for.
const MAX_BASELINE: usize = 14;

/// All tables, with what the reader must know.
pub fn report(report: &StudyReport) -> String {
    let study = &report.queue_study;
    let mut out = format!(
        "{}: port {}, buffer {}, arrivals {}, packets {}, seeds {}, root seed {}\n",
        report.scenario,
        rate(study.rate_bps),
        study.buffer,
        study.arrivals,
        study.packets,
        study.seeds,
        report.seed
    );
    let baseline = if has_short_baseline(report) { &study.baseline } else { "baseline" };
    let header = [
        "queue",
        "inversions",
        &format!("vs {baseline}"),
        "per packet",
        "overtaken",
        "dropped",
        "drop inv.",
        "utilisation",
        "mean delay",
        "p99",
    ]
    .map(str::to_owned);
    for block in report.blocks() {
        out.push_str(&format!("\n{}, load {}\n\n", block[0].ranks, block[0].load));
        out.push_str(&plain_table(header.to_vec(), block.iter().map(row).collect()));
    }
    out + &notes(report)
}

fn has_short_baseline(report: &StudyReport) -> bool {
    report.queue_study.baseline.chars().count() <= MAX_BASELINE
}

fn row(cell: &CellReport) -> Vec<String> {
    let mean = |quantity| cell.estimate(quantity).mean;
    let share = |quantity| mean(quantity).map_or_else(|| "-".to_owned(), percent);
    let missing = if cell.complete { "" } else { " (cut short)" };
    vec![
        format!("{}{missing}", cell.queue),
        with_interval(cell.estimate(Quantity::Inversions)),
        with_interval(cell.estimate(Quantity::InversionsVsBaseline)),
        mean(Quantity::InversionsPerPacket).map_or_else(|| "-".to_owned(), |share| format!("{share:.4}")),
        mean(Quantity::Overtaken).map_or_else(|| "-".to_owned(), |count| format!("{count:.0}")),
        share(Quantity::DropShare),
        mean(Quantity::DropInversions).map_or_else(|| "-".to_owned(), |count| format!("{count:.0}")),
        share(Quantity::Utilisation),
        ns(mean(Quantity::DelayMean)),
        ns(mean(Quantity::DelayP99)),
    ]
}

/// `1234 +- 56`, to two digits of the interval.
pub fn with_interval(estimate: &Estimate) -> String {
    match (estimate.mean, estimate.ci95) {
        (None, _) => "-".to_owned(),
        (Some(mean), Some(0.0)) => format!("{} +- 0", alone(mean)),
        (Some(mean), Some(ci95)) => {
            let decimals = decimals_for(ci95);
            format!("{mean:.decimals$} +- {ci95:.decimals$}")
        }
        (Some(mean), None) => alone(mean),
    }
}

/// A number that no interval says the digits of.
fn alone(mean: f64) -> String {
    if mean.fract() == 0.0 { format!("{mean:.0}") } else { format!("{mean:.4}") }
}

/// So many that the interval has two digits, but not more than four.
fn decimals_for(ci95: f64) -> usize {
    [10.0, 1.0, 0.1, 0.01].iter().position(|&least| ci95 >= least).unwrap_or(4)
}

/// What else the reader must know.
fn notes(report: &StudyReport) -> String {
    let mut notes = Vec::new();
    let study = &report.queue_study;
    if study.seeds == 1 {
        notes.push("one seed: no confidence intervals; `repetitions = 10` gives them".to_owned());
    } else {
        notes.push("means over seeds; +- is the 95 % confidence interval of the mean".to_owned());
    }
    if !has_short_baseline(report) {
        notes.push(format!("baseline: {}", study.baseline));
    }
    let least = report.results.iter().map(|cell| cell.repetitions.len() as u64).min().unwrap_or(0);
    if least < study.seeds {
        notes.push(format!("interrupted: at least {least} of {} seeds are in each line", study.seeds));
    }
    for cell in &report.results {
        for (counter, value) in &cell.counters {
            let (ranks, load, counter) = (&cell.ranks, cell.load, counter.replace('_', " "));
            notes.push(format!("{}, {ranks}, load {load}: {counter} = {value}", cell.queue));
        }
    }
    format!("\n{}\n", notes.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_many_digits_as_they_are_sure_of() {
        let estimate = |mean, ci95| Estimate { mean, ci95, values: Vec::new() };
        for (mean, ci95, text) in [
            (Some(12_345.678), Some(67.8), "12346 +- 68"),
            (Some(0.30214), Some(0.00412), "0.3021 +- 0.0041"),
            (Some(0.30214), Some(0.0412), "0.302 +- 0.041"),
            (Some(3.0), Some(1.25), "3.0 +- 1.2"),
            (Some(1.0), Some(0.0), "1 +- 0"),
            (Some(0.35772), Some(0.0), "0.3577 +- 0"),
            (Some(7.0), None, "7"),
            (Some(0.3), None, "0.3000"),
            (None, None, "-"),
        ] {
            assert_eq!(with_interval(&estimate(mean, ci95)), text);
        }
    }
}
