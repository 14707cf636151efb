//! Two policies in one hardware, one of which replaces the other while packets wait (`docs/openqueue-semantics.md`, 8, drain).

use super::fields::Fields;
use super::fixed_files::{self, Made};
use super::intervals::Intervals;
use super::layout::Layout;
use super::model::{Beside, Model};
use super::owners::conditions;
use super::package::index_bits;
use super::same_queues::same_queues;
use super::shape::{Shape, refused};
use super::state_ranges::reached_states;
use super::states::{Kind, States};
use super::text::{Text, unsigned};
use super::{bench, cut, front, package, readme, rules, top};
use crate::c::layout::Layout as Places;
use crate::names::Names;
use crate::{File, Files, Refusal, TargetOptions, size};
use forebay_core::{BufferSize, Seed};
use forebay_lang::Policy;
use forebay_lang::ir::{PacketField, Read};

/// Returns the parts of two policies that hardware cannot run, if the second replaces the first, and back.
#[must_use]
pub fn check_pair(policies: [&Policy; 2], options: &TargetOptions) -> Vec<Refusal> {
    emit_pair(policies, options).err().unwrap_or_default()
}

/// Returns the properties of both policies that hardware loses.
#[must_use]
pub fn notes_pair(policies: [&Policy; 2], options: &TargetOptions) -> Vec<Refusal> {
    let options = both(options);
    let Ok([first, second]) = shapes(policies, &options) else { return Vec::new() };
    first.notes().into_iter().chain(second.notes().into_iter().map(of_replacement)).collect()
}

/// Returns the policies that the hardware of two policies runs: the given ones, except for orders that lose bits.
///
/// # Errors
/// If hardware cannot run the two policies. The error has the reasons.
pub fn as_run_pair(policies: [&Policy; 2], options: &TargetOptions) -> Result<[Policy; 2], Vec<Refusal>> {
    let options = both(options);
    Ok(shapes(policies, &options)?.map(|shape| cut(&shape)))
}

/// Returns the files of the hardware of two policies.
///
/// # Errors
/// If hardware cannot run the two policies. The error has the reasons.
pub fn emit_pair(policies: [&Policy; 2], options: &TargetOptions) -> Result<Files, Vec<Refusal>> {
    let options = both(options);
    let shapes = shapes(policies, &options)?;
    let mut fields = [Fields::new(&shapes[0]), Fields::new(&shapes[1])];
    // A packet brings what either of them reads.
    let arrives = |field: &PacketField| fields.iter().any(|fields| fields.arriving.contains(field));
    let arriving: Vec<PacketField> = PacketField::ALL.iter().copied().filter(arrives).collect();
    fields.iter_mut().for_each(|fields| fields.arriving.clone_from(&arriving));
    let (first, front) = made(&shapes[0], &fields[0], 0)?;
    let (second, other) = made(&shapes[1], &fields[1], 1).map_err(replacement)?;
    if let Some(refused) = size::refused(first.files().into_iter().chain(second.files())) {
        return Err(vec![refused]);
    }
    let cycles = [front, other];
    let between = [
        File { name: "policy_pair_pkg.sv", text: pair_package(&shapes) },
        File { name: "policy.sv", text: pair_top(&shapes) },
    ];
    let mut files = fixed_files::pair([shapes[0].block, shapes[1].block], [first, second], between);
    let intervals = [Intervals::new(&shapes[0]), Intervals::new(&shapes[1])];
    let layout = Layout::pair(&shapes, &fields[0], cycles, intervals[0].longer(intervals[1]));
    files.extend([
        File { name: "policy.f", text: top::list(&files) },
        File { name: "README.md", text: readme::of_pair(&shapes, &layout, cycles, intervals) },
        File { name: "policy_layout.py", text: layout.python() },
        File { name: "policy_layout.h", text: layout.header() },
    ]);
    files.extend(bench(&["policy0_control", "policy1_control"]));
    Ok(files)
}

/// Returns the options of both policies: their trials are those of the first two versions in the engines.
fn both(options: &TargetOptions) -> [TargetOptions; 2] {
    let mut second = *options;
    second.hardware.seed = Seed(options.hardware.seed).part("version/2").0;
    [*options, second]
}

