//! The question in words.

use crate::answer::Answer;
use crate::caching::Verdict;
use crate::frame::Frame;
use forebay_core::Rate;

/// Names in a sentence at most; the others are counted.
const MOST_NAMES: usize = 6;
/// Verdicts at most.
const MOST_VERDICTS: usize = 12;

/// Returns the name of the scenario.
pub(super) fn name(answer: &Answer) -> &str {
    match answer {
        Answer::Port(report) => &report.scenario,
        Answer::Network(report) => &report.scenario,
        Answer::Attack(report) => &report.scenario,
        Answer::Cache(report) => &report.scenario,
        Answer::Curve(report) => &report.scenario,
        Answer::Bound(report) => &report.scenario,
    }
}

fn seed(answer: &Answer) -> u64 {
    match answer {
        Answer::Port(report) => report.seed,
        Answer::Network(report) => report.seed,
        Answer::Attack(report) => report.seed,
        Answer::Cache(report) => report.seed,
        Answer::Curve(report) => report.seed,
        Answer::Bound(report) => report.seed,
    }
}

/// Returns the question as a sentence.
pub(super) fn question(answer: &Answer) -> String {
    match answer {
        Answer::Port(report) => {
            let rate = Rate::from_bits_per_second(report.port.settings.rate_bps)
                .map_or_else(String::new, |rate| rate.to_string());
            let policies = listed(report.port.policies.iter().map(String::as_str));
            match report.port.policies.len() {
                1 => format!("How does {policies} do at a port of {rate}?"),
                _ => format!("How do {policies} compare at a port of {rate}?"),
            }
        }
        Answer::Network(report) => {
            let policies = listed(report.network.policies.iter().map(String::as_str));
            let topology = &report.network.settings.topology;
            match report.network.policies.len() {
                1 => format!("How does {policies} do in a network ({topology})?"),
                _ => format!("How do {policies} compare in a network ({topology})?"),
            }
        }
        Answer::Attack(report) => {
            let policies = listed(report.results.iter().map(|row| row.policy.as_str()));
            format!("How much innocent traffic does an attack displace under {policies}?")
        }
        Answer::Cache(report) => {
            let traces = listed(report.traces.iter().map(|own| own.trace.as_str()));
            match &report.cache.policies[..] {
                [only] => format!("Which latency does the cache policy {only} give on {traces}?"),
                policies => {
                    format!("Which cache policy gives the lowest latency on {traces}: {}?", either(policies))
                }
            }
        }
        Answer::Curve(report) => {
            let traces = listed(report.traces.iter().map(|own| own.trace.as_str()));
            let policies = listed(report.cache.policies.iter().map(String::as_str));
            format!(
                "How do the miss ratio and the latency of {policies} change with the capacity of a cache on {traces}?"
            )
        }
        Answer::Bound(report) => {
            let traces = listed(report.results.iter().map(|row| row.place.trace.as_str()));
            format!("How low could the latency of any cache be on {traces}?")
        }
    }
}

/// Describes axes and repetitions, in one sentence each.
pub(super) fn facts(answer: &Answer, frame: &Frame) -> String {
    let axis = |(place, name): (usize, &String)| {
        let mut values: Vec<&str> = Vec::new();
        for row in frame.rows() {
            let value = row.axes[place].as_deref();
            values.extend(value.filter(|value| !values.contains(value)));
        }
        format!("{}: {}", name.replace('_', " "), listed(values.into_iter()))
    };
    let axes: Vec<String> = frame.axes().iter().enumerate().map(axis).collect();
    let mut facts = Vec::new();
    if !axes.is_empty() {
        facts.push(format!("Compared over {}.", axes.join("; ")));
    }
    let repetitions = frame.rows().map(|row| row.repetition + 1).max().unwrap_or(0);
    facts.push(match repetitions {
        0 => "No run is complete.".to_owned(),
        1 => "One repetition, so there are no confidence intervals.".to_owned(),
        many => format!(
            "{many} repetitions; ± is the 95 % confidence interval of the mean. All policies have the same random numbers."
        ),
    });
    facts.push(format!("Seed {}.", seed(answer)));
    facts.join(" ")
}

/// Returns the best policy in words, if the answer has a verdict.
pub(super) fn verdicts(answer: &Answer) -> Vec<String> {
    let Answer::Cache(report) = answer else { return Vec::new() };
    let is_single = report.verdicts.len() == 1;
    let text = |verdict: &Verdict| {
        let place = &verdict.place;
        let trace = report.traces.iter().find(|own| own.trace == place.trace);
        let (unit, sample) = trace.map_or(("slots", 1.0), |own| (own.latency_unit.as_str(), own.sample));
        let at = format!("{}, capacity {}, latency {}: ", place.trace, place.capacity, place.latency.text(unit));
        format!("{}{}", if is_single { "" } else { &at }, verdict.sentence(sample).replace("+-", "±"))
    };
    let mut all: Vec<String> = report.verdicts.iter().take(MOST_VERDICTS).map(text).collect();
    let more = report.verdicts.len().saturating_sub(MOST_VERDICTS);
    all.extend((more > 0).then(|| format!("The command's own table has {more} more verdicts.")));
    all
}

/// Each name once, as in a sentence.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut all: Vec<&str> = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    match all.split_last() {
        None => "nothing".to_owned(),
        Some((only, [])) => (*only).to_owned(),
        Some((last, others)) if all.len() <= MOST_NAMES => format!("{} and {last}", others.join(", ")),
        Some(_) => format!("{} and {} more", all[..MOST_NAMES - 1].join(", "), all.len() + 1 - MOST_NAMES),
    }
}

fn either(names: &[String]) -> String {
    let text = listed(names.iter().map(String::as_str));
    match text.rsplit_once(" and ") {
        Some((before, last)) if names.len() <= MOST_NAMES => format!("{before} or {last}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_in_a_sentence() {
        let names = ["a", "b", "a", "c"];
        assert_eq!(listed(names.into_iter()), "a, b and c");
        assert_eq!(either(&["lru".to_owned(), "arc".to_owned()]), "lru or arc");
        assert_eq!(listed(["1", "2", "3", "4", "5", "6", "7"].into_iter()), "1, 2, 3, 4, 5 and 2 more");
    }
}
