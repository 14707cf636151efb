//! A policy in OpenQueue as an element, and its report.
//!
//! ```
//! use forebay::openqueue;
//! use forebay_core::{Seed, Time};
//! use forebay_engine::{Engine, EngineOptions};
//! use forebay_lang::ir::PortId;
//! use forebay_lang::{Overrides, analyse};
//!
//! let fifo = "param B = 128 pkts;\n\
//!     q = Queue(B);\n\
//!     out = Port(100);\n\
//!     q.admPrio = rfifo();\n\
//!     q.procPrio = fifo();\n\
//!     q.congestion = tailDrop();\n";
//! let policy = analyse(fifo, &Overrides::new()).policy.expect("it has no mistakes");
//! let params: Vec<_> = openqueue::params(&policy).map(|param| (param.name, param.value)).collect();
//! assert_eq!(params, [("B".to_owned(), "128 pkts".to_owned())]);
//!
//! let mut engine = openqueue::fast(&policy, EngineOptions { policy_id: 1, seed: Seed(7) });
//! assert!(engine.dequeue(Time::ZERO, PortId(0)).is_none()); // no packet has arrived
//! ```

use crate::port::{ChangeReport, OpenQueueReport, ParamReport};
use crate::scenario::OqPlan;
use forebay_core::Seed;
use forebay_engine::live::TransitionRecord;
use forebay_engine::{Engine, EngineOptions, Fast, PolicyElement, RefusedChange};
use forebay_lang::Policy;

/// Returns the fast engine for a policy that was checked.
pub fn fast(policy: &Policy, options: EngineOptions) -> Fast {
    Fast::new(policy, options).expect("a checked policy has all its parts")
}

/// Returns the policy with empty queues, and its planned changes.
pub(crate) fn element<E: Engine>(
    build: impl Fn(&Policy, EngineOptions) -> E + Send + 'static,
    plan: &OqPlan,
    seed: Seed,
) -> PolicyElement<E> {
    let mut element = PolicyElement::at_links(build, plan.policy.clone(), &plan.link_rates, seed);
    for change in &plan.changes {
        element.plan_change(change.at, change.policy.clone(), change.transition);
    }
    element
}

/// Returns the report on a policy after its run.
pub(crate) fn describe<E: Engine>(plan: &OqPlan, element: &PolicyElement<E>) -> OpenQueueReport {
    OpenQueueReport {
        file: plan.file.clone(),
        engine: plan.engine.name().to_owned(),
        links: plan.policy.exits().count(),
        params: params(&plan.policy).collect(),
        changes: changes(plan, element.live().transitions(), element.refused_changes()),
    }
}

/// Returns the constants of a policy.
pub fn params(policy: &Policy) -> impl Iterator<Item = ParamReport> {
    policy.params.iter().map(|param| ParamReport {
        name: param.name.clone(),
        value: if param.in_packets { format!("{} pkts", param.value) } else { param.value.to_string() },
    })
}

/// The plan beside its result: each change was made, was rejected, or the run ended before its time.
fn changes(plan: &OqPlan, made: &[TransitionRecord], refused: &[RefusedChange]) -> Vec<ChangeReport> {
    let (mut made, mut refused) = (made.iter(), refused.iter().peekable());
    (0..)
        .zip(&plan.changes)
        .map(|(number, change)| {
            let mut report = ChangeReport {
                at_ns: change.at.as_ps() as f64 / 1e3,
                file: change.file.clone(),
                transition: change.transition.to_string(),
                version: None,
                packets_waiting: 0,
                last_left_ns: None,
                refused: None,
            };
            if let Some(no) = refused.next_if(|no| no.number == number) {
                report.packets_waiting = no.waiting;
                report.refused = Some(no.why.to_string());
            } else if let Some(record) = made.next() {
                report.version = Some(record.version);
                report.packets_waiting = record.waiting;
                report.last_left_ns = record.done.map(|time| time.as_ps() as f64 / 1e3);
            }
            report
        })
        .collect()
}