fn of_replacement(refusal: Refusal) -> Refusal {
    Refusal { construct: format!("the replacement's {}", refusal.construct), ..refusal }
}

fn replacement(refusals: Vec<Refusal>) -> Vec<Refusal> {
    refusals.into_iter().map(of_replacement).collect()
}

/// Returns the shapes of both policies, each with the demands of the other.
fn shapes<'a>(policies: [&'a Policy; 2], options: &'a [TargetOptions; 2]) -> Result<[Shape<'a>; 2], Vec<Refusal>> {
    // Each must be possible by itself.
    let alone = |place: usize| Shape::new(policies[place], &options[place]).err().unwrap_or_default();
    let mut refusals = alone(0);
    refusals.extend(replacement(alone(1)));
    refusals.extend(apart(policies));
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let in_bytes = policies.iter().any(|policy| counts_bytes(policy));
    let waiting = |place: usize| -> Result<u64, Vec<Refusal>> {
        Ok(u64::from(Places::new(policies[place], &options[place])?.capacity) - 1)
    };
    let mut beside = [
        Beside { queues: policies[1].queues.len(), packets: waiting(1)?, in_bytes, states: States::default() },
        Beside { queues: policies[0].queues.len(), packets: waiting(0)?, in_bytes, states: States::default() },
    ];
    // A state that goes on can be what either of them makes of it.
    loop {
        let known = beside;
        for place in 0..2 {
            let (policy, options) = (policies[place], &options[place]);
            let model = Model { policy, options, states: States::default(), beside: beside[place] };
            let found = reached_states(model)
                .map_err(|(construct, wrong)| refused(policy, format!("states that go on, {construct}"), &wrong))?;
            beside[1 - place].states = found;
        }
        if beside == known {
            break;
        }
    }
    let first = Shape::beside(policies[0], &options[0], beside[0])?;
    let second = Shape::beside(policies[1], &options[1], beside[1]).map_err(replacement)?;
    Ok([first, second])
}

fn counts_bytes(policy: &Policy) -> bool {
    let bytes = |size: BufferSize| matches!(size, BufferSize::Bytes(_));
    policy.queues.iter().any(|queue| bytes(queue.size)) || policy.buffers.iter().any(|buffer| bytes(buffer.size))
}

/// Returns why two policies cannot share one hardware.
fn apart(policies: [&Policy; 2]) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    let ports = policies.map(|policy| policy.ports.iter().map(|port| &*port.name).collect::<Vec<_>>());
    if ports[0] != ports[1] {
        let [here, there] = ports.map(|names| names.join(", "));
        let reason = format!(
            "are {here} in one policy and {there} in the other; the hardware's ports are the same for both policies, \
             so give both the same ports in the same order"
        );
        refusals.push(Refusal { construct: "ports".to_owned(), reason });
    }
    for (policy, whose) in policies.into_iter().zip(["", "the replacement's "]) {
        if reads_version(policy) {
            let reason = "changes with each replacement, and hardware of two policies does not count them; read \
                          `class` or `flow` instead";
            refusals.push(Refusal { construct: format!("{whose}reads of `policyId`"), reason: reason.to_owned() });
        }
    }
    refusals
}

fn reads_version(policy: &Policy) -> bool {
    let mut found = false;
    let mut see = |read: Read| found |= matches!(read, Read::Packet(_, PacketField::PolicyId));
    conditions(policy).iter().for_each(|(_, _, condition)| condition.reads(&mut see));
    for entry in &policy.classify {
        entry.when.reads(&mut see);
        entry.index.reads(&mut see);
    }
    for queue in &policy.queues {
        queue.processing.before.reads(&mut see);
        queue.admission.before.reads(&mut see);
    }
    found
}

