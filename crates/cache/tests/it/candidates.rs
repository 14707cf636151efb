//! What [`Estimate::candidates`] promises, for every policy that has a MAD form.

use crate::conformance::{in_slots, requests, setup};
use forebay_cache::model::simulate;
use forebay_cache::policies::*;
use forebay_cache::{Access, Build, CachePolicy, Choice, Entry, Estimate, Fetched, Model, PolicyEntry, Slot, Victim};
use forebay_core::Params;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};

/// Asks a policy for candidates, and a copy of it for its victim.
struct Shown<'a, P> {
    policy: P,
    name: &'static str,
    /// Whether no rate may be below the first.
    ordered: bool,
    /// Candidates may come twice where they are drawn.
    drawn: bool,
    cached: BTreeSet<Slot>,
    victims: &'a AtomicU32,
}

impl<P: Estimate + Clone> CachePolicy for Shown<'_, P> {
    fn request(&mut self, access: &Access, slot: Option<Slot>) {
        self.policy.request(access, slot);
    }

    fn hit(&mut self, slot: Slot, access: &Access) {
        self.policy.hit(slot, access);
    }

    fn victim(&mut self, new: &Fetched) -> Victim {
        let own = self.policy.clone().victim(new);
        let mut shown = Vec::new();
        self.policy.candidates(new, &mut |slot, rate| {
            shown.push((slot, rate));
            ControlFlow::Continue(())
        });
        let first = shown.first().map_or(Victim::New, |&(slot, _)| Victim::Slot(slot));
        assert_eq!(first, own, "{}: its own victim comes first", self.name);
        let slots: BTreeSet<_> = shown.iter().map(|&(slot, _)| slot).collect();
        assert!(slots.is_subset(&self.cached), "{}", self.name);
        assert!(self.drawn || slots.len() == shown.len(), "{}: each once", self.name);
        assert!(shown.iter().all(|&(_, rate)| rate > 0.0 && rate.is_finite()), "{}: {shown:?}", self.name);
        if self.ordered {
            let lower = shown.iter().find(|(_, rate)| *rate < shown[0].1);
            assert_eq!(lower, None, "{}: {shown:?}", self.name);
        }
        self.victims.fetch_add(1, Ordering::Relaxed);
        own
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.cached.insert(slot);
        self.policy.insert(slot, new);
    }

    fn refuse(&mut self, new: &Fetched) {
        self.policy.refuse(new);
    }

    fn evict(&mut self, slot: Slot, entry: &Entry) {
        self.cached.remove(&slot);
        self.policy.evict(slot, entry);
    }

    fn remove(&mut self, _: Slot) {}
}

/// Plays at a latency of one tick, where rates are in order, and at a longer one.
fn check<P: Build + Estimate + Clone>(entry: &PolicyEntry) -> &'static str {
    let params = Params::check(entry.about.params, BTreeMap::new()).unwrap();
    for (latency, objects, capacity) in [(1, 60, 1), (1, 60, 20), (1, 3_000, 1_100), (30, 60, 10)] {
        static VICTIMS: AtomicU32 = AtomicU32::new(0);
        let before = VICTIMS.load(Ordering::Relaxed);
        let requests = in_slots(requests(80, if objects > 60 { 5_000 } else { 3_000 }, objects, false));
        let build = |shape: &_| {
            let policy = P::build(shape, &params)?;
            let (name, ordered, drawn) = (entry.about.name, latency == 1, entry.about.name == "lhd");
            Ok(Shown { policy, name, ordered, drawn, cached: BTreeSet::new(), victims: &VICTIMS })
        };
        let mut simulation = simulate(setup(Model::DelayedHits, capacity, latency), build).unwrap();
        simulation.feed(&requests, &[]);
        assert!(VICTIMS.load(Ordering::Relaxed) > before + 300, "{}", entry.about.name);
    }
    entry.about.name
}

#[test]
fn the_own_victim_comes_first_and_has_the_lowest_rate() {
    let checked = [
        check::<arc::Arc>(&arc::ENTRY),
        check::<car::Car>(&car::ENTRY),
        check::<clock::Clock>(&clock::ENTRY),
        check::<clock_pro::ClockPro>(&clock_pro::ENTRY),
        check::<fifo::Fifo>(&fifo::ENTRY),
        check::<gdsf::Gdsf>(&gdsf::ENTRY),
        check::<hyperbolic::Hyperbolic>(&hyperbolic::ENTRY),
        check::<lecar::Lecar>(&lecar::ENTRY),
        check::<lfu::Lfu>(&lfu::ENTRY),
        check::<lfuda::Lfuda>(&lfuda::ENTRY),
        check::<lhd::Lhd>(&lhd::ENTRY),
        check::<lirs::Lirs>(&lirs::ENTRY),
        check::<lrfu::Lrfu>(&lrfu::ENTRY),
        check::<lru::Lru>(&lru::ENTRY),
        check::<lru_k::LruK>(&lru_k::ENTRY),
        check::<mq::Mq>(&mq::ENTRY),
        check::<s3_fifo::S3Fifo>(&s3_fifo::ENTRY),
        check::<sieve::Sieve>(&sieve::ENTRY),
        check::<sieve_k::SieveK>(&sieve_k::ENTRY),
        check::<slru::Slru>(&slru::ENTRY),
        check::<two_q::TwoQ>(&two_q::ENTRY),
        check::<w_tinylfu::WTinyLfu>(&w_tinylfu::ENTRY),
    ];
    let mut checked = checked.map(|name| format!("{name}-mad")).to_vec();
    let mut forms: Vec<_> = Choice::names().filter(|name| name.ends_with("-mad")).collect();
    checked.sort_unstable();
    forms.sort_unstable();
    assert_eq!(checked, forms);
}
