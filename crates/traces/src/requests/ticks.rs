//! Times in a text, counted from the first, in a unit that may have to be guessed.

use super::fault::RequestFault;
use super::iso_time;
use super::key::{Time, below, shown};

/// The names of the units, as options have them.
pub(super) const UNITS: &[&str] = &["auto", "s", "ms", "us", "ns", "100ns", "filetime", "iso8601"];
/// The maximum time by which others may precede the first time, if requests are sorted.
const LEAD_NS: u64 = 3_600_000_000_000;

/// The unit of times.
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
    /// The unit of Windows file times, which are counted from 1601.
    pub(super) const FILE_TIME: Self = Self { name: "100ns", ns: 100 };
    /// The unit of texts such as `2024-05-01T13:55:36Z`, which are read as nanoseconds.
    pub(super) const ISO_8601: Self = Self { name: "iso8601", ns: 1 };

    /// Returns the length of the unit.
    pub(super) fn nanoseconds(self) -> u64 {
        self.ns
    }

    /// Returns the unit of this name; [`None`] if the first time decides.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "s" => Self::SECONDS,
            "ms" => Self::MILLISECONDS,
            "us" => Self::MICROSECONDS,
            "ns" => Self::NANOSECONDS,
            "100ns" | "filetime" => Self::FILE_TIME,
            "iso8601" => Self::ISO_8601,
            _ => return None,
        })
    }

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
    /// The unit that was guessed from the first time.
    guessed: Option<Unit>,
    /// The time that counts as 0, without a fraction.
    start: Option<u64>,
    /// The nanoseconds between zero and the first time.
    lead: u64,
}

/// Returns whether a text is a time in one of the units.
pub(super) fn is_time(text: &[u8]) -> bool {
    Time::read(text).is_ok() || iso_time::nanoseconds(text).is_some()
}

impl Ticks {
    /// Creates a clock with this unit; with [`None`], the first time decides.
    pub(super) fn new(unit: Option<Unit>) -> Self {
        Self { unit, guessed: None, start: None, lead: 0 }
    }

    /// Counts from an hour before the first time, so that earlier times can be counted.
    pub(super) fn with_lead(self) -> Self {
        Self { lead: LEAD_NS, ..self }
    }

    /// Converts a number with its fraction to a time, as [`nanoseconds`](Self::nanoseconds).
    #[cfg(feature = "columnar")]
    #[inline]
    pub(super) fn of_number(&mut self, whole: u64, fraction: f64) -> Result<u64, RequestFault> {
        let unit = match self.unit {
            Some(unit) if unit == Unit::ISO_8601 => return Err(RequestFault::NoDate(whole.to_string())),
            Some(unit) => unit,
            None => self.guess_date(whole),
        };
        #[expect(clippy::cast_possible_truncation, reason = "less than a nanosecond is cut")]
        let below = (fraction * unit.ns as f64) as u64;
        self.since_start(whole, below, unit, b"of this request")
    }

    /// Reads a time like `12` or `12.5` in nanoseconds since the whole part of the first time.
    #[inline]
    pub(super) fn nanoseconds(&mut self, text: &[u8]) -> Result<u64, RequestFault> {
        let unit = match self.unit {
            Some(unit) => unit,
            None => self.guess(text)?,
        };
        let Time { whole, fraction } = if unit == Unit::ISO_8601 {
            let whole = iso_time::nanoseconds(text).ok_or_else(|| RequestFault::NoDate(shown(text)))?;
            Time { whole, fraction: b"" }
        } else {
            Time::read(text)?
        };
        self.since_start(whole, below(fraction, unit.ns), unit, text)
    }

    /// The nanoseconds since the start.
    #[inline]
    fn since_start(&mut self, whole: u64, below: u64, unit: Unit, text: &[u8]) -> Result<u64, RequestFault> {
        let start = *self.start.get_or_insert(whole.saturating_sub(self.lead / unit.ns));
        let since = whole.checked_sub(start).ok_or(RequestFault::Earlier)?;
        let ns = since.checked_mul(unit.ns).and_then(|ns| ns.checked_add(below));
        ns.ok_or_else(|| RequestFault::TimeTooLarge(shown(text)))
    }

    /// The unit of the first time. A date in ISO 8601 says it, a number may have others.
    fn guess(&mut self, text: &[u8]) -> Result<Unit, RequestFault> {
        match Time::read(text) {
            Ok(Time { whole, .. }) => Ok(self.guess_date(whole)),
            Err(_) if iso_time::nanoseconds(text).is_some() => Ok(*self.unit.insert(Unit::ISO_8601)),
            Err(fault) => Err(fault),
        }
    }

    fn guess_date(&mut self, whole: u64) -> Unit {
        let unit = Unit::of_date(whole);
        self.guessed = Some(unit).filter(|unit| *unit != Unit::SECONDS);
        *self.unit.insert(unit)
    }

    /// Returns a warning that names the guessed unit.
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
            ("2024-05-01T00:00:00Z", "2024-05-01T02:00:00.25+02:00", 250_000_000),
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
