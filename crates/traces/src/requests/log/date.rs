//! Dates of logs in nanoseconds since 1970.

use super::NS_PER_S;
use crate::requests::calendar;

const MONTHS: [&[u8; 3]; 12] =
    [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];

/// A date and a time of day, as written. A date without a zone counts as UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Calendar {
    pub(crate) year: u32,
    pub(crate) month: u32,
    pub(crate) day: u32,
    pub(crate) hour: u32,
    pub(crate) minute: u32,
    pub(crate) second: u32,
    pub(crate) fraction_ns: u32,
    /// The zone in minutes east of Greenwich.
    pub(crate) zone_minutes: i32,
}

impl Default for Calendar {
    /// The start of 1970.
    fn default() -> Self {
        Self { year: 1_970, month: 1, day: 1, hour: 0, minute: 0, second: 0, fraction_ns: 0, zone_minutes: 0 }
    }
}

impl Calendar {
    /// Returns nanoseconds since 1970; `None` if there is no such date, or it is before 1970.
    pub(crate) fn nanoseconds(self) -> Option<u64> {
        let Self { year, month, day, hour, minute, second, fraction_ns, zone_minutes } = self;
        let days = calendar::date(year.into(), month.into(), day.into())?;
        // A minute may have a leap second.
        if hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let of_day = i64::from(hour * 3_600 + minute * 60 + second) - i64::from(zone_minutes) * 60;
        let seconds = u64::try_from(days * 86_400 + of_day).ok()?;
        seconds.checked_mul(NS_PER_S)?.checked_add(fraction_ns.into())
    }
}

/// Reads a date like `10/Oct/2024:13:55:36 -0700`, also with decimals of a second or without a zone.
pub(crate) fn common(text: &[u8]) -> Option<u64> {
    let mut rest = Rest(text);
    let day = rest.number(2)?;
    rest.skip(b'/')?;
    let month = rest.month()?;
    rest.skip(b'/')?;
    let year = rest.number(4)?;
    rest.skip(b':')?;
    let date = Calendar { year, month, day, ..Calendar::default() };
    let date = rest.time_of_day(date)?;
    if rest.0.first() == Some(&b' ') {
        rest.skip(b' ')?;
    }
    rest.end(date)?.nanoseconds()
}

/// Reads a date like `2024-10-10` and a time of day like `13:55:36`, in UTC.
pub(crate) fn day_and_time(day: &[u8], time: &[u8]) -> Option<u64> {
    let (mut day, mut time) = (Rest(day), Rest(time));
    let date = day.iso_day()?;
    let date = time.time_of_day(date)?;
    (day.0.is_empty() && time.0.is_empty()).then(|| date.nanoseconds())?
}

/// Reads a zone like `+0200`, `-07:00` or `Z`, in minutes east of Greenwich.
pub(crate) fn zone(text: &[u8]) -> Option<i32> {
    let (sign, rest) = match text {
        b"Z" => return Some(0),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = match rest {
        [hours @ .., b':', a, b] => (hours, [*a, *b]),
        [hours @ .., a, b] => (hours, [*a, *b]),
        _ => return None,
    };
    let (hours, minutes) = (fixed(hours, 2)?, fixed(&minutes, 2)?);
    i32::try_from(hours * 60 + minutes).ok().map(|minutes| sign * minutes)
}

/// Returns the number of a month by the first letters of its English name.
pub(crate) fn month(name: &[u8]) -> Option<u32> {
    let place = MONTHS.iter().position(|known| known.as_slice() == name)?;
    u32::try_from(place + 1).ok()
}

/// Reads a number of exactly `digits` digits.
pub(crate) fn fixed(text: &[u8], digits: usize) -> Option<u32> {
    if text.len() != digits || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(text.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0')))
}

/// Converts digits after the decimal point of a second to nanoseconds; smaller fractions are cut off.
pub(crate) fn fraction(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut place = 100_000_000;
    let mut ns = 0;
    for digit in digits.iter().take(9) {
        ns += place * u32::from(digit - b'0');
        place /= 10;
    }
    Some(ns)
}

/// The part of a text that has not been read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(taken)
    }

    fn skip(&mut self, byte: u8) -> Option<()> {
        (self.take(1)? == [byte]).then_some(())
    }

    fn number(&mut self, digits: usize) -> Option<u32> {
        fixed(self.take(digits)?, digits)
    }

    fn month(&mut self) -> Option<u32> {
        month(self.take(3)?)
    }

    /// `2024-10-10`.
    fn iso_day(&mut self) -> Option<Calendar> {
        let year = self.number(4)?;
        self.skip(b'-')?;
        let month = self.number(2)?;
        self.skip(b'-')?;
        Some(Calendar { year, month, day: self.number(2)?, ..Calendar::default() })
    }

    /// `13:55:36`, with decimals or without.
    fn time_of_day(&mut self, mut date: Calendar) -> Option<Calendar> {
        date.hour = self.number(2)?;
        self.skip(b':')?;
        date.minute = self.number(2)?;
        self.skip(b':')?;
        date.second = self.number(2)?;
        if let Some(b'.' | b',') = self.0.first() {
            self.take(1)?;
            let digits = self.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
            date.fraction_ns = fraction(self.take(digits)?)?;
        }
        Some(date)
    }

    /// The zone, if there is one, behind which nothing may stand.
    fn end(&mut self, mut date: Calendar) -> Option<Calendar> {
        if !self.0.is_empty() {
            date.zone_minutes = zone(self.0)?;
        }
        Some(date)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_web_servers() {
        for (text, ns) in [
            ("01/Jan/1970:00:00:00 +0000", Some(0)),
            ("29/Feb/2000:12:00:00 +0000", Some(951_825_600_000_000_000)),
            ("10/Oct/2000:13:55:36 -0700", Some(971_211_336_000_000_000)),
            ("10/Oct/2024:13:55:36 +0530", Some(1_728_548_736_000_000_000)),
            ("10/Oct/2024:13:55:36.655", Some(1_728_568_536_655_000_000)),
            ("10/Oct/2024:13:55:36", Some(1_728_568_536_000_000_000)),
            ("10/Okt/2024:13:55:36 +0000", None),
            ("10/Oct/2024:24:00:00 +0000", None),
            ("10/Oct/2024:13:55:36 +0000x", None),
            ("10/Oct/2024:13:55:36 0000", None),
            ("00/Oct/2024:13:55:36 +0000", None),
            ("01/Jan/1969:00:00:00 +0000", None),
            ("", None),
        ] {
            assert_eq!(common(text.as_bytes()), ns, "{text}");
        }
    }

    #[test]
    fn a_day_and_a_time_beside_it() {
        assert_eq!(day_and_time(b"2019-12-04", b"21:02:31"), Some(1_575_493_351_000_000_000));
        assert_eq!(day_and_time(b"2019-12-04x", b"21:02:31"), None);
    }
}
