//! What a cache policy is, and how it enters the registry.

use crate::access::{Access, Fetched, Slot};
use crate::cache::Entry;
use crate::estimate::Estimate;
use crate::mad::Mad;
use crate::model::{Setup, Simulation, simulate};
use forebay_core::{About, Named, ParamError, Params, Seed};

/// Says who leaves. The entries themselves, their keys and sizes are the
/// [`Cache`](crate::Cache)'s; a policy keeps what it needs per [`Slot`].
pub trait Policy {
    /// A request for this object comes soon. A policy with large tables may look there
    /// now: what several coming requests need is fetched from memory at the same time.
    fn expect(&self, key: u64) {
        let _ = key;
    }

    /// A request, before its outcome is known: hit, delayed hit or miss. `slot` is the
    /// object's place if it is in the cache.
    fn request(&mut self, access: &Access, slot: Option<Slot>) {
        let _ = (access, slot);
    }

    /// The request hits the object at `slot`.
    fn hit(&mut self, slot: Slot, access: &Access);

    /// There is no room for `new`, which is not in the cache: who leaves? Asked again
    /// until `new` fits. The cache holds at least one object. The victim is not gone
    /// until [`evict`](Self::evict) says so.
    fn victim(&mut self, new: &Fetched) -> Victim;

    /// As [`victim`](Self::victim), where only some may leave: the one that the policy would
    /// evict if the others were not there for the question. [`Victim::New`] if it would rather
    /// keep all of them; [`None`] if the policy cannot say, or none may leave. If all may, the
    /// answer is that of `victim`.
    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        let _ = (new, may_leave);
        None
    }

    /// `new` enters at `slot`.
    fn insert(&mut self, slot: Slot, new: &Fetched);

    /// `new` does not enter: [`victim`](Self::victim) said so, it is larger than the
    /// cache, or its fetch came to nothing. Its fetch is over.
    fn refuse(&mut self, new: &Fetched) {
        let _ = new;
    }

    /// The object at `slot` leaves for want of room. It may be remembered.
    fn evict(&mut self, slot: Slot, entry: &Entry) {
        let _ = entry;
        self.remove(slot);
    }

    /// The object at `slot` is gone (invalidated, expired) and is to be forgotten.
    fn remove(&mut self, slot: Slot);
}

/// Who leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Victim {
    /// The object at this place.
    Slot(Slot),
    /// The object that was just fetched: it does not enter.
    New,
}

/// What a policy may know of its cache when it is built.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Greatest sum of sizes: entries where sizes are all 1, bytes otherwise.
    pub capacity: u64,
    /// How many entries to expect; a hint for allocation, not a limit.
    pub entries: usize,
    /// The root of its random numbers.
    pub seed: Seed,
}

/// A policy that can be made from the registry.
pub trait Build: Policy + Send + Sized + 'static {
    /// Builds it.
    ///
    /// # Errors
    /// If the parameters do not fit together; each alone is checked before.
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError>;
}

/// One policy in the registry.
pub struct PolicyEntry {
    /// What it is.
    pub about: About,
    /// Other names by which people know it.
    pub also_known_as: &'static [&'static str],
    /// Whether it looks into the future, so that the whole trace must be known.
    pub offline: bool,
    /// How it is made.
    pub make: Make,
}

/// The ways in which a policy can be made.
#[derive(Clone, Copy)]
pub struct Make {
    /// As it is.
    pub base: Form,
    /// Its MAD form, if it can estimate the time to the next access.
    pub mad: Option<Form>,
    /// Whether its MAD form can draw candidates ([`Estimate::GROUPS`] is not 0).
    pub draws: bool,
}

/// One form of a policy.
#[derive(Clone, Copy)]
pub struct Form {
    /// A policy to be put into any cache.
    pub policy: fn(&Shape, &Given) -> BuiltPolicy,
    /// A simulation of it, compiled for it.
    pub simulation: fn(Setup, &Given) -> BuiltSimulation,
}

/// A policy for any cache, or what is wrong with its parameters.
pub type BuiltPolicy = Result<Box<dyn Policy + Send>, ParamError>;

/// A simulation, or what is wrong with parameters, capacity, sets or latency.
pub type BuiltSimulation = Result<Box<dyn Simulation>, ParamError>;

/// The parameters given to one form of a policy.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// Those of the policy.
    pub base: Params,
    /// Those of its MAD form ([`MAD_PARAMS`](crate::mad::MAD_PARAMS)).
    pub mad: Params,
}

impl Make {
    /// A policy without a MAD form.
    #[must_use]
    pub const fn of<P: Build>() -> Self {
        Self {
            base: Form {
                policy: |shape, given| Ok(Box::new(P::build(shape, &given.base)?)),
                simulation: |setup, given| simulate(setup, |shape| P::build(shape, &given.base)),
            },
            mad: None,
            draws: false,
        }
    }

    /// A policy with a MAD form.
    #[must_use]
    pub const fn with_mad<P: Build + Estimate>() -> Self {
        let mad = Form {
            policy: |shape, given| Ok(Box::new(Mad::build(P::build(shape, &given.base)?, shape, &given.mad)?)),
            simulation: |setup, given| {
                simulate(setup, |shape| Mad::build(P::build(shape, &given.base)?, shape, &given.mad))
            },
        };
        Self { mad: Some(mad), draws: P::GROUPS > 0, ..Self::of::<P>() }
    }
}

impl Named for PolicyEntry {
    fn about(&self) -> &About {
        &self.about
    }

    fn also_known_as(&self) -> &'static [&'static str] {
        self.also_known_as
    }
}
