//! AdaptSize: a small object is more likely to enter than a large one, and a model tunes how much more.

pub mod model;

use crate::access::{Access, Fetched};
use crate::admission::{AdmissionEntry, AdmissionRule, BuildAdmission, MakeAdmission};
use crate::policy::Shape;
use crate::structures::draw;
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};
use model::{Objects, best_scale};
use rustc_hash::FxHashMap;

/// The registry's entry for [`AdaptSize`].
pub const ENTRY: AdmissionEntry = AdmissionEntry {
    about: About {
        name: "adaptsize",
        title: "AdaptSize: inserts a new object with probability exp(-size / c); a model of LRU tunes c",
        exactness: Exactness::NotApplicable,
        hardware: "counts of all objects, floating point",
        cost: "O(1) per request, and the search for c after each interval; a count for each object of an interval",
        source: "Berger, Sitaraman and Harchol-Balter, AdaptSize, NSDI 2017, section 3",
        params: &[
            ParamSpec {
                name: "interval",
                kind: ParamKind::Integer { min: 1, max: u32::MAX as u64, default: Some(250_000) },
                meaning: "requests after which c is tuned again",
            },
            ParamSpec {
                name: "smoothing",
                kind: ParamKind::Number { min: 0.0, max: 1.0, default: 0.5 },
                meaning: "weight of the older intervals in the rate of an object",
            },
            ParamSpec {
                name: "scale",
                kind: ParamKind::Number { min: 0.0, max: 1e18, default: 0.0 },
                meaning: "the constant c, in the unit of the capacity, which is then not tuned; 0: it is tuned",
            },
        ],
    },
    also_known_as: &[],
    make: MakeAdmission::of::<AdaptSize>(),
};

/// All requests are counted when they arrive, with their sizes. Until the end of the first interval, every object enters.
///
/// In four points we do not follow the paper to the letter. The rate of an object is an exponential mean over intervals
/// (`smoothing`). An object with a mean count below 1/64 is forgotten. No scale is tried with which the cache would not
/// fill within an interval, since the model is one of the steady state. Before the model is solved, objects whose counts
/// and sizes differ by less than an eighth of an octave are put together, with their mean.
#[derive(Debug, Clone)]
pub struct AdaptSize {
    capacity: f64,
    interval: u64,
    smoothing: f64,
    salt: u64,
    /// The constant c.
    scale: f64,
    is_tuned: bool,
    requests: u64,
    seen: FxHashMap<u64, Seen>,
}

/// An object that was requested in this interval or in those before.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    /// Requests in this interval.
    now: u32,
    size: u64,
    /// Mean requests in an interval.
    mean: f64,
}

/// Objects with a lower mean count are forgotten.
const FORGOTTEN: f64 = 1.0 / 64.0;

impl BuildAdmission for AdaptSize {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        let scale = params.number("scale");
        let is_tuned = scale == 0.0;
        Ok(Self {
            capacity: shape.capacity as f64,
            interval: params.integer("interval").unwrap_or(1),
            smoothing: params.number("smoothing"),
            salt: shape.seed.part("admission").0,
            scale: if is_tuned { f64::INFINITY } else { scale },
            is_tuned,
            requests: 0,
            seen: FxHashMap::default(),
        })
    }
}

impl AdaptSize {
    #[cold]
    fn tune(&mut self) {
        let is_first = self.requests == self.interval;
        let weight = if is_first { 0.0 } else { self.smoothing };
        for seen in self.seen.values_mut() {
            seen.mean = weight * seen.mean + (1.0 - weight) * f64::from(seen.now);
            seen.now = 0;
        }
        self.seen.retain(|_, seen| seen.mean >= FORGOTTEN);
        self.scale = best_scale(&together(self.seen.values()), self.capacity);
    }
}

/// Puts objects together whose means and sizes are about the same.
fn together<'a>(seen: impl Iterator<Item = &'a Seen>) -> Vec<Objects> {
    // The exponent and the three highest bits behind it.
    let about = |number: f64| number.to_bits() >> 49;
    let mut cells = FxHashMap::<(u64, u64), Objects>::default();
    for &Seen { mean, size, .. } in seen {
        let size = size as f64;
        let cell = cells.entry((about(mean), about(size))).or_insert(Objects { count: 0.0, rate: 0.0, size: 0.0 });
        cell.count += 1.0;
        cell.rate += (mean - cell.rate) / cell.count;
        cell.size += (size - cell.size) / cell.count;
    }
    cells.into_values().collect()
}

impl AdmissionRule for AdaptSize {
    #[inline]
    fn request(&mut self, access: &Access, _: bool) {
        self.requests += 1;
        if !self.is_tuned {
            return;
        }
        let seen = self.seen.entry(access.key).or_default();
        seen.now = seen.now.saturating_add(1);
        seen.size = access.size;
        if self.requests.is_multiple_of(self.interval) {
            self.tune();
        }
    }

    fn admits(&self, new: &Fetched) -> bool {
        draw(self.salt, new.key, self.requests) < (-(new.size as f64) / self.scale).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::hit_ratio;

    /// What is put together changes the predicted hit ratio by less than half a point.
    #[test]
    fn objects_that_are_put_together_are_about_the_same() {
        let seen =
            (1..=20_000_u64).map(|rank| Seen { now: 0, size: 16 + rank * rank % 65_521, mean: 2e4 / rank as f64 });
        let seen: Vec<Seen> = seen.collect();
        let each: Vec<Objects> =
            seen.iter().map(|seen| Objects { count: 1.0, rate: seen.mean, size: seen.size as f64 }).collect();
        let some = together(seen.iter());
        assert!(some.len() < 3_000, "{}", some.len());
        for scale in [1e3, 1e4, f64::INFINITY] {
            let ratio = |objects: &[Objects]| hit_ratio(objects, 2e7, scale, &mut 1.0);
            assert!((ratio(&each) - ratio(&some)).abs() < 0.005, "{} {}", ratio(&each), ratio(&some));
        }
    }
}
