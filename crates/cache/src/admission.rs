//! Admission: a rule in front of any online policy that decides which fetched objects enter the cache.

use crate::access::{Access, Entry, Fetched, Slot};
use crate::model::{Setup, simulate};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{BuiltPolicy, BuiltSimulation};
use crate::structures::PerSlot;
use forebay_core::{About, Named, ParamError, Params};

/// Decides whether a fetched object enters. The cache policy behind it chooses the victim.
pub trait AdmissionRule {
    /// A request, before its outcome is known: hit, delayed hit or miss.
    fn request(&mut self, access: &Access, is_cached: bool) {
        let _ = (access, is_cached);
    }

    /// Whether `new`, which fits the cache, may enter at all. Called before any room is made for it.
    fn admits(&self, new: &Fetched) -> bool {
        let _ = new;
        true
    }

    /// Whether `new` may take the room of the object `victim`, which the policy would evict. With sizes, called for
    /// one victim after the other.
    fn prefers(&self, new: &Fetched, victim: u64) -> bool {
        let _ = (new, victim);
        true
    }

    /// The cache holds this many entries now. Rules with tables grow them.
    fn fit(&mut self, entries: usize) {
        let _ = entries;
    }
}

/// A rule that can be made from the registry.
pub trait BuildAdmission: AdmissionRule + Send + Sync + Sized + 'static {
    /// Builds it.
    ///
    /// # Errors
    /// If the parameters do not fit together; each alone is checked before.
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError>;
}

/// One rule in the registry. It names a form of each online policy: `lru-tinylfu`, `lru-mad-tinylfu`.
pub struct AdmissionEntry {
    /// What it is. No policy has a parameter of the same name as one of its parameters.
    pub about: About,
    /// Other names by which people know it.
    pub also_known_as: &'static [&'static str],
    /// How it is made.
    pub make: MakeAdmission,
}

impl Named for AdmissionEntry {
    fn about(&self) -> &About {
        &self.about
    }

    fn also_known_as(&self) -> &'static [&'static str] {
        self.also_known_as
    }
}

/// The ways in which a rule is put in front of a policy.
#[derive(Clone, Copy)]
pub struct MakeAdmission {
    /// A policy to be put into any cache.
    pub policy: fn(BoxedPolicy, &Shape, &Params) -> BuiltPolicy,
    /// A simulation.
    pub simulation: fn(Setup, MakesPolicy<'_>, &Params) -> BuiltSimulation,
}

/// Makes the policy of each set.
pub type MakesPolicy<'a> = &'a dyn Fn(&Shape) -> BuiltPolicy;

/// A policy of any kind.
pub type BoxedPolicy = Box<dyn CachePolicy + Send + Sync>;

impl MakeAdmission {
    /// Of a rule.
    #[must_use]
    pub const fn of<A: BuildAdmission>() -> Self {
        Self {
            policy: |base, shape, params| Ok(Box::new(Admitted::new(base, A::build(shape, params)?, shape))),
            simulation: |setup, base, params| {
                simulate(setup, |shape| Ok(Admitted::new(base(shape)?, A::build(shape, params)?, shape)))
            },
        }
    }
}

/// A policy with a rule of admission in front of it. If the rule does not admit an object, the policy hears that the object
/// was not admitted.
///
/// Costs a key per entry, and what the rule needs.
#[derive(Debug, Clone)]
pub struct Admitted<B, A> {
    base: B,
    rule: A,
    keys: PerSlot<u64>,
    entries: usize,
}

impl<B: CachePolicy, A: AdmissionRule> Admitted<B, A> {
    /// Puts a rule in front of a policy.
    #[must_use]
    pub fn new(base: B, rule: A, shape: &Shape) -> Self {
        Self { base, rule, keys: PerSlot::new(shape.entries), entries: 0 }
    }

    /// The victim leaves, or the new object does not enter.
    #[inline]
    fn contest(&self, new: &Fetched, victim: Victim) -> Victim {
        match victim {
            Victim::Slot(slot) if !self.rule.prefers(new, self.keys[slot]) => Victim::New,
            winner => winner,
        }
    }
}

impl<B: CachePolicy, A: AdmissionRule> CachePolicy for Admitted<B, A> {
    fn expect(&self, key: u64) {
        self.base.expect(key);
    }

    fn counts_requests(&self) -> bool {
        self.base.counts_requests()
    }

    #[inline]
    fn request(&mut self, access: &Access, slot: Option<Slot>) {
        self.rule.request(access, slot.is_some());
        self.base.request(access, slot);
    }

    #[inline]
    fn hit(&mut self, slot: Slot, access: &Access) {
        self.base.hit(slot, access);
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.base.resize(slot, size);
    }

    fn set_capacity(&mut self, capacity: u64) -> bool {
        self.base.set_capacity(capacity)
    }

    fn eviction_order(&self) -> Option<Vec<Slot>> {
        self.base.eviction_order()
    }

    fn recorded_hits(&self, slot: Slot) -> u8 {
        self.base.recorded_hits(slot)
    }

    fn weighs_latency(&self) -> bool {
        self.base.weighs_latency()
    }

    fn admits(&self, new: &Fetched) -> bool {
        self.rule.admits(new) && self.base.admits(new)
    }

    #[inline]
    fn victim(&mut self, new: &Fetched) -> Victim {
        let victim = self.base.victim(new);
        self.contest(new, victim)
    }

    fn victim_among(&mut self, new: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        if !self.rule.admits(new) {
            return Some(Victim::New);
        }
        let victim = self.base.victim_among(new, may_leave)?;
        Some(self.contest(new, victim))
    }

    #[inline]
    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.keys.set(slot, new.key);
        self.entries += 1;
        self.rule.fit(self.entries);
        self.base.insert(slot, new);
    }

    fn refuse(&mut self, new: &Fetched) {
        self.base.refuse(new);
    }

    #[inline]
    fn evict(&mut self, slot: Slot, entry: &Entry) {
        self.entries -= 1;
        self.base.evict(slot, entry);
    }

    fn remove(&mut self, slot: Slot) {
        self.entries -= 1;
        self.base.remove(slot);
    }
}
