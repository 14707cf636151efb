//! The constant properties of objects, as tables in which expressions look them up.

use super::scope::{constants, declared, rate};
use super::shape::Shape;
use super::states::Kind;
use super::text::{Text, signed};
use forebay_lang::Fixed;

/// The tables that a text reads.
pub(super) fn tables(out: &mut Text, shape: &Shape<'_>, text: &str) {
    let policy = shape.model.policy;
    let queues = policy.queues.iter().map(|queue| declared(queue.size)).collect();
    let buffers = policy.buffers.iter().map(|buffer| declared(buffer.size)).collect();
    let rates = policy.ports.iter().map(|port| rate(port.rate)).collect();
    let states = Kind::ALL.map(|kind| {
        let initial = (0..kind.count(policy)).map(|id| kind.initial(policy, id)).collect();
        (kind.member(), initial)
    });
    let all: Vec<(&str, Vec<Fixed>)> =
        [("queue_size", queues), ("buffer_size", buffers), ("port_rate", rates)].into_iter().chain(states).collect();
    for (name, values) in all {
        for whole in [true, false] {
            let table = constants(name, whole);
            if !text.contains(&format!("{table}[")) {
                continue;
            }
            let down = if whole { Fixed::FRACTION_BITS } else { 0 };
            let elements: Vec<String> = values.iter().rev().map(|value| signed(64, (value.0 >> down).into())).collect();
            out.list(&format!("  localparam logic [{}:0][63:0] {table} = ", values.len() - 1), &elements, ";");
        }
    }
}
