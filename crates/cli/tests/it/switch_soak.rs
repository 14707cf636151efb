//! A switch under traffic whose policy changes each second, and whose interfaces come and go: deleted, made again, added, removed. In the end
//! every frame is accounted for, and the switch has not grown. 6 s; `SOAK_SECONDS=3600` for longer, as `make soak` does.

use crate::namespaces::{Net, Traffic};
use crate::switch_namespaces::{ALONE, missing};
use forebay_linux::switch::control::Answer;
use forebay_linux::switch::{Rule, Stats};
use std::process::Child;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// Maximum growth of the switch's own memory from a quarter of the time to the end.
const MOST_GROWTH_KB: u64 = 4_096;

const FIRST: &str = "q = Queue(60 pkts);\nout = Port(100);\n";
const NEXT: [&str; 4] = [
    r#"{"do":"policy","name":"short","text":"q = Queue(9 pkts);\nout = Port(100);","transition":"rerank"}"#,
    r#"{"do":"policy","name":"two","text":"q = Queue(50 pkts);\nr = Queue(50 pkts);\nout = Port(100, q, r);\nclassify(p) = (p.class == 8, enter(r)).(true, enter(q));"}"#,
    r#"{"do":"rollback","transition":"drain"}"#,
    r#"{"do":"policy","name":"large","text":"param K = 20 pkts; q = Queue(200 pkts);\nr = Queue(50 pkts);\nout = Port(100, q, r);\nclassify(p) = (true, enter(q));\nfull(q) = (q.currSize > K, drop(.5));\nq.congestion = full(q);","live":["K"]}"#,
];

fn seconds() -> u64 {
    std::env::var("SOAK_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(6)
}

/// Killed at the latest when it is dropped.
struct Switch(Child);

impl Drop for Switch {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_soak_of_packet_sockets_balances() {
    a_soak_balances("af-packet");
}

#[test]
fn a_soak_of_xdp_sockets_balances() {
    a_soak_balances("af-xdp");
}

fn a_soak_balances(backend: &str) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(why) = missing("s").filter(|why| !why.contains("iperf3")) {
        println!("skipped: {why}");
        return;
    }
    let net = Net::new(&[1, 2, 3]);
    net.folder.write("first.oq", FIRST);
    let switch = Switch(net.start(backend, &["pa", "pb"], &["--rate", "8Mbps"]));
    if let Err(why) = net.wait() {
        println!("skipped: {why}");
        return;
    }
    let traffic = net.traffic(1, 2, Duration::from_micros(400));
    let mut soak = Soak { net: &net, traffic: &traffic, switch: &switch, memory: Vec::new(), changes: 0 };
    let begin = Instant::now();
    let mut round = 0;
    while begin.elapsed() < Duration::from_secs(seconds()) {
        soak.round(round);
        round += 1;
    }
    // Two at least, and the port is removed in every other one.
    if round % 2 == 1 {
        soak.round(round);
    }
    let Soak { memory, changes, .. } = soak;
    drop(traffic);
    let stats = stop(&net, switch);
    let (early, late) = (memory[memory.len() / 4], memory[memory.len() - 1]);
    let dropped: u64 = stats.ports.iter().map(|port| port.dropped.total()).sum();
    let received: u64 = stats.ports.iter().map(|port| port.received).sum::<u64>() + stats.removed.received;
    let sent: u64 = stats.ports.iter().map(|port| port.sent).sum::<u64>() + stats.removed.sent;
    println!(
        "{backend}, {} s: {changes} changes, {} ports removed; {received} received + {} copies = {sent} sent + {} dropped; memory {early} KB at a \
         quarter, {late} KB at the end",
        begin.elapsed().as_secs(),
        stats.removed.ports,
        stats.copies,
        received + stats.copies - sent
    );
    assert!(dropped > 0 && stats.removed.ports > 0 && changes >= round, "the soak is to see everything: {stats:?}");
    // Valgrind keeps books of its own.
    if std::env::var_os("FOREBAY_VALGRIND").is_none() {
        assert!(late <= early + MOST_GROWTH_KB, "the switch has grown: {memory:?}");
    }
}

struct Soak<'a> {
    net: &'a Net,
    traffic: &'a Traffic,
    switch: &'a Switch,
    /// KB of its own while two ports were there.
    memory: Vec<u64>,
    changes: usize,
}

impl Soak<'_> {
    /// About a second.
    fn round(&mut self, round: usize) {
        let before = self.traffic.received();
        match self.net.ask(NEXT[round % NEXT.len()]) {
            Some(Answer::Changed(_)) => self.changes += 1,
            // Packets that wait may have no room in the next policy.
            Some(Answer::Error(why)) if why.contains("change with drain") => self.changes += 1,
            other => panic!("{other:?}: {}", self.net.folder.read("log")),
        }
        let (line, is_added) = match round % 2 {
            0 => (r#"{"do":"port-add","port":"pc"}"#, true),
            _ => (r#"{"do":"port-remove","port":"pc"}"#, false),
        };
        match self.net.ask(line) {
            Some(Answer::Added { .. }) if is_added => {}
            Some(Answer::Removed { .. }) if !is_added => {}
            other => panic!("{line}: {other:?}: {}", self.net.folder.read("log")),
        }
        self.traffic.wait_for_more(before);
        if round % 4 == 1 {
            self.net.part(2);
            std::thread::sleep(Duration::from_millis(250));
            self.net.stats().check().unwrap();
            self.net.join(2);
            self.traffic.wait_for_more(self.traffic.received());
        }
        if round % 4 == 2 {
            // The port that is there only now and then.
            self.net.part(3);
            self.net.join(3);
        }
        std::thread::sleep(Duration::from_millis(500));
        self.net.stats().check().unwrap();
        if !is_added {
            self.memory.push(memory_kb(self.switch.0.id()));
        }
    }
}

/// Memory of its own; rings that it shares with the kernel are not among it.
fn memory_kb(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Stops a switch: its counters at the end.
fn stop(net: &Net, mut switch: Switch) -> Stats {
    assert!(matches!(net.ask(r#"{"do":"stop"}"#), Some(Answer::Stopping(_))));
    let status = switch.0.wait().unwrap();
    let log = net.folder.read("log");
    assert!(status.success(), "{status}: {log}");
    assert!(!log.contains("do not add up"), "{log}");
    let stats: Stats = serde_json::from_str(&net.folder.read("out")).unwrap();
    stats.check().unwrap();
    assert!(stats.ports.iter().all(|port| port.waiting == 0));
    let known = |rule: &Rule| {
        matches!(
            rule,
            Rule::Queue | Rule::Overflow | Rule::LinkGone | Rule::SendFailed | Rule::PortRemoved | Rule::Stopped
        )
    };
    for port in &stats.ports {
        assert!(port.dropped.0.keys().all(known), "{:?}", port.dropped);
    }
    stats
}
