//! Frames depart in the order, at the times and with the marks of the reference engine, under every policy of the
//! library. A policy with one port runs between two interfaces, and a policy with several ports between as many.

use crate::switch::oracle::{Oracle, port_of};
use crate::switch::support::{frame, library, mapping, set_queue, shared_library, switch, whole_ns};
use forebay_core::{Duration, QueueId, Rate, Seed, Time};
use forebay_engine::Occupancy;
use forebay_linux::switch::backend::memory::OtherEnd;
use forebay_linux::switch::{Forwarding, Rule, Setting, Stats, Switch, Table};
use forebay_targets::headers::{Metadata, write_marks};
use rand::RngExt;
use std::collections::VecDeque;

const FRAMES: u64 = 20_000;

/// What became of frames.
#[derive(Debug, Default)]
struct Seen {
    sent: usize,
    pushed_out: usize,
    /// Of those, for a packet of another queue.
    pushed_out_by_others: usize,
    refused: usize,
    marked: usize,
    no_route: u64,
}

/// The frames that the switch has sent and nobody has looked at: when, by which port of the policy, and what.
type Left = VecDeque<(Time, usize, Vec<u8>)>;

/// Sends at a time, and collects what has left.
fn send(switch: &mut Switch, now: Time, ends: &[OtherEnd], left: &mut Left) {
    switch.send(now);
    for (port, end) in ends.iter().enumerate() {
        left.extend(std::iter::from_fn(|| end.take()).map(|frame| (now, port, frame)));
    }
}

fn play(setting: &Setting) -> Seen {
    let rate = Rate::parse("100 Mbps").unwrap();
    let mut rng = Seed(7).stream(&setting.name);
    let several = setting.policy.ports.len();
    // A policy with one port is looked at behind the second of two.
    let (ports, first) = if several == 1 { (2, 1) } else { (several, 0) };
    let forwarding = match several {
        1 => Forwarding::Static(vec![vec![1], vec![]]),
        _ => Forwarding::Learning(Table::new(ports, Duration::from_ms(1))),
    };
    let (mut switch, mut ends) = switch(ports, setting, Some(rate), forwarding, None);
    let others = ends.split_off(first);
    let (ingresses, ends) = if several == 1 { (&ends, &others) } else { (&others, &others) };
    let mut oracle = Oracle::new(&setting.policy, rate, Seed(5));
    let mapping = mapping();
    let (mut now_ns, mut gap_ns) = (0, 60_000);
    let (mut frames, mut left, mut seen) = (Vec::new(), Left::new(), Seen::default());
    // Where most frames go if there are several ports, so that queues have different lengths.
    let mut hot = 0;
    for number in 0..FRAMES {
        if number % 400 == 0 {
            gap_ns = [20_000, 60_000, 90_000, 400_000][rng.random_range(0..4_usize)];
        }
        if number % 150 == 0 {
            hot = rng.random_range(0..4);
        }
        now_ns += rng.random_range(0..2 * gap_ns / (several * several) as u64) * u64::from(rng.random_bool(0.8));
        let now = Time::from_ns(now_ns);
        while let Some(wakeup) = switch.next_wakeup().map(whole_ns).filter(|wakeup| *wakeup <= now) {
            send(&mut switch, wakeup, ends, &mut left);
        }
        oracle.until(now);
        let mut bytes = frame(&mut rng, number, 1, 2);
        if several > 1 && rng.random_bool(0.6) {
            set_queue(&mut bytes, hot);
        }
        let packet = mapping.packet(&bytes, Metadata::default());
        let ingress = rng.random_range(0..ingresses.len());
        ingresses[ingress].put(bytes.clone(), forebay_linux::switch::frame::Offload::default());
        assert!(!switch.receive(now));
        send(&mut switch, now, ends, &mut left);
        if several > 1 && port_of(&setting.policy, now, &packet) == Some(ingress) {
            seen.no_route += 1;
            continue;
        }
        let (pushed_out, is_queued) = oracle.arrive(now, packet);
        let queue_of = |id: u64| {
            frames.get(usize::try_from(id).unwrap()).map(|(_, packet): &(_, forebay_core::Packet)| packet.queue)
        };
        seen.pushed_out_by_others += pushed_out.iter().filter(|id| queue_of(**id) != Some(packet.queue)).count();
        oracle.until(now);
        frames.push((bytes, packet));
        if number % 50 == 0 {
            same_queues(&switch.stats(), first, &oracle, &setting.name);
        }
        seen.pushed_out += pushed_out.len();
        seen.refused += usize::from(!is_queued);
        compare(&oracle, &frames, &mut left, &mut seen, &setting.name);
    }
    while let Some(wakeup) = switch.next_wakeup().map(whole_ns) {
        send(&mut switch, wakeup, ends, &mut left);
    }
    oracle.until(Time::MAX);
    compare(&oracle, &frames, &mut left, &mut seen, &setting.name);
    assert!(left.is_empty(), "{}: more has left", setting.name);
    let stats = switch.stats();
    stats.check().unwrap();
    let dropped = |rule| {
        let of_port = |port: &forebay_linux::switch::PortStats| {
            [&port.dropped, &port.dropped_on_arrival].map(|dropped| dropped.0.get(&rule).copied().unwrap_or(0))
        };
        stats.ports.iter().flat_map(of_port).sum::<u64>()
    };
    let found = [Rule::Unclassified, Rule::Queue, Rule::Buffer, Rule::Overflow].map(dropped);
    let counters: Vec<u64> = oracle.live.counters().iter().map(|counter| counter.value).collect();
    assert_eq!(found[..], counters[..4], "{}", setting.name);
    assert_eq!(dropped(Rule::NoRoute), seen.no_route, "{}", setting.name);
    let of_ports = |of: fn(&forebay_linux::switch::PortStats) -> u64| stats.ports[first..].iter().map(of).sum::<u64>();
    assert_eq!((of_ports(|port| port.sent), of_ports(|port| port.waiting)), (seen.sent as u64, 0), "{}", setting.name);
    assert_eq!(stats.copies, 0, "each frame leaves at most once");
    seen
}

