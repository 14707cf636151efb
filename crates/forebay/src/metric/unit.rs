//! Units of metrics: in JSON, and the SI base units of the long table.

use forebay_core::Clock;

/// The unit of a metric in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Nanoseconds,
    /// Slots or nanoseconds, by the clock of the trace.
    Ticks,
    BitsPerSecond,
    GigabitsPerSecond,
    /// From 0 to 1.
    Share,
    Ratio,
    /// Things that are counted, like packets and bytes.
    Counted(&'static str),
}

/// A unit of the long table, and the exact multiplier and divisor that convert a number from JSON to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct InTable {
    pub(crate) unit: &'static str,
    pub(crate) scale: (f64, f64),
}

/// The number of bits in a gigabit, and of nanoseconds in a second.
const GIGA: f64 = 1e9;

impl Unit {
    /// Returns the unit's name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Nanoseconds => "ns",
            Self::Ticks => "slots or ns",
            Self::BitsPerSecond => "bit/s",
            Self::GigabitsPerSecond => "Gbit/s",
            Self::Share => "share",
            Self::Ratio => "ratio",
            Self::Counted(what) => what,
        }
    }

    /// Returns the unit in the long table, for a result whose ticks are counted by this clock.
    pub(crate) fn in_table(self, clock: Clock) -> InTable {
        let same = (1.0, 1.0);
        let (unit, scale) = match (self, clock) {
            (Self::Nanoseconds, _) | (Self::Ticks, Clock::Nanoseconds) => ("s", (1.0, GIGA)),
            (Self::Ticks, Clock::Slots) => ("slots", same),
            (Self::BitsPerSecond, _) => ("bit/s", same),
            (Self::GigabitsPerSecond, _) => ("bit/s", (GIGA, 1.0)),
            (Self::Share | Self::Ratio, _) => ("1", same),
            (Self::Counted(what), _) => (what, same),
        };
        InTable { unit, scale }
    }
}
