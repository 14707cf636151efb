//! Constants with their units of measure.

use crate::number::Ratio;

/// Values of named constants that replace those in the file (`--param B=128`).
pub type Overrides = Vec<(String, Value)>;

/// A constant with its unit of measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    /// The number: in bytes, nanoseconds, bits per second or percent, if it has a unit.
    pub number: Ratio,
    /// The unit of the number.
    pub unit: Unit,
}

/// The unit of a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// No unit: bytes for a size, percent for a rate.
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
    /// A product or quotient of units, such as bytes per nanosecond, which is not recorded.
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

    /// Returns the unit's symbol in policies: `B`, `pkts`, `ns`, `bps`, `%`; empty if it has none.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        Self::SYMBOLS.iter().find(|(unit, _)| *unit == self).map_or("", |(_, symbol)| symbol)
    }

    /// Returns the unit of this symbol.
    #[must_use]
    pub fn of_symbol(symbol: &str) -> Option<Self> {
        Self::SYMBOLS.iter().find(|(_, known)| *known == symbol).map(|(unit, _)| *unit)
    }
}

/// Returns the name of a unit.
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

/// Returns the number with its unit, in the syntax of policies.
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
