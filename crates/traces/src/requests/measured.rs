//! Measured durations of fetches in a trace.

use super::key::{Time, below};
use super::ticks::Unit;
use forebay_core::{ParamSpec, Params};
use std::collections::HashMap;

/// The names of the units of a measured latency.
const UNITS: &[&str] = &["s", "ms", "us", "ns", "100ns"];

/// The parameter that names the unit of a measured latency.
pub(super) const LATENCY_UNIT: ParamSpec =
    ParamSpec::choice("latency-unit", UNITS, "ms", "the unit of the measured latency, which may have decimals");

/// Returns the unit that this parameter names.
pub(super) fn latency_unit(params: &Params) -> Unit {
    Unit::of_name(params.text("latency-unit")).unwrap_or(Unit::MILLISECONDS)
}

/// The durations of fetches of each object. They are recorded from the call of [`begin`](Self::begin) on.
#[derive(Debug, Default)]
pub struct Measured {
    is_begun: bool,
    objects: HashMap<u64, Fetches>,
    all: Fetches,
    without: u64,
}

/// Fetches, and how long they took together.
#[derive(Debug, Clone, Copy, Default)]
struct Fetches {
    number: u64,
    nanoseconds: u128,
}

impl Fetches {
    fn add(&mut self, nanoseconds: u64) {
        self.number += 1;
        self.nanoseconds += u128::from(nanoseconds);
    }

    /// One nanosecond or more; 0 without fetches.
    fn mean(self) -> u64 {
        let mean = self.nanoseconds.checked_div(u128::from(self.number)).unwrap_or(0);
        u64::try_from(mean).unwrap_or(u64::MAX)
    }
}

impl Measured {
    /// Starts to record.
    pub fn begin(&mut self) {
        self.is_begun = true;
    }

    /// Returns whether durations are recorded.
    #[inline]
    pub(super) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Records a request for an object, and the duration of its fetch, if it had one. A duration of zero means no fetch.
    #[inline]
    pub(super) fn add(&mut self, key: u64, nanoseconds: Option<u64>) {
        if !self.is_begun {
            return;
        }
        match nanoseconds {
            Some(nanoseconds) if nanoseconds > 0 => {
                self.objects.entry(key).or_default().add(nanoseconds);
                self.all.add(nanoseconds);
            }
            _ => self.without += 1,
        }
    }

    /// Returns each object of which a fetch was measured, with the mean in nanoseconds, in no particular order.
    pub fn objects(&self) -> impl Iterator<Item = (u64, u64)> {
        self.objects.iter().map(|(key, fetches)| (*key, fetches.mean()))
    }

    /// Returns the mean of all fetches in nanoseconds; 0 without any.
    #[must_use]
    pub fn mean(&self) -> u64 {
        self.all.mean()
    }

    /// Returns the number of fetches that were measured.
    #[must_use]
    pub fn fetches(&self) -> u64 {
        self.all.number
    }

    /// Returns the number of requests without a measured fetch.
    #[must_use]
    pub fn without(&self) -> u64 {
        self.without
    }
}

/// Reads a measured latency in nanoseconds; [`None`] if there is none, such as `-`.
pub(super) fn nanoseconds(text: &[u8], unit: Unit) -> Option<u64> {
    let Time { whole, fraction } = Time::read(text).ok()?;
    whole.checked_mul(unit.nanoseconds())?.checked_add(below(fraction, unit.nanoseconds()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_of_fetches_alone() {
        let mut measured = Measured::default();
        measured.add(1, Some(7));
        measured.begin();
        for (key, latency) in [(1, Some(4)), (1, Some(7)), (2, None), (2, Some(0)), (3, Some(1))] {
            measured.add(key, latency);
        }
        let mut objects: Vec<_> = measured.objects().collect();
        objects.sort_unstable();
        assert_eq!((objects, measured.mean()), (vec![(1, 5), (3, 1)], 4));
        assert_eq!((measured.fetches(), measured.without()), (3, 2));
    }

    #[test]
    fn latencies_are_numbers_in_a_unit() {
        assert_eq!(nanoseconds(b"1.5", Unit::MILLISECONDS), Some(1_500_000));
        assert_eq!(nanoseconds(b"12", Unit::FILE_TIME), Some(1_200));
        assert_eq!([&b"-"[..], b"", b"x", b"-3"].map(|text| nanoseconds(text, Unit::SECONDS)), [None; 4]);
    }
}
