//! Frames leave in the order, at the times and with the marks that the reference engine says, under every policy of the library
//! that has one port.

use crate::oracle::Oracle;
use crate::support::{frame, library, mapping, switch, whole_ns};
use forebay_core::{QueueId, Rate, Seed, Time};
use forebay_engine::Occupancy;
use forebay_switch::{Forwarding, PortStats, Rule, Setting};
use forebay_targets::headers::{Metadata, write_marks};
use rand::RngExt;
use std::collections::VecDeque;

const FRAMES: u64 = 20_000;

/// What became of frames.
#[derive(Debug, Default)]
struct Seen {
    sent: usize,
    pushed_out: usize,
    refused: usize,
    marked: usize,
}

fn play(setting: &Setting) -> Seen {
    let rate = Rate::parse("100 Mbps").unwrap();
    let mut rng = Seed(7).stream(&setting.name);
    let (mut switch, ends) = switch(2, setting, Some(rate), Forwarding::Static(vec![vec![1], vec![]]), None);
    let mut oracle = Oracle::new(&setting.policy, rate, Seed(5));
    let mapping = mapping();
    let (mut now_ns, mut gap_ns) = (0, 60_000);
    let (mut frames, mut left, mut seen) = (Vec::new(), VecDeque::new(), Seen::default());
    let mut compared = 0;
    for number in 0..FRAMES {
        if number % 400 == 0 {
            gap_ns = [20_000, 60_000, 90_000, 400_000][rng.random_range(0..4_usize)];
        }
        now_ns += rng.random_range(0..2 * gap_ns) * u64::from(rng.random_bool(0.8));
        let now = Time::from_ns(now_ns);
        while let Some(wakeup) = switch.next_wakeup().map(whole_ns).filter(|wakeup| *wakeup <= now) {
            switch.send(wakeup);
            left.extend(std::iter::from_fn(|| ends[1].take()).map(|frame| (wakeup, frame)));
        }
        oracle.until(now);
        let bytes = frame(&mut rng, number, 1, 2);
        ends[0].put(bytes.clone(), forebay_switch::frame::Offload::default());
        let packet = mapping.packet(&bytes, Metadata::default());
        assert!(!switch.receive(now));
        switch.send(now);
        left.extend(std::iter::from_fn(|| ends[1].take()).map(|frame| (now, frame)));
        let (pushed_out, is_queued) = oracle.arrive(now, packet);
        oracle.until(now);
        frames.push((bytes, packet.marks));
        if number % 50 == 0 {
            same_queues(&switch.stats().ports[1], &oracle, &setting.name);
        }
        seen.pushed_out += pushed_out.len();
        seen.refused += usize::from(!is_queued);
        compared += compare(&oracle, compared, &frames, &mut left, &mut seen, &setting.name);
    }
    while let Some(wakeup) = switch.next_wakeup().map(whole_ns) {
        switch.send(wakeup);
        left.extend(std::iter::from_fn(|| ends[1].take()).map(|frame| (wakeup, frame)));
    }
    oracle.until(Time::MAX);
    compared += compare(&oracle, compared, &frames, &mut left, &mut seen, &setting.name);
    seen.sent = compared;
    assert!(left.is_empty(), "{}: more has left", setting.name);
    let stats = switch.stats();
    stats.check().unwrap();
    let dropped = |rule| stats.ports[1].dropped.0.get(&rule).copied().unwrap_or(0);
    let found = [Rule::Unclassified, Rule::Queue, Rule::Buffer, Rule::Overflow].map(dropped);
    let counters: Vec<u64> = oracle.live.counters().iter().map(|counter| counter.value).collect();
    assert_eq!(found[..], counters[..4], "{}", setting.name);
    assert_eq!((stats.ports[1].sent, stats.ports[1].waiting), (compared as u64, 0), "{}", setting.name);
    seen
}

/// Holds what is counted of each queue equal to what is in it.
fn same_queues(port: &PortStats, oracle: &Oracle, name: &str) {
    for (id, queue) in (0..).map(QueueId).zip(&port.queues) {
        let Occupancy { packets, bytes } = oracle.live.occupancy(id);
        assert_eq!((queue.waiting, queue.waiting_bytes), (packets, bytes), "{name}, queue {}", queue.name);
    }
}

/// Holds the frames that have left since the last time equal to those that should have. How many they are.
fn compare(
    oracle: &Oracle,
    from: usize,
    frames: &[(Vec<u8>, forebay_core::Marks)],
    left: &mut VecDeque<(Time, Vec<u8>)>,
    seen: &mut Seen,
    name: &str,
) -> usize {
    for (number, (time, packet)) in oracle.departures[from..].iter().enumerate() {
        let (bytes, marks) = &frames[usize::try_from(packet.id).unwrap()];
        let mut expected = bytes.clone();
        write_marks(&mut expected, packet.marks);
        seen.marked += usize::from(packet.marks != *marks);
        assert!(
            left.pop_front() == Some((*time, expected)),
            "{name}: departure {} at {time:?}: {packet:?}",
            from + number
        );
    }
    oracle.departures.len() - from
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
