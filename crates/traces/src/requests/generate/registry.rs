//! Generators of request traces: one file and one line for each.
//!
//! A generator makes endless requests in order of time. `Common` has the parameters that all generators share; `Mixture` mixes several.

use forebay_core::{About, Exactness, Follows, Named, ParamError, ParamSpec, Params};

#[path = "../arrivals.rs"]
mod arrivals;
#[path = "../common.rs"]
mod common;
#[path = "../mixture.rs"]
mod mixture;
#[path = "../slow_start.rs"]
mod slow_start;

use arrivals::{Arrivals, Popularity};
pub(crate) use common::Common;
pub(crate) use mixture::{Mixture, Part};

forebay_core::registry! {
    /// Every generator, in the order in which `forebay list` shows them.
    pub static GENERATORS: [GeneratorEntry] = {
        mod zipf;
        mod trains;
        mod tcp_trains;
        mod cyclic;
        mod scans;
        mod drift;
        mod against_lru;
        mod pages;
    }
}

/// One generator in the registry.
pub struct GeneratorEntry {
    /// The description of the generator.
    pub about: About,
    /// Other names by which people know the generator.
    pub also_known_as: &'static [&'static str],
    /// Begins a trace; also returns the number of keys that it may use, from 0.
    pub(crate) open: fn(&Common, &Params) -> Result<Opened, ParamError>,
}

/// A generator, and how many keys it may use.
type Opened = (Box<dyn Generator>, u64);

impl Named for GeneratorEntry {
    fn about(&self) -> &About {
        &self.about
    }

    fn also_known_as(&self) -> &'static [&'static str] {
        self.also_known_as
    }
}

/// Makes requests without end.
pub(crate) trait Generator: Send {
    /// Time in ticks and key of the next request. Times never go back; in slots they
    /// differ.
    fn next_request(&mut self) -> (u64, u64);

    /// The request of this generator that the last one follows. The last one then has the earliest time that it can have.
    fn follows(&self) -> Option<Follows> {
        None
    }

    /// Returns whether requests may follow others.
    fn is_chained(&self) -> bool {
        false
    }
}

/// Keys that do not depend on time, at times that do not depend on keys.
struct Independent<K> {
    arrivals: Arrivals,
    next_key: K,
}

impl<K: FnMut() -> u64 + Send> Generator for Independent<K> {
    fn next_request(&mut self) -> (u64, u64) {
        (self.arrivals.next_time(), (self.next_key)())
    }
}

/// A generator of such keys, and how many there are.
fn independent(common: &Common, keys: u64, next_key: impl FnMut() -> u64 + Send + 'static) -> Opened {
    (Box::new(Independent { arrivals: common.arrivals(1.0), next_key }), keys)
}

/// Returns the description of a generator, with the parts that all generators share.
const fn about(name: &'static str, title: &'static str, source: &'static str, params: &'static [ParamSpec]) -> About {
    let cost = "O(1) per request; 12 bytes per object up to a million objects, constant memory above";
    About { name, title, exactness: Exactness::NotApplicable, hardware: "none", cost, source, params }
}
