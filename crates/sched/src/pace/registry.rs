//! The registry of pace rules, one line for each.

use crate::pacing::PaceEntry;

forebay_core::registry! {
    /// Every pace rule, in the order in which `forebay list` shows them.
    pub static PACE_RULES: [PaceEntry] = {
        mod token_bucket;
        mod delay;
    }
}
