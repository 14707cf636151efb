//! Work per byte of the packet at a flow's head (WSJF-HoQ): the thesis's bad example, here to show why it is bad.
//!
//! One packet does not represent its flow. Sooner or later the head of an innocent flow has a large ratio. All packets behind this head
//! then wait while an attacker's small packets are served.

use crate::femtoseconds_per_byte;
use crate::flows::{FlowLoad, FlowRankEntry};
use forebay_core::{About, Exactness, Field};

/// The registry's entry for [`rank`].
pub const ENTRY: FlowRankEntry = FlowRankEntry {
    about: About {
        name: "job-ratio-head",
        title: "A flow's rank = femtoseconds of processing per byte of its head; a bad example: use job-ratio-inorder",
        exactness: Exactness::NotApplicable,
        hardware: "a FIFO per flow, one division, a queue with both ends and removal",
        cost: "one removal and one insertion in the queue per packet; about 220 bytes plus the packet per entry",
        source: "SurgeProtector (thesis), section 3.5.3: a head of large ratio keeps its whole flow from being served",
        params: &[],
    },
    also_known_as: &["wsjf-hoq"],
    needs: Some(Field::Processing),
    rank,
};

/// Returns work over size of the head in femtoseconds per byte, rounded down; a size of 0 counts as one byte.
#[must_use]
pub fn rank(load: &FlowLoad) -> u64 {
    femtoseconds_per_byte(load.head.work.as_ps().into(), load.head.bytes.into())
}
