//! Time as an integer count of picoseconds.
//!
//! The duration of a byte is a whole number of picoseconds at every common link rate (800 ps at 10 Gb/s, 20 ps at 400 Gb/s). So
//! transmission times add up without rounding. 64 bits hold 213 days. Time is always an argument; only the command line reads a clock.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

const PS_PER_NS: u64 = 1_000;
const PS_PER_S: u64 = 1_000_000_000_000;

/// An instant: picoseconds since the start of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time(u64);

/// A length of time in picoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Duration(u64);

impl Time {
    /// The start of the run.
    pub const ZERO: Self = Self(0);
    /// An instant later than all events.
    pub const MAX: Self = Self(u64::MAX);

    /// Returns the instant `ps` picoseconds after the start.
    #[must_use]
    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }

    /// Returns the instant `ns` nanoseconds after the start, or the latest one if 64 bits of picoseconds do not hold it.
    #[must_use]
    pub const fn from_ns(ns: u64) -> Self {
        Self(ns.saturating_mul(PS_PER_NS))
    }

    /// Returns the picoseconds since the start.
    #[must_use]
    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// Returns the seconds since the start, for people and plots.
    #[must_use]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / PS_PER_S as f64
    }

    /// Returns the duration from `earlier` to this instant; zero if this instant is not later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }
}

impl Duration {
    /// A duration of zero.
    pub const ZERO: Self = Self(0);

    /// Returns a duration of `ps` picoseconds.
    #[must_use]
    pub const fn from_ps(ps: u64) -> Self {
        Self(ps)
    }

    /// Returns a duration of `ns` nanoseconds, at most the greatest that 64 bits of picoseconds hold.
    #[must_use]
    pub const fn from_ns(ns: u64) -> Self {
        Self(ns.saturating_mul(PS_PER_NS))
    }

    /// Returns a duration of `us` microseconds.
    #[must_use]
    pub const fn from_us(us: u64) -> Self {
        Self::from_ns(us.saturating_mul(1_000))
    }

    /// Returns a duration of `ms` milliseconds.
    #[must_use]
    pub const fn from_ms(ms: u64) -> Self {
        Self::from_us(ms.saturating_mul(1_000))
    }

    /// Returns a duration of `secs` seconds, rounded to a picosecond; zero if `secs` is negative.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    pub fn from_secs_f64(secs: f64) -> Self {
        Self((secs * PS_PER_S as f64).round() as u64)
    }

    /// Returns the duration in picoseconds.
    #[must_use]
    pub const fn as_ps(self) -> u64 {
        self.0
    }

    /// Returns the duration in whole nanoseconds, rounded down.
    #[must_use]
    pub const fn as_ns(self) -> u64 {
        self.0 / PS_PER_NS
    }

    /// Returns the duration in nanoseconds with its fraction.
    #[must_use]
    pub fn as_ns_f64(self) -> f64 {
        self.0 as f64 / PS_PER_NS as f64
    }

    /// Returns the duration in seconds, for people and plots.
    #[must_use]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / PS_PER_S as f64
    }
}

impl Add<Duration> for Time {
    type Output = Self;
    /// Saturates at [`Time::MAX`], which is after the end of every run.
    fn add(self, rhs: Duration) -> Self {
        Self(self.0.saturating_add(rhs.0))
    }
}

impl AddAssign<Duration> for Time {
    fn add_assign(&mut self, rhs: Duration) {
        *self = *self + rhs;
    }
}

impl Add for Duration {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        Self(self.0.saturating_add(rhs.0))
    }
}

impl Sub for Duration {
    type Output = Self;
    fn sub(self, rhs: Self) -> Self {
        Self(self.0.saturating_sub(rhs.0))
    }
}

impl fmt::Display for Duration {
    /// Writes three significant digits and the largest unit that keeps the number above 1: `1.23 ms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ps = self.0 as f64;
        let (value, unit) = match self.0 {
            0 => return f.write_str("0 s"),
            1..1_000 => (ps, "ps"),
            1_000..1_000_000 => (ps / 1e3, "ns"),
            1_000_000..1_000_000_000 => (ps / 1e6, "us"),
            1_000_000_000..1_000_000_000_000 => (ps / 1e9, "ms"),
            _ => (ps / 1e12, "s"),
        };
        let decimals = if value < 10.0 {
            2
        } else if value < 100.0 {
            1
        } else {
            0
        };
        write!(f, "{value:.decimals$} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_printed_with_three_digits() {
        for (ps, text) in [
            (0, "0 s"),
            (800, "800 ps"),
            (1_500, "1.50 ns"),
            (12_340_000, "12.3 us"),
            (999_000_000_000, "999 ms"),
            (2_500_000_000_000, "2.50 s"),
        ] {
            assert_eq!(Duration::from_ps(ps).to_string(), text);
        }
    }

    #[test]
    fn arithmetic_saturates_instead_of_wrapping() {
        assert_eq!(Time::MAX + Duration::from_ps(1), Time::MAX);
        assert_eq!(Time::ZERO.since(Time::from_ns(1)), Duration::ZERO);
        assert_eq!(Duration::from_ms(u64::MAX).as_ps(), u64::MAX);
    }
}
