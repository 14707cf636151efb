//! Constants with their units of measure.

use crate::number::Ratio;

/// Values of named constants that take the place of those in the file (`--param B=128`).
pub type Overrides = Vec<(String, Value)>;

/// A constant with its unit of measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    /// The number: in bytes, nanoseconds, bits per second or percent, if it has a unit.
    pub number: Ratio,
    /// What it is a number of.
    pub unit: Unit,
}

/// What a constant is a number of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Anything; as a size, bytes, and as a rate, percent.
    None,
    /// Bytes.
    Bytes,
    /// Packets.
    Packets,
    /// Nanoseconds.
    Nanoseconds,
    /// Bits per second.
    BitsPerSecond,
    /// Percent.
    Percent,
    /// A product or quotient of units, such as bytes per nanosecond; which one is not kept.
    Compound,
}

impl Unit {
    const SYMBOLS: [(Self, &'static str); 6] = [
        (Self::None, ""),
        (Self::Bytes, "B"),
        (Self::Packets, "pkts"),
        (Self::Nanoseconds, "ns"),
        (Self::BitsPerSecond, "bps"),
        (Self::Percent, "%"),
    ];

    /// How a policy writes it: `B`, `pkts`, `ns`, `bps`, `%`; nothing if it has no symbol.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        Self::SYMBOLS.iter().find(|(unit, _)| *unit == self).map_or("", |(_, symbol)| symbol)
    }

    /// The unit that is written so.
    #[must_use]
    pub fn of_symbol(symbol: &str) -> Option<Self> {
        Self::SYMBOLS.iter().find(|(_, known)| *known == symbol).map(|(unit, _)| *unit)
    }
}

/// The name of a unit.
pub(crate) fn called(unit: Unit) -> &'static str {
    match unit {
        Unit::None => "a number without unit",
        Unit::Bytes => "bytes",
        Unit::Packets => "packets",
        Unit::Nanoseconds => "a time",
        Unit::BitsPerSecond => "a rate",
        Unit::Percent => "a percentage",
        Unit::Compound => "a product or quotient of units",
    }
}

/// The number with its unit, as a policy would write it.
pub(crate) fn written(number: Ratio, unit: Unit) -> String {
    let units: &[(i128, &str)] = match unit {
        Unit::None | Unit::Compound => &[(1, "")],
        Unit::Bytes => &[(1_000_000_000, " GB"), (1_000_000, " MB"), (1_000, " KB"), (1, " B")],
        Unit::Packets => &[(1, " pkts")],
        Unit::Nanoseconds => &[(1_000_000_000, " s"), (1_000_000, " ms"), (1_000, " us"), (1, " ns")],
        Unit::BitsPerSecond => &[(1_000_000_000, " Gbps"), (1_000_000, " Mbps"), (1_000, " kbps"), (1, " bps")],
        Unit::Percent => &[(1, "%")],
    };
    let fits = |factor: i128| number.is_integer() && *number.numer() != 0 && number.numer() % factor == 0;
    let (factor, unit) =
        units.iter().copied().find(|(factor, _)| fits(*factor)).unwrap_or_else(|| units[units.len() - 1]);
    format!("{}{unit}", number / factor)
}
