//! The two engines of OpenQueue beside each other, on policies that bytes choose, with constants and packets of the whole width.
//!
//! Each order compares one expression of two packets, so it is an order whatever the numbers are, and the engines must agree.

use super::FuzzTarget;
use crate::bytes::Bytes;
use forebay_core::{ClassId, Duration, FlowId, Packet, QueueId, Seed, Time};
use forebay_engine::{Engine, EngineOptions, Fast, Reference};
use forebay_lang::Policy;
use forebay_lang::ir::PortId;
use std::fmt::Write as _;

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "engines",
    title: "The fast engine answers as the reference does, with extreme constants and packets",
    seeds: Vec::new,
    run,
    quick: 10_000,
};

const FIELDS: [&str; 8] = ["value", "processing", "size", "rank", "flow", "class", "slack", "remaining"];
const RELATIONS: [&str; 6] = ["<", ">", "<=", ">=", "==", "!="];

/// A number as policies write it.
fn constant(bytes: &mut Bytes<'_>) -> String {
    let number = bytes.wide() >> 17;
    if bytes.byte() < 40 { format!("{}.{}", number % 100, bytes.byte()) } else { number.to_string() }
}

/// An expression of one packet, `P`.
fn expression(bytes: &mut Bytes<'_>, depth: u32) -> String {
    match bytes.byte() % if depth > 2 { 4 } else { 10 } {
        0..3 => format!("P.{}", bytes.one_of(&FIELDS)),
        3 => constant(bytes),
        4..8 => {
            let operator = bytes.one_of(&["+", "-", "*", "/"]);
            format!("({} {operator} {})", expression(bytes, depth + 1), expression(bytes, depth + 1))
        }
        _ => {
            let function = bytes.one_of(&["min", "max", "mod"]);
            format!("{function}({}, {})", expression(bytes, depth + 1), expression(bytes, depth + 1))
        }
    }
}

/// A policy that bytes choose.
fn text(bytes: &mut Bytes<'_>) -> String {
    let queues = 1 + bytes.below(4);
    // Sizes of queues are compared, so they have one unit.
    let unit = bytes.one_of(&["pkts", "B", "KB"]);
    let mut text = String::new();
    for queue in 1..=queues {
        let size = 1 + bytes.below(12);
        let size = if unit == "B" { size * 99 } else { size };
        // Writing to a string does not fail.
        let _ = writeln!(text, "q{queue} = Queue({size} {unit});");
        for (order, property) in [("proc", "procPrio"), ("adm", "admPrio")] {
            if bytes.byte() < 60 {
                continue;
            }
            let (expression, relation) = (expression(bytes, 0), bytes.one_of(&["<", ">"]));
            let (left, right) = (expression.replace('P', "a"), expression.replace('P', "b"));
            let _ = writeln!(
                text,
                "{order}{queue}(a, b) = ({left} {relation} {right});\nq{queue}.{property} = {order}{queue};"
            );
        }
        if bytes.byte() > 90 {
            let cases: Vec<String> = (0..=bytes.below(3)).map(|_| congestion(bytes)).collect();
            let _ = writeln!(text, "full{queue}(q) = {};\nq{queue}.congestion = full{queue};", cases.join("."));
        }
    }
    let all: Vec<String> = (1..=queues).map(|queue| format!("q{queue}")).collect();
    let _ = writeln!(text, "out = Port(100, {});", all.join(", "));
    let order = bytes.one_of(&["x.currSize < y.currSize", "x.currSize > y.currSize", "x.schedState < y.schedState"]);
    let _ = writeln!(text, "turn(x, y) = ({order});\nout.schedPrio = turn;");
    let cases: Vec<String> = (1..queues)
        .map(|queue| {
            let condition = expression(bytes, 0).replace('P', "p");
            format!("({condition} {} {}, enter(q{queue}))", bytes.one_of(&RELATIONS), constant(bytes))
        })
        .chain([format!("(true, enter(q{queues}))")])
        .collect();
    let _ = writeln!(text, "classify(p) = {};", cases.join("."));
    text
}

