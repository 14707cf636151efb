//! A netlist as a pipeline, which takes one set of inputs in each cycle. Every operation that costs time ends in a
//! register. A division has a stage for each bit of its dividend. A value that is used later than it is known is delayed.

use super::net::{Id, Net, Op};
use super::text::Text;
use super::wires::{expression, number};
use std::collections::{BTreeMap, BTreeSet};

/// When the nodes of a netlist are known.
pub(super) struct Pipeline<'a> {
    net: &'a Net,
    /// Those that are needed, each behind its operands.
    nodes: Vec<Id>,
    /// The cycle in which each is known; inputs are in cycle 0.
    known: BTreeMap<Id, u32>,
    /// The cycles in which each is used.
    used: BTreeMap<Id, BTreeSet<u32>>,
    /// The cycle in which all results are there.
    pub(super) depth: u32,
}

/// The bits of a number that is not negative.
fn width(net: &Net, id: Id) -> u32 {
    (net.range(id).bits() - 1).max(1)
}

/// The cycles that an operation takes.
fn cycles(net: &Net, id: Id) -> u32 {
    match net.op(id) {
        Op::Input { .. } | Op::Const(_) | Op::Up(..) | Op::Down(..) | Op::Within(..) | Op::Not(_) => 0,
        Op::Quotient(dividend, _) | Op::Rest(dividend, _) => width(net, *dividend),
        _ => 1,
    }
}

impl<'a> Pipeline<'a> {
    /// The pipeline of these results.
    pub(super) fn new(net: &'a Net, results: &[Id]) -> Self {
        let nodes = net.needed(results);
        let is_constant = |id: &Id| matches!(net.op(*id), Op::Const(_));
        let mut known: BTreeMap<Id, u32> = BTreeMap::new();
        let mut used: BTreeMap<Id, BTreeSet<u32>> = BTreeMap::new();
        for id in nodes.iter().filter(|id| !is_constant(id)) {
            let operands: Vec<Id> = net.op(*id).operands().into_iter().filter(|id| !is_constant(id)).collect();
            let begin = operands.iter().map(|id| known[id]).max().unwrap_or(0);
            for operand in operands {
                used.entry(operand).or_default().insert(begin);
            }
            known.insert(*id, begin + cycles(net, *id));
        }
        let depth = results.iter().filter_map(|id| known.get(id)).max().copied().unwrap_or(0).max(1);
        for id in results.iter().filter(|id| !is_constant(id)) {
            used.entry(*id).or_default().insert(depth);
        }
        Self { net, nodes, known, used, depth }
    }

    /// The name of a node in a cycle.
    fn name(&self, id: Id, cycle: u32) -> String {
        if self.known.get(&id) == Some(&cycle) { format!("n{}", id.0) } else { format!("n{}_{cycle}", id.0) }
    }

    /// Returns a result as a number of `bits` bits.
    pub(super) fn result(&self, id: Id, bits: u32) -> String {
        number(self.net, id, bits, &|id| self.name(id, self.depth))
    }

    /// A result that is 0 or 1.
    pub(super) fn bit(&self, id: Id) -> String {
        super::wires::bit(self.net, id, &|id| self.name(id, self.depth))
    }

    /// Writes it down; `en` lets it go on.
    pub(super) fn write(&self, out: &mut Text) {
        let net = self.net;
        let mut divided: BTreeSet<(Id, Id)> = BTreeSet::new();
        for id in &self.nodes {
            if matches!(net.op(*id), Op::Const(_)) {
                continue;
            }
            let (known, operands) = (self.known[id], net.op(*id).operands());
            let begin = operands.iter().filter_map(|id| self.known.get(id)).max().copied().unwrap_or(0);
            let name = self.name(*id, known);
            let kind = if net.op(*id).is_truth() {
                String::new()
            } else {
                format!("signed [{}:0] ", net.range(*id).bits() - 1)
            };
            out.line(&format!("logic {kind}{name};"));
            let expressed = expression(net, *id, &|id| self.name(id, begin));
            match net.op(*id) {
                Op::Quotient(a, b) | Op::Rest(a, b) => {
                    if divided.insert((*a, *b)) {
                        self.divider(out, *a, *b, begin);
                    }
                    let (what, of) =
                        if matches!(net.op(*id), Op::Quotient(..)) { ("quotient", *a) } else { ("rest", *b) };
                    let bits = net.range(*id).bits();
                    let signal = format!("{what}_{}_{}", a.0, b.0);
                    let bits = if bits == width(net, of) + 1 {
                        format!("{{1'b0, {signal}}}")
                    } else {
                        format!("{bits}'({signal})")
                    };
                    out.line(&format!("assign {name} = {bits};"));
                }
                _ if known == begin => out.line(&format!("assign {name} = {expressed};")),
                _ => out.line(&format!("always_ff @(posedge clk_i) if (en) {name} <= {expressed};")),
            }
            self.delays(out, *id, &kind);
        }
    }

    /// What a node is in the later cycles in which it is used.
    fn delays(&self, out: &mut Text, id: Id, kind: &str) {
        let bits = if self.net.op(id).is_truth() { 1 } else { self.net.range(id).bits() };
        let mut from = self.known[&id];
        for cycle in self.used.get(&id).into_iter().flatten().copied() {
            if cycle == from {
                continue;
            }
            let (before, name) = (self.name(id, from), self.name(id, cycle));
            out.line(&format!("logic {kind}{name};"));
            out.line(&format!("policy_delay #(.Width({bits}), .Cycles({})) i_{name} (", cycle - from));
            out.line(&format!("  .clk_i, .en_i(en), .d_i({before}), .q_o({name})"));
            out.line(");");
            from = cycle;
        }
    }

    fn divider(&self, out: &mut Text, dividend: Id, divisor: Id, begin: u32) {
        let (above, below) = (width(self.net, dividend), width(self.net, divisor));
        let (a, b) = (dividend.0, divisor.0);
        let operand =
            |id: Id, bits: u32| format!("{bits}'({})", number(self.net, id, bits + 1, &|id| self.name(id, begin)));
        out.line(&format!("logic [{}:0] quotient_{a}_{b};", above - 1));
        out.line(&format!("logic [{}:0] rest_{a}_{b};", below - 1));
        out.open(&format!(
            "policy_divider #(.NumeratorWidth({above}), .DenominatorWidth({below})) i_divider_{a}_{b} ("
        ));
        out.line(&format!(".clk_i, .en_i(en), .numerator_i({}),", operand(dividend, above)));
        out.line(&format!(".denominator_i({}),", operand(divisor, below)));
        out.line(&format!(".quotient_o(quotient_{a}_{b}), .remainder_o(rest_{a}_{b})"));
        out.close(");");
    }
}
