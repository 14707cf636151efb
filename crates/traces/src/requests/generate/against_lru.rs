//! Against LRU: requests on which LRU is about `k Z / 2` times as slow as a cache could be, with `k` entries and fetches of `Z` slots.

use super::common::params;
use super::{Generator, GeneratorEntry, about};
use forebay_core::params::ParamKind;
use forebay_core::{ParamError, ParamSpec};

/// The registry's entry.
pub const ENTRY: GeneratorEntry = GeneratorEntry {
    about: about(
        "against-lru",
        "Bursts over one object more than a cache holds, each for the object that LRU evicted last: a bad case of delayed hits",
        "thesis, section 2.5.2: the competitive ratio of deterministic policies is of the order of k Z; the sequence is our own",
        params![ParamSpec {
            name: "latency",
            kind: ParamKind::Integer { min: 1, max: 1 << 32, default: Some(100) },
            meaning: "duration of a fetch in slots; a burst has as many requests. The cache must hold one entry less than `objects`",
        }],
    ),
    also_known_as: &["adversary"],
    open: |common, params| {
        if common.has_times() {
            let message = "against-lru sets its own times, one burst after another; leave `occupancy` and `rate` out";
            return Err(ParamError { param: None, message: message.to_owned() });
        }
        if common.objects < 2 {
            return Err(ParamError::of(
                "objects",
                "against-lru needs 2 objects or more: one more than the cache has entries",
            ));
        }
        let burst = params.integer("latency").unwrap_or(1);
        let against = AgainstLru { objects: common.objects, burst, visit: 0, request: 0, time: 0 };
        Ok((Box::new(against), common.objects))
    },
};

/// All objects are visited in turn. A visit is a burst: a request in each slot of a fetch. With `k` entries for `k + 1` objects, LRU always
/// lacks the object that is visited next, so the whole burst waits: `Z (Z + 1) / 2` slots.
///
/// A cache that knows the sequence lacks one object, too. Each `k`-th visit is of that object. A single request for it arrives before the
/// visit, one fetch ahead. It costs `Z` slots, and evicts the object that was visited last, which is not needed for `k` visits. So the
/// cache waits `Z` slots every `k` visits, and LRU `Z + (k - 1) Z (Z + 1) / 2`: the single request saves LRU one burst.
struct AgainstLru {
    objects: u64,
    burst: u64,
    visit: u64,
    /// The number of the request in this visit, including the single request.
    request: u64,
    time: u64,
}

impl Generator for AgainstLru {
    fn next_request(&mut self) -> (u64, u64) {
        let entries = self.objects - 1;
        let has_single = self.visit > 0 && self.visit.is_multiple_of(entries);
        let (time, key) = (self.time, self.visit % self.objects);
        let is_single = has_single && self.request == 0;
        self.time = time.saturating_add(if is_single { self.burst } else { 1 });
        self.request += 1;
        if self.request == self.burst + u64::from(has_single) {
            (self.visit, self.request) = (self.visit + 1, 0);
        }
        (time, key)
    }
}
