//! Minimum aggregate delay: weighs a policy's estimate of the time to the next access
//! with what the next miss would cost (thesis 2.5).

mod delays;

use crate::access::{Access, Fetched, Slot};
use crate::cache::Entry;
use crate::estimate::Estimate;
use crate::policy::{Policy, Shape, Victim};
use delays::Delays;
use forebay_core::params::ParamKind;
use forebay_core::{ParamError, ParamSpec, Params};
use std::ops::ControlFlow;

/// The parameters of every MAD form.
pub const MAD_PARAMS: &[ParamSpec] = &[ParamSpec {
    name: "sample",
    kind: ParamKind::Integer { min: 1, max: u32::MAX as u64, default: None },
    meaning: "how many of the base policy's first candidates to weigh; all if not given",
}];

/// The MAD form of a policy: the candidate whose rate x aggregate delay is least leaves.
#[derive(Debug, Clone)]
pub struct Mad<B> {
    base: B,
    delays: Delays,
    /// Per place: the key.
    keys: Vec<u64>,
    sample: Option<u64>,
}

impl<B: Estimate> Mad<B> {
    /// Wraps a policy.
    ///
    /// # Errors
    /// If the parameters do not fit together.
    pub fn build(base: B, _: &Shape, params: &Params) -> Result<Self, ParamError> {
        Ok(Self { base, delays: Delays::default(), keys: Vec::new(), sample: params.integer("sample") })
    }
}

impl<B: Estimate> Policy for Mad<B> {
    fn request(&mut self, access: &Access, slot: Option<Slot>) {
        self.delays.request(access);
        self.base.request(access, slot);
    }

    fn hit(&mut self, slot: Slot, access: &Access) {
        self.base.hit(slot, access);
    }

    fn victim(&mut self, new: &Fetched) -> Victim {
        let Self { base, delays, keys, sample } = self;
        let mut best: Option<(f64, Slot)> = None;
        let mut left = sample.unwrap_or(u64::MAX);
        base.candidates(new, &mut |slot, rate| {
            let rank = rate * delays.of(keys[slot as usize]);
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, slot));
            }
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        best.map_or(Victim::New, |(_, slot)| Victim::Slot(slot))
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        if self.keys.len() <= slot as usize {
            self.keys.resize(slot as usize + 1, 0);
        }
        self.keys[slot as usize] = new.key;
        self.base.insert(slot, new);
    }

    fn evict(&mut self, slot: Slot, entry: &Entry) {
        self.base.evict(slot, entry);
    }

    fn remove(&mut self, slot: Slot) {
        self.base.remove(slot);
    }
}
