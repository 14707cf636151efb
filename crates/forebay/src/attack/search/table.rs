//! A search as a table for people.

use super::super::table::{dash, gaps, gbps, innocent, interval, short};
use super::report::{Closed, Row, SearchReport};
use crate::output::table::{ns, plain_table};

/// Returns the table, with warnings for its readers.
pub fn report(report: &SearchReport) -> String {
    let (study, searched) = (&report.attack, &report.searched);
    let mut out = format!(
        "{}: {} server{}{}, {}, root seed {}\n\
         {}\n\
         searched: attacks at {} to {}, up to {} kinds of packets of {} to {} B that make {} to {} of work, any timing\n\n",
        report.scenario,
        study.servers,
        if study.servers == 1 { "" } else { "s" },
        study.buffer.as_ref().map_or_else(String::new, |buffer| format!(", buffer {buffer}")),
        gaps(&study.gaps),
        report.seed,
        innocent(study),
        gbps(searched.attack_gbps[0]),
        gbps(searched.attack_gbps[1]),
        searched.kinds,
        searched.packet_bytes[0],
        searched.packet_bytes[1],
        ns(Some(searched.job_ns[0])),
        ns(Some(searched.job_ns[1])),
    );
    let header =
        ["policy", "innocent", "displacement", "bound", "holds", "closed form", "tried", "at attack", "attack found"];
    out.push_str(&plain_table(header.map(str::to_owned).into(), report.results.iter().map(row).collect()));
    out + &notes(report)
}

fn row(row: &Row) -> Vec<String> {
    let closed = |closed: &Closed| interval(closed.displacement, closed.displacement_ci95);
    vec![
        row.policy.clone(),
        gbps(row.innocent_gbps),
        interval(row.displacement, row.displacement_ci95),
        short(row.bound),
        row.holds.map_or_else(dash, |holds| if holds { "yes" } else { "no" }.to_owned()),
        row.closed_form.as_ref().map_or_else(dash, closed),
        row.tried.to_string(),
        row.attack_gbps.map_or_else(dash, gbps),
        row.words.clone().unwrap_or_else(dash),
    ]
}

/// Returns further notes for the reader.
fn notes(report: &SearchReport) -> String {
    let study = &report.attack;
    let mut notes: Vec<String> = report.results.iter().filter_map(beaten).collect();
    notes.push(format!(
        "displacement: innocent bits lost for each bit of the attack that was found, on {} sets of traffic that the search has not seen",
        report.searched.repetitions
    ));
    notes.push("closed form: the best closed-form attack of the source at any rate, on the same traffic".to_owned());
    if study.servers > 1 && report.results.iter().any(|row| row.bound.is_some()) {
        notes.push("bounds are proved for one server".to_owned());
    }
    if study.estimate != "told" && report.results.iter().any(|row| row.bound.is_some()) {
        notes.push("bounds are proved for schedulers that know the work".to_owned());
    }
    if !report.is_complete() {
        notes.push("interrupted: the best found so far".to_owned());
    }
    format!("\n{}\n", notes.join("\n"))
}

/// Says that a bound does not hold.
fn beaten(row: &Row) -> Option<String> {
    (row.holds == Some(false)).then(|| {
        format!(
            "the bound of {} at {} innocent traffic is beaten: {}, not {}",
            row.policy,
            gbps(row.innocent_gbps),
            interval(row.displacement, row.displacement_ci95),
            short(row.bound)
        )
    })
}
