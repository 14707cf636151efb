//! The models: the outcome of a request while a cache works under a policy.

mod classical;
mod counts;
mod delayed;
mod prefetching;
mod service;
mod size_change;

pub use counts::{Counts, Observer, RequestOutcome};
pub use service::{Lifetime, Service};
pub use size_change::SizeChange;

use crate::access::Future;
use crate::latency::{Latency, LatencyError};
use crate::policy::{CachePolicy, Shape};
use crate::sets::{Sets, SetsSpec};
use classical::Classical;
use counts::Counted;
use delayed::DelayedHits;
use forebay_core::{ParamError, Request, Seed};

/// This many requests are announced to the policy at a time.
const AT_A_TIME: usize = 16;

/// How fetches are modelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// A missed object is in the cache at once; only the miss costs its latency.
    Classical,
    /// A fetch takes its latency; requests for an object in flight wait for the rest.
    DelayedHits,
}

/// The parameters of a simulation.
pub struct Setup {
    /// How fetches are modelled.
    pub model: Model,
    /// Greatest sum of sizes: entries where sizes are all 1, bytes otherwise.
    pub capacity: u64,
    /// How many entries to expect; a hint for allocation.
    pub entries: usize,
    /// Divides the cache into sets of this capacity each, chosen by a seeded hash of
    /// the key; `None`: one fully associative set. The capacity must be a multiple.
    pub ways: Option<u64>,
    /// How long fetches take.
    pub latency: Latency,
    /// The effect of a request for a cached object with another size; `None`: sizes do not change, and are not looked
    /// at.
    pub size_change: Option<SizeChange>,
    /// How requests are served besides fetches, and how long objects live.
    pub service: Service,
    /// Number of first requests that are played and not counted.
    pub warmup: u64,
    /// The root of all random numbers.
    pub seed: Seed,
    /// Receives the outcome of every request that is counted.
    pub observer: Option<Box<dyn Observer>>,
}

/// One cache under one policy, to which requests are fed.
pub trait Simulation: Send {
    /// Plays requests in order of time. `futures` is empty, or as long as `requests`
    /// for a policy that looks into the future.
    fn feed(&mut self, requests: &[Request], futures: &[Future]);

    /// Plays one request and returns its outcome. Times must not go back.
    fn play(&mut self, request: &Request) -> RequestOutcome;

    /// The counts so far.
    fn counts(&self) -> Counts;

    /// Gives the observer back.
    fn into_observer(self: Box<Self>) -> Option<Box<dyn Observer>>;
}

/// The work of a model on one request after the other.
trait Step: Send {
    /// Announces the requests that arrive next.
    fn expect(&mut self, requests: &[Request]);

    fn request(&mut self, request: &Request, future: Future) -> RequestOutcome;

    fn counted(&self) -> &Counted;

    fn into_counted(self) -> Counted;
}

impl<M: Step> Simulation for M {
    fn feed(&mut self, requests: &[Request], futures: &[Future]) {
        let mut futures = futures.iter();
        for requests in requests.chunks(AT_A_TIME) {
            self.expect(requests);
            for request in requests {
                self.request(request, futures.next().copied().unwrap_or(Future::NONE));
            }
        }
    }

    fn play(&mut self, request: &Request) -> RequestOutcome {
        self.expect(std::slice::from_ref(request));
        self.request(request, Future::NONE)
    }

    fn counts(&self) -> Counts {
        self.counted().counts
    }

    fn into_observer(self: Box<Self>) -> Option<Box<dyn Observer>> {
        (*self).into_counted().observer
    }
}

/// Builds a simulation of any policy: `build` makes one for each set. For those of the
/// registry there is [`Choice::simulation`](crate::Choice::simulation).
///
/// # Errors
/// If `build` fails, or the capacity, sets or latency are impossible.
pub fn simulate<P: CachePolicy + Send + 'static>(
    mut setup: Setup,
    build: impl FnMut(&Shape) -> Result<P, ParamError>,
) -> Result<Box<dyn Simulation>, ParamError> {
    let seed = setup.seed;
    let latencies = setup.latency.prepare(seed).map_err(|LatencyError(what)| ParamError::of("latency", what))?;
    let Setup { capacity, entries, ways, .. } = setup;
    let sets = Sets::new(&SetsSpec { capacity, entries, ways, seed }, build)?;
    let observer = setup.observer.take();
    if setup.service.parallel == Some(0) {
        return Err(ParamError::of(
            "parallel",
            "a store serves at least one fetch at a time; leave it out for no limit",
        ));
    }
    let counted = Counted::new(setup.warmup, observer);
    let (changes, service) = (setup.size_change, setup.service);
    let prefetcher = service.prefetch.as_ref().map(|prefetch| prefetch.make(&latencies, seed)).transpose()?;
    if prefetcher.is_some() && setup.model == Model::Classical {
        return Err(ParamError::of(
            "prefetch",
            "prefetching is of the model with delayed hits; in the classical one nothing is in flight",
        ));
    }
    Ok(match setup.model {
        Model::Classical => Box::new(Classical::new(sets, latencies, changes, service, counted)),
        Model::DelayedHits => Box::new(DelayedHits::new(
            sets,
            latencies,
            setup.latency.keeps_order(),
            changes,
            service,
            prefetcher,
            counted,
        )),
    })
}
