//! Mean work of what a flow has queued: shortest job first that keeps flows in order.

use crate::flows::{FlowLoad, FlowRankEntry};
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

/// Sum of work over the number of items, in picoseconds, rounded down, at most what 64 bits hold.
#[must_use]
pub fn rank(load: &FlowLoad) -> u64 {
    let items = load.items.max(1);
    match u64::try_from(load.work_ps) {
        // Division of 128 bits is a slow subroutine, rarely needed.
        Ok(work_ps) => work_ps / u64::from(items),
        Err(_) => u64::try_from(load.work_ps / u128::from(items)).unwrap_or(u64::MAX),
    }
}
