//! The counters of a switch as tables: its ports, their queues, and what was dropped by which rule.

use forebay::output::table::plain_table;
use forebay_linux::switch::control::PortAnswer;
use forebay_linux::switch::{Dropped, LinkState, Stats};

/// All counters.
pub(super) fn text(stats: &Stats) -> String {
    let header = ["port", "received", "offered", "sent", "sent bytes", "waiting", "marked", "notified", "dropped"];
    let rows = stats.ports.iter().map(|port| {
        let numbers =
            [port.received, port.offered, port.sent, port.sent_bytes, port.waiting, port.marked, port.notified];
        row(&port.name, &numbers, &dropped(&port.dropped))
    });
    let mut out = plain_table(header.map(str::to_owned).to_vec(), rows.collect());
    let header = ["queue", "offered", "sent", "sent bytes", "waiting", "marked", "notified", "dropped"];
    for port in &stats.ports {
        let rows = port.queues.iter().map(|queue| {
            let numbers = [queue.offered, queue.sent, queue.sent_bytes, queue.waiting, queue.marked, queue.notified];
            row(&queue.name, &numbers, &dropped(&queue.dropped))
        });
        let (name, policy) = (&port.name, &port.policy);
        out.push_str(&format!("\n{name}: {}, version {}\n", policy.name, policy.version));
        for (parameter, value) in &policy.parameters {
            out.push_str(&format!("live: {parameter} = {value}\n"));
        }
        out.push_str(&plain_table(header.map(str::to_owned).to_vec(), rows.collect()));
    }
    let mut notes = Vec::new();
    for port in &stats.ports {
        let name = &port.name;
        if port.dropped_on_arrival.total() > 0 {
            notes.push(format!("{name}: dropped on arrival: {}", dropped(&port.dropped_on_arrival)));
        }
        match port.link {
            LinkState::There => {}
            LinkState::Gone => notes.push(format!("{name}: the interface has disappeared")),
            LinkState::Part => notes.push(format!(
                "{name}: the interface belongs to another device (`ip link show {name}`), which handles its frames as well"
            )),
        }
        if port.lost_before > 0 {
            notes.push(format!("{name}: {} frames arrived and were lost before the switch saw them", port.lost_before));
        }
    }
    let removed = &stats.removed;
    if removed.ports > 0 {
        notes.push(format!(
            "{} ports were removed: {} frames received, {} offered, {} sent, dropped: {}; on arrival: {}",
            removed.ports,
            removed.received,
            removed.offered,
            removed.sent,
            dropped(&removed.dropped),
            dropped(&removed.dropped_on_arrival)
        ));
    }
    if stats.copies > 0 {
        notes.push(format!("{} frames were made by flooding and by splitting large frames", stats.copies));
    }
    if !notes.is_empty() {
        out.push_str(&format!("\n{}\n", notes.join("\n")));
    }
    out
}

fn row(name: &str, numbers: &[u64], dropped: &str) -> Vec<String> {
    let numbers = numbers.iter().map(u64::to_string);
    std::iter::once(name.to_owned()).chain(numbers).chain([dropped.to_owned()]).collect()
}

/// `12 queue, 3 overflow`, or `0`.
fn dropped(dropped: &Dropped) -> String {
    if dropped.0.is_empty() {
        return "0".to_owned();
    }
    let rules = dropped.0.iter().map(|(rule, frames)| format!("{frames} {}", rule.name()));
    rules.collect::<Vec<_>>().join(", ")
}

/// The ports and what they run.
pub(super) fn ports(ports: &[PortAnswer]) -> String {
    let rows = ports.iter().map(|port| {
        let rate = port.rate_bps.and_then(forebay_core::Rate::from_bits_per_second);
        let rate = rate.map_or_else(|| "-".to_owned(), |rate| rate.to_string());
        let (version, waiting) = (port.version.to_string(), port.waiting.to_string());
        vec![port.name.clone(), port.link.name().to_owned(), rate, port.policy.clone(), version, waiting]
    });
    plain_table(["port", "link", "rate", "policy", "version", "waiting"].map(str::to_owned).to_vec(), rows.collect())
}
