//! Bélády's rule on leaves: the leaf that is needed again last leaves.

use crate::prefix::{Facts, PrefixPolicy, PrefixPolicyEntry, Rank};
use forebay_core::{About, Exactness};

/// The registry's entry for [`BeladyLeaf`].
pub const ENTRY: PrefixPolicyEntry = PrefixPolicyEntry {
    about: About {
        name: "belady-leaf",
        title: "Offline: evicts the leaf whose next prompt comes last",
        exactness: Exactness::NotApplicable,
        hardware: "-",
        cost: "O(log n) per block of a prompt; knows the whole trace",
        source: "Bélády, IBM Systems Journal 1966, applied to leaves",
        params: &[],
    },
    also_known_as: &["min-leaf"],
    offline: true,
    build: |_| Ok(Box::new(BeladyLeaf)),
};

/// Ranks leaves by their next prompt; of leaves that no prompt needs, the least recently used leaves first.
#[derive(Debug, Clone, Copy)]
pub struct BeladyLeaf;

impl PrefixPolicy for BeladyLeaf {
    fn rank(&self, facts: &Facts) -> Rank {
        facts.next.map_or([0, facts.last_used.into()], |next| [u64::MAX - u64::from(next), 0])
    }
}
