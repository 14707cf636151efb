//! Rates, buffer sizes and their texts.
//!
//! `10 Gbps`, `150 KB`, `80 packets`, `2.5 ms`: a number, an optional space, a
//! unit. Decimal prefixes are powers of 1000, as in link rates; `KiB` and `MiB`
//! are powers of 1024.

use crate::convert::saturate;
use crate::time::Duration;
use std::fmt;
use std::num::NonZeroU64;

/// A text that is not a quantity of the wanted kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnitError(String);

/// A link rate in bits per second; never zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rate(NonZeroU64);

impl Rate {
    /// A rate of `bits` per second; `None` for zero.
    #[must_use]
    pub fn from_bits_per_second(bits: u64) -> Option<Self> {
        NonZeroU64::new(bits).map(Self)
    }

    /// Bits per second.
    #[must_use]
    pub fn bits_per_second(self) -> u64 {
        self.0.get()
    }

    /// Returns the time to send `bytes` bytes, rounded up to a picosecond, and at most 213 days, the limit of 64 bits.
    #[must_use]
    pub fn transmission_time(self, bytes: u32) -> Duration {
        const PS_PER_BYTE_AT_1_BPS: u64 = 8_000_000_000_000;
        match u64::from(bytes).checked_mul(PS_PER_BYTE_AT_1_BPS) {
            Some(bit_ps) => Duration::from_ps(bit_ps.div_ceil(self.0.get())),
            None => {
                let bit_ps = u128::from(bytes) * u128::from(PS_PER_BYTE_AT_1_BPS);
                let ps = bit_ps.div_ceil(u128::from(self.0.get()));
                Duration::from_ps(saturate(ps))
            }
        }
    }

    /// Reads `10 Gbps`, `2.5Gbit/s`, `56 kbps`, `9600 bps`; also `10Mbit`, as tc(8) writes it.
    ///
    /// # Errors
    /// If the number or the unit cannot be read, or the rate is below 1 bit/s.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let (number, unit) = split(text, "rate", "10 Gbps")?;
        let prefix = ["bps", "bit/s", "b/s", "bit"].iter().find_map(|tail| unit.strip_suffix(tail));
        let factor = match prefix.map(str::trim) {
            Some("") => 1.0,
            Some("k" | "K") => 1e3,
            Some("M") => 1e6,
            Some("G") => 1e9,
            Some("T") => 1e12,
            _ => {
                return Err(UnitError(format!(
                    "`{text}` is not a rate: use bps, kbps, Mbps, Gbps or Tbps, for example `10 Gbps`"
                )));
            }
        };
        let bits = whole(number * factor, text, "rate", "10 Gbps")?;
        Self::from_bits_per_second(bits)
            .ok_or_else(|| UnitError(format!("a rate must be at least 1 bps, not `{text}`, for example `10 Gbps`")))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.0.get() as f64;
        let (value, unit) = match self.0.get() {
            ..1_000 => (bits, "bps"),
            1_000..1_000_000 => (bits / 1e3, "kbps"),
            1_000_000..1_000_000_000 => (bits / 1e6, "Mbps"),
            1_000_000_000..1_000_000_000_000 => (bits / 1e9, "Gbps"),
            _ => (bits / 1e12, "Tbps"),
        };
        write!(f, "{value} {unit}")
    }
}

/// The size of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BufferSize {
    /// A number of packets, whatever their size.
    Packets(u64),
    /// A number of bytes.
    Bytes(u64),
}

impl BufferSize {
    /// The size of the smallest IP packet with a TCP header. A buffer in bytes assumes this size when it reserves one slot for each packet
    /// that it might hold.
    const SMALLEST_PACKET_BYTES: u64 = 40;

    /// Reads `80 packets`, `150 KB`, `64 KiB`, `9000 B`.
    ///
    /// # Errors If the number or the unit cannot be read, or no packet would fit.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let (number, unit) = split(text, "buffer size", "80 packets")?;
        let (size, one, count): (fn(u64) -> Self, _, f64) = match unit {
            "packets" | "packet" | "pkts" | "pkt" => (Self::Packets, "packet", number),
            unit => (Self::Bytes, "byte", number * byte_factor(unit).ok_or_else(|| not_a_buffer(text))?),
        };
        refuse_parts(count, text, one)?;
        match whole(count, text, "buffer size", "80 packets")? {
            0 => Err(UnitError(format!("a buffer must hold something, not `{text}`, for example `80 packets`"))),
            n => Ok(size(n)),
        }
    }

    /// Returns the number of packet slots that the buffer needs: its packets, or its bytes divided by the size of the smallest packet.
    #[must_use]
    pub fn slots(self) -> u64 {
        match self {
            Self::Packets(n) => n,
            Self::Bytes(n) => n.div_ceil(Self::SMALLEST_PACKET_BYTES),
        }
    }
}

