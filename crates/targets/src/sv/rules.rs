//! `policy_rules.sv`: when a policy acts, what it does then, and which queue it serves or drops from.

use super::choices::choice;
use super::net::{Id, Net, Op, TooWide};
use super::numbers::{Numbers, Value, Wrong};
use super::owners::{Owner, modified};
use super::scope::Reads;
use super::shape::Shape;
use super::states::Kind;
use super::tables::tables;
use super::text::Text;
use super::wires::{bit, number, wires};
use crate::names::Names;
use forebay_lang::Ratio;
use forebay_lang::ir::{Action, Condition};

/// The result of a drop with a probability: `chance_o`.
enum Chance {
    Known(String),
    /// Whether it is sure, and the probability in units of 1/65,536, at most 65,535.
    Asked {
        sure: Id,
        units: Id,
    },
}

/// An action, of which the numbers are known.
enum Step {
    Drop(Chance),
    Mark,
    Notify,
    /// The state, and its number.
    Modify {
        target: String,
        kind: Kind,
        value: Id,
    },
}

/// A case.
struct Case {
    about: String,
    holds: Id,
    /// Whether its condition holds and its drops go on.
    again: Id,
    steps: Vec<Step>,
}

/// A condition, of all objects that have the same.
struct Group {
    owner: Owner,
    among: Vec<usize>,
    about: String,
    cases: Vec<Case>,
}

/// `policy_rules.sv`
pub(super) fn rules(shape: &Shape<'_>, names: &Names) -> Result<String, Wrong> {
    let mut net = Net::default();
    let groups = groups(shape, names, &mut net)?;
    let mut wanted: Vec<Id> = Vec::new();
    for case in groups.iter().flat_map(|group| &group.cases) {
        wanted.extend([case.holds, case.again]);
        for step in &case.steps {
            match step {
                Step::Drop(Chance::Asked { sure, units }) => wanted.extend([*sure, *units]),
                Step::Modify { value, .. } => wanted.push(*value),
                Step::Drop(Chance::Known(_)) | Step::Mark | Step::Notify => {}
            }
        }
    }
    let mut ends = Text::default();
    ends.deeper();
    served(&mut ends, shape, &mut net, &mut wanted)?;
    dropped(&mut ends, shape, &mut net, &mut wanted)?;
    let mut body = Text::default();
    body.deeper();
    wires(&mut body, &net, &wanted);
    body.line("");
    groups.iter().enumerate().for_each(|(place, group)| mask(&mut body, place, group, shape));
    treated(&mut body, &groups, &net, shape);
    let all = format!("{}{}", body.text().trim_start_matches('\n'), ends.text());
    let mut out = Text::default();
    head(&mut out);
    tables(&mut out, shape, &all);
    if all.contains("buffer_index") {
        out.line("  logic [BufferWidth-1:0] buffer_index;");
        out.line("  assign buffer_index = BufferOf[queue_i];");
        out.line("");
    }
    Ok(format!("{}{all}\nendmodule\n/* verilator lint_on UNUSEDSIGNAL */\n", out.text()))
}

fn head(out: &mut Text) {
    out.comment(
        "The rules of the policy: conditions, actions, and which queue is served or dropped from.\n\
         Source: docs/openqueue-semantics.md, sections 3, 4, 6 and 7. Made by forebay for one policy.\n\
         Latency: none, all is combinational. Numbers are exact, then rounded down to 1/65,536 and cut.",
    );
    out.line("");
    out.comment("A policy reads some of the ports.");
    out.line("/* verilator lint_off UNUSEDSIGNAL */");
    out.open("module policy_rules");
    out.line("import policy_pkg::*;");
    out.back();
    let ports = [
        "input  owner_e                              owner_i",
        "input  logic [QueueWidth-1:0]               queue_i",
        "input  logic [PortWidth-1:0]                port_i",
        "input  fields_t                             fields_i",
        "input  logic                                present_i",
        "input  logic [CaseWidth-1:0]                case_i",
        "input  logic [StepWidth-1:0]                step_i",
        "input  logic [Queues-1:0][CountWidth-1:0]   queue_count_i",
        "input  logic [Buffers-1:0][CountWidth-1:0]  buffer_count_i",
        "input  logic [Queues-1:0][SumWidth-1:0]     queue_work_i",
        "input  logic [Queues-1:0]                   queue_packets_i",
        "input  state_t                              state_i",
        "input  logic [Parameters-1:0][63:0]         param_i",
        "input  logic [TimeWidth-1:0]                now_i",
        "output logic                                case_valid_o",
        "output logic [CaseWidth-1:0]                case_o",
        "output logic                                last_o",
        "output action_e                             action_o",
        "output logic [64:0]                         chance_o",
        "output logic                                again_o",
        "output state_t                              state_o",
        "output logic [QueueWidth-1:0]               victim_queue_o",
        "output logic                                next_valid_o",
        "output logic [QueueWidth-1:0]               next_queue_o",
    ];
    out.ports(&ports);
}

