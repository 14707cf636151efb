//! The registry of topologies, one line for each.

use crate::net::topology_entry::TopologyEntry;

forebay_core::registry! {
    /// Every topology, in the order in which `forebay list` shows them.
    pub static TOPOLOGIES: [TopologyEntry] = {
        mod single_bottleneck;
        mod dumbbell;
        mod star;
        mod leaf_spine;
        mod fat_tree;
    }
}
