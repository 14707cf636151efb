//! `currProcessing`: the sum of the processing that waits in a queue (sections 2 and 6.8 of `docs/openqueue-semantics.md`).

use crate::engines::engines;
use forebay_core::{Duration, FlowId, Packet, QueueId, Rng, Seed, Time, Verdict};
use forebay_engine::{Engine, Occupancy, Served, Waiting};
use forebay_lang::ir::{BufferId, BufferRef, PortId, PortRef, State};
use forebay_lang::{Fixed, Overrides, Policy, analyse};
use rand::RngExt;

const OUT: PortId = PortId(0);

/// Sums are seen in states: at each arrival with the arriving packet, and after each service or cycle.
const SHOWN: &str = "q = Queue(4 pkts); out = Port(100); b = Buffer(9 pkts, q);
    b.congestion(b) = (true, modify(b.admState := q.currProcessing));
    out.postSchedAct(out) = (true, modify(out.schedState := q.currProcessing));";

fn policy(text: &str) -> Policy {
    let analysis = analyse(text, &Overrides::new());
    analysis.policy.unwrap_or_else(|| panic!("{:?}", analysis.diagnostics))
}

fn packet(id: u64, flow: u32, size_bytes: u32, cycles: u64) -> Packet {
    Packet { id, flow: FlowId(flow), size_bytes, processing: Duration::from_ns(cycles), ..Packet::default() }
}

fn arrives(engine: &mut dyn Engine, packet: Packet) -> (bool, Vec<u64>) {
    let mut evicted = Vec::new();
    let verdict = engine.enqueue(Time::ZERO, packet, &mut evicted);
    (matches!(verdict, Verdict::Queued { .. }), evicted.iter().map(|packet| packet.id).collect())
}

fn at_arrival(engine: &dyn Engine) -> Fixed {
    engine.state(State::BufferAdm(BufferRef::Named(BufferId(0))))
}

fn after_service(engine: &dyn Engine) -> Fixed {
    engine.state(State::PortSched(PortRef::Named(OUT)))
}

fn overflowed(engine: &dyn Engine) -> u64 {
    engine.counters().iter().find(|counter| counter.name == "overflowed").unwrap().value
}

#[test]
fn a_sum_follows_arrivals_cycles_services_and_drops() {
    for (name, mut engine) in engines(&policy(SHOWN)) {
        let engine = engine.as_mut();
        arrives(engine, packet(1, 0, 100, 3));
        arrives(engine, packet(2, 0, 100, 10));
        assert_eq!(at_arrival(engine), Fixed::whole(13), "{name}: the arriving packet counts");
        assert_eq!(engine.cycle(Time::ZERO, OUT), Served::Cycle);
        assert_eq!(after_service(engine), Fixed::whole(12), "{name}: a cycle less");
        engine.dequeue(Time::ZERO, OUT);
        assert_eq!(after_service(engine), Fixed::whole(10), "{name}: nothing is left of what was served");
        arrives(engine, packet(3, 0, 100, 5));
        assert_eq!(at_arrival(engine), Fixed::whole(15), "{name}: what has left does not count");
        (4..=5).for_each(|id| assert!(arrives(engine, packet(id, 0, 100, 1)).0));
        assert!(!arrives(engine, packet(6, 0, 100, 100)).0, "{name}: there is no room");
        assert_eq!(at_arrival(engine), Fixed::whole(117), "{name}");
        engine.dequeue(Time::ZERO, OUT);
        assert_eq!(after_service(engine), Fixed::whole(7), "{name}: what was refused does not count");
    }
}

#[test]
fn fractions_of_cycles_are_added_up_as_numbers() {
    for (name, mut engine) in engines(&policy(SHOWN)) {
        let engine = engine.as_mut();
        // 1/1000 ns is 65/65,536, rounded down for each packet.
        for id in 0..3 {
            arrives(engine, Packet { processing: Duration::from_ps(1), ..packet(id, 0, 100, 0) });
        }
        assert_eq!(at_arrival(engine), Fixed(195), "{name}");
    }
}

#[test]
fn what_is_held_does_not_count_and_what_is_placed_does() {
    for (name, mut engine) in engines(&policy(SHOWN)) {
        let engine = engine.as_mut();
        engine.place(Waiting { queue: QueueId(0), policy_id: 1, packet: packet(1, 0, 100, 7) });
        engine.hold(QueueId(0), Occupancy { packets: 1, bytes: 100 });
        arrives(engine, packet(2, 0, 100, 4));
        assert_eq!(at_arrival(engine), Fixed::whole(11), "{name}");
        assert_eq!(engine.take_all().len(), 2);
        arrives(engine, packet(3, 0, 100, 2));
        assert_eq!(at_arrival(engine), Fixed::whole(2), "{name}: all were taken");
    }
}

