//! Policies: a job's rank, as a number with a few significant bits.

use std::time::Duration;

/// In which order jobs leave, and who is dropped when there is no room: the last of that order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Weighted shortest job first: least work per byte. An attacker displaces about one byte
    /// per byte sent, if the estimates are right (thesis 3.4.4).
    #[default]
    Wsjf,
    /// Shortest job first: least work. Small jobs that carry few bytes go before large ones that
    /// carry many (thesis 3.4.3).
    Sjf,
    /// First come, first served; when there is no room, the arriving job is refused. What most
    /// programs do, to compare with (thesis 3.4.1).
    Fcfs,
}

/// Ranks are below this.
pub(crate) const RANKS: usize = 1 << 12;

/// Bits of a rank's mantissa: ranks that differ by less than 1/64 may be taken for equal.
const MANTISSA_BITS: u32 = 6;

impl Policy {
    /// A job's rank; equal ranks leave in order of arrival.
    pub(crate) fn rank(self, work: Duration, size_bytes: u64) -> u64 {
        let picoseconds = work.as_nanos().saturating_mul(1_000);
        match self {
            Self::Wsjf => logarithmic(picoseconds / u128::from(size_bytes.max(1))),
            Self::Sjf => logarithmic(picoseconds),
            Self::Fcfs => 0,
        }
    }
}

fn logarithmic(number: u128) -> u64 {
    let rank = u64::try_from(number).unwrap_or(u64::MAX);
    let exponent = (rank | 1).ilog2().saturating_sub(MANTISSA_BITS);
    (u64::from(exponent) << MANTISSA_BITS) + (rank >> exponent)
}
