//! The flows: keys for a cache that hashes them into sets, and ids for one whose sets are the lowest bits of ids.

use super::setup::{IDS, Setup};
use forebay_cache::StateCache;
use forebay_cache::seer::Fpm;
use forebay_cache::seer::prototype::{Target, TargetCounts};
use forebay_core::{Duration, ParamError, Time, convert};
use std::collections::HashMap;

/// Of each flow the key and the id; both lead to the same set.
pub(super) struct Flows {
    pub(super) keys: Vec<u64>,
    pub(super) ids: Vec<u64>,
}

impl Flows {
    /// The first keys whose sets have ids left.
    pub(super) fn new(setup: &Setup, sets: &StateCache) -> Result<Self, ParamError> {
        let (mut keys, mut ids) = (Vec::new(), Vec::new());
        let mut of_set = vec![0; usize::try_from(setup.sets).unwrap_or(0)];
        for key in 0..16 * IDS {
            let set = sets.set_of(key);
            if keys.len() as u64 == setup.flows {
                break;
            }
            if of_set[set] < IDS / setup.sets {
                keys.push(key);
                ids.push(set as u64 + of_set[set] * setup.sets);
                of_set[set] += 1;
            }
        }
        if (keys.len() as u64) < setup.flows {
            return Err(ParamError::of("flows", format!("only {} of them have ids; take fewer", keys.len())));
        }
        Ok(Self { keys, ids })
    }

    /// The id of each key.
    pub(super) fn ids_of_keys(&self) -> HashMap<u64, u64> {
        self.keys.iter().copied().zip(self.ids.iter().copied()).collect()
    }
}

/// A target that knows flows by other names.
pub(super) struct OfFlows<'a, T> {
    names: &'a [u64],
    pub(super) inner: T,
}

impl<'a, T> OfFlows<'a, T> {
    pub(super) fn new(names: &'a [u64], inner: T) -> Self {
        Self { names, inner }
    }

    fn name(&self, flow: u64) -> u64 {
        self.names[convert::index(flow)]
    }
}

impl<T: Target> Target for OfFlows<'_, T> {
    fn control(&mut self, now: Time, length: Duration) {
        self.inner.control(now, length);
    }

    fn announced(&mut self, now: Time, fpms: &[Fpm]) {
        let named: Vec<Fpm> = fpms.iter().map(|fpm| Fpm { id: self.name(fpm.id), ..*fpm }).collect();
        self.inner.announced(now, &named);
    }

    fn packet(&mut self, now: Time, flow: u64) {
        self.inner.packet(now, self.name(flow));
    }

    fn counts(&self) -> TargetCounts {
        self.inner.counts()
    }
}
