//! How long a fetch from the backing store takes.

use crate::slow_start::SlowStart;
use forebay_core::{Rng, Seed, mix};
use rand_distr::{Distribution as _, Exp, LogNormal, Uniform};
use rustc_hash::FxHashMap;

/// How long fetches take, in ticks. A fetch takes one tick or more, and [`LONGEST`] at most.
#[derive(Debug, Clone)]
pub enum Latency {
    /// Every fetch the same.
    Constant(u64),
    /// Each object belongs to one origin for ever, chosen by a seeded hash of its key
    /// with these weights (thesis 2.6.2: three origins).
    Origins(Vec<Origin>),
    /// Each object has a latency of its own; the second number is for all others.
    PerObject(FxHashMap<u64, u64>, u64),
    /// Each fetch takes the first number, and the object's size over the second: bytes in a tick.
    BySize(u64, f64),
    /// Each fetch takes as long as TCP in slow start takes to send the object.
    SlowStart(SlowStart),
    /// Each fetch draws: exponential with this mean.
    Exponential(f64),
    /// Each fetch draws: log-normal with this mean and this sigma of the logarithm.
    LogNormal(f64, f64),
    /// Each fetch draws: all ticks from the first to the second alike.
    Uniform(u64, u64),
}

/// The longest latency there can be, in ticks: 11.6 days in nanoseconds. Times can be added to it
/// without coming to the end of 64 bits.
pub const LONGEST: u64 = 1_000_000_000_000_000;

/// A backing store.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Origin {
    /// How long a fetch from it takes, in ticks.
    pub latency: u64,
    /// Its share of the objects, relative to the others.
    pub weight: f64,
}

/// A latency that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LatencyError(pub(crate) String);

/// A [`Latency`] ready to be asked.
#[derive(Debug, Clone)]
pub struct Latencies {
    kind: Kind,
    rng: Rng,
    salt: u64,
}

#[derive(Debug, Clone)]
enum Kind {
    Constant(u64),
    /// Latency and cumulative share of the objects, in 1/2^64.
    Origins(Vec<(u64, u64)>),
    PerObject(FxHashMap<u64, u64>, u64),
    BySize(u64, f64),
    SlowStart(SlowStart),
    Exponential(Exp<f64>, u64),
    LogNormal(LogNormal<f64>, u64),
    Uniform(Uniform<u64>, u64),
}

impl Latency {
    /// Checks that every fetch takes at least one tick and at most [`LONGEST`], and that distributions exist. Longer
    /// draws are clamped to [`LONGEST`].
    ///
    /// # Errors
    /// The error says what is wrong and what would be right.
    pub fn prepare(&self, seed: Seed) -> Result<Latencies, LatencyError> {
        let wrong = |what: &str| LatencyError(what.to_owned());
        if self.longest() > LONGEST {
            return Err(LatencyError(format!("a latency is at most {LONGEST} ticks (slots or nanoseconds)")));
        }
        let kind = match self {
            Self::Constant(0) | Self::PerObject(_, 0) | Self::Uniform(0, _) => {
                return Err(wrong("a fetch takes at least one tick; the latency must be above 0"));
            }
            Self::Constant(latency) => Kind::Constant(*latency),
            Self::PerObject(each, other) if each.values().all(|&latency| latency > 0) => {
                Kind::PerObject(each.clone(), *other)
            }
            Self::PerObject(..) => return Err(wrong("a fetch takes at least one tick; an object has latency 0")),
            Self::BySize(latency, bytes) if *bytes > 0.0 && bytes.is_finite() => Kind::BySize(*latency, *bytes),
            Self::BySize(..) => return Err(wrong("a fetch by size needs a rate above 0")),
            Self::SlowStart(own) => Kind::SlowStart(own.checked().map_err(wrong)?),
            Self::Origins(origins) => Kind::Origins(cumulative(origins)?),
            Self::Exponential(mean) => {
                let rate = Exp::new(1.0 / mean).ok().filter(|_| mean.is_finite() && *mean >= 1.0);
                Kind::Exponential(rate.ok_or_else(|| wrong("the mean latency must be 1 tick or more"))?, ticks(*mean))
            }
            Self::LogNormal(mean, sigma) => {
                // The mean of a log-normal distribution is exp(mu + sigma^2 / 2).
                let mu = mean.ln() - sigma * sigma / 2.0;
                let drawn =
                    LogNormal::new(mu, *sigma).ok().filter(|_| mean.is_finite() && *mean >= 1.0 && *sigma >= 0.0);
                let drawn =
                    drawn.ok_or_else(|| wrong("a mean of 1 tick or more and a sigma of 0 or more are needed"))?;
                Kind::LogNormal(drawn, ticks(*mean))
            }
            Self::Uniform(from, to) => {
                let drawn = Uniform::new_inclusive(*from, *to)
                    .map_err(|_| wrong("the lowest latency must not be above the highest"))?;
                Kind::Uniform(drawn, from + (to - from) / 2)
            }
        };
        Ok(Latencies { kind, rng: seed.stream("latency"), salt: seed.part("origins").0 })
    }

