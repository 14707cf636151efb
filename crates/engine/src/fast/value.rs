//! Properties of packets as unsigned integers in the same order as the numbers of policies, but cheaper to compute: a time needs no
//! division.

use super::slab::Stored;
use super::time57::Time57;
use crate::fields::field;
use forebay_lang::Fixed;
use forebay_lang::ir::PacketField;

/// The least whole number that is clamped.
pub(super) const WHOLE_CUT: u64 = 1 << (63 - Fixed::FRACTION_BITS);

/// Whether a property is a time.
pub(super) fn is_time(what: PacketField) -> bool {
    matches!(what, PacketField::Processing | PacketField::Slack | PacketField::Arrival)
}

/// Returns a property as an integer in the order of its numbers: picoseconds of a time, or the whole number.
#[inline]
pub(super) fn ordinal(stored: &Stored, what: PacketField) -> u64 {
    let packet = &stored.packet;
    match what {
        PacketField::PolicyId => stored.policy_id.into(),
        PacketField::Queue => packet.queue.0.into(),
        PacketField::Value => packet.value.into(),
        PacketField::Processing => Time57::of_ps(stored.left.as_ps()),
        PacketField::Slack => Time57::of_ps(packet.slack.as_ps()),
        PacketField::Flow => packet.flow.0.into(),
        PacketField::Arrival => stored.arrival(),
        PacketField::Size => packet.size_bytes.into(),
        PacketField::Remaining => packet.remaining_bytes.min(WHOLE_CUT),
        PacketField::Class => packet.class.0.into(),
        PacketField::Rank => packet.rank.min(WHOLE_CUT),
        PacketField::Marked => packet.marks.eligible_to_drop().into(),
        PacketField::Notified => packet.marks.congested().into(),
    }
}

/// Returns the units of a number, counted from the least number.
#[inline]
pub(super) fn ordinal_of_units(units: i64) -> u64 {
    units.cast_unsigned() ^ (1 << 63)
}

/// Returns a property as a number.
#[inline]
pub(super) fn number(stored: &Stored, what: PacketField) -> i64 {
    match what {
        PacketField::Processing => time(stored.left.as_ps()),
        PacketField::Slack => time(stored.packet.slack.as_ps()),
        PacketField::Arrival => time(stored.packet.arrival.as_ps()),
        _ => field(&stored.packet, stored.policy_id, what).0,
    }
}

/// Converts a time in picoseconds into a number of nanoseconds.
#[inline]
#[expect(clippy::cast_possible_wrap, reason = "less than 2^55")]
pub(super) fn time(ps: u64) -> i64 {
    // A division of 64 bits, where they suffice, takes a tenth of one of 128.
    if ps < 1 << 48 { ((ps << Fixed::FRACTION_BITS) / 1_000) as i64 } else { Fixed::nanoseconds_of_ps(ps).0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::{Duration, Packet, Seed, convert};
    use rand::RngExt;

    #[test]
    fn ordinals_have_the_order_of_numbers() {
        let mut rng = Seed(1).stream("ordinals");
        let mut last = (Stored::default(), Stored::default());
        for _ in 0..100_000 {
            let near = [0, 1_000, (1 << 48) - 5, Time57::CUT - 5, WHOLE_CUT - 5, u64::MAX - 10];
            let any = near[rng.random_range(0..near.len())] + rng.random_range(0..10);
            let packet =
                Packet { slack: Duration::from_ps(any), rank: any, value: convert::saturate(any), ..Packet::default() };
            last = (Stored::arriving(packet, 0, 1), last.0);
            for what in PacketField::ALL {
                let [a, b] = [&last.0, &last.1].map(|stored| ordinal(stored, *what));
                let [x, y] = [&last.0, &last.1].map(|stored| field(&stored.packet, stored.policy_id, *what));
                assert_eq!(a.cmp(&b), x.cmp(&y), "{what} {any}");
                assert_eq!(number(&last.0, *what), x.0);
            }
        }
    }
}
