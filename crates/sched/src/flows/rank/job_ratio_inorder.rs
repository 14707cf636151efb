//! Outstanding work per byte of a flow: weighted shortest job first that keeps flows in order (WSJF-Inorder).
//!
//! To get large jobs served, an attacker must send more bytes in the same flow. That costs the bandwidth that the attack was meant to save.

use crate::femtoseconds_per_byte;
use crate::flows::{FlowLoad, FlowRankEntry};
use forebay_core::{About, Exactness, Field};

/// The registry's entry for [`rank`].
pub const ENTRY: FlowRankEntry = FlowRankEntry {
    about: About {
        name: "job-ratio-inorder",
        title: "WSJF that keeps flows in order: a flow's rank = femtoseconds of processing per byte of all it has queued",
        exactness: Exactness::NotApplicable,
        hardware: "a FIFO and two sums per flow, one division, a queue with both ends and removal",
        cost: "one removal and one insertion in the queue per packet; about 220 bytes plus the packet per entry",
        source: "SurgeProtector (thesis), section 3.5.3",
        params: &[],
    },
    also_known_as: &["wsjf-inorder"],
    needs: Some(Field::Processing),
    rank,
};

/// Returns the sum of work over the sum of sizes, in femtoseconds per byte, rounded down. A flow without bytes counts as having one byte.
#[must_use]
pub fn rank(load: &FlowLoad) -> u64 {
    femtoseconds_per_byte(load.work_ps, load.bytes)
}
