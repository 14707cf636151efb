//! An attack study: how much innocent traffic does an attacker displace under each policy, per bit sent?
//!
//! Every policy gets the same innocent packets with every attack rate, and without an attack; this is repeated with
//! other packets, so that each number has a confidence interval. `docs/attack.md` is the guide, `docs/scenario.md`
//! describes the file and `docs/result.md` the result.

mod application;
mod bound;
mod plan;
mod plot;
mod rates;
mod read;
mod read_attack;
mod read_innocent;
mod report;
mod run;
pub mod search;
mod table;

use crate::scenario::{Plan, Policy};
use application::OwnAttack;
use forebay_core::{BufferSize, Duration, Seed};
use forebay_sim::attack::bounds::Terms;
use forebay_sim::attack::optimal::Setting;
use forebay_sim::attack::{Estimator, Innocent, Job, Strategy, Timing};

pub use plot::pictures;
pub use read::is_attack;
pub use report::AttackReport;
pub use run::run;
pub use table::report as table;

/// A checked study.
#[derive(Debug, Clone)]
pub struct AttackStudy {
    /// Its name.
    pub name: String,
    /// Root of all random numbers.
    pub seed: Seed,
    /// Of policies that have none of their own.
    pub buffer: Option<BufferSize>,
    /// Servers that take work from the queue.
    pub servers: usize,
    /// Innocent packets that arrive while all is counted.
    pub packets: u64,
    /// Innocent packets that arrive before.
    pub warmup: u64,
    /// How often all is repeated with other packets.
    pub repetitions: u64,
    /// The innocent traffic.
    pub innocent: Innocent,
    /// What makes innocent jobs, if they are not drawn: its name.
    pub application: Option<&'static str>,
    /// How the scenario calls the gaps.
    pub gaps: &'static str,
    /// Innocent flows.
    pub flows: u32,
    /// Innocent rates in bits per second.
    pub innocent_bps: Vec<u64>,
    /// The attacker.
    pub attacker: Attacker,
    /// How the scheduler estimates the work of a job.
    pub estimator: Estimator,
    /// How results call what policies are told of jobs.
    pub estimate: &'static str,
    /// The policies that are compared.
    pub policies: Vec<Policy<Plan>>,
    /// Limits of a search.
    pub search: search::Options,
    /// Innocent jobs from which attacks are computed.
    pub sample: Vec<Job>,
    /// What a person should know.
    pub warnings: Vec<String>,
}

/// Who attacks.
#[derive(Debug, Clone)]
pub struct Attacker {
    /// Budgets.
    pub rates_bps: Vec<u64>,
    /// Least packet in bytes.
    pub min_bytes: u32,
    /// Largest job.
    pub max_work: Duration,
    /// What the attacker sends.
    pub sends: Sends,
    /// When the attacker sends.
    pub timing: Timing,
}

/// What is sent.
#[derive(Debug, Clone)]
pub enum Sends {
    /// What is best against each policy.
    Optimal,
    /// These kinds of packets.
    Given(Vec<Strategy>),
    /// What an application works on like on innocent packets, in a state that is that of what is really served of both.
    Inputs(OwnAttack),
}

impl AttackStudy {
    /// Whether an application works on innocent and attack packets, in a state that is that of what is really served.
    fn is_live(&self) -> bool {
        matches!(self.attacker.sends, Sends::Inputs(_))
    }

    /// What an attacker knows.
    fn setting(&self, innocent_bps: u64, attack_bps: u64) -> Setting<'_> {
        Setting {
            sample: &self.sample,
            innocent_bps: innocent_bps as f64,
            attack_bps: attack_bps as f64,
            min_bytes: self.attacker.min_bytes,
            max_work: self.attacker.max_work,
            servers: self.servers,
        }
    }

    /// What bounds are made of.
    fn terms(&self, innocent_bps: u64) -> Terms {
        Terms {
            means: self.innocent.means(),
            innocent_bps: innocent_bps as f64,
            min_bytes: self.attacker.min_bytes,
            max_work: self.attacker.max_work,
            servers: self.servers,
        }
    }

    /// How long so many innocent packets take to arrive.
    fn time_of(&self, packets: u64, innocent_bps: u64) -> Duration {
        Duration::from_secs_f64(packets as f64 * self.innocent.means().size_bits / innocent_bps as f64)
    }
}
