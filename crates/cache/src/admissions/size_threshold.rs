//! Size threshold: objects above a size do not enter.

use crate::access::Fetched;
use crate::admission::{AdmissionEntry, AdmissionRule, BuildAdmission, MakeAdmission};
use crate::policy::Shape;
use crate::structures::share_up;
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};

/// The registry's entry for [`SizeThreshold`].
pub const ENTRY: AdmissionEntry = AdmissionEntry {
    about: About {
        name: "size-threshold",
        title: "Size threshold: inserts a new object only if it is not above a size",
        exactness: Exactness::NotApplicable,
        hardware: "a comparator",
        cost: "O(1); a key per entry",
        source: "Abrams et al., Caching proxies: limitations and potentials, WWW 1995 (LRU-Threshold)",
        params: &[ParamSpec {
            name: "largest",
            kind: ParamKind::Integer { min: 0, max: i64::MAX as u64, default: None },
            meaning: "size of the largest object that enters, in the unit of the capacity; a hundredth of the capacity if \
                      not given",
        }],
    },
    also_known_as: &["threshold"],
    make: MakeAdmission::of::<SizeThreshold>(),
};

/// Compares the size with which the object was fetched. The hundredth is rounded up, so where each object takes one
/// entry, all enter.
#[derive(Debug, Clone)]
pub struct SizeThreshold {
    largest: u64,
}

impl BuildAdmission for SizeThreshold {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        Ok(Self { largest: params.integer("largest").unwrap_or_else(|| share_up(shape.capacity, 0.01)) })
    }
}

impl AdmissionRule for SizeThreshold {
    fn admits(&self, new: &Fetched) -> bool {
        new.size <= self.largest
    }
}
