//! A recipe: the complete description of a new application.

use super::request::{Request, Senders, evenly};
use super::{Application, Live, Told, Workload};
use crate::attack::jobs::Job;
use crate::attack::quantity::Quantity;
use crate::attack::traffic::{Inputs, Stream};
use forebay_core::{Duration, ParamError, Params, Rng, Seed, Time};
use std::fmt;
use std::sync::Arc;

/// An application, the inputs of innocents, and the inputs of an attacker.
///
/// The attack has a degree, from 1 up: the larger, the more work a packet makes on average. An attacker chooses the greatest degree against
/// policies that ignore jobs, and a smaller degree against other policies.
pub trait Recipe: Clone + fmt::Debug + Send + Sync + 'static {
    /// The type of the application.
    type Application: Application<Input = Request<Self::Content>> + Send + 'static;
    /// The content of a packet that the application reads.
    type Content: Send + 'static;

    /// The recipe that the parameters describe.
    ///
    /// # Errors
    /// If they do not fit together.
    fn of(params: &Params) -> Result<Self, ParamError>;

    /// Returns the application before its first packet. Only properties that the attacker does not know may depend on `seed`.
    fn application(&self, seed: Seed) -> Self::Application;

    /// The senders of innocent packets.
    fn senders(&self) -> &Senders;

    /// The senders of innocent packets, mutably.
    fn senders_mut(&mut self) -> &mut Senders;

    /// The content of an innocent packet.
    fn innocent(&self, flow: u32, size_bytes: u32, rng: &mut Rng) -> Self::Content;

    /// The content of the attack's packet with this number, from 0.
    fn attack(&self, number: u64) -> Self::Content;

    /// Length of each attack packet in bytes.
    fn attack_bytes(&self) -> u32 {
        64
    }

    /// The work of an attack packet on average, once all of the attack has been served for a while. It grows with the
    /// degree.
    fn mean_attack_work(&self) -> Duration;

    /// The largest job of any packet of [`attack_bytes`](Self::attack_bytes).
    fn max_work(&self) -> Duration;

    /// The degree of its attack.
    fn degree(&self) -> u64;

    /// Returns this recipe with an attack of degree `degree`.
    #[must_use]
    fn with_degree(&self, degree: u64) -> Self;

    /// Packets after which an attack has come to its full work.
    fn warmup_packets(&self) -> u64 {
        self.degree()
    }

    /// Returns this recipe with the attack that `params` describes.
    ///
    /// # Errors
    /// If they do not fit the application.
    fn attacked(&self, params: &Params) -> Result<Self, ParamError>;
}

impl<R: Recipe> Workload for R {
    fn arrivals(&self, innocent_bps: f64, seed: Seed, told: Told) -> Stream {
        self.application(seed.part("application")).arrivals(requests(self, innocent_bps, seed), told)
    }

    fn live(&self, innocent_bps: f64, attack_bps: Option<f64>, seed: Seed, until: Time) -> Live {
        let attacks = |bps| {
            let recipe = self.clone();
            evenly(bps, self.attack_bytes(), move |number| recipe.attack(number))
        };
        let inputs = || (requests(self, innocent_bps, seed), attack_bps.map(attacks));
        Live::new(self.application(seed.part("application")), inputs, until)
    }

    fn attack_job(&self) -> Option<Job> {
        Some(Job::known(self.attack_bytes(), self.mean_attack_work()))
    }
}

fn requests<R: Recipe>(recipe: &R, rate_bps: f64, seed: Seed) -> Inputs<Request<R::Content>> {
    let own = recipe.clone();
    recipe.senders().requests(rate_bps, seed, move |flow, size_bytes, rng| own.innocent(flow, size_bytes, rng))
}

/// An application of the registry, independent of the type of its recipe.
pub trait Attackable: Workload {
    /// Returns the application as a workload.
    fn workload(self: Arc<Self>) -> Arc<dyn Workload>;

    /// Innocent flows.
    fn flows(&self) -> u32;

    /// The largest job of a packet of the attack.
    fn max_work(&self) -> Duration;

    /// Length of each attack packet in bytes.
    fn attack_bytes(&self) -> u32;

    /// Packets after which an attack has come to its full work.
    fn warmup_packets(&self) -> u64;

    /// Returns this application with innocent packets of these sizes in bytes.
    fn sized(&self, size_bytes: Quantity) -> Arc<dyn Attackable>;

    /// Returns this application with the attack that `params` describes.
    ///
    /// # Errors
    /// If they do not fit the application.
    fn attacked(&self, params: &Params) -> Result<Arc<dyn Attackable>, ParamError>;

    /// Returns this application with the least attack whose packets make at least `work` on average, or with the present attack if there is
    /// none.
    fn of_mean_work(&self, work: Duration) -> Arc<dyn Attackable>;
}

impl<R: Recipe> Attackable for R {
    fn workload(self: Arc<Self>) -> Arc<dyn Workload> {
        self
    }

    fn flows(&self) -> u32 {
        self.senders().flows
    }

    fn max_work(&self) -> Duration {
        Recipe::max_work(self)
    }

    fn attack_bytes(&self) -> u32 {
        Recipe::attack_bytes(self)
    }

    fn warmup_packets(&self) -> u64 {
        Recipe::warmup_packets(self)
    }

    fn sized(&self, size_bytes: Quantity) -> Arc<dyn Attackable> {
        let mut recipe = self.clone();
        recipe.senders_mut().size_bytes = size_bytes;
        Arc::new(recipe)
    }

    fn attacked(&self, params: &Params) -> Result<Arc<dyn Attackable>, ParamError> {
        Ok(Arc::new(Recipe::attacked(self, params)?))
    }

    fn of_mean_work(&self, work: Duration) -> Arc<dyn Attackable> {
        // `mild` makes too little, `strong` enough, or is as strong as can be.
        let (mut mild, mut strong) = (0, self.degree().max(1));
        while strong - mild > 1 {
            let middle = mild.midpoint(strong);
            if self.with_degree(middle).mean_attack_work() < work { mild = middle } else { strong = middle }
        }
        Arc::new(self.with_degree(strong))
    }
}

/// The greatest value of a cost, one second, so that no sum of costs overflows the clock.
const MAX_COST: Duration = Duration::from_ms(1_000);

/// Returns the cost in the parameter `name`.
///
/// # Errors
/// If the cost is more than a second.
pub fn cost(params: &Params, name: &'static str) -> Result<Duration, ParamError> {
    let cost = params.duration(name);
    if cost > MAX_COST { Err(ParamError::of(name, format!("`{name}` must be at most {MAX_COST}"))) } else { Ok(cost) }
}

/// Returns `fixed` plus `count` times `each`.
#[must_use]
pub fn plus(fixed: Duration, each: Duration, count: f64) -> Duration {
    fixed + Duration::from_secs_f64(each.as_secs_f64() * count)
}
