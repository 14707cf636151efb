//! A plan in P4_16 for v1model.

use super::headers::Needs;
use super::plan::{Choice, Plan};
use super::rank::{Drift, Rank};
use super::steps::{Input, Operand, Step, Test};
use super::switch_rank::SwitchRank;
use super::text::Text;
use super::{fields, parser, stateful};
use crate::TargetOptions;

/// The numbers that v1model's `priority` has.
pub(super) const MOST_PRIORITIES: usize = 8;

/// Ports that a packet can leave by: `egress_spec` has 9 bits.
const PORTS: u16 = 512;

/// The program.
pub(super) fn program(plan: &Plan, options: &TargetOptions) -> String {
    let needs = Needs::of(&options.mapping, plan.fields());
    let mut text = Text::default();
    about(&mut text, plan, options);
    text.lines(&["#include <core.p4>", "#include <v1model.p4>", ""]);
    parser::types(&mut text, &needs);
    text.line("");
    text.block("struct metadata_t", |text| {
        text.line("// The queue that the packet goes to; 0 is served first.");
        text.line("bit<8> queue;");
        parser::metadata(text, &needs);
        if let (Choice::Rank(_), true) = (&plan.choice, options.switch.resubmit) {
            text.line("// By how much bounds have to sink in the packet's second pass.");
            text.line(&format!("@field_list(1) bit<{}> cost;", options.switch.rank_bits));
        }
        if let Some(kept) = plan.stateful {
            text.line("// Its metadata until it departs.");
            stateful::metadata(text, kept, options);
        }
    });
    text.line("");
    if let Some(kept) = plan.stateful {
        stateful::registers(&mut text, kept, options.switch.rank_bits);
    }
    parser::parser(&mut text, &needs);
    text.line("");
    nothing(&mut text, "control PolicyVerify(inout headers_t hdr, inout metadata_t meta)");
    ingress(&mut text, plan, options, &needs);
    text.line("");
    let head = "control PolicyEgress(inout headers_t hdr, inout metadata_t meta,\n                     \
                inout standard_metadata_t standard_metadata)";
    match plan.stateful {
        None => nothing(&mut text, head),
        Some(kept) => {
            text.block(head, |text| {
                text.block("apply", |text| stateful::egress(text, kept, options, &needs));
            });
            text.line("");
        }
    }
    nothing(&mut text, "control PolicyChecksums(inout headers_t hdr, inout metadata_t meta)");
    parser::deparser(&mut text, &needs);
    text.line("");
    text.line("V1Switch(PolicyParser(), PolicyVerify(), PolicyIngress(), PolicyEgress(), PolicyChecksums(), PolicyDeparser()) main;");
    text.finish()
}

fn about(text: &mut Text, plan: &Plan, options: &TargetOptions) {
    text.line("// A policy in OpenQueue for a switch with strict-priority queues, made by forebay: P4_16 for v1model.");
    text.line("//");
    match plan.choice {
        Choice::Rank(_) => text.line("// Queues are found by SP-PIFO (Alcoz, Dietmueller, Vanbever, NSDI'20)."),
        Choice::Class => text.line("// Each queue of the policy is one of the switch."),
    }
    text.line(&format!(
        "// Run it with {} priority queues at each port (simple_switch: --priority-queues {}).",
        plan.queues, plan.queues
    ));
    if options.switch.resubmit && matches!(plan.choice, Choice::Rank(_)) {
        text.line(
            "// A packet reads and writes a register once in each pass; one that arrives below all bounds has a \
                   second pass.",
        );
    }
    for note in plan.notes.iter().chain(&super::beyond_program(plan)) {
        text.line(&format!("// Note: {note}."));
    }
    text.line("");
}

fn nothing(text: &mut Text, head: &str) {
    text.block(head, |text| text.block("apply", |_| {}));
    text.line("");
}

