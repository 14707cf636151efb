//! A policy as C: the core that every C host includes.
//!
//! Some files are generated for the policy: sizes and tables, state, orders of packets, and rules. One is generated for the mapping, which
//! gives the sources of fields. The others are the same for all policies, and are stored in this folder.

mod choices;
mod classifier;
mod comparators;
mod conditions;
mod constants;
mod expressions;
mod fields;
mod functions;
pub(crate) mod layout;
mod orders;
pub(crate) mod routines;
mod scope;
mod tables;
mod value;
mod versions;
mod writer;

use crate::names::Names;
use crate::{File, Files, Refusal, TargetOptions, chosen_version, size, stages};
use forebay_lang::Policy;
use forebay_lang::ir::{Comparator, Read, is_proved};
use layout::Layout;
pub(crate) use versions::versions;

/// A policy, and the data from which its C is generated.
struct Model<'a> {
    policy: &'a Policy,
    layout: Layout,
    names: Names,
}

/// Returns the parts of a policy that cannot be expressed.
pub(crate) fn check(policy: &Policy, options: &TargetOptions) -> Vec<Refusal> {
    let no_room = Layout::new(policy, options).err().unwrap_or_default();
    let refused: Vec<Refusal> = beyond_c(policy, options).into_iter().chain(no_room).collect();
    // The size of a program that cannot be made does not matter.
    if refused.is_empty() { core(policy, options).err().unwrap_or_default() } else { refused }
}

/// Returns the parts of a policy that no C program can run, at any size.
fn beyond_c(policy: &Policy, options: &TargetOptions) -> Vec<Refusal> {
    let inner = options.mapping.inner().map(|(field, source)| Refusal {
        construct: format!("packet.{}", field.name()),
        reason: format!(
            "it comes from `{source}`, inside a tunnel, and programs in C see the outer headers only; use an outer \
             header, or run `forebay switch`"
        ),
    });
    unproved_orders(policy)
        .into_iter()
        .chain(inner)
        .chain(chosen_version::refused(policy))
        .chain(stages::refused(policy))
        .chain(routines::without_name(policy))
        .collect()
}

/// Returns a reason for rejection for each queue with a heap whose comparator is not proved to be an order. A heap does not compare all
/// pairs, so it might choose other packets than the reference engine.
fn unproved_orders(policy: &Policy) -> Vec<Refusal> {
    let is_unproved = |order: &&Comparator| order.keys.is_none() && !is_proved(&order.before);
    let of_queues = policy.queues.iter().flat_map(|queue| {
        let orders = [&queue.processing, &queue.admission];
        orders.into_iter().filter(is_unproved).map(|order| Refusal {
            construct: format!("order {} of queue {}", order.name, queue.name),
            reason: "packets are kept in a heap, and this comparator is not proved to be an order; compare one number \
                     of each packet, and further numbers among equals, or ratios with a denominator above 0"
                .to_owned(),
        })
    });
    of_queues.collect()
}

/// Returns the core of a policy.
pub(crate) fn core(policy: &Policy, options: &TargetOptions) -> Result<Files, Vec<Refusal>> {
    let beyond = beyond_c(policy, options);
    if !beyond.is_empty() {
        return Err(beyond);
    }
    let model = Model { policy, layout: Layout::new(policy, options)?, names: Names::new(policy) };
    let fixed = [
        ("oq_base.h", include_str!("base.h")),
        ("oq_division.h", include_str!("division.h")),
        ("oq_numbers.h", include_str!("numbers.h")),
        ("oq_interface.h", include_str!("interface.h")),
        ("oq_packets.h", include_str!("packets.h")),
        ("oq_waiting.h", include_str!("waiting.h")),
        ("oq_core.h", include_str!("core.h")),
        ("oq_headers.h", include_str!("headers.h")),
        ("oq_marking.h", include_str!("marking.h")),
    ];
    let made = [
        File { name: "oq_sizes.h", text: tables::sizes(&model, options) },
        File { name: "oq_state.h", text: orders::state(&model) },
        File { name: "oq_orders.h", text: orders::orders(&model) },
        File { name: "oq_rules.h", text: conditions::rules(&model) },
        File { name: "oq_fields.h", text: fields::fields(policy, &options.mapping) },
    ];
    let declared =
        (!policy.routines.is_empty()).then(|| File { name: "oq_routines.h", text: routines::prototypes(policy) });
    match size::refused(&made) {
        Some(refused) => Err(vec![refused]),
        None => Ok(fixed_files(&fixed, policy).chain(made).chain(declared).collect()),
    }
}

/// Whether some packets are ordered by marks that the policy writes itself.
fn sorts_marks(policy: &Policy) -> bool {
    let mut found = false;
    let orders = policy.queues.iter().flat_map(|queue| [&queue.processing, &queue.admission]);
    for order in orders.filter(|_| policy.marks()) {
        order.before.reads(&mut |read| found |= matches!(read, Read::Packet(_, field) if field.is_flag()));
    }
    found
}

/// Files that are the same for all policies, except for parts that only some policies need. Such a part stands between an `#ifdef`
/// and the next `#endif`. `OQ_PARAMETERS` is for live parameters, `OQ_SUMS_PROCESSING` for sums of processing, `OQ_SORTS_MARKS`
/// for orders by marks that the policy writes, and `OQ_ROUTINES` for actions of a program.
pub(crate) fn fixed_files(files: &[(&'static str, &str)], policy: &Policy) -> impl Iterator<Item = File> {
    let (parameters, sums) = (!policy.parameters.is_empty(), policy.sums_processing());
    let (sorts_marks, routines) = (sorts_marks(policy), !policy.routines.is_empty());
    let is_absent = move |line: &str| match line.trim_end() {
        "#ifdef OQ_PARAMETERS" => !parameters,
        "#ifdef OQ_SUMS_PROCESSING" => !sums,
        "#ifdef OQ_SORTS_MARKS" => !sorts_marks,
        "#ifdef OQ_ROUTINES" => !routines,
        _ => false,
    };
    files.iter().map(move |&(name, text)| {
        let mut kept = true;
        let is_kept = |line: &&str| {
            let ends = !kept && line.trim_end() == "#endif";
            kept = (kept && !is_absent(line)) || ends;
            kept && !ends
        };
        File { name, text: text.split_inclusive('\n').filter(is_kept).collect() }
    })
}
