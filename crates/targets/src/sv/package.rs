//! `policy_pkg.sv`: the numbers, widths and types of a policy.

use super::fields::Fields;
use super::scope::member;
use super::shape::Shape;
use super::states::Kind;
use super::text::{Text, signed, unsigned};
use super::victims::Victim;
use crate::digest;
use forebay_core::BufferSize;
use forebay_lang::Fixed;
use forebay_lang::ir::PacketField;

/// The bits of numbers up to `most`, at least 1.
fn bits(most: u64) -> u32 {
    (64 - most.leading_zeros()).max(1)
}

/// Returns the bits of indexes below `count`, at least 1.
pub(super) fn index_bits(count: usize) -> u32 {
    bits(count.max(1) as u64 - 1)
}

/// The bits of what every object holds.
pub(super) fn count_bits(shape: &Shape<'_>) -> u32 {
    let policy = shape.model.policy;
    let sizes = policy.queues.iter().map(|queue| queue.size).chain(policy.buffers.iter().map(|buffer| buffer.size));
    let most = shape.model.held(sizes).greatest.0 >> Fixed::FRACTION_BITS;
    // A size fits also where only the other policy counts bytes.
    let size = if shape.model.beside.in_bytes { shape.model.bits(PacketField::Size) } else { 1 };
    bits(most.unsigned_abs()).max(size)
}

/// The bits of the processing of all packets of a queue.
fn sum_bits(shape: &Shape<'_>) -> u32 {
    let most = shape.model.work(0..shape.model.policy.queues.len()).greatest.0 >> Fixed::FRACTION_BITS;
    bits(most.unsigned_abs())
}

/// `policy_pkg.sv`
pub(super) fn package(shape: &Shape<'_>, fields: &Fields) -> String {
    let policy = shape.model.policy;
    let mut out = Text::default();
    out.comment(
        "The policy in numbers: its objects, their sizes, the widths of everything, and what packets carry.\n\
         Made by forebay for one policy; rtl/policy/README.md says which part reads what.",
    );
    let names = |names: Vec<&String>| names.into_iter().cloned().collect::<Vec<_>>().join(", ");
    out.comment(&format!("Queues, from 0: {}.", names(policy.queues.iter().map(|queue| &queue.name).collect())));
    out.comment(&format!("Ports, from 0: {}.", names(policy.ports.iter().map(|port| &port.name).collect())));
    if !policy.buffers.is_empty() {
        out.comment(&format!(
            "Buffers, from 0: {}.",
            names(policy.buffers.iter().map(|buffer| &buffer.name).collect())
        ));
    }
    if !policy.parameters.is_empty() {
        let all = policy.parameters.iter().map(|parameter| &parameter.name).collect();
        out.comment(&format!("Live parameters, from 0: {}.", names(all)));
    }
    out.line("");
    out.comment("Each part of the hardware reads some of it.");
    out.line("/* verilator lint_off UNUSEDPARAM */");
    out.line("/* verilator lint_off UNUSEDSIGNAL */");
    out.open("package policy_pkg;");
    out.line("");
    numbers(&mut out, shape, fields);
    tables(&mut out, shape);
    types(&mut out, shape, fields);
    out.back();
    out.line("");
    out.line("endpackage");
    out.line("/* verilator lint_on UNUSEDPARAM */");
    out.line("/* verilator lint_on UNUSEDSIGNAL */");
    out.text().to_owned()
}

fn numbers(out: &mut Text, shape: &Shape<'_>, fields: &Fields) {
    let model = &shape.model;
    let policy = model.policy;
    let cases = |count: usize| index_bits(count);
    let conditions: Vec<_> = super::owners::conditions(policy).into_iter().map(|(_, _, condition)| condition).collect();
    let most_cases = conditions.iter().map(|condition| condition.cases.len()).max().unwrap_or(0);
    let actions = conditions.iter().flat_map(|condition| &condition.cases).map(|case| case.actions.len());
    // A step beyond the last action must be there, too.
    let most_steps = actions.max().unwrap_or(0) + 1;
    let object = |count: usize| u32::try_from(count.max(1)).expect("a policy has fewer than 2^32 objects and steps");
    let size = if fields.size { model.bits(PacketField::Size) } else { 1 };
    let sums = policy.sums_processing();
    let (work, sum) = if sums { (model.bits(PacketField::Processing), sum_bits(shape)) } else { (1, 1) };
    let all = [
        ("Queues", object(policy.queues.len()), "what a policy does not have is there once, unused"),
        ("Ports", object(policy.ports.len()), ""),
        ("Buffers", object(policy.buffers.len()), ""),
        ("Parameters", object(policy.parameters.len()), ""),
        ("LiveParameters", u32::try_from(policy.parameters.len()).unwrap_or(0), "those that there are"),
        ("QueueWidth", index_bits(policy.queues.len()), ""),
        ("PortWidth", index_bits(policy.ports.len()), ""),
        ("BufferWidth", index_bits(policy.buffers.len()), ""),
        ("CountWidth", count_bits(shape), "what an object holds, in its own unit"),
        ("Capacity", shape.capacity, "the most packets at once, with one that arrives"),
        ("PacketsWidth", bits(shape.capacity.into()), ""),
        ("RankWidth", shape.rank_bits, ""),
        ("IdWidth", model.options.hardware.id_bits.into(), "the number by which the host knows a packet"),
        ("SizeWidth", size, if fields.size { "bytes" } else { "sizes are not counted, nor read after service" }),
        ("WorkWidth", work, if sums { "cycles of processing" } else { "processing is not added up" }),
        ("SumWidth", sum, ""),
        ("TimeWidth", model.bits(PacketField::Arrival), "nanoseconds"),
        ("CaseWidth", cases(most_cases), ""),
        ("StepWidth", index_bits(most_steps), ""),
        ("PolicyId", model.options.policy_id, ""),
    ];
    for (name, value, about) in all {
        let about = if about.is_empty() { String::new() } else { format!("  // {about}") };
        out.line(&format!("localparam int unsigned {name} = {};{about}", unsigned(32, value.into())));
    }
    out.comment("The next decision needs the queue block's answer to the last one.");
    out.line(&format!("localparam bit Waits = 1'b{};", u8::from(shape.waits)));
    out.line(&format!("localparam logic [63:0] Digest = 64'h{:016x};", digest(policy)));
    out.line("");
}