#[test]
fn a_packet_with_which_the_sum_is_no_number_overflows() {
    for (name, mut engine) in engines(&policy(SHOWN)) {
        let engine = engine.as_mut();
        let half = 1 << 46;
        assert!(arrives(engine, packet(1, 0, 100, half)).0);
        assert!(!arrives(engine, packet(2, 0, 100, half)).0, "{name}");
        assert_eq!((at_arrival(engine), overflowed(engine)), (Fixed(i64::MAX), 1), "{name}");
        assert!(arrives(engine, packet(3, 0, 100, half - 1)).0, "{name}: it was not counted");
        // Placed packets are not judged: until they have left nothing fits.
        engine.place(Waiting { queue: QueueId(0), policy_id: 1, packet: packet(4, 0, 100, 2 * half) });
        assert!(!arrives(engine, packet(5, 0, 100, 0)).0, "{name}");
        (0..2).for_each(|_| assert!(engine.dequeue(Time::ZERO, OUT).is_some()));
        assert_eq!(after_service(engine), Fixed(i64::MAX), "{name}: the sum is cut and not lost");
        engine.dequeue(Time::ZERO, OUT);
        assert!(arrives(engine, packet(6, 0, 100, 1)).0, "{name}");
        assert_eq!(at_arrival(engine), Fixed::whole(1), "{name}");
    }
}

/// WSJF-Inorder (thesis, 3.5.3) on lists of packets, of flows that each have a list.
struct Lists {
    flows: Vec<Vec<Packet>>,
    room: usize,
}

impl Lists {
    /// The work and the bytes of a flow.
    fn sums(flow: &[Packet]) -> (u128, u128) {
        let work = flow.iter().map(|packet| u128::from(packet.processing.as_ns())).sum();
        (work, flow.iter().map(|packet| u128::from(packet.size_bytes)).sum())
    }

    /// The flow with packets that no other comes before, the first of such: least work per byte first, or most.
    fn first(&self, least: bool) -> Option<usize> {
        let waiting = (0..self.flows.len()).filter(|&flow| !self.flows[flow].is_empty());
        waiting.reduce(|best, next| {
            let [(work, bytes), (best_work, best_bytes)] = [next, best].map(|flow| Self::sums(&self.flows[flow]));
            let (ours, theirs) = (work * best_bytes, best_work * bytes);
            if if least { ours < theirs } else { ours > theirs } { next } else { best }
        })
    }

    /// Whether the packet waits now, and which packets were pushed out.
    fn arrives(&mut self, packet: Packet) -> (bool, Vec<u64>) {
        self.flows[packet.queue.0 as usize].push(packet);
        let mut gone: Vec<u64> = Vec::new();
        while self.flows.iter().map(Vec::len).sum::<usize>() > self.room {
            let worst = self.first(false).unwrap();
            gone.extend(self.flows[worst].pop().map(|packet| packet.id));
        }
        let stays = !gone.contains(&packet.id);
        gone.retain(|id| *id != packet.id);
        (stays, gone)
    }

    fn leaves(&mut self) -> Option<u64> {
        let flow = self.first(true)?;
        Some(self.flows[flow].remove(0).id)
    }
}

/// Sizes and processing of which many have the same ratio.
fn any_packet(id: u64, rng: &mut Rng, flows: u16) -> Packet {
    let (size, cycles) = match rng.random_range(0..3) {
        0 => (rng.random_range(1..=4), rng.random_range(0..=4)),
        1 => (rng.random_range(64..=1500), rng.random_range(0..=10_000)),
        _ => (Packet::MAX_BYTES - rng.random_range(0..2), (1 << 40) - rng.random_range(0..2)),
    };
    Packet { queue: QueueId(rng.random_range(0..flows)), ..packet(id, 0, size, cycles) }
}

#[test]
fn in_order_wsjf_is_that_of_lists_of_packets() {
    const FLOWS: u16 = 5;
    let text = "q[1..5] = Queue(1 GB); out = Port(100, q[1..5]); b = Buffer(12 pkts, q[1..5]);
        least(q1, q2) = (q1.currProcessing * q2.currSize < q2.currProcessing * q1.currSize);
        out.schedPrio = least; b.admPrio(q1, q2) = least(q2, q1); b.congestion(b) = b.currSize > b.size, drop(1);";
    for (name, mut engine) in engines(&policy(text)) {
        let rng = &mut Seed(38).stream("wsjf-inorder");
        let mut lists = Lists { flows: vec![Vec::new(); FLOWS.into()], room: 12 };
        let mut refused = 0;
        for id in 0..20_000 {
            if rng.random_bool(0.55) {
                let packet = any_packet(id, rng, FLOWS);
                let expected = lists.arrives(packet);
                refused += u32::from(!expected.0);
                assert_eq!(arrives(engine.as_mut(), packet), expected, "{name}: {packet:?}");
            } else {
                let left = engine.dequeue(Time::ZERO, OUT).map(|packet| packet.id);
                assert_eq!(left, lists.leaves(), "{name}");
            }
        }
        assert!(refused > 100, "{name}: too little was refused to show anything");
    }
}
