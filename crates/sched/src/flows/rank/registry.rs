//! The registry of flow ranks, one line for each.

use super::load::FlowRankEntry;

forebay_core::registry! {
    /// Every flow rank, in the order in which `forebay list` shows them.
    pub static FLOW_RANKS: [FlowRankEntry] = {
        mod job_ratio_inorder;
        mod job_size_inorder;
        mod job_ratio_head;
    }
}