fn tables(out: &mut Text, shape: &Shape<'_>) {
    let policy = shape.model.policy;
    let in_bytes = |size: BufferSize| matches!(size, BufferSize::Bytes(_));
    let mask = |bits: Vec<bool>| -> String {
        let digits: String = bits.iter().rev().map(|bit| if *bit { '1' } else { '0' }).collect();
        format!("{}'b{digits}", bits.len())
    };
    let or_one = |mut bits: Vec<bool>| {
        bits.resize(bits.len().max(1), false);
        bits
    };
    let amount = |size: BufferSize| match size {
        BufferSize::Packets(amount) | BufferSize::Bytes(amount) => u128::from(amount),
    };
    let list = |out: &mut Text, begin: &str, width: u32, values: Vec<u128>| {
        let mut elements: Vec<String> = values.iter().rev().map(|value| unsigned(width, *value)).collect();
        if elements.is_empty() {
            elements.push(unsigned(width, 0));
        }
        out.list(&format!("localparam logic {begin} = "), &elements, ";");
    };
    let (port, buffer, count) = (index_bits(policy.ports.len()), index_bits(policy.buffers.len()), count_bits(shape));
    let queues = &policy.queues;
    out.comment("Of object i, element i; the last stands first.");
    list(out, "[Queues-1:0][PortWidth-1:0] PortOf", port, queues.iter().map(|queue| queue.port.0.into()).collect());
    let buffered = queues.iter().map(|queue| queue.buffer.is_some()).collect();
    out.line(&format!("localparam logic [Queues-1:0] Buffered = {};", mask(buffered)));
    let of = queues.iter().map(|queue| queue.buffer.map_or(0, |id| id.0.into())).collect();
    list(out, "[Queues-1:0][BufferWidth-1:0] BufferOf", buffer, of);
    let bytes = queues.iter().map(|queue| in_bytes(queue.size)).collect();
    out.line(&format!("localparam logic [Queues-1:0] QueueInBytes = {};", mask(bytes)));
    let bytes = or_one(policy.buffers.iter().map(|buffer| in_bytes(buffer.size)).collect());
    out.line(&format!("localparam logic [Buffers-1:0] BufferInBytes = {};", mask(bytes)));
    list(out, "[Queues-1:0][CountWidth-1:0] QueueSize", count, queues.iter().map(|queue| amount(queue.size)).collect());
    let sizes = policy.buffers.iter().map(|buffer| amount(buffer.size)).collect();
    list(out, "[Buffers-1:0][CountWidth-1:0] BufferSize", count, sizes);
    let places = shape.places.iter().map(|places| u128::from(*places)).collect();
    list(out, "[Queues-1:0][PacketsWidth-1:0] QueuePlaces", bits(shape.capacity.into()), places);
    out.comment("Victims are the last in the order of service (1), or the last that arrived (0).");
    let reverse = shape.victims.iter().map(|victim| *victim == Victim::Reverse).collect();
    out.line(&format!("localparam logic [Queues-1:0] VictimReverse = {};", mask(reverse)));
    let initial = policy.parameters.iter().rev().map(|parameter| signed(64, parameter.initial.0.into()));
    let mut initial: Vec<String> = initial.collect();
    if initial.is_empty() {
        initial.push("64'sd0".to_owned());
    }
    out.list("localparam logic [Parameters-1:0][63:0] ParameterInit = ", &initial, ";");
    let random = shape.model.options.hardware.random_state();
    let random: Vec<String> = random.iter().rev().map(|word| format!("64'h{word:016x}")).collect();
    out.list("localparam logic [3:0][63:0] RandomInit = ", &random, ";");
    out.line("");
}

