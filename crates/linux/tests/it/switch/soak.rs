//! 10,000 changes of a policy under traffic, through requests: no frame is lost, and the switch does not grow. 500 changes;
//! `SOAK_SECONDS=60` for all of them, again until the time is over.

use crate::switch::support::{frame, setting, switch};
use forebay_clock::{Clock as _, MonotonicClock};
use forebay_core::{Duration, Rate, Seed, Time};
use forebay_linux::switch::control::{Answer, answer};
use forebay_linux::switch::frame::Offload;
use forebay_linux::switch::{BACKENDS, Forwarding, Table};
use rand::RngExt as _;

const TEXT: &str = "q = Queue(40 pkts);\nout = Port(100);\n";
const REQUESTS: [&str; 6] = [
    r#"{"do":"policy","name":"a","text":"q = Queue(20 pkts);\nout = Port(100);","transition":"rerank"}"#,
    r#"{"do":"policy","name":"b","text":"q = Queue(50 pkts);\nout = Port(50%);\nq.procPrio = dear();\ndear(p1, p2) = (p1.value > p2.value);"}"#,
    r#"{"do":"policy","name":"c","text":"q = Queue(9 pkts);\nr = Queue(9 pkts);\nout = Port(100, q, r);\nclassify(p) = (p.class > 9, enter(r)).(true, enter(q));"}"#,
    r#"{"do":"policy","name":"d","text":"q = Queue(30 pkts);\nout = Port(100);","port":"p1"}"#,
    r#"{"do":"rollback","transition":"drain"}"#,
    r#"{"do":"policy","name":"e","text":"param K = 5 pkts;\nq = Queue(30 pkts);\nout = Port(100);\nfull(q) = (q.currSize > K, drop(.5));\nq.congestion = full(q);","live":["K"]}"#,
];
/// How much more memory the process may have at the end than at a quarter of the changes.
const MOST_GROWTH_KB: u64 = 4_096;

#[test]
fn a_soak_of_changes_loses_nothing_and_does_not_grow() {
    let seconds: Option<u64> = std::env::var("SOAK_SECONDS").ok().and_then(|text| text.parse().ok());
    let (begin, changes) = (MonotonicClock::start(), if seconds.is_some() { 10_000 } else { 500 });
    let forwarding = Forwarding::Learning(Table::new(3, Duration::from_ms(10_000)));
    let (switch, ends) = switch(3, &setting("first", TEXT), Rate::parse("100 Mbps").ok(), forwarding, None);
    let memory = BACKENDS.iter().find(|backend| backend.about().name == "memory").unwrap();
    let mut switch = switch.with_backend(*memory, Rate::parse("100 Mbps").ok());
    let mut rng = Seed(9).stream("soak");
    let (mut done, mut step, mut samples) = (0_u64, 0_u64, Vec::new());
    while done < changes || seconds.is_some_and(|seconds| begin.nanoseconds() / 1_000_000_000 < seconds) {
        step += 1;
        let now = Time::from_ns(step * 100_000);
        for end in &ends {
            for _ in 0..rng.random_range(0..4) {
                let (from, to) = (rng.random_range(1..6), rng.random_range(1..6));
                end.put(frame(&mut rng, step, from, to), Offload::default());
            }
            while end.take().is_some() {}
        }
        while switch.receive(now) {
            switch.send(now);
        }
        match answer(&mut switch, now, REQUESTS[rng.random_range(0..REQUESTS.len())].as_bytes()).0 {
            Answer::Changed(_) => done += 1,
            Answer::Error(why) => {
                assert!(
                    why.contains("which the new version does not have") || why.contains("was not changed"),
                    "{why}"
                );
            }
            other => panic!("{other:?}"),
        }
        if step % 50 == 0 {
            let line = if step % 100 == 0 {
                r#"{"do":"port-add","port":"p3"}"#
            } else {
                r#"{"do":"port-remove","port":"p3"}"#
            };
            // The first time there is none to remove.
            let _answer = answer(&mut switch, now, line.as_bytes());
        }
        switch.send(now);
        switch.stats().check().unwrap();
        if step % 100 == 50 {
            samples.push(memory_kb());
        }
    }
    switch.stop();
    let stats = switch.stats();
    stats.check().unwrap();
    let (early, late) = (samples[samples.len() / 4], samples[samples.len() - 1]);
    let received: u64 = stats.ports.iter().map(|port| port.received).sum::<u64>() + stats.removed.received;
    println!(
        "{done} changes, {} ports removed, {received} frames; memory {early} KB at a quarter, {late} KB at the end",
        stats.removed.ports
    );
    // Other tests of this process take memory meanwhile; a soak runs alone.
    assert!(seconds.is_none() || late <= early + MOST_GROWTH_KB, "the switch has grown: {early} to {late} KB");
}

fn memory_kb() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
