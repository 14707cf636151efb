//! Prefix policies, one file each.

use super::PrefixPolicyEntry;

forebay_core::registry! {
    /// Every prefix policy.
    pub static PREFIX_POLICIES: [PrefixPolicyEntry] = {
        mod belady_leaf;
        mod cost_aware;
        mod lru_leaf;
        mod queue_informed;
        mod t_lru;
    }
}