fn types(out: &mut Text, shape: &Shape<'_>, fields: &Fields) {
    let model = &shape.model;
    for (name, about, values) in [
        ("owner_e", "Whose condition is treated.", "OwnerBuffer, OwnerQueue, OwnerPort"),
        ("action_e", "What a case does.", "ActionDrop, ActionMark, ActionNotify, ActionModify"),
        ("rule_e", "Why a packet is dropped.", "RuleUnclassified, RuleQueue, RuleBuffer, RuleOverflow, RuleSlots"),
        ("kind_e", "What is asked of the hardware.", "KindArrive, KindPull"),
    ] {
        let width = index_bits(values.split(", ").count());
        let range = if width == 1 { "logic".to_owned() } else { format!("logic [{}:0]", width - 1) };
        out.comment(about);
        let numbered = values.split(", ").enumerate().map(|(value, name)| format!("{name} = {width}'d{value}"));
        out.list(&format!("typedef enum {range} "), &numbered.collect::<Vec<_>>(), &format!(" {name};"));
        out.line("");
    }
    let members = |list: &[PacketField]| -> Vec<String> {
        list.iter().map(|field| format!("logic [{}:0] {};", model.bits(*field) - 1, member(*field))).collect()
    };
    let number = "logic [IdWidth-1:0] id;".to_owned();
    let marks = "logic [1:0] marks;  // bit 0: mark, bit 1: notification".to_owned();
    let arriving = members(&fields.arriving).into_iter().chain([marks.clone(), number.clone()]).collect::<Vec<_>>();
    structure(out, "What arrives with a packet.", "arrive_t", &arriving);
    structure(out, "The fields that the rules read.", "fields_t", &members(&fields.rules));
    structure(out, "The fields that are read after service, except the size.", "kept_t", &members(&fields.kept));
    let size = "logic [SizeWidth-1:0] size;".to_owned();
    structure(
        out,
        "What the queue block holds of a packet.",
        "ticket_t",
        &[number, marks, size, "kept_t kept;".to_owned()],
    );
    let operation = [
        "kind_e kind;",
        "logic classified;  // there is a queue for it",
        "logic [QueueWidth-1:0] queue_index;",
        "logic [PortWidth-1:0] port;",
        "logic [RankWidth-1:0] rank;",
        "logic [TimeWidth-1:0] now;",
        "fields_t fields;",
        "ticket_t ticket;",
    ];
    structure(out, "An operation.", "operation_t", &operation.map(str::to_owned));
    states(out, shape);
    out.comment("The fields of a departing packet that postSchedAct reads.");
    out.open("function automatic fields_t served_fields(ticket_t ticket);");
    out.line("served_fields = '0;");
    for field in &fields.rules {
        if *field == PacketField::Size {
            // Fields that are not read after service are left out.
            if fields.size {
                out.line("served_fields.size = ticket.size;");
            }
        } else if fields.kept.contains(field) {
            out.line(&format!("served_fields.{0} = ticket.kept.{0};", member(*field)));
        }
    }
    if fields.rules.is_empty() && fields.kept.is_empty() {
        out.line("served_fields.none = ticket.kept.none;");
    }
    out.close("endfunction");
    out.line("");
    out.comment("The processing that a packet adds to its queue.");
    out.open("function automatic logic [WorkWidth-1:0] ticket_work(ticket_t ticket);");
    let adds = if shape.model.policy.sums_processing() { "ticket.kept.processing" } else { "'0" };
    out.line(&format!("ticket_work = {adds};"));
    out.close("endfunction");
}

/// A packed struct; an empty one has a bit that is 0.
fn structure(out: &mut Text, about: &str, name: &str, members: &[String]) {
    out.comment(about);
    out.open("typedef struct packed {");
    if members.is_empty() {
        out.line("logic none;");
    }
    out.lines(members);
    out.close(&format!("}} {name};"));
    out.line("");
}

fn states(out: &mut Text, shape: &Shape<'_>) {
    let (policy, states) = (shape.model.policy, shape.model.states);
    let kinds: Vec<(Kind, u32)> = Kind::ALL.into_iter().filter_map(|kind| Some((kind, states.bits(kind)?))).collect();
    let unit = |kind: Kind| if states.of(kind).is_some_and(|all| all.whole) { "" } else { "  // in units of 1/65,536" };
    let members = kinds.iter().map(|(kind, bits)| {
        format!("logic [{}:0][{}:0] {};{}", kind.count(policy).max(1) - 1, bits - 1, kind.member(), unit(*kind))
    });
    structure(out, "The states that change.", "state_t", &members.collect::<Vec<_>>());
    let mut initial: Vec<String> = Vec::new();
    for (kind, bits) in &kinds {
        let down = if states.of(*kind).is_some_and(|all| all.whole) { Fixed::FRACTION_BITS } else { 0 };
        let values = (0..kind.count(policy)).rev().map(|id| signed(*bits, (kind.initial(policy, id).0 >> down).into()));
        initial.extend(values);
    }
    if initial.is_empty() {
        initial.push("1'b0".to_owned());
    }
    out.list("localparam state_t StateInit = ", &initial, ";");
    out.line("");
}
