//! TinyLFU: an object enters if it was requested more often lately than the victim.

use crate::access::{Access, Fetched};
use crate::admission::{AdmissionEntry, AdmissionRule, BuildAdmission, MakeAdmission};
use crate::policy::Shape;
use crate::structures::Sketch;
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};

/// The registry's entry for [`TinyLfu`].
pub const ENTRY: AdmissionEntry = AdmissionEntry {
    about: About {
        name: "tinylfu",
        title: "TinyLFU: inserts a new object only if it was requested more often lately than the victim",
        exactness: Exactness::NotApplicable,
        hardware: "a table of 4-bit counters",
        cost: "O(1) amortised; 8 to 16 bytes of counters and a key per entry",
        source: "Einziger, Friedman and Manes, TinyLFU, ACM Transactions on Storage 2017, section 3",
        params: &[ParamSpec {
            name: "reset",
            kind: ParamKind::Integer { min: 1, max: u32::MAX as u64, default: Some(10) },
            meaning: "requests per entry after which all counters of TinyLFU are halved",
        }],
    },
    also_known_as: &[],
    make: MakeAdmission::of::<TinyLfu>(),
};

/// The sketch counts all requests when they arrive, delayed hits included. With sizes, the
/// new object contends with one victim after the other, and may lose after some have left.
/// There is no doorkeeper, which saves memory in the paper and decides nothing.
#[derive(Debug, Clone)]
pub struct TinyLfu {
    sketch: Sketch,
}

impl BuildAdmission for TinyLfu {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let reset = params.integer("reset").unwrap_or(1);
        Ok(Self { sketch: Sketch::new(shape.seed.part("tinylfu").0, reset) })
    }
}

impl AdmissionRule for TinyLfu {
    #[inline]
    fn request(&mut self, access: &Access, _: bool) {
        self.sketch.add(access.key);
    }

    #[inline]
    fn prefers(&self, new: &Fetched, victim: u64) -> bool {
        self.sketch.count(new.key) > self.sketch.count(victim)
    }

    #[inline]
    fn fit(&mut self, entries: usize) {
        self.sketch.fit(entries);
    }
}
