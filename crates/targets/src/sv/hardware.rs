//! Decisions that a user can make when a policy is compiled to hardware.

use forebay_core::{ClassId, Duration, FlowId, Packet, Time, mix};
use forebay_lang::ir::PacketField;
use std::fmt;
use std::str::FromStr;

/// The requested properties of the hardware.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hardware {
    /// The widths of packet fields and of the time.
    pub bits: FieldBits,
    /// The bits of a rank; `None`: as many as the queue block allows.
    pub rank_bits: Option<u8>,
    /// The queue block that sorts.
    pub queue: QueueBlock,
    /// The bits of the number that identifies a packet for the host, 1 to 32.
    pub id_bits: u8,
    /// The seed of the trials of drops: the same seed gives the same trials as in the engines of forebay.
    pub seed: u64,
}

impl Default for Hardware {
    fn default() -> Self {
        Self { bits: FieldBits::default(), rank_bits: None, queue: QueueBlock::Auto, id_bits: 16, seed: 0 }
    }
}

impl Hardware {
    /// Returns the initial state of the trials: SplitMix64 (Steele, Lea, Flood, 2014) of the hash (FNV-1a) of the stream's name and the
    /// seed.
    pub(super) fn random_state(&self) -> [u64; 4] {
        let name = b"policy/drop".iter().chain(&self.seed.to_le_bytes()).copied().collect::<Vec<u8>>();
        let hash = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        let mut sum = name.iter().fold(0xcbf2_9ce4_8422_2325, hash);
        [0; 4].map(|_: u64| {
            sum = sum.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mix(sum)
        })
    }
}

/// A block of `rtl/` that stores and sorts packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QueueBlock {
    /// The block is chosen from the policy.
    #[default]
    Auto,
    /// The Bitmapped Bucket Queue, in memories.
    Bbq,
    /// The Bitmapped Bucket Queue behind a small sorted array, which answers at once.
    BbqFront,
    /// A sorted array of registers.
    Pifo,
}

impl QueueBlock {
    /// All queue blocks.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Bbq, Self::BbqFront, Self::Pifo];

    /// Returns the block's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Bbq => "bbq",
            Self::BbqFront => "bbq-front",
            Self::Pifo => "pifo",
        }
    }
}

/// A queue block that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no queue block `{0}`; there are {names}", names = QueueBlock::ALL.map(QueueBlock::name).join(", "))]
pub struct UnknownBlock(pub String);

impl FromStr for QueueBlock {
    type Err = UnknownBlock;

    fn from_str(text: &str) -> Result<Self, UnknownBlock> {
        Self::ALL.into_iter().find(|block| block.name() == text).ok_or_else(|| UnknownBlock(text.to_owned()))
    }
}

/// The fields whose widths can be set: those of packets, and the time, which also determines `arrival`.
const FIELDS: [(PacketField, &str, u8, u8); 9] = [
    // Its default, and the most that packets have.
    (PacketField::Size, "size", 14, 20),
    (PacketField::Processing, "processing", 16, 46),
    (PacketField::Value, "value", 16, 32),
    (PacketField::Slack, "slack", 32, 46),
    (PacketField::Flow, "flow", 16, 32),
    (PacketField::Remaining, "remaining", 24, 46),
    (PacketField::Class, "class", 8, 8),
    (PacketField::Rank, "rank", 16, 46),
    (PacketField::Arrival, "time", 40, 46),
];

/// The widths of fields in bits. `queue` has as many as the numbers of the queues and one more number need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldBits([u8; FIELDS.len()]);

impl Default for FieldBits {
    fn default() -> Self {
        Self(FIELDS.map(|(_, _, bits, _)| bits))
    }
}

impl FieldBits {
    /// Returns the bits of a field; `None` if its width cannot be set.
    pub(super) fn of(self, field: PacketField) -> Option<u32> {
        let place = FIELDS.iter().position(|known| known.0 == field)?;
        Some(self.0[place].into())
    }

    /// Returns the greatest number of a field; `None` if its width cannot be set.
    #[must_use]
    pub fn most(self, field: PacketField) -> Option<u64> {
        self.of(field).map(|bits| (1 << bits) - 1)
    }

    /// Returns the bits of the time.
    pub(super) fn time(self) -> u32 {
        self.of(PacketField::Arrival).unwrap_or_default()
    }

    /// Returns the packet with each field truncated to its lower bits if it does not fit.
    #[must_use]
    pub fn cut(self, packet: &Packet) -> Packet {
        let low = |field, value: u64| self.of(field).map_or(value, |bits| value & ((1 << bits) - 1));
        let narrow = |field, value: u32| u32::try_from(low(field, value.into())).unwrap_or(value);
        let time = |field, value: Duration| Duration::from_ns(low(field, value.as_ns()));
        Packet {
            size_bytes: narrow(PacketField::Size, packet.size_bytes).max(1),
            processing: time(PacketField::Processing, packet.processing),
            value: narrow(PacketField::Value, packet.value),
            slack: time(PacketField::Slack, packet.slack),
            flow: FlowId(narrow(PacketField::Flow, packet.flow.0)),
            remaining_bytes: low(PacketField::Remaining, packet.remaining_bytes),
            class: ClassId(u8::try_from(low(PacketField::Class, packet.class.0.into())).unwrap_or(packet.class.0)),
            rank: low(PacketField::Rank, packet.rank),
            ..*packet
        }
    }

