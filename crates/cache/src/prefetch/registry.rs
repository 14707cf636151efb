//! Prefetchers, one file each.

use super::PrefetchEntry;

forebay_core::registry! {
    /// Every prefetcher.
    pub static PREFETCHERS: [PrefetchEntry] = {
        mod markov;
        mod next;
        mod window;
    }
}
