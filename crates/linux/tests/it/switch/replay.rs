//! A recording of an egress, played to the reference engine, gives the recorded departures, also across changes of the
//! policy. The recording contains all that a replay of a change needs.

use crate::switch::support::{frame, library, shared_library, switch, whole_ns};
use forebay_core::{ClassId, Duration, FlowId, Packet, QueueId, Rate, Seed, Time, Verdict};
use forebay_engine::live::Transition;
use forebay_engine::{Live, Reference};
use forebay_lang::Policy;
use forebay_lang::ir::PortId;
use forebay_linux::switch::frame::Offload;
use forebay_linux::switch::{Forwarding, Setting, Table};
use rand::RngExt;
use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Plays a recording. How many packets were sent.
fn replay(text: &str, policy: &Policy, mut changes: std::vec::IntoIter<Arc<Policy>>) -> usize {
    let mut live = Live::new(Reference::new, policy.clone(), Seed(5));
    let (mut sent, mut evicted, mut now) = (0, Vec::new(), Time::ZERO);
    for (number, line) in (1..).zip(text.lines()) {
        let words: Vec<&str> = line.split(' ').collect();
        let at = |word: usize| words[word].parse::<u64>().unwrap();
        let small = |word: usize| u32::try_from(at(word)).unwrap();
        match words[0] {
            "enqueue" => {
                now = Time::from_ns(at(1));
                let mut packet = Packet {
                    arrival: now,
                    queue: QueueId(words[2].parse().unwrap()),
                    size_bytes: small(3),
                    value: small(4),
                    flow: FlowId(small(5)),
                    class: ClassId(words[6].parse().unwrap()),
                    processing: Duration::from_ns(at(7)),
                    slack: Duration::from_ns(at(8)),
                    remaining_bytes: at(9),
                    rank: at(10),
                    id: at(12),
                    ..Packet::default()
                };
                if at(11) & 1 != 0 {
                    packet.marks.set_eligible_to_drop();
                }
                if at(11) & 2 != 0 {
                    packet.marks.set_congested();
                }
                let verdict = live.enqueue(now, packet, &mut evicted);
                let expected = if matches!(verdict, Verdict::Queued { .. }) { "queued" } else { "refused" };
                assert_eq!(words[13], expected, "line {number}: {line}");
            }
            "dequeue" => {
                now = Time::from_ns(at(1));
                let packet = live
                    .dequeue(now, PortId(words[2].parse().unwrap()))
                    .unwrap_or_else(|| panic!("line {number}: nothing waits"));
                let marks = u8::from(packet.marks.eligible_to_drop()) | u8::from(packet.marks.congested()) << 1;
                let expected = format!("{}:{}:{marks}", packet.id, packet.value);
                assert_eq!((words[3], words[4]), ("sent", expected.as_str()), "line {number}");
                sent += 1;
            }
            "change" => {
                let transition = if words[2] == "drain" { Transition::Drain } else { Transition::Rerank };
                let change = live.change(now, changes.next().unwrap(), transition).unwrap();
                assert_eq!(change.version.to_string(), words[1]);
            }
            _ => panic!("line {number}: {line}"),
        }
    }
    sent
}

fn record(all: &[Setting], number: usize, change_every: u64) -> usize {
    let first = &all[number];
    let several = first.policy.ports.len();
    let mut rng = Seed(13).stream(&first.name);
    let rate = Rate::parse("100 Mbps").unwrap();
    let written = Shared::default();
    let (ports, forwarding, changed) = match several {
        1 => (2, Forwarding::Static(vec![vec![1], vec![]]), Some(1)),
        _ => (several, Forwarding::Learning(Table::new(several, Duration::ZERO)), None),
    };
    let (mut switch, ends) = switch(ports, first, Some(rate), forwarding, Some(Box::new(written.clone())));
    let mut changes = Vec::new();
    let mut now = Time::ZERO;
    for frame_number in 0..3_000 {
        now += Duration::from_ns(rng.random_range(0..140_000 / several as u64));
        while let Some(wakeup) = switch.next_wakeup().map(whole_ns).filter(|wakeup| *wakeup <= now) {
            switch.send(wakeup);
        }
        let ingress = rng.random_range(0..several);
        ends[ingress].put(frame(&mut rng, frame_number, 1, 2), Offload::default());
        switch.receive(now);
        switch.send(now);
        if frame_number % change_every == change_every - 1 {
            let next = &all[rng.random_range(0..all.len())];
            let transition = if rng.random_bool(0.5) { Transition::Drain } else { Transition::Rerank };
            if switch.change(now, changed, next, transition).is_ok() {
                changes.push(next.policy.clone());
            }
        }
        ends.iter().for_each(|end| while end.take().is_some() {});
    }
    assert_eq!(switch.flush(), None);
    let text = String::from_utf8(written.0.borrow().clone()).unwrap();
    assert!(text.lines().all(|line| line.len() < 500), "players read lines of 511 characters");
    assert_eq!(text.lines().filter(|line| line.starts_with("change")).count(), changes.len());
    replay(&text, &first.policy, changes.into_iter())
}

#[test]
fn recordings_replay_on_the_reference_engine() {
    for all in [library(), shared_library()] {
        for number in 0..all.len() {
            assert!(record(&all, number, u64::MAX) > 300, "{}", all[number].name);
        }
    }
}

#[test]
fn recordings_replay_through_changes() {
    for all in [library(), shared_library()] {
        for number in 0..all.len() {
            assert!(record(&all, number, 150) > 300, "{}", all[number].name);
        }
    }
}
