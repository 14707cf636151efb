//! Selective acknowledgements on the wire (RFC 2018, section 3; RFC 2883).
//!
//! A block is a range of bytes that have arrived behind a gap, or again. As in TCP's header, its ends are the low 32 bits of byte numbers,
//! and an acknowledgement has room for three blocks beside a timestamp. So a segment stays small, and blocks are unambiguous within 2 GB of
//! the acknowledged byte.

use std::ops::Range;

/// Blocks that fit beside a timestamp.
const MOST: usize = 3;

/// Up to three ranges of bytes, the newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SackBlocks([[u32; 2]; MOST]);

impl SackBlocks {
    /// A list without blocks.
    pub const NONE: Self = Self([[0; 2]; MOST]);

    /// Whether there are no blocks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of blocks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().take_while(|[start, end]| start != end).count()
    }

    /// Adds a block behind the others; does nothing if there is no room for it, or if it is empty. Of a block longer than 2 GB only the
    /// first part is reported.
    pub fn push(&mut self, block: Range<u64>) {
        let most = block.start + u64::from(u32::MAX / 2);
        if let Some(free) = self.0.iter_mut().find(|[start, end]| start == end) {
            *free = [low(block.start), low(block.end.clamp(block.start, most))];
        }
    }

    /// Returns the blocks, for an acknowledgement of all bytes before `ack`.
    pub fn near(self, ack: u64) -> impl Iterator<Item = Range<u64>> {
        // The distance from `ack` to either side fits 31 bits.
        let full = move |bits: u32| ack.wrapping_add_signed(i64::from(bits.wrapping_sub(low(ack)).cast_signed()));
        self.0.into_iter().take_while(|[start, end]| start != end).map(move |[start, end]| full(start)..full(end))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is what is meant")]
fn low(byte: u64) -> u32 {
    byte as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back_wherever_the_flow_is() {
        for ack in [1_000_000, u64::from(u32::MAX) - 5, 1 << 32, (1 << 40) + 77] {
            let ranges = [ack + 10..ack + 20, ack - 10..ack - 5, ack + (1 << 30)..ack + (1 << 30) + 1];
            let mut blocks = SackBlocks::NONE;
            assert!(blocks.is_empty());
            ranges.iter().cloned().for_each(|range| blocks.push(range));
            blocks.push(ack + 30..ack + 40);
            assert!(blocks.near(ack).eq(ranges), "no room for a fourth");
        }
    }
}
