//! A policy in a few lines, to compare with.

use forebay_core::BufferSize;
use forebay_lang::ir::{Comparator, Condition, Entry, PortRate, keys_of};
use forebay_lang::render::{Style, render};
use forebay_lang::{Analysis, Overrides, Policy, analyse};
use std::fmt::Write;

/// Checks a text that has no errors, and shows its policy.
#[track_caller]
pub(crate) fn policy(text: &str) -> String {
    let analysis = analyse(text, &Overrides::new());
    let shown = rendered(text, &analysis);
    let Some(policy) = analysis.policy else { panic!("{text}\n{shown}") };
    show(&policy)
}

pub(crate) fn rendered(text: &str, analysis: &Analysis) -> String {
    render("x.oq", text, &analysis.diagnostics, Style::Plain)
}

/// Everything of the policy that is not a default.
pub(crate) fn show(policy: &Policy) -> String {
    let mut out = String::new();
    let queue = |id: forebay_core::QueueId| policy.queues[usize::from(id.0)].name.clone();
    for param in &policy.params {
        writeln!(out, "param {} = {}{}", param.name, param.value, if param.in_packets { " pkts" } else { "" }).unwrap();
    }
    for queue in &policy.queues {
        let port = &policy.ports[usize::from(queue.port.0)].name;
        let buffer = queue.buffer.map_or(String::new(), |id| format!(" in {}", policy.buffers[usize::from(id.0)].name));
        writeln!(out, "{}: {} at {port}{buffer}", queue.name, size(queue.size)).unwrap();
        order(&mut out, "procPrio", &queue.processing, "fifo: p1.arrival < p2.arrival");
        order(&mut out, "admPrio", &queue.admission, "rfifo: p1.arrival > p2.arrival");
        condition(&mut out, "congestion", &queue.congestion);
        state(&mut out, "admState", queue.adm_state);
        state(&mut out, "schedState", queue.sched_state);
    }
    for port in &policy.ports {
        let rate = match port.rate {
            PortRate::Percent(percent) => format!("{percent}%"),
            PortRate::Rate(rate) => format!("{} bps", rate.bits_per_second()),
        };
        let queues: Vec<String> = port.queues.iter().copied().map(queue).collect();
        writeln!(out, "{}: {rate} of {}", port.name, queues.join(" ")).unwrap();
        order(&mut out, "schedPrio", &port.scheduling, "oldest first: q1.findHigh().arrival < q2.findHigh().arrival");
        condition(&mut out, "postSchedAct", &port.after);
        state(&mut out, "schedState", port.sched_state);
    }
    for buffer in &policy.buffers {
        let queues: Vec<String> = buffer.queues.iter().copied().map(queue).collect();
        writeln!(out, "{}: {} of {}", buffer.name, size(buffer.size), queues.join(" ")).unwrap();
        if let Some(admission) = &buffer.admission {
            order(&mut out, "admPrio", admission, "");
        }
        condition(&mut out, "congestion", &buffer.congestion);
        state(&mut out, "admState", buffer.adm_state);
    }
    for Entry { when, queues, first, index } in &policy.classify {
        let queues: Vec<String> = queues.iter().copied().map(queue).collect();
        writeln!(out, "classify ({when}, {}[{index}] from {first})", queues.join(" ")).unwrap();
    }
    out
}

fn size(size: BufferSize) -> String {
    match size {
        BufferSize::Packets(n) => format!("{n} pkts"),
        BufferSize::Bytes(n) => format!("{n} B"),
    }
}

fn order(out: &mut String, what: &str, order: &Comparator, default: &str) {
    let shown = format!("{}: {}", order.name, order.before);
    assert_eq!(order.keys, keys_of(&order.before), "{shown}");
    if shown != default {
        writeln!(out, "  {what} {shown}").unwrap();
    }
}

fn state(out: &mut String, what: &str, value: forebay_lang::Ratio) {
    if value != forebay_lang::Ratio::from_integer(0) {
        writeln!(out, "  {what} {value}").unwrap();
    }
}

fn condition(out: &mut String, what: &str, condition: &Condition) {
    if condition.name.is_empty() {
        return;
    }
    let cases = condition.cases.iter().map(|case| {
        let actions: Vec<String> = case.actions.iter().map(ToString::to_string).collect();
        format!("({}, {})", case.when, actions.join(", "))
    });
    writeln!(out, "  {what} {}: {}", condition.name, cases.collect::<Vec<_>>().join(".")).unwrap();
}
