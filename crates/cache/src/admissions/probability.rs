//! Probability: an object enters with a fixed probability.

use crate::access::{Access, Fetched};
use crate::admission::{AdmissionEntry, AdmissionRule, BuildAdmission, MakeAdmission};
use crate::policy::Shape;
use crate::structures::draw;
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};

/// The registry's entry for [`Probability`].
pub const ENTRY: AdmissionEntry = AdmissionEntry {
    about: About {
        name: "probability",
        title: "Probability: inserts a new object with a fixed probability",
        exactness: Exactness::NotApplicable,
        hardware: "a generator of random numbers",
        cost: "O(1); a key per entry",
        source: "Laoutaris, Che and Stavrakakis, The LCD interconnection of LRU caches and its analysis, \
                 Performance Evaluation 2006 (Prob)",
        params: &[ParamSpec {
            name: "probability",
            kind: ParamKind::Number { min: 0.0, max: 1.0, default: 0.5 },
            meaning: "probability that a new object enters",
        }],
    },
    also_known_as: &["prob"],
    make: MakeAdmission::of::<Probability>(),
};

/// Draws for each fetch when it ends. An object that is requested often is fetched again and again until it enters, so objects in the
/// cache were mostly requested several times. The draw depends on the seed, the object and the number of requests so far, and on
/// nothing else.
#[derive(Debug, Clone)]
pub struct Probability {
    probability: f64,
    salt: u64,
    requests: u64,
}

impl BuildAdmission for Probability {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let salt = shape.seed.part("admission").0;
        Ok(Self { probability: params.number("probability"), salt, requests: 0 })
    }
}

impl AdmissionRule for Probability {
    fn request(&mut self, _: &Access, _: bool) {
        self.requests += 1;
    }

    fn admits(&self, new: &Fetched) -> bool {
        draw(self.salt, new.key, self.requests) < self.probability
    }
}
