//! The pace of a port that is slower than its link (`docs/openqueue-semantics.md`, 1.3).

use forebay_core::{Duration, Rate, convert};
use forebay_lang::ir::PortRate;

/// The time of a byte: an exact fraction of picoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    numerator: u128,
    denominator: u128,
}

impl Pace {
    /// Returns the pace of a port; `None` if it is no slower than its link.
    #[must_use]
    pub fn of(rate: PortRate, link: Rate) -> Option<Self> {
        let (over, under) = fraction(rate, link);
        (over < u128::from(link.bits_per_second()) * under).then(|| Self::exactly(rate, link))
    }

    /// Returns the pace of a port, even if it is at least as fast as its link.
    #[must_use]
    pub fn exactly(rate: PortRate, link: Rate) -> Self {
        const PS_PER_BYTE_AT_1_BPS: u128 = 8_000_000_000_000;
        let (over, under) = fraction(rate, link);
        Self { numerator: PS_PER_BYTE_AT_1_BPS * under, denominator: over }
    }

    /// Returns the time of `bytes` bytes, rounded up to a picosecond and clamped to 64 bits, which is 213 days.
    #[must_use]
    pub fn duration(self, bytes: u32) -> Duration {
        let exact = u128::from(bytes) * self.numerator;
        // A rate of 0 is an error of the policy, and would mean never.
        let ps = if self.denominator == 0 { u128::MAX } else { exact.div_ceil(self.denominator) };
        Duration::from_ps(convert::saturate(ps))
    }
}

/// Returns the rate of a port at a link: a fraction of bits per second.
fn fraction(rate: PortRate, link: Rate) -> (u128, u128) {
    match rate {
        PortRate::Percent(percent) => {
            let part = |number: &i128| u128::try_from(*number).unwrap_or(0);
            (u128::from(link.bits_per_second()) * part(percent.numer()), 100 * part(percent.denom()))
        }
        PortRate::Rate(rate) => (u128::from(rate.bits_per_second()), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_lang::Ratio;

    fn gbps(number: u64) -> Rate {
        Rate::from_bits_per_second(number * 1_000_000_000).unwrap()
    }

    fn ps(rate: PortRate, bytes: u32) -> Option<u64> {
        Pace::of(rate, gbps(10)).map(|pace| pace.duration(bytes).as_ps())
    }

    #[test]
    fn a_pace_is_exact_and_rounded_up_to_a_picosecond() {
        let percent = |numerator, denominator| PortRate::Percent(Ratio::new(numerator, denominator));
        assert_eq!(ps(percent(50, 1), 1_500), Some(2_400_000));
        assert_eq!(ps(percent(100, 3), 1_000), Some(2_400_000));
        assert_eq!(ps(percent(70, 1), 1), Some(1_143), "800 / 0.7 = 1142.86 ps");
        assert_eq!(ps(percent(1, 1_000_000), u32::MAX), Some(u64::MAX), "cut to what a time can be");
        assert_eq!(ps(PortRate::Rate(gbps(3)), 1_000), Some(2_666_667));
    }

    #[test]
    fn a_port_as_fast_as_its_link_has_no_pace() {
        assert_eq!(ps(PortRate::Percent(Ratio::from_integer(100)), 1), None);
        assert_eq!(ps(PortRate::Rate(gbps(10)), 1), None);
        assert_eq!(ps(PortRate::Rate(gbps(40)), 1), None);
        let exactly = |rate| Pace::exactly(rate, gbps(10)).duration(1_000).as_ps();
        let half = PortRate::Percent(Ratio::from_integer(200));
        assert_eq!(
            [PortRate::Rate(gbps(10)), PortRate::Rate(gbps(40)), half].map(exactly),
            [800_000, 200_000, 400_000]
        );
    }
}
