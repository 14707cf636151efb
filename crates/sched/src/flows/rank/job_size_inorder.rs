//! Mean work of a flow's queued items: shortest job first that keeps flows in order.

use crate::flows::{FlowLoad, FlowRankEntry};
use crate::quotient::quotient;
use forebay_core::{About, Exactness, Field};

/// The registry's entry for [`rank`].
pub const ENTRY: FlowRankEntry = FlowRankEntry {
    about: About {
        name: "job-size-inorder",
        title: "SJF that keeps flows in order: a flow's rank = mean picoseconds of processing of all it has queued",
        exactness: Exactness::NotApplicable,
        hardware: "a FIFO, a sum and a count per flow, one division, a queue with both ends and removal",
        cost: "one removal and one insertion in the queue per packet; about 220 bytes plus the packet per entry",
        source: "after SurgeProtector (thesis), sections 3.4 and 3.5.3",
        params: &[],
    },
    also_known_as: &["sjf-inorder"],
    needs: Some(Field::Processing),
    rank,
};

/// Returns the sum of work over the number of items, in picoseconds, rounded down and clamped to 64 bits.
#[must_use]
pub fn rank(load: &FlowLoad) -> u64 {
    quotient(load.work_ps, load.items.into())
}