/// All conditions, those of objects with the same together.
fn groups(shape: &Shape<'_>, names: &Names, net: &mut Net) -> Result<Vec<Group>, Wrong> {
    let policy = shape.model.policy;
    let mut groups = Vec::new();
    for owner in Owner::ALL {
        let conditions = owner.conditions(policy);
        for (first, condition) in conditions.iter().enumerate() {
            if condition.cases.is_empty() || conditions[..first].contains(condition) {
                continue;
            }
            let among: Vec<usize> = (first..conditions.len()).filter(|id| conditions[*id] == *condition).collect();
            let reads = owner.reads(&shape.model, &among);
            let cases = cases(condition, &reads, names, net)?;
            let of: Vec<String> = among.iter().map(|id| owner.called(policy, *id)).collect();
            groups.push(Group { owner, about: of.join("; "), among, cases });
        }
    }
    Ok(groups)
}

fn cases(condition: &Condition, reads: &Reads<'_>, names: &Names, net: &mut Net) -> Result<Vec<Case>, Wrong> {
    let mut cases = Vec::new();
    for case in &condition.cases {
        let holds = Numbers { net, scope: reads }.truth(&case.when)?;
        let actions: Vec<String> = case.actions.iter().map(ToString::to_string).collect();
        let about = names.in_text(&format!("({}, {})", case.when, actions.join(", ")));
        let again = if !case.can_be_lifted() {
            net.number(0)
        } else if case.is_about_arriving() {
            let present = net.input("present_i", false, super::net::Range::new(0, 1));
            net.add(Op::And(holds, present)).map_err(|_| Wrong::TooWide(about.clone()))?
        } else {
            holds
        };
        let mut steps = Vec::new();
        for action in &case.actions {
            steps.push(step(action, reads, net)?);
        }
        cases.push(Case { about, holds, again, steps });
    }
    Ok(cases)
}

fn step(action: &Action, reads: &Reads<'_>, net: &mut Net) -> Result<Step, Wrong> {
    let wide = |_: TooWide| Wrong::TooWide(action.to_string());
    let mut numbers = Numbers { net, scope: reads };
    Ok(match action {
        Action::Drop(probability) => Step::Drop(match numbers.number(probability)? {
            Value::Known(probability) => Chance::Known(threshold(probability)),
            value => {
                let units = numbers.units(value).map_err(wide)?;
                let (zero, most) = (net.number(0), net.number(65_535));
                let sure = net.add(Op::Less(most, units)).map_err(wide)?;
                let units = net.add(Op::Max(units, zero)).map_err(wide)?;
                Chance::Asked { sure, units: net.add(Op::Min(units, most)).map_err(wide)? }
            }
        }),
        // What declares an action of its own is refused.
        Action::Mark | Action::Call(..) => Step::Mark,
        Action::Notify => Step::Notify,
        Action::Modify(state, value) => {
            let value = numbers.number(value)?;
            let model = reads.model;
            let (Some(kind), Some(of)) = (Kind::of(*state), modified(reads, *state)) else {
                return Ok(Step::Mark);
            };
            let is_whole = model.states.of(kind).is_some_and(|all| all.whole);
            let value = if is_whole { numbers.whole(value).ok_or(TooWide) } else { numbers.units(value) };
            Step::Modify { target: format!("{}[{}]", kind.member(), of.text), kind, value: value.map_err(wide)? }
        }
    })
}

/// A draw from 0 to 2^64 - 1 below this is a drop.
fn threshold(probability: Ratio) -> String {
    if probability >= Ratio::ONE {
        return "{1'b1, 64'd0}".to_owned();
    }
    if probability <= Ratio::ZERO {
        return "65'd0".to_owned();
    }
    let below = ((probability.numer() << 64) + probability.denom() - 1) / probability.denom();
    format!("65'h{below:x}")
}

/// Which objects a condition is of, where others have another one.
fn mask(out: &mut Text, place: usize, group: &Group, shape: &Shape<'_>) {
    let all = group.owner.conditions(shape.model.policy).len();
    if group.among.len() == all {
        return;
    }
    let bits: String = (0..all.max(1)).rev().map(|id| if group.among.contains(&id) { '1' } else { '0' }).collect();
    out.line(&format!("localparam logic [{}:0] Group{place} = {}'b{bits};", all.max(1) - 1, all.max(1)));
}

