//! The sizes of all arrays, and tables of constants.

use super::Model;
use super::constants::literal;
use super::scope::{declared, elements, rate};
use super::writer::Writer;
use crate::TargetOptions;
use forebay_core::BufferSize;
use forebay_lang::ir::{Parameter, PortRate};
use forebay_lang::{Fixed, Policy};

/// Returns the text of `oq_sizes.h`.
pub(super) fn sizes(model: &Model<'_>, options: &TargetOptions) -> String {
    let (policy, layout) = (model.policy, &model.layout);
    let mut out = Writer::default();
    let mut define = |name: &str, value: u32| out.line(&format!("#define {name} {value}u"));
    define("OQ_POLICY_ID", options.policy_id);
    define("OQ_CAPACITY", layout.capacity);
    let counts = [
        ("SLOT", layout.capacity),
        ("PLACE", layout.all_places),
        ("QUEUE", count(policy.queues.len())),
        ("PORT", count(policy.ports.len())),
        ("BUFFER", count(policy.buffers.len())),
        ("LISTED", count(listed(model).len())),
    ];
    for (name, number) in counts {
        let length = number.max(1).next_power_of_two();
        define(&format!("OQ_{name}S"), length);
        define(&format!("OQ_{name}_MASK"), length - 1);
    }
    let most = layout.places.iter().max().copied().unwrap_or(1);
    define("OQ_HEAP_STEPS", most.max(2).ilog2() + 2);
    define("OQ_POLICY_QUEUES", count(policy.queues.len()));
    define("OQ_POLICY_PORTS", count(policy.ports.len()));
    define("OQ_POLICY_BUFFERS", count(policy.buffers.len()));
    if policy.sums_processing() {
        define("OQ_SUMS_PROCESSING", 1);
    }
    if !policy.routines.is_empty() {
        define("OQ_ROUTINES", 1);
    }
    if super::sorts_marks(policy) {
        define("OQ_SORTS_MARKS", 1);
    }
    out.line("");

    let queues = &policy.queues;
    out.comment("Of each queue: its name, size and initial states, and its buffer and places.");
    let names = |names: &mut dyn Iterator<Item = &String>| names.cloned().collect::<Vec<_>>().join(", ");
    out.comment(&format!("queues: {}", names(&mut queues.iter().map(|queue| &queue.name))));
    let words = |numbers: &[u32]| numbers.iter().map(|number| format!("{number}u")).collect::<Vec<_>>();
    let buffer_of: Vec<String> =
        queues.iter().map(|queue| queue.buffer.map_or("OQ_NONE".to_owned(), |id| id.0.to_string())).collect();
    table(&mut out, "oq_u32", "oq_queue_buffer", "OQ_QUEUES", &buffer_of);
    table(&mut out, "oq_u32", "oq_queue_base", "OQ_QUEUES", &words(&layout.base));
    table(&mut out, "oq_u32", "oq_queue_places", "OQ_QUEUES", &words(&layout.places));
    table(&mut out, "oq_u8", "oq_queue_in_bytes", "OQ_QUEUES", &in_bytes(queues.iter().map(|queue| queue.size)));
    let numbers = |numbers: &mut dyn Iterator<Item = Fixed>| elements(numbers);
    let sizes = numbers(&mut queues.iter().map(|queue| declared(queue.size)));
    table(&mut out, "oq_i64", "oq_queue_sizes", "OQ_QUEUES", &sizes);
    let states = numbers(&mut queues.iter().map(|queue| Fixed::floor(queue.adm_state)));
    table(&mut out, "oq_i64", "oq_queue_adm_states", "OQ_QUEUES", &states);
    let states = numbers(&mut queues.iter().map(|queue| Fixed::floor(queue.sched_state)));
    table(&mut out, "oq_i64", "oq_queue_sched_states", "OQ_QUEUES", &states);
    out.line("");

    let ports = &policy.ports;
    out.comment("Of each port: its rate in percent or bits per second, which the host keeps, and its initial state.");
    out.comment(&format!("ports: {}", names(&mut ports.iter().map(|port| &port.name))));
    table(&mut out, "oq_i64", "oq_port_rates", "OQ_PORTS", &numbers(&mut ports.iter().map(|port| rate(port.rate))));
    let in_percent = |rate: PortRate| u8::from(matches!(rate, PortRate::Percent(_))).to_string();
    let in_percent: Vec<String> = ports.iter().map(|port| in_percent(port.rate)).collect();
    table(&mut out, "oq_u8", "oq_port_in_percent", "OQ_PORTS", &in_percent);
    let states = numbers(&mut ports.iter().map(|port| Fixed::floor(port.sched_state)));
    table(&mut out, "oq_i64", "oq_port_sched_states", "OQ_PORTS", &states);
    out.line("");

    let buffers = &policy.buffers;
    out.comment("Of each buffer: its size and its initial state.");
    if !buffers.is_empty() {
        out.comment(&format!("buffers: {}", names(&mut buffers.iter().map(|buffer| &buffer.name))));
    }
    table(&mut out, "oq_u8", "oq_buffer_in_bytes", "OQ_BUFFERS", &in_bytes(buffers.iter().map(|buffer| buffer.size)));
    let sizes = numbers(&mut buffers.iter().map(|buffer| declared(buffer.size)));
    table(&mut out, "oq_i64", "oq_buffer_sizes", "OQ_BUFFERS", &sizes);
    let states = numbers(&mut buffers.iter().map(|buffer| Fixed::floor(buffer.adm_state)));
    table(&mut out, "oq_i64", "oq_buffer_adm_states", "OQ_BUFFERS", &states);
    out.line("");

    parameters(&mut out, policy);
    out.comment("The queues of each port, and then those of each buffer.");
    let queues: Vec<String> = listed(model).iter().map(ToString::to_string).collect();
    table(&mut out, "oq_u16", "oq_listed", "OQ_LISTEDS", &queues);
    out.line("");
    out.header("The sizes of all arrays, and tables of constants.", "OQ_SIZES_H")
}

