//! The registry of rank queues, one line for each.

use crate::queues::entry::QueueEntry;

forebay_core::registry! {
    /// Every rank queue, in the order in which `forebay list` shows them.
    pub static QUEUES: [QueueEntry] = {
        mod fifo;
        mod pifo;
        mod hffs;
        mod rolling_hffs;
        mod shift_register;
        mod pieo;
        mod bmw_tree;
        mod pheap;
        mod fibonacci_heap;
        mod fibonacci_pair;
        mod sp_pifo;
        mod sp_pifo_highest;
        mod fixed_bounds;
        mod gradient;
        mod mean_bounds;
        mod aifo;
        mod rifo;
        mod packs;
        mod calendar;
        mod gearbox;
        mod earliest_of_flow;
    }
}
