//! Policies for switches with strict-priority queues: as P4_16 for v1model, and as a specification for DPDK's pipeline.
//!
//! A policy with one queue gives packets ranks, and SP-PIFO (Alcoz, Dietmueller, Vanbever, NSDI'20) chooses their queues. A
//! policy with several FIFO queues, served in a fixed order, chooses them itself. A [`Plan`] says what is computed;
//! the languages write it down.

mod encapsulations;
mod fields;
mod headers;
mod known_values;
mod model;
mod numbers;
mod parser;
mod pipeline;
mod pipeline_encapsulations;
mod pipeline_parser;
mod plan;
mod program;
mod queues;
mod rank;
mod stages;
mod stateful;
mod steps;
mod switch_rank;
mod text;
mod tna;

pub use model::Ranks;
pub use switch_rank::SwitchRank;

use crate::headers::Field;
use crate::{File, Files, Refusal, TargetOptions, size};
use forebay_lang::Policy;
use plan::Plan;
use steps::{Input, Step};

/// A property that is lost, or left to the program's user: the construct, and the reason.
type Note = Refusal;

/// Returns the queues of a policy, as indices, in the fixed order in which a switch serves them.
#[must_use]
pub fn served_in_order(policy: &Policy) -> Vec<usize> {
    queues::order(policy, &mut |_, _| {})
}

/// The parts of a policy that cannot be expressed.
pub(crate) fn check(policy: &Policy, options: &TargetOptions) -> Vec<Refusal> {
    emit(policy, options).err().unwrap_or_default()
}

/// What a program does not keep, or leaves to the switch.
pub(crate) fn notes(policy: &Policy, options: &TargetOptions) -> Vec<Refusal> {
    let Ok(plan) = Plan::new(policy, options) else { return Vec::new() };
    let mut notes = plan.notes.clone();
    notes.push(stages::note(&plan, options));
    if options.switch.is_tna {
        notes.push(Note {
            construct: "policy_tna.p4".to_owned(),
            reason: "was never compiled: no compiler for Tofino was available; its parser sees IP behind one VLAN tag at most, and IPv4 \
                     without options"
                .to_owned(),
        });
        return notes;
    }
    notes.extend(beyond_program(&plan));
    notes.extend(beyond_pipeline(&plan).map(|input| Note {
        construct: "policy.spec".to_owned(),
        reason: format!("is not generated: DPDK's pipeline does not know {input}"),
    }));
    notes
}

/// What P4's v1model has no room for.
fn beyond_program(plan: &Plan) -> Option<Note> {
    let (most, queues) = (program::MOST_PRIORITIES, plan.queues);
    (queues > most).then(|| Note {
        construct: "policy.p4".to_owned(),
        reason: format!("leaves the queue in `meta.queue`: v1model's priority has room for {most}, not {queues}"),
    })
}

/// An input of a plan that DPDK's pipeline does not give its program.
fn beyond_pipeline(plan: &Plan) -> Option<&'static str> {
    if plan.stateful.is_some() {
        return Some("when a packet leaves");
    }
    plan.steps.all().iter().find_map(|step| match step {
        Step::Input(Input::Size) => Some("a packet's size"),
        Step::Input(Input::Arrival) => Some("the time"),
        _ => None,
    })
}

/// The programs of a policy.
pub(crate) fn emit(policy: &Policy, options: &TargetOptions) -> Result<Files, Vec<Refusal>> {
    let plan = Plan::new(policy, options)?;
    let mut refusals = stages::refusals(&plan, options);
    let needs = headers::Needs::of(&options.mapping, plan.fields());
    if plan.stateful == Some(SwitchRank::FifoPlus)
        && !stateful::is_in_one_piece(options.mapping.source(Field::Slack), &needs)
    {
        refusals.push(Refusal {
            construct: "--rank fifo-plus".to_owned(),
            reason: "another field overlaps the slack, which each hop rewrites; give fields that do not overlap"
                .to_owned(),
        });
    }
    if options.switch.is_tna {
        refusals.extend(tna::refusals(&plan, options));
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    if options.switch.is_tna {
        let files = vec![File { name: "policy_tna.p4", text: tna::program(&plan, options) }];
        return size::refused(&files).map_or(Ok(files), |refused| Err(vec![refused]));
    }
    let mut files = vec![File { name: "policy.p4", text: program::program(&plan, options) }];
    let has_pipeline = beyond_pipeline(&plan).is_none();
    if has_pipeline {
        files.push(File { name: "policy.spec", text: pipeline::specification(&plan, options) });
    }
    if let Some(refused) = size::refused(&files) {
        return Err(vec![refused]);
    }
    if has_pipeline {
        files.push(File { name: "main.c", text: include_str!("main.c").to_owned() });
        files.push(File { name: "Makefile", text: include_str!("Makefile").to_owned() });
    }
    Ok(files)
}
