//! Cache policies, one file each.

use crate::policy::PolicyEntry;

forebay_core::registry! {
    /// Every cache policy.
    pub static POLICIES: [PolicyEntry] = {
        mod belady;
        mod belady_ad;
        mod lru;
        mod pin;
    }
}
