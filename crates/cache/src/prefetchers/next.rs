//! Next: the objects whose keys follow that of the request.

use crate::prefetcher::{PrefetchEntry, Prefetcher};
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamSpec, Request};

/// The registry's entry for [`Next`].
pub(crate) const ENTRY: PrefetchEntry = PrefetchEntry {
    about: About {
        name: "next",
        title: "Next: after each request, the objects with the next keys; for keys that are addresses of blocks",
        exactness: Exactness::NotApplicable,
        hardware: "an adder",
        cost: "O(degree) per request; no memory",
        source: "Smith, Sequential program prefetching in memory hierarchies, IEEE Computer 1978 (one block lookahead)",
        params: &[ParamSpec {
            name: "degree",
            kind: ParamKind::Integer { min: 1, max: 1_000, default: Some(1) },
            meaning: "number of next keys to fetch",
        }],
    },
    also_known_as: &["one-block-lookahead"],
    example: "next",
    offline: false,
    make: |params, _| Ok(Box::new(Next { degree: params.integer("degree").unwrap_or(1) })),
};

/// Keys beyond the greatest are left out. Keys that no object has are fetched in vain, which the load of the store shows.
struct Next {
    degree: u64,
}

impl Prefetcher for Next {
    fn request(&mut self, request: &Request, wanted: &mut Vec<u64>) {
        wanted.extend((1..=self.degree).map_while(|step| request.key.checked_add(step)));
    }
}
