//! Properties of packets as numbers, and changes of packets by a policy: the same for every engine, bit by bit
//! (`docs/openqueue-semantics.md`, sections 2 and 3).

use forebay_core::{Duration, Packet, convert};
use forebay_lang::Fixed;
use forebay_lang::ir::PacketField;

/// One virtual cycle: a nanosecond of job size (section 2).
pub const CYCLE: Duration = Duration::from_ns(1);

/// Returns a property of a packet that arrived under version `policy_id`.
///
/// `queue` is the field of the packet: a `classify` of the policy does not change it.
#[must_use]
pub fn field(packet: &Packet, policy_id: u32, field: PacketField) -> Fixed {
    match field {
        PacketField::PolicyId => Fixed::whole(policy_id.into()),
        PacketField::Queue => Fixed::whole(packet.queue.0.into()),
        PacketField::Value => Fixed::whole(packet.value.into()),
        PacketField::Processing => Fixed::nanoseconds_of_ps(packet.processing.as_ps()),
        PacketField::Slack => Fixed::nanoseconds_of_ps(packet.slack.as_ps()),
        PacketField::Flow => Fixed::whole(packet.flow.0.into()),
        PacketField::Arrival => Fixed::nanoseconds_of_ps(packet.arrival.as_ps()),
        PacketField::Size => Fixed::whole(packet.size_bytes.into()),
        PacketField::Remaining => Fixed::whole(packet.remaining_bytes),
        PacketField::Class => Fixed::whole(packet.class.0.into()),
        PacketField::Rank => Fixed::whole(packet.rank),
        PacketField::Marked => Fixed::whole(packet.marks.eligible_to_drop().into()),
        PacketField::Notified => Fixed::whole(packet.marks.congested().into()),
    }
}

/// Sets a packet's value, rounded down and clamped to the range of the field: 0 to 2^32 - 1.
pub fn set_value(packet: &mut Packet, value: Fixed) {
    let whole = (value.0 >> Fixed::FRACTION_BITS).max(0).unsigned_abs();
    packet.value = convert::saturate(whole);
}

/// Marks a packet. Returns whether it had no mark before, since each is counted once.
pub fn mark(packet: &mut Packet) -> bool {
    let first = !packet.marks.eligible_to_drop();
    packet.marks.set_eligible_to_drop();
    first
}

/// Notifies a packet. Returns whether it had no notification before, since each is counted once.
pub fn notify(packet: &mut Packet) -> bool {
    let first = !packet.marks.congested();
    packet.marks.set_congested();
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Time;

    #[test]
    fn times_are_in_nanoseconds_with_their_fraction_and_all_is_cut_to_the_range() {
        let packet = Packet {
            arrival: Time::from_ps(1_500),
            processing: Duration::from_ps(1),
            rank: u64::MAX,
            size_bytes: 7,
            ..Packet::default()
        };
        assert_eq!(field(&packet, 3, PacketField::Arrival), Fixed(98_304));
        assert_eq!(field(&packet, 3, PacketField::Processing), Fixed(65));
        assert_eq!(field(&packet, 3, PacketField::Rank), Fixed(i64::MAX));
        assert_eq!(field(&packet, 3, PacketField::Size), Fixed::whole(7));
        assert_eq!(field(&packet, 3, PacketField::PolicyId), Fixed::whole(3));
    }

    #[test]
    fn values_are_rounded_down_and_cut_to_32_bits() {
        let mut packet = Packet::default();
        for (value, expected) in [
            (Fixed(98_304), 1),
            (Fixed(-1), 0),
            (Fixed(i64::MIN), 0),
            (Fixed(i64::MAX), u32::MAX),
            (Fixed::whole(9), 9),
        ] {
            set_value(&mut packet, value);
            assert_eq!(packet.value, expected, "{value}");
        }
    }

    #[test]
    fn a_packet_is_marked_once() {
        let mut packet = Packet::default();
        assert_eq!([mark(&mut packet), mark(&mut packet)], [true, false]);
        assert_eq!([notify(&mut packet), notify(&mut packet)], [true, false]);
        assert!(packet.marks.eligible_to_drop() && packet.marks.congested());
    }
}
