//! A two-stage matcher as web application firewalls and intrusion detection systems have it, the
//! traffic for it, attacks on its complexity, and schedulers in front of it.
//!
//! The first stage is one automaton over all rules ([`TwoStage::candidates`]), whose cost grows with the bytes of a
//! payload only. The second ([`Job`]) confirms the candidate rules one by one with a backtracking matcher and stops at
//! the first that matches. Its cost depends on the payload, and an attacker chooses the payload (SurgeProtector,
//! thesis, sections 3.5.1 and 3.5.2). Nothing here reads a clock: the caller brings a [`WorkClock`].

mod attack;
mod clock;
mod experiment;
mod innocent;
mod job;
pub mod native;
mod pace;
mod policy;
mod processor;
mod rules;
mod tokens;
mod traffic;
mod two_stage;
mod variety;

pub use attack::{Attack, SEARCH_REVISION, SearchLimits, search};
pub use clock::{Unmeasured, WorkClock};
pub use experiment::{Comparison, NOISY, Setup, mean_bytes, quiet};
pub use innocent::Innocent;
pub use job::{Job, Progress, Verdict};
pub use pace::Pace;
pub use policy::MatcherPolicy;
pub use processor::{ProcessorOutcome, Run, process};
pub use rules::{Rule, RuleError, RuleSet};
pub use traffic::{Arrival, Traffic};
pub use two_stage::{BuildError, Support, TwoStage};
pub use variety::{DEGREES, variety};
