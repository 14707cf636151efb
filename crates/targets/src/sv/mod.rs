//! Policies as synthesisable SystemVerilog: `policy.sv`, made of files that are the same for all policies (`rtl/policy`
//! and a queue block) and of files that are made for the policy.

mod block;
mod choices;
mod division;
mod fields;
mod fixed_files;
mod front;
mod hardware;
mod intervals;
mod layout;
mod model;
mod net;
mod numbers;
#[cfg(test)]
mod numbers_at_edges_tests;
#[cfg(test)]
mod numbers_tests;
mod owners;
mod package;
mod pair;
mod pipeline;
mod ranks;
#[cfg(test)]
mod ranks_tests;
mod readme;
mod requested_hardware;
mod rules;
mod same_queues;
mod scope;
mod shape;
#[cfg(test)]
mod simulated_tests;
mod state_ranges;
mod states;
mod tables;
mod text;
mod top;
mod victims;
mod wires;

use crate::names::Names;
use crate::{File, Files, Refusal, TargetOptions, size};
use fields::Fields;
use forebay_lang::Policy;
use intervals::Intervals;
use layout::Layout;
use shape::Shape;
use victims::Victim;

pub use hardware::{FieldBits, Hardware, QueueBlock, TooWide, UnknownBlock, Width, WidthError};
pub use pair::{as_run_pair, check_pair, emit_pair, notes_pair};
pub use requested_hardware::Asked;
pub use shape::MOST_OBJECTS;

/// The parts of a policy that hardware cannot run.
pub(crate) fn check(policy: &Policy, options: &TargetOptions) -> Vec<Refusal> {
    emit(policy, options).err().unwrap_or_default()
}

/// What hardware does not keep.
pub(crate) fn notes(policy: &Policy, options: &TargetOptions) -> Vec<Refusal> {
    Shape::new(policy, options).map_or_else(|_| Vec::new(), |shape| shape.notes())
}

/// The hardware of a policy.
pub(crate) fn emit(policy: &Policy, options: &TargetOptions) -> Result<Files, Vec<Refusal>> {
    let shape = Shape::new(policy, options)?;
    let (fields, names) = (Fields::new(&shape), Names::new(policy));
    let wide = |wrong| shape::refused(policy, "the policy".to_owned(), &wrong);
    let (front, cycles) = front::front(&shape, &fields, &names).map_err(wide)?;
    let intervals = Intervals::new(&shape);
    let layout = Layout::new(&shape, &fields, cycles, intervals);
    let made = fixed_files::Made {
        package: File { name: "policy_pkg.sv", text: package::package(&shape, &fields) },
        rules: File { name: "policy_rules.sv", text: rules::rules(&shape, &names).map_err(wide)? },
        front: File { name: "policy_front.sv", text: front },
        top: File { name: "policy.sv", text: top::top(&shape) },
    };
    if let Some(refused) = size::refused(made.files()) {
        return Err(vec![refused]);
    }
    let mut files = fixed_files::sources(shape.block, made);
    files.extend([
        File { name: "policy.f", text: top::list(&files) },
        File { name: "README.md", text: readme::of_one(&shape, &layout, cycles, intervals) },
        File { name: "policy_layout.py", text: layout.python() },
        File { name: "policy_layout.h", text: layout.header() },
    ]);
    files.extend(bench(&["policy_control"]));
    Ok(files)
}

/// The programs that play operations on the hardware, of which `controls` say whether something is decided.
fn bench(controls: &[&str]) -> [File; 4] {
    let watched = controls.iter().map(|module| format!("public_flat_rd -module \"{module}\" -var \"at_q\"\n"));
    [
        File { name: "test_policy.py", text: include_str!("test_policy.py").to_owned() },
        File { name: "play.cpp", text: include_str!("play.cpp").to_owned() },
        File { name: "play.vlt", text: format!("`verilator_config\n{}", watched.collect::<String>()) },
        File { name: "Makefile", text: include_str!("Makefile").to_owned() },
    ]
}

/// Returns the policy that the hardware of a policy runs: the given one, except for orders that lose bits.
///
/// # Errors
/// If hardware cannot run the policy. The error has the reasons.
pub fn as_run(policy: &Policy, options: &TargetOptions) -> Result<Policy, Vec<Refusal>> {
    Ok(cut(&Shape::new(policy, options)?))
}

/// A policy with orders of as many bits as its hardware has.
fn cut(shape: &Shape<'_>) -> Policy {
    let mut run = shape.model.policy.clone();
    for ((queue, ranking), victim) in run.queues.iter_mut().zip(&shape.rankings).zip(&shape.victims) {
        if ranking.is_exact() {
            continue;
        }
        queue.processing = ranking.comparator(&queue.processing.name, false);
        if *victim == Victim::Reverse {
            queue.admission = ranking.comparator(&queue.admission.name, true);
        }
    }
    run
}
