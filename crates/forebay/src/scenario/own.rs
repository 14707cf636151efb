//! Algorithms that a program adds to the registries.

use forebay_cache::OwnPolicy;
use forebay_core::{Fields, Seed, Source};
use forebay_sched::OwnPart;
use forebay_sim::net::congestion::MakeOwnControl;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock};

/// The algorithms of the calling program, by the names that its scenario uses.
#[derive(Clone, Default)]
pub struct Own {
    /// Cache policies.
    pub cache_policies: HashMap<String, Arc<dyn OwnPolicy>>,
    /// Rank functions, queues and drop rules.
    pub parts: HashMap<String, OwnPart>,
    /// Congestion controls.
    pub controls: HashMap<String, Arc<MakeOwnControl>>,
    /// Sources of packets.
    pub sources: HashMap<String, OwnSource>,
}

/// A source of packets of the program's own.
#[derive(Clone)]
pub struct OwnSource {
    /// Starts the source again for each run, with the seed of the run.
    pub open: Arc<OpenSource>,
    /// The fields that the source's packets have.
    pub fields: Fields,
    /// The number of packets, if it is known.
    pub packets: Option<u64>,
}

/// Starts a source for a run.
pub type OpenSource = dyn Fn(Seed) -> Box<dyn Source + Send> + Send + Sync;

static NOTHING: LazyLock<Own> = LazyLock::new(Own::default);

impl Own {
    /// Returns no algorithms, as most programs have none of their own.
    pub(crate) fn nothing() -> &'static Self {
        &NOTHING
    }
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (policies, parts) = (self.cache_policies.keys(), self.parts.keys());
        f.debug_set()
            .entries(policies)
            .entries(parts)
            .entries(self.controls.keys())
            .entries(self.sources.keys())
            .finish()
    }
}

impl fmt::Debug for OwnSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnSource").field("packets", &self.packets).finish_non_exhaustive()
    }
}
