//! Loop: all objects in turn, again and again.

use super::common::params;
use super::{GeneratorEntry, about, independent};

/// The registry's entry.
pub const ENTRY: GeneratorEntry = GeneratorEntry {
    about: about(
        "loop",
        "All objects in turn, again and again: the worst case of LRU if the cache cannot hold them all",
        "common practice",
        params![],
    ),
    also_known_as: &["cyclic"],
    open: |common, _| {
        let objects = common.objects;
        let mut next = 0;
        Ok(independent(common, objects, move || {
            let key = next;
            next = (next + 1) % objects;
            key
        }))
    },
};
