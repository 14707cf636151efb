//! The bounds and the simulator of schedules beside another crate's model and all its policies.

use crate::belatedly::against_optimum::{crowd, random_trace};
use forebay_cache::belatedly::{BoundOptions, Schedule, bound, simulate, simulate_each};
use forebay_cache::future::futures;
use forebay_cache::model::simulate as simulation_of;
use forebay_cache::{
    Access, CachePolicy, Choice, Counts, Fetched, Latency, Model, Observer, RequestOutcome, Service, Setup, Simulation,
    Slot, Victim,
};
use forebay_core::{Request, Rng, Seed};
use rand::RngExt as _;
use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

/// One trace with a cache for it.
struct Case {
    requests: Vec<Request>,
    capacity: u64,
    /// Of each object.
    latencies: Vec<u64>,
}

impl Case {
    fn drawn(rng: &mut Rng, round: u32) -> Self {
        let objects = rng.random_range(2..40);
        let mut requests = random_trace(rng, 300, objects, round.is_multiple_of(3));
        if !round.is_multiple_of(4) {
            crowd(&mut requests);
        }
        let most = [1, 4, 15, 60][rng.random_range(0..4)];
        let least = if round.is_multiple_of(2) { most } else { 1 };
        let latencies = (0..objects).map(|_| rng.random_range(least..=most)).collect();
        Self { requests, capacity: rng.random_range(1..12), latencies }
    }

    fn latency_of(&self, request: &Request) -> u64 {
        self.latencies[usize::try_from(request.key).unwrap()]
    }

    fn setup(&self) -> Setup {
        let latencies = (0..).zip(self.latencies.iter().copied()).collect();
        Setup {
            model: Model::DelayedHits,
            capacity: self.capacity,
            entries: 8,
            ways: None,
            latency: Latency::PerObject(latencies, 1),
            size_change: None,
            service: Service::default(),
            warmup: 0,
            seed: Seed(1),
            observer: Some(Box::new(Heard::default())),
        }
    }

    /// Plays the trace, and says what was counted and what happened to each request.
    fn play(&self, mut simulation: Box<dyn Simulation>) -> (Counts, Vec<RequestOutcome>) {
        simulation.feed(&self.requests, &futures(&self.requests, |key| self.latencies[usize::try_from(key).unwrap()]));
        let counts = simulation.counts();
        let heard: Box<dyn Any> = simulation.into_observer().unwrap();
        (counts, heard.downcast::<Heard>().unwrap().0)
    }

    /// The schedule by which the requests have these outcomes: an object stays where its next
    /// decision is a hit.
    fn schedule(&self, outcomes: &[RequestOutcome]) -> Schedule {
        let mut stays = vec![false; outcomes.len()];
        let mut decided: HashMap<u64, usize> = HashMap::new();
        for (position, (request, outcome)) in self.requests.iter().zip(outcomes).enumerate() {
            if matches!(outcome, RequestOutcome::DelayedHit(_)) {
                continue;
            }
            if let Some(before) = decided.insert(request.key, position) {
                stays[before] = *outcome == RequestOutcome::Hit(0);
            }
        }
        Schedule { stays }
    }

    /// The simulator of schedules counts what the model counted, request by request.
    fn check(&self, counts: &Counts, outcomes: &[RequestOutcome], what: &str) {
        let schedule = self.schedule(outcomes);
        let mut became = Vec::new();
        let watch = |_: &Request, outcome| became.push(outcome);
        let played =
            simulate_each(&self.requests, self.capacity, |request| self.latency_of(request), &schedule, watch).unwrap();
        let of_model = (counts.hits, counts.delayed_hits, counts.misses, counts.total_latency);
        assert_eq!((played.hits, played.delayed_hits, played.misses, played.latency), of_model, "{what}");
        assert_eq!(became, outcomes, "{what}");
    }
}

#[derive(Default)]
struct Heard(Vec<RequestOutcome>);

impl Observer for Heard {
    fn outcome(&mut self, _: &Request, outcome: RequestOutcome) {
        self.0.push(outcome);
    }
}