fn ingress(text: &mut Text, plan: &Plan, options: &TargetOptions, needs: &Needs) {
    let bits = options.switch.rank_bits;
    let head = "control PolicyIngress(inout headers_t hdr, inout metadata_t meta,\n                      \
                inout standard_metadata_t standard_metadata)";
    text.block(head, |text| {
        if let Choice::Rank(_) = plan.choice {
            text.line("// The lowest rank that each queue is meant for, at each port.");
            (0..plan.queues).for_each(|queue| text.line(&format!("register<bit<{bits}>>({PORTS}) bound_{queue};")));
            text.line("");
        }
        text.block("action send(bit<9> port)", |text| text.line("standard_metadata.egress_spec = port;"));
        text.block("action refuse()", |text| text.line("mark_to_drop(standard_metadata);"));
        text.block("table forward", |text| {
            text.block("key =", |text| text.line("hdr.ethernet.destination: exact;"));
            text.block("actions =", |text| text.lines(&["send;", "refuse;"]));
            text.lines(&["default_action = refuse();", "size = 1024;"]);
        });
        text.line("");
        text.block("apply", |text| {
            text.line("meta.queue = 0;");
            text.line("// An entry may also drop a packet: such a packet moves no bounds.");
            text.block("switch (forward.apply().action_run)", |text| {
                text.block("send:", |text| chosen(text, plan, options, needs));
            });
        });
    });
}

/// The path of a packet that has a port.
fn chosen(text: &mut Text, plan: &Plan, options: &TargetOptions, needs: &Needs) {
    let bits = options.switch.rank_bits;
    match &plan.choice {
        Choice::Class => {
            steps(text, plan, options, needs);
            classes(text, plan, &|text, place| text.line(&format!("meta.queue = {place};")));
        }
        Choice::Rank(rank) => {
            text.line("bit<32> port = (bit<32>)standard_metadata.egress_spec;");
            if options.switch.resubmit {
                text.line("// 6: it has been resubmitted.");
                text.block("if (standard_metadata.instance_type == 6)", |text| {
                    second_pass(text, plan.queues, bits, *rank);
                });
                text.block("else", |text| first_pass(text, plan, *rank, options, needs));
            } else {
                first_pass(text, plan, *rank, options, needs);
            }
        }
    }
    priority(text, plan.queues);
}

/// The queue as v1model has it: the greatest number is served first.
fn priority(text: &mut Text, queues: usize) {
    if queues <= MOST_PRIORITIES {
        text.line(&format!("standard_metadata.priority = (bit<3>)({} - meta.queue);", queues - 1));
    } else {
        text.line("// Here a switch with so many queues takes the number from meta.queue.");
    }
}

fn first_pass(text: &mut Text, plan: &Plan, rank: Rank, options: &TargetOptions, needs: &Needs) {
    steps(text, plan, options, needs);
    let scan = |text: &mut Text| {
        ranked(text, plan, rank, options);
        scan(text, plan.queues, rank, options);
    };
    if plan.takes_all() {
        scan(text);
    } else {
        classes(text, plan, &|text, _| scan(text));
    }
}

/// The first case that holds, or none.
pub(super) fn classes(text: &mut Text, plan: &Plan, enter: &dyn Fn(&mut Text, usize)) {
    let mut otherwise = "";
    for case in &plan.cases {
        let head = match &case.when {
            Test::Known(true) if otherwise.is_empty() => "if (true)".to_owned(),
            Test::Known(true) => "else".to_owned(),
            when => format!("{otherwise}if ({})", condition(when)),
        };
        text.block(&head, |text| match case.place {
            Some(place) => enter(text, place),
            None => text.line("refuse();"),
        });
        if case.when == Test::Known(true) {
            return;
        }
        otherwise = "else ";
    }
    match otherwise {
        "" => text.line("refuse();"),
        _ => text.block("else", |text| text.line("refuse();")),
    }
}

/// The packet's rank.
fn ranked(text: &mut Text, plan: &Plan, rank: Rank, options: &TargetOptions) {
    let bits = options.switch.rank_bits;
    let [first, second] = plan.reads.map(operand);
    match plan.stateful {
        Some(SwitchRank::Stfq) => return stateful::stfq(text, bits, &first, &second),
        Some(SwitchRank::FifoPlus) => {
            text.lines(&[&format!("meta.slack = {first};"), &format!("meta.class = (bit<32>){second};")]);
        }
        None => {}
    }
    text.line(&format!("bit<{bits}> rank = (bit<{bits}>){};", operand(rank.value)));
}