    /// The longest of the latencies that it names, in ticks.
    fn longest(&self) -> u64 {
        match self {
            Self::Constant(latency) | Self::BySize(latency, _) => *latency,
            Self::SlowStart(own) => own.round_trip,
            Self::Origins(origins) => origins.iter().map(|origin| origin.latency).max().unwrap_or(0),
            Self::PerObject(each, other) => each.values().copied().max().unwrap_or(0).max(*other),
            Self::Exponential(mean) | Self::LogNormal(mean, _) => ticks(*mean),
            Self::Uniform(from, to) => *from.max(to),
        }
    }

    /// Whether fetches end in the order in which they began.
    pub(crate) fn keeps_order(&self) -> bool {
        matches!(self, Self::Constant(_))
    }
}

fn cumulative(origins: &[Origin]) -> Result<Vec<(u64, u64)>, LatencyError> {
    let wrong = |what: &str| LatencyError(what.to_owned());
    let total: f64 = origins.iter().map(|origin| origin.weight).sum();
    if origins.is_empty() || origins.iter().any(|origin| origin.latency == 0) {
        return Err(wrong("there must be an origin, and each needs a latency above 0"));
    }
    if !total.is_finite() || total <= 0.0 || origins.iter().any(|origin| origin.weight < 0.0) {
        return Err(wrong("the weights of the origins must be 0 or more, and one of them above 0"));
    }
    let mut sum = 0.0;
    let mut ends: Vec<_> = origins
        .iter()
        .map(|origin| {
            sum += origin.weight;
            (origin.latency, ticks(sum / total * 2_f64.powi(64)))
        })
        .collect();
    if let Some(last) = ends.last_mut() {
        last.1 = u64::MAX;
    }
    Ok(ends)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn ticks(number: f64) -> u64 {
    (number.round() as u64).max(1)
}

impl Latencies {
    /// How many origins there are.
    pub(crate) fn origins(&self) -> usize {
        if let Kind::Origins(origins) = &self.kind { origins.len() } else { 1 }
    }

    /// The origin of an object.
    #[inline]
    pub(crate) fn origin(&self, key: u64) -> usize {
        let Kind::Origins(origins) = &self.kind else { return 0 };
        let place = mix(key ^ self.salt);
        origins.iter().position(|(_, end)| place <= *end).unwrap_or(0)
    }

    /// The expected time of a fetch of the object, in ticks.
    #[inline]
    #[must_use]
    pub fn expected(&self, key: u64, size: u64) -> u64 {
        match &self.kind {
            Kind::Constant(latency)
            | Kind::Exponential(_, latency)
            | Kind::LogNormal(_, latency)
            | Kind::Uniform(_, latency) => *latency,
            Kind::Origins(origins) => origins[self.origin(key)].0,
            Kind::PerObject(each, other) => *each.get(&key).unwrap_or(other),
            Kind::BySize(latency, bytes) => latency.saturating_add(ticks(size as f64 / bytes)).min(LONGEST),
            Kind::SlowStart(own) => own.fetch(size).min(LONGEST),
        }
    }

    /// The time of a fetch of the object that begins now.
    #[inline]
    pub(crate) fn draw(&mut self, key: u64, size: u64) -> u64 {
        match &self.kind {
            Kind::Exponential(drawn, _) => ticks(drawn.sample(&mut self.rng)).min(LONGEST),
            Kind::LogNormal(drawn, _) => ticks(drawn.sample(&mut self.rng)).min(LONGEST),
            Kind::Uniform(drawn, _) => drawn.sample(&mut self.rng),
            Kind::Constant(_) | Kind::Origins(_) | Kind::PerObject(..) | Kind::BySize(..) | Kind::SlowStart(_) => {
                self.expected(key, size)
            }
        }
    }
}
