//! A netlist as signed wires of the necessary widths, all in one cycle.

use super::net::{Id, Net, Op};
use super::text::{Text, signed};

/// Writes the nodes that `wanted` depend on.
pub(super) fn wires(out: &mut Text, net: &Net, wanted: &[Id]) {
    for id in net.needed(wanted) {
        if matches!(net.op(id), Op::Const(_)) {
            continue;
        }
        let plain = |id: Id| format!("n{}", id.0);
        let name = plain(id);
        let kind =
            if net.op(id).is_truth() { String::new() } else { format!("signed [{}:0] ", net.range(id).bits() - 1) };
        out.line(&format!("logic {kind}{name};"));
        out.line(&format!("assign {name} = {};", expression(net, id, &plain)));
    }
}

/// Returns the expression of a node; `name` gives the names of its operands.
pub(super) fn expression(net: &Net, id: Id, name: &dyn Fn(Id) -> String) -> String {
    let bits = net.range(id).bits();
    let own = |id: Id| net.range(id).bits();
    let number = |id: Id, bits: u32| number(net, id, bits, name);
    let bit = |id: Id| bit(net, id, name);
    let both = |a: Id, b: Id| own(a).max(own(b));
    match net.op(id) {
        Op::Input { text, signed: true } => format!("{bits}'($signed({text}))"),
        Op::Input { text, signed: false } => format!("{bits}'({{1'b0, {text}}})"),
        Op::Const(value) => signed(bits, *value),
        Op::Add(a, b) => format!("{} + {}", number(*a, bits), number(*b, bits)),
        Op::Sub(a, b) => format!("{} - {}", number(*a, bits), number(*b, bits)),
        Op::Mul(a, b) => format!("{} * {}", number(*a, bits), number(*b, bits)),
        Op::Min(a, b) => {
            let (a, b) = (number(*a, both(*a, *b)), number(*b, both(*a, *b)));
            format!("{bits}'(({a} < {b}) ? {a} : {b})")
        }
        Op::Max(a, b) => {
            let (a, b) = (number(*a, both(*a, *b)), number(*b, both(*a, *b)));
            format!("{bits}'(({a} < {b}) ? {b} : {a})")
        }
        Op::Up(a, by) => format!("{} <<< {by}", number(*a, bits)),
        Op::Down(a, by) => format!("{bits}'({} >>> {by})", number(*a, own(*a))),
        Op::Quotient(a, b) => {
            format!("{bits}'($unsigned({}) / $unsigned({}))", number(*a, both(*a, *b)), number(*b, both(*a, *b)))
        }
        Op::Rest(a, b) => {
            format!("{bits}'($unsigned({}) % $unsigned({}))", number(*a, both(*a, *b)), number(*b, both(*a, *b)))
        }
        Op::Less(a, b) => format!("{} < {}", number(*a, both(*a, *b)), number(*b, both(*a, *b))),
        Op::Equal(a, b) => format!("{} == {}", number(*a, both(*a, *b)), number(*b, both(*a, *b))),
        Op::Not(a) => format!("!{}", bit(*a)),
        Op::And(a, b) => format!("{} && {}", bit(*a), bit(*b)),
        Op::Or(a, b) => format!("{} || {}", bit(*a), bit(*b)),
        Op::Within(a, ..) => number(*a, bits),
        Op::Choose(which, a, b) => format!("{} ? {} : {}", bit(*which), number(*a, bits), number(*b, bits)),
    }
}

/// Returns a node as a signed number of `bits` bits.
pub(super) fn number(net: &Net, id: Id, bits: u32, name: &dyn Fn(Id) -> String) -> String {
    match net.op(id) {
        Op::Const(value) => signed(bits, *value),
        op if op.is_truth() => format!("{bits}'($signed({{1'b0, {}}}))", name(id)),
        _ if net.range(id).bits() == bits => name(id),
        _ => format!("{bits}'({})", name(id)),
    }
}

/// Returns a node that is 0 or 1.
pub(super) fn bit(net: &Net, id: Id, name: &dyn Fn(Id) -> String) -> String {
    match net.op(id) {
        Op::Const(value) => format!("1'b{}", u8::from(*value != 0)),
        op if op.is_truth() => name(id),
        _ => format!("{}[0]", name(id)),
    }
}
