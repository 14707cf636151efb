//! Prefetchers, one file each.

use crate::prefetcher::PrefetchEntry;

forebay_core::registry! {
    /// Every prefetcher.
    pub static PREFETCHERS: [PrefetchEntry] = {
        mod markov;
        mod next;
        mod window;
    }
}