/// Returns the files that are made for one of the policies, and the cycles of its front.
fn made(shape: &Shape<'_>, fields: &Fields, place: usize) -> Result<(Made, u32), Vec<Refusal>> {
    const NAMES: [[&str; 4]; 2] = [
        ["policy0_pkg.sv", "policy0_rules.sv", "policy0_front.sv", "policy0_side.sv"],
        ["policy1_pkg.sv", "policy1_rules.sv", "policy1_front.sv", "policy1_side.sv"],
    ];
    let [package, rules, front, side] = NAMES[place];
    let names = Names::new(shape.model.policy);
    let wide = |wrong| refused(shape.model.policy, "the policy".to_owned(), &wrong);
    let (text, cycles) = front::front(shape, fields, &names).map_err(wide)?;
    let made = Made {
        package: File { name: package, text: package::package(shape, fields) },
        rules: File { name: rules, text: rules::rules(shape, &names).map_err(wide)? },
        front: File { name: front, text },
        top: File { name: side, text: top::joined(include_str!("side.sv"), shape) },
    };
    Ok((made, cycles))
}

/// `policy_pair_pkg.sv`
fn pair_package(shapes: &[Shape<'_>; 2]) -> String {
    let mut out = Text::default();
    out.comment(
        "What two policies of one hardware share: the widths of the streams, and which queues have the same name.\n\
         Made by forebay for two policies.",
    );
    out.line("");
    out.comment("Each part of the hardware reads some of it.");
    out.line("/* verilator lint_off UNUSEDPARAM */");
    out.open("package policy_pair_pkg;");
    out.line("");
    for (name, width) in
        [("PortWidth", "PortWidth"), ("TimeWidth", "TimeWidth"), ("IdWidth", "IdWidth"), ("Ports", "Ports")]
    {
        out.line(&format!("localparam int unsigned {name} = policy0_pkg::{width};"));
    }
    let larger = |name: &str| {
        format!(
            "localparam int unsigned {name} =\n      policy0_pkg::{name} > policy1_pkg::{name} ? policy0_pkg::{name} : policy1_pkg::{name};"
        )
    };
    out.line(&larger("QueueWidth"));
    out.line(&larger("PacketsWidth"));
    out.line("localparam int unsigned ArriveWidth = $bits(policy0_pkg::arrive_t);");
    out.line("localparam int unsigned DepartWidth = 3 + PortWidth + QueueWidth + IdWidth;");
    out.line("localparam int unsigned DropWidth   = 4 + QueueWidth + IdWidth;");
    out.line("");
    out.comment("Of queue i of policy 0 or 1, element i: whether the other policy has one of its name, and which.");
    for place in 0..2 {
        let same = same_queues(shapes, place);
        let width = index_bits(shapes[1 - place].model.policy.queues.len());
        let shared: String = same.iter().rev().map(|to| if to.is_some() { '1' } else { '0' }).collect();
        out.line(&format!("localparam logic [{}:0] Shared{place} = {}'b{shared};", same.len() - 1, same.len()));
        let to: Vec<String> = same.iter().rev().map(|to| unsigned(width, to.unwrap_or(0) as u128)).collect();
        out.list(&format!("localparam logic [{}:0][{}:0] QueueTo{place} = ", same.len() - 1, width - 1), &to, ";");
    }
    out.back();
    out.line("");
    out.line("endpackage");
    out.line("/* verilator lint_on UNUSEDPARAM */");
    out.text().to_owned()
}

/// `policy.sv`
fn pair_top(shapes: &[Shape<'_>; 2]) -> String {
    let side = |place: usize| {
        include_str!("pair_side.sv")
            .replace("@n@", &place.to_string())
            .replace("@m@", &(1 - place).to_string())
            .replace("@states@", &states(shapes, place))
    };
    include_str!("pair.sv").replace("@sides@", &format!("{}\n{}", side(0), side(1)))
}

/// 8.2: states of objects with the same name and the same initial value are kept.
fn states(shapes: &[Shape<'_>; 2], to: usize) -> String {
    let [here, there] = [&shapes[to].model, &shapes[1 - to].model];
    let mut text = String::new();
    for kind in Kind::ALL {
        if here.states.of(kind).is_none() || there.states.of(kind).is_none() {
            continue;
        }
        let (ours, theirs) = (kind.names(here.policy), kind.names(there.policy));
        for (id, name) in ours.iter().enumerate() {
            let Some(from) = theirs.iter().position(|other| other == name) else { continue };
            if kind.exactly(here.policy, id) == kind.exactly(there.policy, from) {
                let member = kind.member();
                text.push_str(&format!("    peer{to}.state.{member}[{id}] = view{}.state.{member}[{from}];\n", 1 - to));
            }
        }
    }
    text
}
