//! Every pace rule: one line each.

use crate::pacing::PaceEntry;

forebay_core::registry! {
    /// Every pace rule, in the order in which `forebay list` shows them.
    pub static PACE_RULES: [PaceEntry] = {
        mod token_bucket;
        mod delay;
    }
}
