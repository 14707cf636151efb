//! The names of packets in notifications that nodes relay.
//!
//! To relay a notification, a node must know the next link of its packet, and the state that the packet will need at the next node. Neither
//! follows from the state that the packet needs at the node itself. So all notifications name the packet's flow, its direction, its class,
//! and whether it has data, some 20 bits more than Seer's; the notified node finds the state.

use crate::net::packets::InFlight;
use forebay_core::ClassId;

/// The known properties of a packet that will arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) flow: u32,
    pub(super) class: ClassId,
    pub(super) to_receiver: bool,
    pub(super) has_data: bool,
    /// Whether the packet has yet to arrive at the port that sent this; otherwise it may wait there.
    pub(super) is_forecast: bool,
}

impl Name {
    pub(super) fn of(way: &InFlight) -> Self {
        Self {
            flow: way.flow,
            class: way.class,
            to_receiver: way.to_receiver,
            has_data: way.has_data(),
            is_forecast: false,
        }
    }

    /// Returns the name of the same packet, as a forecast.
    pub(super) fn forecast(self) -> Self {
        Self { is_forecast: true, ..self }
    }

    /// Returns the name as the id of a notification.
    pub(super) fn id(self) -> u64 {
        let bits = [self.to_receiver, self.has_data, self.is_forecast].map(u64::from);
        u64::from(self.flow) << 16 | u64::from(self.class.0) << 8 | bits[0] << 2 | bits[1] << 1 | bits[2]
    }

    pub(super) fn from_id(id: u64) -> Self {
        let [_, _, flow @ .., class, flags] = id.to_be_bytes();
        Self {
            flow: u32::from_be_bytes(flow),
            class: ClassId(class),
            to_receiver: flags & 4 != 0,
            has_data: flags & 2 != 0,
            is_forecast: flags & 1 != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_fits_an_id() {
        for flow in [0, 7, u32::MAX] {
            for class in [0, 255] {
                for flags in 0..8 {
                    let [to_receiver, has_data, is_forecast] = [4, 2, 1].map(|bit| flags & bit != 0);
                    let name = Name { flow, class: ClassId(class), to_receiver, has_data, is_forecast };
                    assert_eq!(Name::from_id(name.id()), name);
                }
            }
        }
    }
}