/// Holds what is counted of each queue equal to what is in it, and all counts to each other.
fn same_queues(stats: &Stats, first: usize, oracle: &Oracle, name: &str) {
    stats.check().unwrap();
    for (id, queue) in (0..).map(QueueId).zip(&oracle.live.policy().queues) {
        let Occupancy { packets, bytes } = oracle.live.occupancy(id);
        let port = &stats.ports[first + usize::from(queue.port.0)];
        let counted = port.queues.iter().find(|counted| counted.name == queue.name).unwrap();
        assert_eq!((counted.waiting, counted.waiting_bytes), (packets, bytes), "{name}, queue {}", queue.name);
    }
}

/// Holds the frames that have left since the last time equal to those that should have.
fn compare(oracle: &Oracle, frames: &[(Vec<u8>, forebay_core::Packet)], left: &mut Left, seen: &mut Seen, name: &str) {
    for (time, port, packet) in &oracle.departures[seen.sent..] {
        let (bytes, arrived) = &frames[usize::try_from(packet.id).unwrap()];
        let mut expected = bytes.clone();
        write_marks(&mut expected, packet.marks);
        seen.marked += usize::from(packet.marks != arrived.marks);
        assert!(
            left.pop_front() == Some((*time, *port, expected)),
            "{name}: departure {} at {time:?} by port {port}: {packet:?}",
            seen.sent
        );
        seen.sent += 1;
    }
}

#[test]
fn frames_leave_as_the_reference_engine_says() {
    let all = library();
    assert!(all.len() >= 35, "only {} policies", all.len());
    let mut total = Seen::default();
    for setting in &all {
        let seen = play(setting);
        assert!(seen.sent > 1_000, "{}: {seen:?}", setting.name);
        let name = setting.name.as_str();
        if ["srpt", "pfabric", "wsjf", "lqd at one port", "cheapest of two queues"].contains(&name) {
            assert!(seen.pushed_out > 100, "{name}: {seen:?}");
        }
        if ["dctcp", "red", "cheapest of two queues"].contains(&name) {
            assert!(seen.marked > 100 || name == "red" && seen.refused > 100, "{name}: {seen:?}");
        }
        total.pushed_out += seen.pushed_out;
        total.marked += seen.marked;
        total.refused += seen.refused;
    }
    assert!(total.pushed_out > 10_000 && total.marked > 1_000 && total.refused > 10_000, "{total:?}");
}

#[test]
fn frames_leave_a_shared_memory_as_the_reference_engine_says() {
    let all = shared_library();
    assert!(all.iter().any(|setting| setting.name == "lqd"), "{}", all.len());
    for setting in &all {
        let seen = play(setting);
        let name = setting.name.as_str();
        assert!(seen.sent > 1_000 && seen.no_route > 1_000, "{name}: {seen:?}");
        let least = match name {
            "lqd" => 1_000,
            "lwd" | "classes at three ports" => 300,
            _ => 0,
        };
        assert!(seen.pushed_out_by_others >= least && seen.refused > 1_000, "{name}: {seen:?}");
    }
}