/// Finds the queue, from the last one upward, and moves the bounds.
fn scan(text: &mut Text, queues: usize, rank: Rank, options: &TargetOptions) {
    let bits = options.switch.rank_bits;
    let reached = reached(rank);
    text.line(&format!("bit<{bits}> bound;"));
    text.line("bool found = false;");
    for queue in (0..queues).rev() {
        let one = |text: &mut Text| {
            text.line(&format!("bound_{queue}.read(bound, port);"));
            if queue == 0 && options.switch.resubmit {
                text.line("bound_0.write(port, rank);");
                text.block(&format!("if (!({reached}))"), |text| {
                    text.line("// Push-down: the other bounds sink in a second pass.");
                    text.line("meta.cost = bound - rank;");
                    text.line("resubmit_preserving_field_list(1);");
                });
                return;
            }
            text.block(&format!("if ({reached})"), |text| {
                text.line("// Push-up.");
                text.line(&format!("bound_{queue}.write(port, rank);"));
                text.line(&format!("meta.queue = {queue};"));
                text.line("found = true;");
            });
        };
        if queue + 1 == queues { one(text) } else { text.block("if (!found)", one) }
    }
    if !options.switch.resubmit {
        text.block("if (!found)", |text| {
            text.line("// Push-down: the packet is below all bounds, so they sink by how much.");
            text.line(&format!("bit<{bits}> cost = bound - rank;"));
            text.line("bound_0.write(port, rank);");
            for queue in 1..queues {
                text.line(&format!("bound_{queue}.read(bound, port);"));
                text.line(&format!("bound_{queue}.write(port, bound - cost);"));
            }
        });
    }
}

/// Whether the rank reaches the bound.
pub(super) fn reached(rank: Rank) -> String {
    match rank.drift {
        None => "bound <= rank".to_owned(),
        Some(Drift { rises: true, spread }) => format!("bound - rank - 1 >= {spread}"),
        Some(Drift { rises: false, spread }) => format!("rank - bound <= {spread}"),
    }
}

/// Lowers the bounds but the first, which has the packet's rank already.
fn second_pass(text: &mut Text, queues: usize, bits: u8, rank: Rank) {
    text.line(&format!("bit<{bits}> bound;"));
    for queue in 1..queues {
        text.line(&format!("bound_{queue}.read(bound, port);"));
        if rank.drift.is_some() {
            text.line("bound = bound - meta.cost;");
        } else {
            // Another packet may have lowered it meanwhile.
            text.block("if (bound < meta.cost)", |text| text.line("bound = 0;"));
            text.block("else", |text| text.line("bound = bound - meta.cost;"));
        }
        text.line(&format!("bound_{queue}.write(port, bound);"));
    }
}

pub(super) fn steps(text: &mut Text, plan: &Plan, options: &TargetOptions, needs: &Needs) {
    for (number, step) in plan.steps.all().iter().enumerate() {
        let name = operand(Operand::Step(number));
        let mut is = |value: String| text.line(&format!("bit<64> {name} = {value};"));
        match *step {
            Step::Input(Input::Field(field)) => {
                if let Some(source) = options.mapping.source(field) {
                    fields::read(text, &name, field, source, needs);
                }
            }
            Step::Input(Input::Size) => is("(bit<64>)standard_metadata.packet_length".to_owned()),
            Step::Input(Input::Arrival) => {
                // Microseconds.
                is("(bit<64>)standard_metadata.ingress_global_timestamp * 1000".to_owned());
            }
            Step::Add(one, other) => is(format!("{} + {}", operand(one), operand(other))),
            Step::Sub(one, other) => is(format!("{} - {}", operand(one), operand(other))),
            Step::And(one, mask) => is(format!("{} & {mask}", operand(one))),
            Step::Left(one, by) => is(format!("{} << {by}", operand(one))),
            Step::Right(one, by) => is(format!("{} >> {by}", operand(one))),
            Step::Least(one, other) | Step::Greatest(one, other) => {
                is(operand(one));
                let relation = if matches!(step, Step::Least(..)) { "<" } else { ">" };
                let head = format!("if ({} {relation} {name})", operand(other));
                text.block(&head, |text| text.line(&format!("{name} = {};", operand(other))));
            }
            Step::If(test, value) => {
                is("0".to_owned());
                let head = format!("if ({} != 0)", operand(test));
                text.block(&head, |text| text.line(&format!("{name} = {};", operand(value))));
            }
        }
    }
}

pub(super) fn operand(operand: Operand) -> String {
    match operand {
        Operand::Constant(number) => format!("64w{number}"),
        Operand::Step(number) => format!("n{number}"),
    }
}

fn condition(test: &Test) -> String {
    match test {
        Test::Known(known) => known.to_string(),
        Test::Compare(relation, one, other) => format!("{} {relation} {}", operand(*one), operand(*other)),
        Test::Not(test) => format!("!({})", condition(test)),
        Test::And(one, other) => format!("({}) && ({})", condition(one), condition(other)),
        Test::Or(one, other) => format!("({}) || ({})", condition(one), condition(other)),
    }
}
