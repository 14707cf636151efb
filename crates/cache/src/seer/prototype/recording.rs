//! The packets of a run, kept so that a policy that knows the future can have them, too.

use super::{Target, TargetCounts};
use crate::{Choice, Latency, Model, Service, Setup, StateCacheSpec, future::futures};
use forebay_core::{ParamError, Request, Time, convert};

/// A target without a cache, which records the lookups of states and their times: 24 bytes for each packet.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    requests: Vec<Request>,
}

impl Recording {
    /// The lookups; a tick is a picosecond.
    #[must_use]
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// Plays the packets against a cache of the same sets under `policy`, in the classical model: a missed state is there
    /// for the next packet. Only there is `belady` the optimum. Counts the packets behind the first `warmup`.
    ///
    /// # Errors
    /// If entries, ways and the policy's parameters do not fit together.
    pub fn play(&self, policy: &Choice, cache: &StateCacheSpec, warmup: u64) -> Result<TargetCounts, ParamError> {
        let setup = Setup {
            model: Model::Classical,
            capacity: cache.entries,
            entries: convert::index(cache.entries),
            ways: cache.ways,
            latency: Latency::Constant(cache.latency),
            size_change: None,
            service: Service::default(),
            warmup,
            seed: cache.seed,
            observer: None,
        };
        let mut simulation = policy.simulation(setup)?;
        let known = if policy.offline() { futures(&self.requests, |_| cache.latency) } else { Vec::new() };
        simulation.feed(&self.requests, &known);
        let counts = simulation.counts();
        Ok(TargetCounts {
            hits: counts.hits,
            delayed_hits: counts.delayed_hits,
            misses: counts.misses,
            prefetches: 0,
            waited: u128::from(counts.total_latency),
        })
    }
}

impl Target for Recording {
    fn packet(&mut self, now: Time, id: u64) {
        self.requests.push(Request { time: now.as_ps(), key: id, size: 1 });
    }

    /// Nothing happens to its packets.
    fn counts(&self) -> TargetCounts {
        TargetCounts::default()
    }
}