impl fmt::Display for BufferSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Packets(n) => write!(f, "{n} packets"),
            Self::Bytes(n) if n % 1_000_000 == 0 => write!(f, "{} MB", n / 1_000_000),
            Self::Bytes(n) if n % 1_000 == 0 => write!(f, "{} KB", n / 1_000),
            Self::Bytes(n) => write!(f, "{n} B"),
        }
    }
}

impl Duration {
    /// Reads `10 ms`, `1.5s`, `250us`, `80 ns`, `800 ps`.
    ///
    /// # Errors
    /// If the number or the unit cannot be read, or the number is negative.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let (number, unit) = split(text, "duration", "10 ms")?;
        let ps_per_unit = match unit {
            "ps" => 1.0,
            "ns" => 1e3,
            "us" | "µs" => 1e6,
            "ms" => 1e9,
            "s" => 1e12,
            _ => {
                let example = in_seconds(number, unit).unwrap_or_else(|| "10 ms".to_owned());
                return Err(UnitError(format!(
                    "`{text}` is not a duration: use ps, ns, us, ms or s, for example `{example}`"
                )));
            }
        };
        whole(number * ps_per_unit, text, "duration below 10 million seconds", "10 ms").map(Self::from_ps)
    }
}

/// Returns a number of minutes, hours or days in seconds, if a duration can be that long.
fn in_seconds(number: f64, unit: &str) -> Option<String> {
    const LONGEST: f64 = 1e7;
    let units =
        [("min", 60.0), ("minute", 60.0), ("h", 3_600.0), ("hour", 3_600.0), ("d", 86_400.0), ("day", 86_400.0)];
    let singular = unit.strip_suffix('s').unwrap_or(unit);
    let (_, seconds) = units.into_iter().find(|(name, _)| *name == singular)?;
    Some(number * seconds).filter(|seconds| *seconds < LONGEST).map(|seconds| format!("{seconds} s"))
}

/// Reads a size in bytes: `1500 B`, `9 KB`, `1 MB`.
///
/// # Errors
/// If the number or the unit cannot be read, or the number is negative.
pub fn parse_bytes(text: &str) -> Result<u64, UnitError> {
    let (number, unit) = split(text, "size", "1500 B")?;
    let factor = byte_factor(unit).ok_or_else(|| {
        UnitError(format!("`{text}` is not a size: use B, KB, MB, GB, KiB or MiB, for example `1500 B`"))
    })?;
    refuse_parts(number * factor, text, "byte")?;
    whole(number * factor, text, "size", "1500 B")
}

/// Rejects fractions such as `1.5 packets`. Tolerates rounding errors in the last bits of a product with a unit.
fn refuse_parts(count: f64, text: &str, one: &str) -> Result<(), UnitError> {
    let whole = count.round();
    if (count - whole).abs() <= whole * 1e-12 {
        return Ok(());
    }
    Err(UnitError(format!(
        "`{text}` has a part of a {one}; write a whole number of {one}s, for example `{} {one}s`",
        whole.max(1.0)
    )))
}

fn byte_factor(unit: &str) -> Option<f64> {
    Some(match unit {
        "B" | "byte" | "bytes" => 1.0,
        "KB" | "kB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    })
}

fn not_a_buffer(text: &str) -> UnitError {
    UnitError(format!(
        "`{text}` is not a buffer size: use packets, B, KB, MB, KiB or MiB, for example `80 packets` or `150 KB`"
    ))
}

/// Splits `2.5 ms` into 2.5 and `ms`.
fn split<'a>(text: &'a str, what: &str, example: &str) -> Result<(f64, &'a str), UnitError> {
    let text = text.trim();
    let end = text
        .char_indices()
        .find(|&(_, c)| !(c.is_ascii_digit() || matches!(c, '.' | '_' | '-' | '+')))
        .map_or(text.len(), |(at, _)| at);
    let (digits, unit) = text.split_at(end);
    let number: f64 = digits
        .replace('_', "")
        .parse()
        .map_err(|_| UnitError(format!("`{text}` is not a {what}: it has no number, for example `{example}`")))?;
    if number < 0.0 {
        return Err(UnitError(format!("a {what} cannot be negative, as `{text}` is, for example `{example}`")));
    }
    let unit = unit.trim();
    if unit.is_empty() {
        return Err(UnitError(format!("`{text}` has no unit, for example `{example}`")));
    }
    if unit.starts_with(['e', 'E']) && unit[1..].starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c)) {
        let message = format!("`{text}` has an exponent; write the {what} without one, for example `{example}`");
        return Err(UnitError(message));
    }
    Ok((number, unit))
}