#[test]
fn no_policy_is_below_the_lower_bound_and_all_are_schedules() {
    let mut rng = Seed(9).stream("policies");
    let mut nearest = f64::INFINITY;
    for round in 0..60 {
        let case = Case::drawn(&mut rng, round);
        let latency_of = |request: &Request| case.latency_of(request);
        let options = BoundOptions { iterations: 200, ..BoundOptions::default() };
        let go_on = |_: &_| ControlFlow::Continue(());
        let bounds = bound(&case.requests, case.capacity, latency_of, &options, go_on).unwrap();
        for name in Choice::names() {
            let what = format!("{name}, round {round}, capacity {}, {:?}", case.capacity, case.latencies);
            let choice: Choice = name.parse().unwrap();
            let (counts, outcomes) = case.play(choice.simulation(case.setup()).unwrap());
            assert!(bounds.lower <= counts.total_latency, "{} <= {}: {what}", bounds.lower, counts.total_latency);
            nearest = nearest.min(counts.total_latency as f64 / bounds.lower.max(1) as f64);
            case.check(&counts, &outcomes, &what);
        }
    }
    // Otherwise a bound of 0 would do.
    assert!(nearest < 1.001, "{nearest}");
}

/// Keeps what a schedule keeps: what does not stay leaves, of several the one that is
/// requested next. A cache does not let go of anything while there is room, so it may still
/// be there then.
struct Replay {
    stays: Vec<bool>,
    /// How many requests there were.
    requests: usize,
    /// Of each object in flight, whether it is to stay.
    under_way: HashMap<u64, bool>,
    /// Of each object in the cache, whether it is to stay, and its next request.
    cached: BTreeMap<Slot, (bool, u64)>,
}

impl CachePolicy for Replay {
    fn request(&mut self, access: &Access, slot: Option<Slot>) {
        let stays = self.stays[self.requests];
        self.requests += 1;
        if slot.is_none() {
            self.under_way.entry(access.key).or_insert(stays);
        }
    }

    fn hit(&mut self, slot: Slot, access: &Access) {
        self.cached.insert(slot, (self.stays[self.requests - 1], access.future.next));
    }

    fn victim(&mut self, new: &Fetched) -> Victim {
        let arrived = (self.under_way[&new.key], new.future.next, Victim::New);
        let cached = self.cached.iter().map(|(&slot, &(stays, next))| (stays, next, Victim::Slot(slot)));
        cached.chain([arrived]).min_by_key(|&(stays, next, _)| (stays, next)).unwrap().2
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.cached.insert(slot, (self.under_way.remove(&new.key).unwrap(), new.future.next));
    }

    fn refuse(&mut self, new: &Fetched) {
        self.under_way.remove(&new.key);
    }

    fn remove(&mut self, slot: Slot) {
        self.cached.remove(&slot);
    }
}

#[test]
fn a_replayed_schedule_costs_the_same_in_the_model() {
    let mut rng = Seed(10).stream("replay");
    let mut at_once = 0;
    for round in 0..400 {
        let case = Case::drawn(&mut rng, round);
        let latency_of = |request: &Request| case.latency_of(request);
        let options = BoundOptions { iterations: 60, ..BoundOptions::default() };
        let go_on = |_: &_| ControlFlow::Continue(());
        let bounds = bound(&case.requests, case.capacity, latency_of, &options, go_on).unwrap();
        let replay = |stays: &[bool]| {
            let policy =
                || Replay { stays: stays.to_vec(), requests: 0, under_way: HashMap::new(), cached: BTreeMap::new() };
            case.play(simulation_of(case.setup(), |_| Ok(policy())).unwrap())
        };
        let what = format!("round {round}, capacity {}, {:?}", case.capacity, case.latencies);
        let (counts, outcomes) = replay(&bounds.schedule.stays);
        case.check(&counts, &outcomes, &what);
        assert!(bounds.lower <= counts.total_latency, "{what}");
        let filled = case.schedule(&outcomes);
        if filled == bounds.schedule {
            assert_eq!(bounds.upper, counts.total_latency, "{what}");
            at_once += 1;
        }
        // Now there is no room left idle, and what is replayed is the schedule itself.
        if case.requests.iter().all(|request| request.size == 1) {
            let (again, outcomes) = replay(&filled.stays);
            assert_eq!((again.total_latency, again.hits), (counts.total_latency, counts.hits), "{what}");
            let played = simulate(&case.requests, case.capacity, latency_of, &filled).unwrap();
            assert_eq!((played.latency, played.hits), (again.total_latency, again.hits), "{what}");
            assert_eq!(case.schedule(&outcomes), filled, "{what}");
        }
    }
    assert!(at_once > 40, "{at_once} schedules without idle room");
}
