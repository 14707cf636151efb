//! The meaning of the fields of a pattern, and of their values.

use crate::requests::iso_time;
use crate::requests::key::nanoseconds;
use crate::requests::log::date::{self, Calendar};
use crate::requests::log::{CacheStatus, Entry, Misfit, NS_PER_S, Size, Stamp, Status, method_and_url};

/// The meaning of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Ignored,
    /// Method, URL and protocol.
    Request,
    Method,
    Url,
    Query,
    Host,
    Status,
    /// Without headers.
    Body,
    /// The bytes sent, including headers.
    Sent,
    /// A date like `10/Oct/2024:13:55:36 +0000`.
    Common,
    /// A date like `2024-10-10T13:55:36Z`.
    Iso,
    /// A number since 1970, in a unit of this many nanoseconds.
    Epoch(u64),
    /// A part of a date that is spelled out.
    Part(Part),
    /// The fraction of the time's second, with this many digits.
    Fraction(usize),
    /// The duration, in a unit of this many nanoseconds.
    Elapsed(u64),
    /// The upstream time in seconds, of one server or several.
    Upstream,
    Cache,
}

/// A part of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Year,
    Month,
    MonthName,
    Day,
    Hour,
    Minute,
    Second,
    Zone,
}

impl Role {
    /// Returns the length of the field's values in bytes, if it is always the same.
    pub(super) fn width(self) -> Option<usize> {
        Some(match self {
            Self::Part(Part::Year) => 4,
            Self::Part(Part::Month | Part::Day | Part::Hour | Part::Minute | Part::Second) => 2,
            Self::Part(Part::MonthName) => 3,
            Self::Part(Part::Zone) => 5,
            Self::Fraction(digits) => digits,
            _ => return None,
        })
    }

    /// Returns the purpose and the rank of the field. Of fields with the same purpose, the one with the highest rank is used.
    pub(super) fn purpose(self) -> Option<(u8, u8)> {
        Some(match self {
            Self::Request => (0, 0),
            Self::Method => (1, 0),
            Self::Url => (2, 0),
            Self::Query => (3, 0),
            Self::Host => (4, 0),
            Self::Status => (5, 0),
            Self::Body => (6, 1),
            Self::Sent => (6, 0),
            Self::Epoch(unit) if unit < NS_PER_S => (7, 3),
            Self::Epoch(_) => (7, 2),
            Self::Iso => (7, 1),
            Self::Common => (7, 0),
            Self::Elapsed(unit) => (8, if unit < NS_PER_S { 1 } else { 0 }),
            Self::Upstream => (9, 0),
            Self::Cache => (10, 0),
            Self::Fraction(digits) => (11, if digits > 3 { 1 } else { 0 }),
            Self::Part(_) | Self::Ignored => return None,
        })
    }

    /// Returns the name in messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ignored => "a field before the last one that is used",
            Self::Request => "the first line of the request",
            Self::Method => "the method",
            Self::Url => "the URL",
            Self::Query => "the query",
            Self::Host => "the host",
            Self::Status => "the status",
            Self::Body | Self::Sent => "the size",
            Self::Common | Self::Iso | Self::Epoch(_) | Self::Part(_) | Self::Fraction(_) => "the time",
            Self::Elapsed(_) => "the duration",
            Self::Upstream => "the time of the server behind",
            Self::Cache => "the cache status",
        }
    }
}

/// The values that were found in a line.
#[derive(Debug, Default)]
pub(super) struct Found<'a> {
    entry: Entry<'a>,
    calendar: Option<Calendar>,
    /// The fraction of a second in nanoseconds, from a field of its own next to the time.
    fraction: Option<u32>,
}

impl<'a> Found<'a> {
    /// Reads the value of a field; returns `None` if the value is invalid.
    pub(super) fn take(&mut self, role: Role, value: &'a [u8]) -> Option<()> {
        let Self { entry, calendar, fraction } = self;
        match role {
            Role::Ignored => {}
            Role::Request => {
                if let Some((method, url)) = method_and_url(value) {
                    (entry.method, entry.url) = (Some(method), Some(url));
                }
            }
            Role::Method => entry.method = Some(value),
            Role::Url => entry.url = Some(value).filter(|url| !matches!(*url, b"" | b"-")),
            Role::Query => entry.query = value,
            Role::Host if value != b"-" => entry.host = value,
            Role::Host => {}
            Role::Status => entry.status = Status::read(value)?,
            Role::Body | Role::Sent => entry.size = Size::read(value)?,
            Role::Common => entry.time = date::common(value)?,
            Role::Iso => entry.time = iso_time::nanoseconds(value)?,
            Role::Epoch(unit) => entry.time = nanoseconds(value, unit).ok()?,
            Role::Fraction(_) => *fraction = Some(date::fraction(value)?),
            Role::Part(part) => take_part(calendar.get_or_insert_default(), part, value)?,
            Role::Elapsed(unit) => entry.elapsed = optional(value, |value| nanoseconds(value, unit).ok())?,
            Role::Upstream => entry.upstream = sum(value)?,
            Role::Cache => entry.cache = CacheStatus::read(value),
        }
        Some(())
    }

    /// Returns the entry of the line.
    pub(super) fn entry(mut self, stamp: Stamp) -> Result<Entry<'a>, Misfit> {
        self.entry.stamp = stamp;
        if let Some(calendar) = self.calendar {
            self.entry.time = calendar.nanoseconds().ok_or(Misfit("the time"))?;
        }
        if let Some(fraction) = self.fraction {
            self.entry.time = self.entry.time / NS_PER_S * NS_PER_S + u64::from(fraction);
        }
        Ok(self.entry)
    }
}

fn take_part(date: &mut Calendar, part: Part, value: &[u8]) -> Option<()> {
    let number = |digits| date::fixed(value, digits);
    match part {
        Part::Year => date.year = number(4)?,
        Part::Month => date.month = number(2)?,
        Part::MonthName => date.month = date::month(value)?,
        Part::Day => date.day = number(2)?,
        Part::Hour => date.hour = number(2)?,
        Part::Minute => date.minute = number(2)?,
        Part::Second => date.second = number(2)?,
        Part::Zone => date.zone_minutes = date::zone(value)?,
    }
    Some(())
}

/// `Some(None)`: there is a `-` in its place.
fn optional(value: &[u8], read: impl FnOnce(&[u8]) -> Option<u64>) -> Option<Option<u64>> {
    if value == b"-" { Some(None) } else { read(value).map(Some) }
}

/// Times in seconds with something between them, together.
fn sum(value: &[u8]) -> Option<Option<u64>> {
    let mut sum = None;
    for time in value.split(|byte| matches!(byte, b' ' | b',' | b':')).filter(|time| !matches!(*time, b"" | b"-")) {
        let ns = nanoseconds(time, NS_PER_S).ok()?;
        sum = Some(sum.unwrap_or(0_u64).saturating_add(ns));
    }
    Some(sum)
}
