//! The parameters that all generators have, checked.

use super::arrivals::Arrivals;
use crate::distribution::{DISTRIBUTIONS, Distribution, Range};
use forebay_core::params::ParamKind;
use forebay_core::registry::find;
use forebay_core::{Clock, ParamError, ParamSpec, Params, Rng, Seed};

/// The default share of slots that have a request; that of `zipf.csv` of the thesis.
const DEFAULT_OCCUPANCY: f64 = 0.8;
const NANOSECONDS: f64 = 1e9;
/// The maximum number of requests and of objects: whole numbers up to this are exact as floats.
const MAX: u64 = 1 << 53;

/// The parameters that all generators have.
pub(crate) const COMMON: [ParamSpec; 9] = [
    whole("requests", 1, Some(1_000_000), "how many requests the trace has; in a mixture, the weight of this part"),
    whole("objects", 1, Some(10_000), "how many objects there are"),
    number(
        "occupancy",
        0.0,
        1.0,
        0.0,
        "share of the slots that have a request; 0 stands for 0.8, in a mixture for this part's share of \
                                        0.8",
    ),
    number("rate", 0.0, 1e9, 0.0, "requests per second; the trace is then in nanoseconds instead of slots"),
    whole("size", 1, None, "bytes of every object; without this and `sizes` there are no sizes"),
    ParamSpec::text("sizes", "", "the distribution from which each object has its size in bytes, e.g. uniform"),
    whole("size-min", 1, Some(1), "with `sizes`: the least size in bytes"),
    whole("size-max", 1, Some(65_536), "with `sizes`: the greatest size in bytes"),
    whole("seed", 0, Some(1), "seed of all random numbers"),
];

const fn whole(name: &'static str, min: u64, default: Option<u64>, meaning: &'static str) -> ParamSpec {
    ParamSpec { name, kind: ParamKind::Integer { min, max: MAX, default }, meaning }
}

const fn number(name: &'static str, min: f64, max: f64, default: f64, meaning: &'static str) -> ParamSpec {
    ParamSpec { name, kind: ParamKind::Number { min, max, default }, meaning }
}

/// Joins the common parameters and those of one generator.
macro_rules! params {
    ($($own:expr),* $(,)?) => {{
        use crate::requests::generate::common::COMMON as C;
        &[C[0], C[1], C[2], C[3], C[4], C[5], C[6], C[7], C[8], $($own),*]
    }};
}
pub(crate) use params;

/// `skew`, which most generators have.
pub(crate) const SKEW: ParamSpec =
    number("skew", 0.0, 8.0, 0.9, "the n-th most popular object is requested in proportion to n^-skew");

/// Parameters that exclude each other.
fn together(message: &str) -> ParamError {
    ParamError { param: None, message: message.to_owned() }
}

/// The settings that all generators need.
#[derive(Debug, Clone)]
pub(crate) struct Common {
    pub(crate) requests: u64,
    pub(crate) objects: u64,
    pub(crate) clock: Clock,
    /// The first key, which is added to all keys so that parts of a mixture have objects of their own.
    pub(crate) first_key: u64,
    pub(crate) sizes: ObjectSizes,
    /// Mean time between two requests in ticks.
    mean_gap: f64,
    occupancy: f64,
    seed: Seed,
}

impl Common {
    pub(crate) fn new(params: &Params) -> Result<Self, ParamError> {
        let (occupancy, rate) = (params.number("occupancy"), params.number("rate"));
        if occupancy > 0.0 && rate > 0.0 {
            return Err(together("give either `occupancy`, for slots, or `rate`, for nanoseconds"));
        }
        let seed = Seed(params.integer("seed").unwrap_or(1));
        Ok(Self {
            requests: params.integer("requests").unwrap_or(1),
            objects: params.integer("objects").unwrap_or(1),
            clock: if rate > 0.0 { Clock::Nanoseconds } else { Clock::Slots },
            first_key: 0,
            sizes: ObjectSizes::new(params, seed)?,
            mean_gap: NANOSECONDS / rate,
            occupancy,
            seed,
        })
    }

    /// Sets the values that depend on the other parts of a mixture with `total` requests.
    pub(crate) fn settle(&mut self, index: usize, first_key: u64, total: f64) {
        self.first_key = first_key;
        self.seed = self.seed.part(&format!("part/{index}"));
        if self.clock == Clock::Slots {
            let occupancy =
                if self.occupancy > 0.0 { self.occupancy } else { DEFAULT_OCCUPANCY * self.requests as f64 / total };
            self.mean_gap = 1.0 / occupancy;
        }
    }

    /// Returns whether the user sets the times of requests.
    pub(crate) fn has_times(&self) -> bool {
        self.occupancy > 0.0 || self.clock == Clock::Nanoseconds
    }

    /// Returns independent arrivals whose mean distance is `times` that of the trace's requests.
    pub(crate) fn arrivals(&self, times: f64) -> Arrivals {
        Arrivals::new(self.clock, self.mean_gap * times, self.rng("arrivals"))
    }

    /// Returns the mean time between two requests of the trace in ticks.
    pub(crate) fn mean_gap(&self) -> f64 {
        self.mean_gap
    }

    /// Returns the random numbers of a component.
    pub(crate) fn rng(&self, component: &str) -> Rng {
        self.seed.stream(component)
    }
}

/// The size of each object, which depends on its key only.
#[derive(Debug, Clone)]
pub(crate) enum ObjectSizes {
    None,
    Fixed(u64),
    Drawn(Box<Distribution>, Seed),
}

impl ObjectSizes {
    fn new(params: &Params, seed: Seed) -> Result<Self, ParamError> {
        match (params.integer("size"), params.text("sizes")) {
            (None, "") => Ok(Self::None),
            (Some(size), "") => Ok(Self::Fixed(size)),
            (Some(_), _) => Err(together("give either `size` or `sizes`")),
            (None, name) => {
                let entry = find("distribution", DISTRIBUTIONS, name)?;
                let least = params.integer("size-min").unwrap_or(1);
                let range = Range { min: least, max: params.integer("size-max").unwrap_or(least) };
                let drawn = Distribution::new(entry, range, &Params::defaults(entry.about.params));
                let drawn = drawn.map_err(|ParamError { param, message }| ParamError {
                    param: param.map(|param| format!("size-{param}")),
                    message: message.replace("`min`", "`size-min`").replace("`max`", "`size-max`"),
                })?;
                Ok(Self::Drawn(Box::new(drawn), seed.part("sizes")))
            }
        }
    }

    /// Returns whether objects have sizes at all.
    pub(crate) fn are_given(&self) -> bool {
        !matches!(self, Self::None)
    }

    pub(crate) fn of(&self, key: u64) -> u64 {
        match self {
            Self::None => 1,
            Self::Fixed(size) => *size,
            Self::Drawn(distribution, seed) => {
                // A stream of its own per object: it has its size whenever it is asked for.
                distribution.draw(&mut Seed(seed.0 ^ key).stream("size"))
            }
        }
    }
}
