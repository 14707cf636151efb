//! Attacks as tables for people: first the worst attack on each policy, then all rows.

use super::report::{AttackReport, Row, Settings, Worst};
use crate::output::digits::with_interval;
use crate::output::table::{ns, percent, plain_table};
use crate::statistics::Estimate;
use crate::sweep::{AxisValue, names, value};
use forebay_core::Rate;

/// Returns all tables, with warnings for their readers.
pub fn report(report: &AttackReport) -> String {
    let study = &report.attack.settings;
    let plural = |count: u64, what: &str| if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") };
    let mut out = format!(
        "{}: {}{}, {}, {} packets, {}, root seed {}\n\
         {}\n\
         attacker: packets of {} B or more that cause up to {} of work each\n\n\
         the greatest harm over all attack rates: innocent bits lost for each bit of the attacker\n\n",
        report.scenario,
        plural(study.servers as u64, "server"),
        study.buffer.as_ref().map_or_else(String::new, |buffer| format!(", buffer {buffer}")),
        gaps(&study.gaps),
        study.packets,
        plural(report.attack.repetitions, "repetition"),
        report.seed,
        innocent(study),
        study.min_packet_bytes,
        ns(Some(study.max_job_ns)),
    );
    // Rates have columns of their own.
    let further = further_axes(report);
    let titles = |own: &[&str]| {
        let [first, rest @ ..] = own else { return Vec::new() };
        std::iter::once(*first)
            .chain(further.iter().map(String::as_str))
            .chain(rest.iter().copied())
            .map(str::to_owned)
            .collect()
    };
    let header = ["policy", "innocent", "displacement", "at attack", "strategy", "bound", "holds", "predicted"];
    let of_worst = report.worst.iter().map(|row| with_axes(worst(row), &further, &row.axes));
    out.push_str(&plain_table(titles(&header), of_worst.collect()));
    let mut header = vec![
        "policy",
        "attack",
        "goodput",
        "baseline",
        "displacement",
        "bound",
        "strategy",
        "attack job",
        "attack served",
    ];
    let limits = limits(report);
    header.extend(limits.iter().map(|(title, ..)| title));
    for block in report.results.chunk_by(|a, b| a.innocent_gbps.total_cmp(&b.innocent_gbps).is_eq()) {
        out.push_str(&format!("\ninnocent {}\n\n", gbps(block[0].innocent_gbps)));
        let rows = block.iter().map(|own| {
            let more = limits.iter().map(|(_, name, shown)| own.quantities.mean(name).map_or_else(dash, shown));
            with_axes(row(own).into_iter().chain(more).collect(), &further, &own.axes)
        });
        out.push_str(&plain_table(titles(&header), rows.collect()));
    }
    out + &notes(report)
}

/// A column: its title, its quantity, and how numbers are written.
type Column = (&'static str, &'static str, fn(f64) -> String);

/// Returns the columns about an application's limits that are not all 0.
fn limits(report: &AttackReport) -> Vec<Column> {
    let all: [Column; 3] = [
        ("flows reset", "innocent_flows_reset", |count| format!("{count:.0}")),
        ("without attack", "innocent_flows_reset_baseline", |count| format!("{count:.0}")),
        ("memory", "application_bytes", bytes),
    ];
    let is_used =
        |name: &str| report.results.iter().any(|row| row.quantities.mean(name).is_some_and(|mean| mean > 0.0));
    all.into_iter().filter(|(_, name, _)| is_used(name)).collect()
}

/// Bytes with the unit that suits them.
fn bytes(bytes: f64) -> String {
    match bytes {
        large if large >= 1e6 => format!("{:.1} MB", large / 1e6),
        medium if medium >= 1e3 => format!("{:.1} KB", medium / 1e3),
        small => format!("{small:.0} B"),
    }
}

/// The axes that are not rates.
fn further_axes(report: &AttackReport) -> Vec<String> {
    let mut further = names(report.results.iter().map(|row| &row.axes[..]));
    further.retain(|name| !["rate", "innocent.rate", "attack.rate"].contains(&name.as_str()));
    further
}

/// A row with the values of these axes behind the policy.
fn with_axes(mut row: Vec<String>, further: &[String], axes: &[(String, AxisValue)]) -> Vec<String> {
    row.splice(1..1, further.iter().map(|axis| value(axes, axis).map_or_else(dash, |value| value.text.clone())));
    row
}

/// Describes innocent packets in words.
pub(super) fn innocent(study: &Settings) -> String {
    let made_by =
        study.application.as_ref().map_or_else(String::new, |name| format!("{name}, {} flows, ", study.flows));
    format!(
        "innocent: {made_by}packets of {:.0} B that cause {} of work, so the processor can serve {}",
        study.mean_packet_bytes,
        ns(Some(study.mean_job_ns)),
        gbps(study.capacity_gbps),
    )
}

