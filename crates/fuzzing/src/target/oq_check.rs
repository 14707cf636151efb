//! Fuzzes the checker of OpenQueue: any text gives diagnostics within it, or a policy. Every fix can be applied. A text with a policy keeps
//! it when it is formatted, and the engine runs it.
use super::FuzzTarget;
use crate::seed_files::files;
use forebay_core::{BufferSize, Packet, Seed, Time, Verdict};
use forebay_engine::{Cycles, Engine, EngineOptions, Reference};
use forebay_lang::ir::PortId;
use forebay_lang::render::{Style, render};
use forebay_lang::{Policy, analyse, format};

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "oq_check",
    title: "Any text is a policy or has mistakes within it, and a policy runs",
    seeds: || files("policies", &[".oq"]),
    run: take,
    quick: 5_000,
};

fn take(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let analysis = analyse(&text, &Vec::new());
    let shown = render("fuzz.oq", &text, &analysis.diagnostics, Style::Plain);
    assert_eq!(shown.is_empty(), analysis.diagnostics.is_empty());
    for fix in analysis.diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.as_ref()) {
        assert!(text.get(usize::from(fix.span.start())..usize::from(fix.span.end())).is_some());
    }
    for symbol in &analysis.symbols {
        for place in symbol.definition.iter().chain(&symbol.references) {
            assert!(text.get(usize::from(place.start())..usize::from(place.end())).is_some());
        }
    }
    if let Some(policy) = analysis.policy {
        assert_eq!(analyse(&format(&text), &Vec::new()).policy.as_ref(), Some(&policy));
        run(&policy, data);
    }
}

/// Packets arrive, move on and depart; none is lost.
fn run(policy: &Policy, data: &[u8]) {
    let small = |size| matches!(size, BufferSize::Packets(n) | BufferSize::Bytes(n) if n <= 100_000);
    if policy.queues.len() > 100 || !policy.queues.iter().all(|queue| small(queue.size)) {
        return;
    }
    let mut engine = Reference::new(policy, EngineOptions { policy_id: 1, seed: Seed(1) });
    let (mut inside, mut evicted) = (0, Vec::new());
    for (step, &byte) in (0..).zip(data.iter().take(200)) {
        let now = Time::from_ns(step / 2);
        if byte % 3 == 0 {
            let ports = u16::try_from(policy.ports.len()).unwrap_or(u16::MAX);
            let port = PortId(u16::from(byte) % ports);
            inside -= usize::from(engine.dequeue(now, port).is_some());
            engine.pass(now, port, Cycles::All, &mut evicted);
            inside -= evicted.drain(..).count();
        } else {
            let value = u32::from(byte);
            let packet = Packet { arrival: now, size_bytes: value + 1, value, id: step, ..Packet::default() };
            inside += usize::from(matches!(engine.enqueue(now, packet, &mut evicted), Verdict::Queued { .. }));
            inside -= evicted.drain(..).count();
        }
    }
    assert_eq!(engine.take_all().len(), inside);
}
