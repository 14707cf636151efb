//! A matcher in two stages, as in Pigasus (SurgeProtector, section 3.5.1): a fast filter names candidate rules, then
//! each is evaluated in turn until one matches.
//!
//! The filter costs every packet the same. What a candidate costs depends on the rule and on the payload: an attacker
//! sends payloads that are candidates for many rules, or for one that is slow on them. The scheduler is told what the
//! candidates have cost at worst so far ([`Kept::worst`](forebay_core::estimate::Kept::worst)).

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
