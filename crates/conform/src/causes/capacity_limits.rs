//! The capacity limits of a target: bits of fields, packets and queues.

use crate::answer::{Answer, Verdict};
use forebay_core::Packet;
use forebay_engine::fields::field;
use forebay_lang::ir::PacketField;
use forebay_lang::{Fixed, Policy};
use forebay_targets::sv::FieldBits;

/// The rule by which programs drop a packet for which they have no slot.
const SLOTS: &str = "slots";

/// The capacity limits of a target; `None`: no limit is known.
#[derive(Debug, Clone, Default)]
pub struct Holds {
    /// The widths of fields.
    pub bits: Option<FieldBits>,
    /// The most packets at once.
    pub packets: Option<usize>,
    /// The most queues.
    pub queues: Option<usize>,
}

impl Holds {
    /// Returns a field of one of these packets that is too wide.
    pub(super) fn too_wide(&self, packets: &[Packet]) -> Option<String> {
        let bits = self.bits?;
        for packet in packets {
            for of in PacketField::ALL.iter().copied() {
                let Some(most) = bits.most(of) else { continue };
                let number = field(packet, super::VERSION, of);
                if number > Fixed::whole(most) {
                    let id = packet.id;
                    return Some(format!(
                        "The target cannot hold `{}` of packet {id}: it is {number}, and the field holds at most \
                         {most}. The target may use another number for it.",
                        of.word()
                    ));
                }
            }
        }
        None
    }

    /// Returns the excess if there are more packets or queues than the target has room for.
    pub(super) fn too_many(&self, policy: &Policy, packets: usize, found: Option<&Answer>) -> Option<String> {
        let refused = found.and_then(|answer| match &answer.verdict {
            Verdict::Refused(rule) => Some(rule.as_str()),
            _ => None,
        });
        if refused == Some(SLOTS) {
            return Some(format!(
                "The datapath has no slot left for a packet (`{SLOTS}`): {packets} packets wait, including the one \
                 that arrives."
            ));
        }
        if let Some(most) = self.packets.filter(|most| refused.is_some() && packets > *most) {
            return Some(format!(
                "{packets} packets wait, including the one that arrives, and the target has room for {most}."
            ));
        }
        let queues = policy.queues.len();
        let most = self.queues.filter(|most| queues > *most)?;
        Some(format!("The policy has {queues} queues, and the target has room for {most}."))
    }
}