/// Describes the gaps between innocent packets in words.
pub(super) fn gaps(name: &str) -> String {
    match name {
        "back-to-back" => "packets back to back".to_owned(),
        name => format!("{name} gaps"),
    }
}

fn worst(worst: &Worst) -> Vec<String> {
    vec![
        worst.policy.clone(),
        gbps(worst.innocent_gbps),
        interval(worst.displacement, worst.displacement_ci95),
        worst.attack_gbps.map_or_else(dash, gbps),
        worst.strategy.map_or_else(dash, |found| found.name().to_owned()),
        short(worst.bound),
        worst.holds.map_or_else(dash, |holds| if holds { "yes" } else { "no" }.to_owned()),
        short(worst.predicted),
    ]
}

fn row(row: &Row) -> Vec<String> {
    let missing = if row.complete { "" } else { " (cut short)" };
    vec![
        format!("{}{missing}", row.policy),
        gbps(row.attack_gbps),
        interval(row.goodput_gbps, row.goodput_gbps_ci95),
        interval(row.baseline_gbps, row.baseline_gbps_ci95),
        interval(row.displacement, row.displacement_ci95),
        short(row.bound),
        row.strategy.name().to_owned(),
        row.attack_job_ns.map_or_else(dash, |job| ns(Some(job))),
        row.attack_served.map_or_else(dash, percent),
    ]
}

pub(super) fn interval(mean: Option<f64>, ci95: Option<f64>) -> String {
    with_interval(&Estimate { mean, ci95, values: Vec::new() }, 1.0)
}

pub(super) fn dash() -> String {
    "-".to_owned()
}

/// Writes a number with three digits.
pub(super) fn short(number: Option<f64>) -> String {
    number.map_or_else(dash, |number| match number {
        large if large >= 100.0 => format!("{large:.0}"),
        medium if medium >= 10.0 => format!("{medium:.1}"),
        small => format!("{small:.2}"),
    })
}

/// Writes a rate in the unit that suits it, with four digits.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rates are not negative")]
pub(super) fn gbps(gbps: f64) -> String {
    let bps = gbps * 1e9;
    let digit = 10_f64.powf((bps.max(1.0).log10().floor() - 3.0).max(0.0));
    let rounded = (bps / digit).round() * digit;
    Rate::from_bits_per_second(rounded as u64).map_or_else(dash, |rate| rate.to_string())
}

/// Returns further notes for the reader.
fn notes(report: &AttackReport) -> String {
    let study = &report.attack.settings;
    let mut notes = vec![
        "displacement: baseline (the same packets without attack) minus goodput, over the attack rate, repetition by repetition"
            .to_owned(),
    ];
    if report.attack.repetitions > 1 {
        notes.push(
            "means over repetitions; +- is the 95 % confidence interval of the mean; goodput and baseline in Gbps"
                .to_owned(),
        );
    }
    if study.strategy == "optimal" {
        notes.push("strategy: the most harmful of the closed-form attacks tried".to_owned());
    }
    if limits(report).iter().any(|(title, ..)| *title == "flows reset") {
        notes.push("flows reset: innocent flows that the application reset, with the attack and without".to_owned());
    }
    if study.strategy == "application" {
        notes.push(
            "policies use the estimate of the application; attack job: the mean, if all of the attack is served"
                .to_owned(),
        );
    }
    if report.worst.iter().any(|worst| worst.predicted.is_some()) {
        notes.push(
            "predicted: no bound exists; FCFS shares the processor by arrivals, FQ gives new flows all the work that they \
             request".to_owned(),
        );
    }
    if study.servers > 1 && report.worst.iter().any(|worst| worst.bound.is_some()) {
        notes.push("bounds are proved for one server".to_owned());
    }
    if study.estimate != "told" && report.worst.iter().any(|worst| worst.bound.is_some()) {
        notes.push("bounds are proved, and attacks computed, for schedulers that know the work".to_owned());
    }
    if !report.is_complete() {
        notes.push("interrupted: some rows have fewer repetitions".to_owned());
    }
    format!("\n{}\n", notes.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, text) in [(0.123, "0.12"), (19.53, "19.5"), (162.8, "163")] {
            assert_eq!(short(Some(number)), text);
        }
        for (number, text) in [(10.001_342, "10 Gbps"), (0.017_782_794, "17.78 Mbps"), (0.000_000_9, "900 bps")] {
            assert_eq!(gbps(number), text);
        }
    }
}
