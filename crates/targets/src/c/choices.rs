//! The functions that choose the queue that a port serves, and the queue from which a buffer drops.

use super::Model;
use super::comparators::{Of, function};
use super::functions::Functions;
use super::writer::Writer;
use forebay_core::QueueId;
use forebay_lang::ir::Comparator;

/// Writes the functions `oq_next_queue` and `oq_victim_queue`.
pub(super) fn choices(out: &mut Writer, functions: &mut Functions, model: &Model<'_>) {
    let policy = model.policy;
    let ports = policy.ports.iter().map(|port| (&port.queues, Some(&port.scheduling)));
    let buffers = policy.buffers.iter().map(|buffer| (&buffer.queues, buffer.admission.as_ref()));
    let mut known: Vec<(&Comparator, String)> = Vec::new();
    let mut from = 0;
    let mut lines: Vec<String> = Vec::new();
    for (queues, order) in ports.chain(buffers) {
        let begin = from;
        from += queues.len();
        lines.push(match (&queues[..], order) {
            (_, None) => "return current;".to_owned(),
            ([QueueId(only)], _) => format!("return OQ_QUEUE({only}).packets ? {only} : OQ_NONE;"),
            (_, Some(order)) => {
                let name = match known.iter().find(|(known, _)| *known == order) {
                    Some((_, name)) => name.clone(),
                    None => {
                        let name = functions.give("choose", &order.name);
                        choice(out, &name, order, longest(model), model);
                        known.push((order, name.clone()));
                        name
                    }
                };
                format!("return oq_{name}({begin}, {});", queues.len())
            }
        });
    }
    let (of_ports, of_buffers) = lines.split_at(policy.ports.len());
    out.comment("The queue that a port serves next, or OQ_NONE.");
    out.function("OQ_INLINE oq_u32 oq_next_queue(oq_u32 port)");
    if is_known(of_ports) {
        out.line("(void)port;");
    }
    out.switch("port", of_ports);
    out.end();
    if of_buffers.is_empty() {
        return;
    }
    out.comment("The queue from which a buffer drops, or OQ_NONE; `current` is that of the arriving packet.");
    out.function("OQ_INLINE oq_u32 oq_victim_queue(oq_u32 buffer, oq_u32 current)");
    if is_known(of_buffers) {
        out.line("(void)buffer;");
    }
    if !of_buffers.iter().any(|line| line.contains("current")) {
        out.line("(void)current;");
    }
    out.switch("buffer", of_buffers);
    out.end();
}

/// Whether the lines are the same for all objects.
pub(super) fn is_known(lines: &[String]) -> bool {
    lines.windows(2).all(|pair| pair[0] == pair[1])
}

/// Returns the most queues of a port or buffer.
fn longest(model: &Model<'_>) -> usize {
    let ports = model.policy.ports.iter().map(|port| port.queues.len());
    let buffers = model.policy.buffers.iter().map(|buffer| buffer.queues.len());
    ports.chain(buffers).max().unwrap_or(0)
}

/// Writes the function that returns the first of some queues that have packets.
fn choice(out: &mut Writer, name: &str, order: &Comparator, most: usize, model: &Model<'_>) {
    function(out, &format!("oq_compare_{name}"), order, Of::Queues, model);
    out.comment(&format!("The first queue by {} of `count` in oq_listed that have packets, or OQ_NONE.", order.name));
    out.function(&format!("OQ_GLOBAL oq_u32 oq_{name}(oq_u32 from, oq_u32 count)"));
    out.line("oq_u32 best = OQ_NONE;");
    out.line("");
    out.open(&format!("OQ_LOOP(i, {most}u)"));
    out.line("oq_u32 queue;");
    out.line("");
    out.when("i >= count", "break;");
    out.line("queue = OQ_AT(oq_listed, from + i, OQ_LISTED_MASK);");
    out.when("!OQ_QUEUE(queue).packets", "continue;");
    out.when(&format!("best == OQ_NONE || oq_compare_{name}(queue, best) < 0"), "best = queue;");
    out.close();
    out.line("return best;");
    out.end();
}
