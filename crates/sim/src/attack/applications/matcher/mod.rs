//! A matcher in two stages, as in Pigasus (SurgeProtector, section 3.5.1): a fast filter names candidate rules, then
//! each is evaluated in turn until one matches.
//!
//! The filter costs the same for every packet. The cost of a candidate depends on the rule and on the payload. An attacker sends payloads
//! that are candidates for many rules, or for one that is slow on them. The scheduler's estimate is the worst cost of the candidates so far
//! ([`Kept::worst`](forebay_core::estimate::Kept::worst)).

use super::ApplicationEntry;
use forebay_core::{About, Exactness, ParamSpec};

mod attack_payloads;
mod innocent_payloads;
mod rules;
mod two_stage;
mod workload;

pub use attack_payloads::{AttackPayloads, PayloadClass};
pub use innocent_payloads::InnocentPayloads;
pub use rules::{Grades, Rule, Rules};
pub use two_stage::{Candidate, Payload, TwoStage};
pub use workload::Matching;

/// The registry's entry for [`Matching`].
pub const ENTRY: ApplicationEntry = ApplicationEntry {
    about: About {
        name: "two-stage-matcher",
        title: "a fast filter that names candidate rules, and a matcher that evaluates them; an attacker sends the most \
                expensive payload",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "`filter`, and a cost per byte for each candidate up to the first that matches; no largest job",
        source: "SurgeProtector (thesis), sections 3.5.1 and 3.6.1",
        params: &[],
    },
    attack: &[ParamSpec::integer(
        "searched",
        1,
        1_000_000,
        Some(100_000),
        "number of innocent payloads of which the most expensive is sent",
    )],
    make: None,
};
