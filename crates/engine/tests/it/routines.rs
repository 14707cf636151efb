//! Actions that a program brings: when they are called, with which numbers and packet (6.4, 7.3).

use crate::build::*;
use forebay_core::{Packet, Seed, Time};
use forebay_engine::{Engine, EngineOptions, Fast, Reference, Routines};
use forebay_lang::{Fixed, Overrides, Policy, analyse};
use rand::RngExt;
use std::sync::{Arc, Mutex};

/// What was called, with what.
#[derive(Debug, Default)]
struct Calls(Mutex<Vec<(String, Vec<Fixed>, Packet)>>);

impl Routines for Calls {
    fn call(&self, action: &str, arguments: &[Fixed], packet: &Packet) {
        self.0.lock().unwrap().push((action.to_owned(), arguments.to_vec(), *packet));
    }
}

impl Calls {
    fn take(&self) -> Vec<(String, Vec<Fixed>, Packet)> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

const POLICY: &str = "
extern action refused(value, depth);
extern action served(third);
extern action tick();
q = Queue(3 pkts);
q.procPrio(a, b) = (a.value > b.value);
q.admPrio(a, b) = (a.value < b.value);
q.congestion(q) =
    (q.currSize > q.size, modify(arriving.value := arriving.value + 1), drop(1), refused(arriving.value, q.currSize)).
    (q.currSize == 1, mark, tick());
out = Port(100);
out.postSchedAct = (true, served(out.currQueue.findHigh().value / 3));
";

fn policy() -> Policy {
    analyse(POLICY, &Overrides::new()).policy.unwrap()
}

fn calls_of(engine: &mut dyn Engine) -> Vec<(String, Vec<Fixed>, Packet)> {
    let calls = Arc::new(Calls::default());
    engine.set_routines(calls.clone());
    let mut rng = Seed(7).stream("routines");
    let mut all = Vec::new();
    for id in 1..2_000 {
        let mut packet = of_value(id, rng.random_range(0..9));
        packet.processing = forebay_core::Duration::from_ns(rng.random_range(0..3));
        match rng.random_range(0..5) {
            0 => drop(engine.dequeue(packet.arrival, forebay_lang::ir::PortId(0))),
            1 => drop(engine.cycle(packet.arrival, forebay_lang::ir::PortId(0))),
            _ => drop(engine.enqueue(packet.arrival, packet, &mut Vec::new())),
        }
        all.extend(calls.take());
    }
    all
}

#[test]
fn an_action_gets_its_numbers_and_the_packet_as_it_is() {
    let mut engine = Reference::new(&policy(), EngineOptions { policy_id: 1, seed: Seed(1) });
    let calls = Arc::new(Calls::default());
    // Without a program, nothing is called.
    engine.enqueue(Time::from_ns(1), of_value(1, 4), &mut Vec::new());
    engine.set_routines(calls.clone());
    for (id, value) in [(2, 5), (3, 6), (4, 2)] {
        engine.enqueue(Time::from_ns(id), of_value(id, value), &mut Vec::new());
    }
    let said = calls.take();
    assert_eq!(said.len(), 1);
    let (name, numbers, packet) = &said[0];
    assert_eq!((name.as_str(), &numbers[..]), ("refused", &[Fixed::whole(3), Fixed::whole(3)][..]));
    assert_eq!((packet.id, packet.value), (4, 3), "as it was dropped");
    engine.dequeue(Time::from_ns(9), forebay_lang::ir::PortId(0));
    let said = calls.take();
    assert_eq!((said[0].0.as_str(), &said[0].1[..], said[0].2.id), ("served", &[Fixed::whole(2)][..], 3));
}

#[test]
fn both_engines_call_the_same() {
    let options = EngineOptions { policy_id: 1, seed: Seed(1) };
    let reference = calls_of(&mut Reference::new(&policy(), options));
    let fast = calls_of(&mut Fast::new(&policy(), options).unwrap());
    assert!(reference.len() > 500, "{}", reference.len());
    assert_eq!(reference, fast);
}