/// Returns the number as an integer, rounded; an error if 64 bits do not hold it.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked first")]
fn whole(number: f64, text: &str, what: &str, example: &str) -> Result<u64, UnitError> {
    if number < 1e19 {
        Ok(number.round() as u64)
    } else {
        Err(UnitError(format!("`{text}` is too large for a {what}, for example `{example}`")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_and_printed() {
        for (text, bits) in [
            ("10 Gbps", 10_000_000_000),
            ("2.5Gbit/s", 2_500_000_000),
            ("56 kbps", 56_000),
            ("9600 bps", 9_600),
            ("1_000 Mb/s", 1_000_000_000),
            ("10Mbit", 10_000_000),
        ] {
            assert_eq!(Rate::parse(text).unwrap().bits_per_second(), bits, "{text}");
        }
        assert_eq!(Rate::parse("2500 Mbps").unwrap().to_string(), "2.5 Gbps");
    }

    #[test]
    fn a_wrong_quantity_says_what_to_write() {
        for text in ["", "fast", "-5 Gbps", "0 Gbps", "10", "10 GB", "1e3", "99999999999 Tbps", "0.1 bps"] {
            let error = Rate::parse(text).unwrap_err().to_string();
            assert!(error.contains("10 Gbps"), "{text}: {error}");
        }
        for text in ["1.5 packets", "0.3 B", "0.2 packets", "1.0001 KB"] {
            let error = BufferSize::parse(text).unwrap_err().to_string();
            assert!(error.contains("has a part of a "), "{text}");
            let example = error.rsplit('`').nth(1).unwrap();
            assert!(BufferSize::parse(example).is_ok(), "{error}");
        }
        assert_eq!(BufferSize::parse("1.1 MB"), Ok(BufferSize::Bytes(1_100_000)));
        assert_eq!(BufferSize::parse("2.5 KiB"), Ok(BufferSize::Bytes(2_560)));
        for text in ["80", "0 packets", "-1 KB", "5 ms"] {
            assert!(BufferSize::parse(text).unwrap_err().to_string().contains("80 packets"), "{text}");
        }
        for (text, advice) in [
            ("5", "10 ms"),
            ("-1 ms", "10 ms"),
            ("5 KB", "10 ms"),
            ("1.5 hours", "for example `5400 s`"),
            ("400 days", "use ps, ns, us, ms or s"),
            ("30000000 s", "too large for a duration below 10 million seconds"),
            ("1e30 s", "without one"),
        ] {
            let error = Duration::parse(text).unwrap_err().to_string();
            assert!(error.contains(advice), "{text}: {error}");
        }
    }

    #[test]
    fn a_byte_at_ten_gigabit_lasts_800_ps() {
        let rate = Rate::parse("10 Gbps").unwrap();
        assert_eq!(rate.transmission_time(1).as_ps(), 800);
        assert_eq!(rate.transmission_time(1500).as_ps(), 1_200_000);
        // Beyond the 64-bit product the 128-bit path must give the same.
        let slow = Rate::parse("8 kbps").unwrap();
        assert_eq!(slow.transmission_time(3_000_000).as_secs_f64(), 3_000.0);
        assert_eq!(slow.transmission_time(u32::MAX), Duration::from_ps(4_294_967_295_000_000_000));
    }

    #[test]
    fn buffers_have_slots_for_the_smallest_packets() {
        assert_eq!(BufferSize::parse("80 packets").unwrap().slots(), 80);
        assert_eq!(BufferSize::parse("4 KB").unwrap().slots(), 100);
        assert_eq!(BufferSize::parse("64 KiB").unwrap(), BufferSize::Bytes(65_536));
    }
}