    /// Returns the greatest widths, except for the given ones.
    #[must_use]
    pub fn widest_but(widths: &[Width]) -> Self {
        let mut bits = Self(FIELDS.map(|(_, _, _, most)| most));
        widths.iter().for_each(|width| bits.set(*width));
        bits
    }

    /// Returns the widths that these packets and the time need, limited by the given ones.
    ///
    /// # Errors
    /// If a field would need more bits than it can have.
    pub fn holding<'a>(
        packets: impl Iterator<Item = &'a Packet>,
        last: Time,
        given: &[Width],
    ) -> Result<Self, TooWide> {
        let limits = Self::widest_but(given);
        let mut most = FIELDS.map(|field| if field.0 == PacketField::Arrival { last.as_ps() / 1_000 } else { 0 });
        let time = |duration: Duration| duration.as_ns();
        for packet in packets {
            for (most, (field, ..)) in most.iter_mut().zip(FIELDS) {
                let value = match field {
                    PacketField::Size => packet.size_bytes.into(),
                    PacketField::Processing => time(packet.processing),
                    PacketField::Value => packet.value.into(),
                    PacketField::Slack => time(packet.slack),
                    PacketField::Flow => packet.flow.0.into(),
                    PacketField::Remaining => packet.remaining_bytes,
                    PacketField::Class => packet.class.0.into(),
                    PacketField::Rank => packet.rank,
                    // The time, which is there already.
                    _ => 0,
                };
                *most = value.max(*most);
            }
        }
        let mut bits = Self::default();
        for (((bits, most), (_, name, ..)), limit) in bits.0.iter_mut().zip(most).zip(FIELDS).zip(limits.0) {
            let needed = 64 - most.max(1).leading_zeros();
            *bits = u8::try_from(needed).ok().filter(|needed| *needed <= limit).ok_or(TooWide {
                field: name,
                most,
                needed,
                limit,
            })?;
        }
        Ok(bits)
    }

    /// Sets the width of a field.
    pub fn set(&mut self, Width { place, bits }: Width) {
        self.0[place] = bits;
    }
}

/// A field that needs more bits than it can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` is up to {most}, which needs {needed} bits, and it can have {limit}")]
pub struct TooWide {
    /// The field.
    pub field: &'static str,
    /// The field's greatest value.
    pub most: u64,
    /// The bits that the value needs.
    pub needed: u32,
    /// The bits that the field can have.
    pub limit: u8,
}

/// The width of a field, in the syntax of the command line: `slack=24`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Width {
    place: usize,
    bits: u8,
}

/// Why a text is not the width of a field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WidthError {
    /// The text does not have the form of a width.
    #[error("write FIELD=BITS, such as slack=24")]
    Shape,
    /// No field of this name has a width.
    #[error("no field `{0}` has a width; there are {names}", names = FIELDS.map(|field| field.1).join(", "))]
    UnknownField(String),
    /// The field cannot have this number of bits.
    #[error("`{field}` can have 1 to {most} bits, not `{found}`")]
    Bits {
        /// The field.
        field: &'static str,
        /// The most bits of the field.
        most: u8,
        /// The rejected number.
        found: String,
    },
}

impl FromStr for Width {
    type Err = WidthError;

    fn from_str(text: &str) -> Result<Self, WidthError> {
        let (name, number) = text.split_once('=').ok_or(WidthError::Shape)?;
        let place =
            FIELDS.iter().position(|field| field.1 == name).ok_or_else(|| WidthError::UnknownField(name.to_owned()))?;
        let (_, field, _, most) = FIELDS[place];
        let bits = number.parse().ok().filter(|bits| (1..=most).contains(bits));
        bits.map(|bits| Self { place, bits }).ok_or_else(|| WidthError::Bits { field, most, found: number.to_owned() })
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", FIELDS[self.place].1, self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt;

    #[test]
    fn widths_are_read_and_written() {
        let width: Width = "slack=24".parse().unwrap();
        assert_eq!(width.to_string(), "slack=24");
        let mut bits = FieldBits::default();
        bits.set(width);
        assert_eq!((bits.of(PacketField::Slack), bits.of(PacketField::Size), bits.time()), (Some(24), Some(14), 40));
        assert_eq!(bits.of(PacketField::Queue), None);
        for (text, part) in [
            ("slack", "write FIELD=BITS"),
            ("size=21", "`size` can have 1 to 20 bits, not `21`"),
            ("class=0", "1 to 8 bits"),
            ("queue=3", "no field `queue` has a width; there are size"),
        ] {
            let wrong = text.parse::<Width>().unwrap_err().to_string();
            assert!(wrong.contains(part), "{text}: {wrong}");
        }
    }

    #[test]
    fn trials_are_those_of_the_engines() {
        let [mut a, mut b, mut c, mut d] = Hardware { seed: 11, ..Hardware::default() }.random_state();
        let mut stream = Seed(11).stream("policy/drop");
        for _ in 0..20 {
            // xoshiro256++ (Blackman and Vigna, 2018)
            let drawn = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
            let shifted = b << 17;
            (c, d) = (c ^ a, d ^ b);
            (b, a) = (b ^ c, a ^ d);
            (c, d) = (c ^ shifted, d.rotate_left(45));
            assert_eq!(drawn, stream.random::<u64>());
        }
    }

    #[test]
    fn blocks_are_read() {
        assert_eq!("pifo".parse(), Ok(QueueBlock::Pifo));
        assert!("heap".parse::<QueueBlock>().unwrap_err().to_string().contains("auto, bbq, bbq-front, pifo"));
    }
}
