//! Policies of a shared memory are replaced under traffic: nothing is lost, no packet changes its port, and departures are
//! those of the reference engine under the same changes.

use crate::switch::oracle::{Oracle, port_of};
use crate::switch::support::{frame, mapping, set_queue, setting, shared_library, switch, whole_ns};
use forebay_core::{Duration, Rate, Seed, Time};
use forebay_engine::live::Transition;
use forebay_linux::switch::frame::Offload;
use forebay_linux::switch::{Forwarding, Setting, Table};
use forebay_targets::headers::{Metadata, write_marks};
use rand::RngExt;

/// The policies of the library with four ports as fast as their links, and others with the same ports. Some of these have
/// two queues at each port, some have queues of other names, and some exchange the queues of two ports.
fn alike() -> Vec<Setting> {
    let lqd = include_str!("../../../../../policies/lqd.oq");
    let mut all = shared_library();
    all.retain(|setting| setting.policy.ports.len() == 4);
    all.push(setting("small", &lqd.replace("B = 128 pkts", "B = 16 pkts")));
    all.push(setting("other names", &lqd.replace("q[", "other[")));
    let pairs = "q[1..8] = Queue(20 pkts);\nfor i in 1..4 { out[i] = Port(100, q[i], q[i + 4]); }\n\
                 classify(p) = (p.queue < 4, enter(q[p.queue + 1])).(true, enter(q[p.queue + 3]));\n";
    all.push(setting("pairs", pairs));
    let moved = "q[1..4] = Queue(20 pkts);\nout[1] = Port(100, q[2]);\nout[2] = Port(100, q[1]);\n\
                 out[3] = Port(100, q[3]);\nout[4] = Port(100, q[4]);\n";
    all.push(setting("moved", moved));
    all
}

fn learning() -> Forwarding {
    Forwarding::Learning(Table::new(4, Duration::ZERO))
}

#[test]
fn replacements_lose_nothing_and_do_as_the_reference_engine() {
    let all = alike();
    let mut rng = Seed(4).stream("shared changes");
    let rate = Rate::parse("100 Mbps").unwrap();
    let (mut switch, ends) = switch(4, &all[0], Some(rate), learning(), None);
    let mut oracle = Oracle::new(&all[0].policy, rate, Seed(5));
    let (mut present, mut now, mut frames, mut came) = (&all[0], Time::ZERO, Vec::new(), 0);
    let (mut made, mut kept_apart, mut refused, mut sent) = ([0, 0], 0, 0, 0);
    while made[0] + made[1] < 600 {
        let hot = rng.random_range(0..4);
        for _ in 0..rng.random_range(0..100) {
            now += Duration::from_ns(rng.random_range(0..40_000));
            while let Some(wakeup) = switch.next_wakeup().map(whole_ns).filter(|wakeup| *wakeup <= now) {
                switch.send(wakeup);
            }
            oracle.until(now);
            let mut bytes = frame(&mut rng, frames.len() as u64, 1, 2);
            if rng.random_bool(0.6) {
                set_queue(&mut bytes, hot);
            }
            let ingress = rng.random_range(0..4);
            ends[ingress].put(bytes.clone(), Offload::default());
            came += 1;
            switch.receive(now);
            switch.send(now);
            let packet = mapping().packet(&bytes, Metadata::default());
            if port_of(&present.policy, now, &packet) != Some(ingress) {
                oracle.arrive(now, packet);
                frames.push(bytes);
            }
            oracle.until(now);
        }
        let next = &all[rng.random_range(0..all.len())];
        let transition = if rng.random_bool(0.5) { Transition::Drain } else { Transition::Rerank };
        let before = switch.stats();
        match switch.change(now, None, next, transition) {
            Ok(changes) => {
                assert!(changes.len() == 1 && changes[0].0.is_none());
                assert!(oracle.change(now, &next.policy, transition), "{} to {}", present.name, next.name);
                made[usize::from(transition == Transition::Rerank)] += 1;
                present = next;
            }
            Err(why) => {
                let why = why.to_string();
                assert!(why.contains("wait") && !why.contains('\n'), "{why}");
                assert_eq!(switch.stats(), before, "nothing has happened");
                // A packet of a queue that is at another port now.
                let is_moved = why.contains("and the new version has it at port `out");
                assert!(is_moved || !oracle.change(now, &next.policy, transition), "{why}");
                kept_apart += u32::from(is_moved);
                refused += 1;
            }
        }
        switch.stats().check().unwrap();
        for (_, port, packet) in &oracle.departures[sent..] {
            let mut expected = frames[usize::try_from(packet.id).unwrap()].clone();
            write_marks(&mut expected, packet.marks);
            assert!(ends[*port].take() == Some(expected), "{packet:?}");
            sent += 1;
        }
    }
    switch.stop();
    let stats = switch.stats();
    stats.check().unwrap();
    let dropped: u64 = stats.ports.iter().map(|port| port.dropped.total() + port.dropped_on_arrival.total()).sum();
    assert_eq!(came, sent as u64 + dropped, "delivered or counted by a rule");
    let seen = format!("{made:?} made, {refused} refused, of which {kept_apart} for a moved queue; {sent} sent");
    assert!(made.iter().all(|made| *made > 100) && refused > 50 && kept_apart > 20 && sent > 5_000, "{seen}");
}