/// When a queue drops or marks.
fn congestion(bytes: &mut Bytes<'_>) -> String {
    let condition = match bytes.byte() % 3 {
        0 => format!("q.currSize {} .{} * q.size", bytes.one_of(&["<", ">=", "=="]), 1 + bytes.below(9)),
        1 => format!("q.currSize > .{} * q.size", 1 + bytes.below(9)),
        _ => format!(
            "{} {} {}",
            expression(bytes, 1).replace('P', "arriving"),
            bytes.one_of(&RELATIONS),
            constant(bytes)
        ),
    };
    format!("({condition}, {})", bytes.one_of(&["drop(1)", "drop(.5)", "mark", "drop(.01), mark", "notify"]))
}

fn packet(bytes: &mut Bytes<'_>, now: Time, id: u64) -> Packet {
    let narrow = |number: u64| u32::try_from(number & u64::from(u32::MAX)).unwrap_or(u32::MAX);
    Packet {
        arrival: now,
        id,
        size_bytes: 1 + narrow(bytes.wide()) % 65_535,
        value: narrow(bytes.wide()),
        rank: bytes.wide(),
        remaining_bytes: bytes.wide(),
        processing: Duration::from_ps(bytes.wide()),
        slack: Duration::from_ps(bytes.wide()),
        flow: FlowId(narrow(bytes.wide())),
        class: ClassId(bytes.byte() % 64),
        queue: QueueId(u16::from(bytes.byte() % 4)),
        ..Packet::default()
    }
}

fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let text = text(&mut bytes);
    let analysis = forebay_lang::analyse(&text, &Vec::new());
    // A constant may be too large, or a condition always false.
    let Some(policy) = analysis.policy else { return };
    play(&policy, &mut bytes, &text);
}

/// Whether two engines do the same.
fn play(policy: &Policy, bytes: &mut Bytes<'_>, text: &str) {
    let options = EngineOptions { policy_id: 1, seed: Seed(1) };
    let mut reference = Reference::new(policy, options);
    let Ok(fast) = Fast::new(policy, options) else { return };
    let mut fast = fast.into_engine();
    let mut now = Time::ZERO;
    for id in 1..200 {
        if bytes.is_empty() {
            break;
        }
        let kind = bytes.byte();
        now += Duration::from_ns(u64::from(kind / 64));
        match kind % 8 {
            0..5 => {
                let packet = packet(bytes, now, id);
                let (mut first, mut second) = (Vec::new(), Vec::new());
                let verdicts = (reference.enqueue(now, packet, &mut first), fast.enqueue(now, packet, &mut second));
                assert_eq!(verdicts.0, verdicts.1, "step {id}: {packet:?}\n{text}");
                assert_eq!(first, second, "step {id}: pushed out by {packet:?}\n{text}");
            }
            5 => assert_eq!(reference.cycle(now, PortId(0)), fast.cycle(now, PortId(0)), "step {id}\n{text}"),
            _ => assert_eq!(reference.dequeue(now, PortId(0)), fast.dequeue(now, PortId(0)), "step {id}\n{text}"),
        }
    }
    assert_eq!(reference.counters(), fast.counters(), "{text}");
    assert_eq!(reference.take_all(), fast.take_all(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Rng;
    use rand::RngExt as _;

    #[test]
    fn most_choices_are_policies() {
        let mut rng: Rng = Seed(1).stream("policies");
        let is_policy = |rng: &mut Rng| {
            let data: Vec<u8> = (0..300).map(|_| rng.random()).collect();
            forebay_lang::analyse(&text(&mut Bytes::new(&data)), &Vec::new()).policy.is_some()
        };
        let policies = (0..1_000).filter(|_| is_policy(&mut rng)).count();
        assert!(policies > 400, "{policies} of 1000");
    }
}
