//! The registry of mark rules, one line for each.

use crate::marking::MarkEntry;

forebay_core::registry! {
    /// Every mark rule, in the order in which `forebay list` shows them.
    pub static MARK_RULES: [MarkEntry] = {
        mod threshold;
        mod red;
        mod sojourn;
    }
}