#[test]
fn changes_that_cannot_be_are_refused_with_the_reason() {
    let all = alike();
    let (mut switch, ends) = switch(4, &all[0], Rate::parse("1 Mbps").ok(), learning(), None);
    let mut rng = Seed(6).stream("refused");
    for number in 0..3 {
        let mut bytes = frame(&mut rng, number, 1, 2);
        set_queue(&mut bytes, 0);
        ends[3].put(bytes, Offload::default());
    }
    switch.receive(Time::ZERO);
    let one = setting("one", "q = Queue(9 pkts);\nout = Port(100);\n");
    let three = setting("three", "q[1..3] = Queue(9 pkts);\nfor i in 1..3 { out[i] = Port(100, q[i]); }\n");
    let half = include_str!("../../../../../policies/lqd.oq").replace("Port(100, q[i])", "Port(50%, q[i])");
    let half = setting("half", &half);
    let turned = "q[1..4] = Queue(9 pkts);\nout[2] = Port(100, q[1]);\nout[1] = Port(100, q[2]);\n\
                  out[3] = Port(100, q[3]);\nout[4] = Port(100, q[4]);\n";
    let turned = setting("turned", turned);
    let moved = all.iter().find(|setting| setting.name == "moved").unwrap();
    let before = switch.stats();
    let mut change = |port, setting: &Setting, transition| {
        let changed = switch.change(Time::ZERO, port, setting, transition);
        assert!(changed.is_ok() || switch.stats() == before, "nothing has happened");
        changed.err().map_or_else(String::new, |why| why.to_string())
    };
    for (message, expected) in [
        (change(Some(1), &all[1], Transition::Drain), "all 4 ports share one policy"),
        (
            change(None, &one, Transition::Drain),
            "the policy has 1 port, and the switch's ports run one policy with several",
        ),
        (change(None, &three, Transition::Drain), "the policy has 3 ports and the switch 4"),
        (
            change(None, moved, Transition::Rerank),
            "3 packets wait in `q1` for port `out1`, and the new version has it at port `out2`; change with drain",
        ),
        (
            change(None, &turned, Transition::Drain),
            "3 packets wait at port `out1`, which is number 1 of the ports, and has another number in the new version",
        ),
        (change(None, &half, Transition::Rerank), ""),
        (change(None, moved, Transition::Drain), ""),
    ] {
        assert!(message.starts_with(expected) && message.is_empty() == expected.is_empty(), "{message}");
    }
    let several = &all[0];
    let (mut switch, _ends) = crate::switch::support::switch(4, &one, None, learning(), None);
    let message = switch.change(Time::ZERO, None, several, Transition::Drain).unwrap_err().to_string();
    assert!(
        message.starts_with("the policy has 4 ports, and the switch's ports run a policy with one port at each;"),
        "{message}"
    );
}
