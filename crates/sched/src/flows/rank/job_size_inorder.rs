//! Mean work of what a flow has queued: shortest job first that keeps flows in order.

use crate::flows::{FlowLoad, FlowRankEntry};
use forebay_core::{About, Exactness, Field};

/// Picoseconds in the unit of the rank.
const PS_PER_NS: u64 = 1_000;

/// The registry's entry for [`rank`].
pub const ENTRY: FlowRankEntry = FlowRankEntry {
    about: About {
        name: "job-size-inorder",
        title: "SJF that keeps flows in order: a flow's rank = mean nanoseconds of processing of all it has queued",
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

/// Sum of work over the number of items, in nanoseconds, rounded down.
#[must_use]
pub fn rank(load: &FlowLoad) -> u64 {
    load.work_per(u64::from(load.items) * PS_PER_NS)
}
