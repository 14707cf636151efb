//! Policies: a job's rank, as a number with a few significant bits.

use forebay_core::convert;
use forebay_sched::{RankUnit, femtoseconds_per_byte};
use std::time::Duration;

/// The order in which jobs leave. When there is no room, the last job of that order is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Weighted shortest job first: least work per byte. An attacker displaces about one byte
    /// per byte sent, if the estimates are right (thesis 3.4.4).
    #[default]
    Wsjf,
    /// Shortest job first: least work. Small jobs that carry few bytes go before large ones that
    /// carry many (thesis 3.4.3).
    Sjf,
    /// First come, first served; if there is no room, the arriving job is dropped. Most programs do this; it is the baseline (thesis
    /// 3.4.1).
    Fcfs,
}

/// The unit of ranks: floating-point numbers with `mantissa_bits` bits of mantissa. Ranks that differ by less than 1/64 may count as equal.
pub(crate) const UNIT: RankUnit = RankUnit::Float { mantissa_bits: 6 };

/// The upper limit of ranks in this unit: every rank is below it.
pub(crate) const RANKS: usize = 1 << 12;

impl Policy {
    /// Returns a job's rank; equal ranks leave in order of arrival.
    pub(crate) fn rank(self, work: Duration, size_bytes: u64) -> u64 {
        match self {
            Self::Wsjf => UNIT.key(femtoseconds_per_byte(picoseconds(work).into(), size_bytes)),
            Self::Sjf => UNIT.key(picoseconds(work)),
            Self::Fcfs => 0,
        }
    }
}

/// Returns the time in picoseconds, clamped to 64 bits (213 days).
pub(crate) fn picoseconds(time: Duration) -> u64 {
    convert::saturate(time.as_nanos().saturating_mul(1_000))
}
