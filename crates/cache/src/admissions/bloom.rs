//! Bloom: an object enters at its second request.

use crate::access::{Access, Fetched};
use crate::admission::{AdmissionEntry, AdmissionRule, BuildAdmission, MakeAdmission};
use crate::policy::Shape;
use crate::structures::Bloom;
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};

/// The registry's entry for [`SecondRequest`].
pub const ENTRY: AdmissionEntry = AdmissionEntry {
    about: About {
        name: "bloom",
        title: "Bloom: inserts a new object only if it was requested before and Bloom filters remember it",
        exactness: Exactness::NotApplicable,
        hardware: "four Bloom filters",
        cost: "O(1) amortised; at most 4 x 32 bits for each remembered object, and a key per entry",
        source: "Maggs and Sitaraman, Algorithmic nuggets in content delivery, ACM SIGCOMM CCR 2015, section 3 \
                 (cache on second hit)",
        params: &[ParamSpec {
            name: "remembered",
            kind: ParamKind::Number { min: 0.0, max: 1e6, default: 4.0 },
            meaning: "objects that a filter remembers until the next filter replaces it, per entry of the cache; 64 at least",
        }],
    },
    also_known_as: &["second-request"],
    make: MakeAdmission::of::<SecondRequest>(),
};

/// An object is admitted if it was requested twice within the window, by requests that wait for the same fetch or by earlier
/// ones. All requests are recorded when they arrive, hits included.
///
/// The window is that of two filters: when the newer one has as many objects as it remembers, the older one is cleared and becomes the
/// newer. So an object is remembered while between one and two times as many other objects are requested. The paper leaves
/// the size of the filters open; `remembered=4` is our choice.
#[derive(Debug, Clone)]
pub struct SecondRequest {
    /// The newer and the older filter.
    filters: [Filters; 2],
    per_entry: f64,
    /// Objects that a filter remembers.
    most: usize,
}

#[derive(Debug, Clone)]
struct Filters {
    once: Bloom,
    /// Of objects that were remembered when they were requested again.
    twice: Bloom,
}

/// Objects that a filter remembers at least.
const LEAST: usize = 64;

impl BuildAdmission for SecondRequest {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let salt = |name| shape.seed.part(name).0;
        let filters = Filters { once: Bloom::new(salt("bloom/once")), twice: Bloom::new(salt("bloom/twice")) };
        let mut rule =
            Self { filters: [filters.clone(), filters], per_entry: params.number("remembered"), most: LEAST };
        rule.grow();
        Ok(rule)
    }
}

impl SecondRequest {
    fn grow(&mut self) {
        for Filters { once, twice } in &mut self.filters {
            once.fit(self.most);
            twice.fit(self.most);
        }
    }
}

impl AdmissionRule for SecondRequest {
    #[inline]
    fn request(&mut self, access: &Access, _: bool) {
        let [newer, older] = &mut self.filters;
        let is_second = older.once.contains(access.key);
        if newer.once.add(access.key) || is_second {
            newer.twice.add(access.key);
        }
        if newer.once.len() >= self.most {
            older.once.clear();
            older.twice.clear();
            self.filters.swap(0, 1);
        }
    }

    #[inline]
    fn admits(&self, new: &Fetched) -> bool {
        self.filters.iter().any(|filters| filters.twice.contains(new.key))
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of objects; casts saturate")]
    fn fit(&mut self, entries: usize) {
        let most = (entries as f64 * self.per_entry) as usize;
        if most > self.most {
            self.most = most;
            self.grow();
        }
    }
}