/// Writes the tables of live parameters, if there are any.
fn parameters(out: &mut Writer, policy: &Policy) {
    let all = &policy.parameters;
    if all.is_empty() {
        return;
    }
    let length = count(all.len()).next_power_of_two();
    out.comment("Of each live parameter: its name, its unit, and its value at the beginning (in 65,536ths).");
    out.directive(&format!("#define OQ_POLICY_PARAMETERS {}u", all.len()));
    out.directive(&format!("#define OQ_PARAMETERS {length}u"));
    out.directive(&format!("#define OQ_PARAMETER_MASK {}u", length - 1));
    let list = |each: &dyn Fn(&Parameter) -> String| all.iter().map(each).collect::<Vec<_>>().join(", ");
    let names = list(&|parameter| format!("\"{}\"", parameter.name));
    out.directive(&format!("#define OQ_PARAMETER_NAMES {{ {names} }}"));
    let units = list(&|parameter| format!("{}:{}", parameter.name, parameter.unit.symbol()));
    out.directive(&format!("#define OQ_PARAMETER_UNITS \"{units}\""));
    let initial = list(&|parameter| literal(parameter.initial));
    out.directive(&format!("#define OQ_PARAMETER_INITIALS {{ {initial} }}"));
    out.line("");
}

/// Returns the queues of each port, followed by those of each buffer.
fn listed(model: &Model<'_>) -> Vec<u16> {
    let ports = model.policy.ports.iter().map(|port| &port.queues);
    let buffers = model.policy.buffers.iter().map(|buffer| &buffer.queues);
    ports.chain(buffers).flatten().map(|id| id.0).collect()
}

/// Converts a count into C's type.
fn count(number: usize) -> u32 {
    u32::try_from(number).expect("tables have fewer than 2^32 entries")
}

fn in_bytes(sizes: impl Iterator<Item = BufferSize>) -> Vec<String> {
    sizes.map(|size| u8::from(matches!(size, BufferSize::Bytes(_))).to_string()).collect()
}

/// Writes a constant table; elements that are not given are 0.
pub(super) fn table(out: &mut Writer, kind: &str, name: &str, length: &str, elements: &[String]) {
    let elements = if elements.is_empty() { "0".to_owned() } else { elements.join(", ") };
    out.line(&format!("OQ_TABLE {kind} {name}[{length}] = {{ {elements} }};"));
}