/// The conditions.
fn treated(out: &mut Text, groups: &[Group], net: &Net, shape: &Shape<'_>) {
    let name = |id: Id| format!("n{}", id.0);
    out.line("");
    out.open("always_comb begin");
    out.lines(
        &[
            "case_valid_o = 1'b0;",
            "case_o = '0;",
            "again_o = 1'b0;",
            "last_o = 1'b1;",
            "action_o = ActionDrop;",
            "chance_o = '0;",
            "state_o = state_i;",
        ]
        .map(str::to_owned),
    );
    for (place, group) in groups.iter().enumerate() {
        let all = group.owner.conditions(shape.model.policy).len();
        let of =
            if group.among.len() == all { String::new() } else { format!(" && Group{place}[{}]", group.owner.index()) };
        out.comment(&group.about);
        out.open(&format!("if (owner_i == {}{of}) begin", group.owner.constant()));
        let mut otherwise = "";
        for (case, Case { about, holds, .. }) in group.cases.iter().enumerate() {
            out.comment(about);
            out.open(&format!("{otherwise}if ({}) begin", bit(net, *holds, &name)));
            out.line("case_valid_o = 1'b1;");
            out.line(&format!("case_o = {};", cast("CaseWidth", case)));
            out.close("end");
            otherwise = "else ";
        }
        out.open("case (case_i)");
        for (place, case) in group.cases.iter().enumerate() {
            out.open(&format!("{}: begin", cast("CaseWidth", place)));
            out.line(&format!("again_o = {};", bit(net, case.again, &name)));
            out.open("case (step_i)");
            for (place, step) in case.steps.iter().enumerate() {
                out.open(&format!("{}: begin", cast("StepWidth", place)));
                out.line("last_o = 1'b0;");
                out.lines(&acts(step, net, shape, &name));
                out.close("end");
            }
            out.line("default: ;");
            out.close("endcase");
            out.close("end");
        }
        out.line("default: ;");
        out.close("endcase");
        out.close("end");
    }
    out.close("end");
}

fn cast(width: &str, value: usize) -> String {
    format!("{width}'({value})")
}

fn acts(step: &Step, net: &Net, shape: &Shape<'_>, name: &dyn Fn(Id) -> String) -> Vec<String> {
    match step {
        Step::Drop(Chance::Known(chance)) => vec!["action_o = ActionDrop;".to_owned(), format!("chance_o = {chance};")],
        Step::Drop(Chance::Asked { sure, units }) => vec![
            "action_o = ActionDrop;".to_owned(),
            format!("chance_o = {{{}, 16'({}), 48'd0}};", bit(net, *sure, name), number(net, *units, 17, name)),
        ],
        Step::Mark => vec!["action_o = ActionMark;".to_owned()],
        Step::Notify => vec!["action_o = ActionNotify;".to_owned()],
        Step::Modify { target, kind, value } => {
            let bits = shape.model.states.bits(*kind).unwrap_or(1);
            vec![
                "action_o = ActionModify;".to_owned(),
                format!("state_o.{target} = {};", number(net, *value, bits, name)),
            ]
        }
    }
}

/// Which queue each port serves.
fn served(out: &mut Text, shape: &Shape<'_>, net: &mut Net, wanted: &mut Vec<Id>) -> Result<(), Wrong> {
    let policy = shape.model.policy;
    out.line("");
    out.open("always_comb begin");
    out.line("next_valid_o = 1'b0;");
    out.line("next_queue_o = '0;");
    out.open("case (port_i)");
    for (id, port) in policy.ports.iter().enumerate() {
        let wide = |_: TooWide| Wrong::TooWide(port.scheduling.name.clone());
        let choice = choice(net, &port.queues, &port.scheduling, &shape.model).map_err(wide)?;
        wanted.extend([choice.valid, choice.queue]);
        let name = |id: Id| format!("n{}", id.0);
        let queue = number(net, choice.queue, net.range(choice.queue).bits(), &name);
        out.open(&format!("{}: begin", cast("PortWidth", id)));
        out.line(&format!("next_valid_o = {};", bit(net, choice.valid, &name)));
        out.line(&format!("next_queue_o = QueueWidth'({queue});"));
        out.close("end");
    }
    out.line("default: ;");
    out.close("endcase");
    out.close("end");
    Ok(())
}

/// Which queue each buffer drops from.
fn dropped(out: &mut Text, shape: &Shape<'_>, net: &mut Net, wanted: &mut Vec<Id>) -> Result<(), Wrong> {
    let policy = shape.model.policy;
    out.line("");
    if policy.buffers.iter().all(|buffer| buffer.admission.is_none()) {
        out.line("assign victim_queue_o = queue_i;");
        return Ok(());
    }
    out.open("always_comb begin");
    out.line("victim_queue_o = queue_i;");
    out.open("case (buffer_index)");
    for (id, buffer) in policy.buffers.iter().enumerate() {
        let Some(order) = &buffer.admission else { continue };
        let wide = |_: TooWide| Wrong::TooWide(order.name.clone());
        let choice = choice(net, &buffer.queues, order, &shape.model).map_err(wide)?;
        wanted.push(choice.queue);
        let queue = number(net, choice.queue, net.range(choice.queue).bits(), &|id| format!("n{}", id.0));
        out.line(&format!("{}: victim_queue_o = QueueWidth'({queue});", cast("BufferWidth", id)));
    }
    out.line("default: ;");
    out.close("endcase");
    out.close("end");
    Ok(())
}
