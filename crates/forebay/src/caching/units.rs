//! Latencies and shares in results: as numbers for programs, as text for people.

use forebay_core::{Clock, Duration};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A latency in ticks, or its distribution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum LatencyValue {
    /// The same latency for every fetch, in ticks.
    Ticks(u64),
    /// Drawn from a distribution, as the user wrote it.
    Drawn(String),
}

impl LatencyValue {
    /// Writes the latency for people, in this unit.
    pub fn text(&self, unit: &str) -> String {
        match self {
            Self::Ticks(ticks) => ticks_text(unit, *ticks as f64),
            Self::Drawn(text) => text.clone(),
        }
    }
}

impl fmt::Display for LatencyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ticks(ticks) => write!(f, "{ticks}"),
            Self::Drawn(text) => f.write_str(text),
        }
    }
}

/// Returns the name of a tick in results.
pub(super) fn unit(clock: Clock) -> &'static str {
    match clock {
        Clock::Slots => "slots",
        Clock::Nanoseconds => "ns",
    }
}

/// Returns the number of ticks in a second; a slot is one tick.
pub(super) fn ticks_per_unit(clock: Clock) -> f64 {
    match clock {
        Clock::Slots => 1.0,
        Clock::Nanoseconds => 1e9,
    }
}

/// Returns the unit of capacities.
pub(super) fn capacity_unit(sized: bool) -> &'static str {
    if sized { "bytes" } else { "entries" }
}

/// Writes a latency in the given unit, for people.
pub(super) fn ticks_text(unit: &str, ticks: f64) -> String {
    match unit {
        "ns" => nanoseconds(ticks),
        _ => format!("{} slots", plain(ticks)),
    }
}

/// Writes a mean latency in the given unit, for people: with equally many digits in all rows of a column.
pub(super) fn mean_text(unit: &str, ticks: f64) -> String {
    match unit {
        "ns" => nanoseconds(ticks),
        _ if ticks >= 1_000.0 => format!("{ticks:.0} slots"),
        _ => format!("{ticks:.3} slots"),
    }
}

/// Writes slots without their unit: whole numbers above a thousand.
pub(super) fn plain(ticks: f64) -> String {
    let digits = if ticks >= 1_000.0 || ticks.fract() == 0.0 { 0 } else { 3 };
    format!("{ticks:.digits$}")
}

/// Writes nanoseconds in the unit that suits them.
pub(super) fn nanoseconds(ns: f64) -> String {
    // A sum of latencies may be more than a duration can hold.
    if ns < LONGEST_NS { Duration::from_secs_f64(ns / 1e9).to_string() } else { format!("{:.0} s", ns / 1e9) }
}

/// Above this, durations in picoseconds come to their end.
const LONGEST_NS: f64 = 1e16;

/// Writes a share in percent.
pub(super) fn percent(share: f64) -> String {
    let text = format!("{:.1} %", share * 100.0);
    if text == "-0.0 %" { "0.0 %".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_have_the_digits_that_matter() {
        assert_eq!(ticks_text("slots", 7.0), "7 slots");
        assert_eq!(ticks_text("slots", 7.25), "7.250 slots");
        assert_eq!(ticks_text("slots", 70_000.25), "70000 slots");
        assert_eq!(ticks_text("ns", 1.5e6), "1.50 ms");
        assert_eq!(ticks_text("ns", 3e16), "30000000 s");
    }
}
