//! Times of a text in a unit that may have to be guessed, counted from the first.

use super::fault::RequestFault;
use super::key::{Time, below, shown};

/// What times are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    name: &'static str,
    ns: u64,
}

impl Unit {
    pub(super) const SECONDS: Self = Self { name: "s", ns: 1_000_000_000 };
    pub(super) const MILLISECONDS: Self = Self { name: "ms", ns: 1_000_000 };
    pub(super) const MICROSECONDS: Self = Self { name: "us", ns: 1_000 };
    pub(super) const NANOSECONDS: Self = Self { name: "ns", ns: 1 };
    /// Of Windows file times, which count from 1601.
    pub(super) const FILE_TIME: Self = Self { name: "100ns", ns: 100 };

    /// The unit in which a number is a date from 1973 to 2286, or as a file time from 1917 to 2234; otherwise seconds.
    fn of_date(number: u64) -> Self {
        match number {
            100_000_000_000..10_000_000_000_000 => Self::MILLISECONDS,
            100_000_000_000_000..10_000_000_000_000_000 => Self::MICROSECONDS,
            100_000_000_000_000_000..200_000_000_000_000_000 => Self::FILE_TIME,
            200_000_000_000_000_000..10_000_000_000_000_000_000 => Self::NANOSECONDS,
            _ => Self::SECONDS,
        }
    }
}

/// The clock of a trace.
#[derive(Debug)]
pub(super) struct Ticks {
    unit: Option<Unit>,
    /// What the first time was guessed to be.
    guessed: Option<Unit>,
    /// The first time without its fraction.
    start: Option<u64>,
}

impl Ticks {
    /// With this unit; [`None`]: the first time decides.
    pub(super) fn new(unit: Option<Unit>) -> Self {
        Self { unit, guessed: None, start: None }
    }

    /// A time like `12` or `12.5` in nanoseconds since the whole part of the first.
    #[inline]
    pub(super) fn nanoseconds(&mut self, text: &[u8]) -> Result<u64, RequestFault> {
        let Time { whole, fraction } = Time::read(text)?;
        let start = *self.start.get_or_insert(whole);
        let unit = match self.unit {
            Some(unit) => unit,
            None => {
                let unit = Unit::of_date(whole);
                self.guessed = Some(unit).filter(|unit| *unit != Unit::SECONDS);
                *self.unit.insert(unit)
            }
        };
        let since = whole.checked_sub(start).ok_or(RequestFault::Earlier)?;
        let ns = since.checked_mul(unit.ns).and_then(|ns| ns.checked_add(below(fraction, unit.ns)));
        ns.ok_or_else(|| RequestFault::TimeTooLarge(shown(text)))
    }

    /// What was guessed.
    pub(super) fn warning(&self) -> Option<String> {
        let Unit { name, .. } = self.guessed?;
        Some(format!(
            "the first time is a date if it is in {name}, so times are read in {name}; to say it: `unit={name}`, or `unit=s`"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_tell_their_unit_and_count_from_the_first() {
        for (first, next, ns) in [
            ("0", "1.5", 1_500_000_000),
            ("1700000000", "1700000000.25", 250_000_000),
            ("1700000000123", "1700000000124.5", 1_500_000),
            ("1700000000123456", "1700000000123457", 1_000),
            ("1700000000123456789", "1700000000123456790", 1),
            ("128166372002993090", "128166372002993091", 100),
        ] {
            let mut ticks = Ticks::new(None);
            assert_eq!(ticks.nanoseconds(first.as_bytes()), Ok(0), "{first}");
            assert_eq!(ticks.nanoseconds(next.as_bytes()), Ok(ns), "{first}");
            assert_eq!(ticks.warning().is_some(), ns < 100_000_000, "{first}");
        }
    }

    #[test]
    fn a_time_before_the_first_and_one_beyond_the_clock_are_refused() {
        let mut ticks = Ticks::new(Some(Unit::SECONDS));
        assert_eq!(ticks.nanoseconds(b"5.5"), Ok(500_000_000));
        assert!(ticks.nanoseconds(b"4").is_err());
        assert!(ticks.nanoseconds(b"5.x").is_err() && ticks.nanoseconds(b"").is_err());
        assert!(ticks.nanoseconds(b"18446744073709551615").is_err());
    }
}
