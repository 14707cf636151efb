//! The registry of drop rules, one line for each.

use crate::traits::DropEntry;

forebay_core::registry! {
    /// Every drop rule, in the order in which `forebay list` shows them.
    pub static DROP_RULES: [DropEntry] = {
        mod tail;
        mod worst_first;
    }
}
