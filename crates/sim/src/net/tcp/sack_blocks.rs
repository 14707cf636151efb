//! The blocks of an acknowledgement (RFC 2018, section 4; RFC 2883, section 4).
//!
//! The first block holds the data that has just arrived. The other blocks are the ones that were reported last, so each block is reported
//! several times, and a lost acknowledgement does no harm. Data that arrives again is a block of its own, before all others (D-SACK). O(log
//! n) for each with n gaps; three numbers of memory.

use crate::net::received_bytes::Received;
use crate::net::sack::SackBlocks;
use std::ops::Range;

/// Blocks that are remembered.
const MOST: usize = 3;

/// The blocks that were reported last.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Reported {
    /// A byte of each block, the newest first.
    recent: [Option<u64>; MOST],
}

impl Reported {
    /// What to report now that the bytes of `arrived` have arrived, which are in `received`; `again`: all of them were there
    /// before.
    pub(crate) fn report(&mut self, received: &Received, arrived: Range<u64>, again: bool) -> SackBlocks {
        let mut blocks = SackBlocks::NONE;
        if again {
            blocks.push(arrived.clone());
        }
        let mut kept = [None; MOST];
        let mut count = 0;
        for at in std::iter::once(arrived.start).chain(self.recent.into_iter().flatten()) {
            let Some(block) = received.range_at(at) else { continue };
            if count < MOST && !kept[..count].contains(&Some(block.start)) {
                kept[count] = Some(block.start);
                count += 1;
                blocks.push(block);
            }
        }
        self.recent = kept;
        blocks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_block_comes_first_and_old_ones_are_repeated() {
        // RFC 2018, section 8, case 2: the first of eight segments of 500 bytes, from 5000 on, is lost.
        let (mut received, mut reported) = (Received::default(), Reported::default());
        received.insert(0, 5_000);
        let mut arrive = |start: u64| {
            let again = received.insert(start, start + 500) == 0;
            let blocks = reported.report(&received, start..start + 500, again);
            blocks.near(received.next()).map(|block| (block.start, block.end)).collect::<Vec<_>>()
        };
        for end in 0..3 {
            assert_eq!(arrive(5_500 + end * 500), [(5_500, 6_000 + end * 500)]);
        }
        // Case 3: others are lost, too.
        assert_eq!(arrive(7_500), [(7_500, 8_000), (5_500, 7_000)]);
        assert_eq!(arrive(8_500), [(8_500, 9_000), (7_500, 8_000), (5_500, 7_000)]);
        assert_eq!(arrive(9_500), [(9_500, 10_000), (8_500, 9_000), (7_500, 8_000)]);
        // What fills a gap joins two blocks.
        assert_eq!(arrive(8_000), [(7_500, 9_000), (9_500, 10_000)]);
        // RFC 2883: data that arrives again is reported before the block that holds it.
        assert_eq!(arrive(8_000), [(8_000, 8_500), (7_500, 9_000), (9_500, 10_000)]);
        assert_eq!(arrive(4_000), [(4_000, 4_500), (7_500, 9_000), (9_500, 10_000)]);
    }
}
