//! Real hosts and real TCP (iperf3) through the switch, by packet sockets and by AF_XDP: what each policy promises.
//!
//! Nobody turns offloads off: the senders' kernels hand over large frames and unfinished checksums.

use crate::switch_namespaces::{ALONE, Hosts, missing};
use serde_json::Value;
use std::sync::{MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// By class: three parts of the link for DSCP 8, one for all else.
const WEIGHTS: &str = "
q[1..2] = Queue(60 KB);
out = Port(100, q[1..2]);
turn(q1, q2) = (q1.schedState < q2.schedState);
out.schedPrio = turn;
q1.admState = 3;
q2.admState = 1;
served(port) =
    let q = port.getCurrQueue() in
    (true, modify(port.schedState := max(q.schedState, port.schedState)),
        modify(q.schedState := port.schedState + q.findHigh().size / q.admState));
out.postSchedAct = served(out);
classify(p) = (p.class == 8, enter(q1)).(true, enter(q2));
";

/// DSCP 8 before all else. Its queue has room for what a sender makes up for that had no processor for a while.
const STRICT: &str = "
q1 = Queue(2 MB);
q2 = Queue(30 KB);
out = Port(100, q1, q2);
first(q1, q2) = (q1.schedState < q2.schedState);
out.schedPrio = first;
q1.schedState = 1;
q2.schedState = 2;
classify(p) = (p.class == 8, enter(q1)).(true, enter(q2));
";

/// First in, first out; the cheapest packet is pushed out. Packets without a class, such as iperf3's control connection, go
/// first.
const PUSH_OUT: &str = "
talk = Queue(60 KB);
q = Queue(500 pkts);
out = Port(100, talk, q);
first(q1, q2) = (q1.schedState < q2.schedState);
out.schedPrio = first;
q.schedState = 1;
cheap(p1, p2) = (p1.value < p2.value);
q.admPrio = cheap;
classify(p) = (p.class == 0, enter(talk)).(true, enter(q));
";

/// A queue that tells of congestion long before it is full.
const ECN: &str = "
q = Queue(200 pkts);
out = Port(100);
threshold(q) = (q.currSize > q.size, drop(1)).(q.currSize > 20 pkts, notify);
q.congestion = threshold(q);
";

/// Hosts around a switch with this policy, while no other test has some; [`None`], after it is said why, if there cannot be any.
fn around_a_switch(
    backend: &'static str,
    policy: &str,
    arguments: &[&str],
) -> Option<(MutexGuard<'static, ()>, Hosts)> {
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let started = missing(backend).map_or(Ok(()), Err).and_then(|()| {
        let mut hosts = Hosts::new(backend);
        hosts.start_switch(policy, arguments).map(|()| hosts)
    });
    started.map(|hosts| (alone, hosts)).map_err(|why| println!("skipped: {why}")).ok()
}

fn received_bps(result: &Value) -> f64 {
    result["end"]["sum_received"]["bits_per_second"].as_f64().unwrap()
}

/// The amount that a sender sent in its slowest second.
fn slowest_bps(result: &Value) -> f64 {
    let seconds = result["intervals"].as_array().unwrap().iter();
    seconds.map(|second| second["sum"]["bits_per_second"].as_f64().unwrap()).fold(f64::INFINITY, f64::min)
}

/// Numbers of lost and of sent datagrams.
fn lost_of(result: &Value) -> (u64, u64) {
    let sum = &result["end"]["sum"];
    (sum["lost_packets"].as_u64().unwrap(), sum["packets"].as_u64().unwrap())
}

/// Packets that a queue of the port to the receiver has dropped.
fn dropped(stats: &Value, queue: &str) -> u64 {
    let queues = stats["ports"][2]["queues"].as_array().unwrap();
    let queue = queues.iter().find(|known| known["name"] == queue).unwrap();
    queue["dropped"].as_object().unwrap().values().map(|frames| frames.as_u64().unwrap()).sum()
}

/// Frames with a VLAN tag, which the kernel takes off on their way, leave with it.
fn check_tap(hosts: &Hosts, are_sent: Result<(), &str>) {
    let tap = hosts.read("t.pcap");
    let (mut at, mut frames, mut tagged) = (24, 0, 0);
    while at < tap.len() {
        let length = u32::from_le_bytes(tap[at + 8..at + 12].try_into().unwrap()) as usize;
        let frame = &tap[at + 16..at + 16 + length];
        tagged += u32::from(frame[12..16] == [0x81, 0, 0xa0, 7] && frame.ends_with(b"tagged"));
        frames += 1;
        at += 16 + length;
    }
    assert_eq!(at, tap.len());
    assert!(frames > 1_000, "{frames}");
    match are_sent {
        // To two ports, since nobody knows the address.
        Ok(()) => assert_eq!(tagged, 6),
        Err(why) => println!("skipped in part: {why}"),
    }
}

/// The C program of the first policy replays the operations that were recorded under it, and gives the recorded
/// departures.
fn check_recording(hosts: &Hosts) {
    let ops = String::from_utf8(hosts.read("ops/pr.ops")).unwrap();
    let (under_first, rest) = ops.split_once("change ").expect("the policy was changed");
    let recorded = hosts.check_recording(under_first);
    assert!(recorded > 1_000 && rest.lines().count() > 1_000, "{recorded}");
}

fn what_policies_promise(backend: &'static str) {
    let arguments = ["--rate", "pr=10Mbit", "--field", "value=dscp", "--record", "ops", "--tap", "t.pcap"];
    let Some((_alone, mut hosts)) = around_a_switch(backend, WEIGHTS, &arguments) else { return };
    // Two seconds, after one that is left out.
    let [heavy, light] = &hosts.iperf(&[("a", "-P 2 -t 2 -O 1 -S 32"), ("b", "-P 2 -t 2 -O 1")])[..] else {
        panic!("two")
    };
    let (heavy, light) = (received_bps(heavy), received_bps(light));
    assert!((2.25..4.0).contains(&(heavy / light)), "{backend}: weights 3 to 1, shares {heavy} and {light}");
    assert!(heavy + light < 10.5e6, "{backend}: {heavy} and {light} at 10 Mbps");

    let tagged = hosts.send_tagged();

    hosts.change(STRICT);
    // DSCP 8 leaves a fifteenth of the link, on which TCP has to live, and as much more as its sender was late with. On a busy machine one
    // may begin when the other has ended, which says nothing: one of three has to show it.
    let mut seen = Vec::new();
    let is_strict = (0..3).any(|_| {
        let before = hosts.stats();
        let results = hosts.iperf(&[("a", "-u -b 9M -l 1200 -t 5 -S 32"), ("b", "-t 2 -O 1")]);
        let (after, first, last) = (hosts.stats(), slowest_bps(&results[0]), received_bps(&results[1]));
        let lost = dropped(&after, "q1") - dropped(&before, "q1");
        let left = 11e6 - first;
        seen.push(format!("{lost} of the first lost, {last} where {left} was left"));
        lost < 200 && last < left
    });
    assert!(is_strict, "{backend}: strict priority: {seen:?}");

    hosts.change(PUSH_OUT);
    // DSCP 40 is worth 40 and DSCP 8 is worth 8; together they are half as much again as the link takes.
    let udp = "-u -b 7500K -l 1200 -t 4";
    let late = hosts.udp_overruns();
    let results = hosts.iperf(&[("a", &format!("{udp} -S 160")), ("b", &format!("{udp} -S 32"))]);
    // Those that came, and that the receiver was too slow to take.
    let late = hosts.udp_overruns() - late;
    let [(dear, sent), (cheap, _)] = [0, 1].map(|number| lost_of(&results[number]));
    assert!(
        dear <= sent / 20 + late && cheap > sent / 4,
        "{backend}: {dear} of {sent} dear lost, {cheap} cheap, {late} late"
    );

    hosts.change(ECN);
    let count = |stats: &Value, what: &str| stats["ports"][2][what].as_u64().unwrap();
    let (before, seen_before) = (hosts.stats(), hosts.congestion_experienced());
    let rate = received_bps(&hosts.iperf(&[("a", "-t 2 -O 1")])[0]);
    let after = hosts.stats();
    let notified = count(&after, "notified") - count(&before, "notified");
    let sent = count(&after, "sent") - count(&before, "sent");
    let lost = dropped(&after, "q") - dropped(&before, "q");
    let seen = hosts.congestion_experienced() - seen_before;
    assert!(notified > 20 && lost * 100 <= sent, "{backend}: {notified} of {sent} notified, {lost} dropped");
    assert!(seen >= notified / 2 && seen <= notified, "{backend}: {notified} notified, the receiver saw {seen}");
    assert!(rate > 5e6, "{backend}: {rate} with ECN");
    if backend == "af-packet" {
        assert!(after["copies"].as_u64().unwrap() > 1_000, "large frames were cut: {}", after["copies"]);
    }
    assert_eq!(hosts.has_program(), backend == "af-xdp");
    let log = hosts.stop_switch();
    assert!(!log.contains("warning"), "{log}");
    assert!(!hosts.has_program(), "nothing is left behind");
    check_tap(&hosts, tagged);
    check_recording(&hosts);
    hosts.start_switch(ECN, &[]).unwrap();
    hosts.kill_switch();
    assert!(!hosts.has_program(), "nothing is left behind by one that was killed");
    // Its socket is there, and does not hinder the next one.
    hosts.start_switch(ECN, &[]).unwrap();
    let fast = received_bps(&hosts.iperf(&[("b", "-t 1")])[0]);
    assert!(fast > 10e6, "{backend}: {fast} without a rate");
}

#[test]
fn policies_keep_their_promises_by_packet_sockets() {
    what_policies_promise("af-packet");
}

#[test]
fn policies_keep_their_promises_by_af_xdp() {
    what_policies_promise("af-xdp");
}

/// Frames for a port that is down are dropped and counted as such, and none of them departs when the port is up again.
fn a_port_that_is_down_sends_nothing_later(backend: &'static str) {
    let policy = "q = Queue(100 pkts);\nout = Port(100);\n";
    let Some((_alone, mut hosts)) = around_a_switch(backend, policy, &["--forward", "pa=pr"]) else { return };
    if let Err(why) = hosts.send(1) {
        println!("skipped: {why}");
        return;
    }
    let count = |what: &str| hosts.stats()["ports"][2][what].as_u64().unwrap();
    let failed = || hosts.stats()["ports"][2]["dropped"]["send-failed"].as_u64().unwrap_or(0);
    // Its own interface is down; or that at the other end, so that it has no carrier.
    for (host, link) in [("s", "pr"), ("r", "e0")] {
        hosts.set_link(host, link, "down");
        let (sent, lost, came) = (count("sent"), failed(), hosts.frames_received());
        // More than there are places in the ring of a socket.
        for _ in 0..6 {
            hosts.send(600).unwrap();
        }
        let (lost, sent_since) = (failed() - lost, count("sent") - sent);
        // Packet sockets are not told that there is no carrier.
        if (backend, host) != ("af-packet", "r") {
            assert!(lost >= 3_000 && sent_since == 0, "{backend}, {link}: {lost} failed, {sent_since} count as sent");
        }
        hosts.set_link(host, link, "up");
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(hosts.frames_received(), came, "{backend}, {link}: they come late");
        let sent = count("sent");
        hosts.send(60).unwrap();
        let begin = Instant::now();
        while hosts.frames_received() < came + 60 {
            assert!(begin.elapsed() < Duration::from_secs(5), "{backend}, {link}: it sends again");
        }
        assert!(count("sent") >= sent + 60);
    }
    // Another switch would forward each frame once more.
    let other = hosts.another_switch();
    assert!(other.contains("another `forebay switch` forwards at it"), "{other}");
    let log = hosts.stop_switch();
    assert!(!log.contains("warning"), "{log}");
}

#[test]
fn a_port_that_is_down_sends_nothing_later_by_packet_sockets() {
    a_port_that_is_down_sends_nothing_later("af-packet");
}

#[test]
fn a_port_that_is_down_sends_nothing_later_by_af_xdp() {
    a_port_that_is_down_sends_nothing_later("af-xdp");
}

/// TCP in tunnels, whose headers nobody has finished, either.
fn tunnels_are_carried(backend: &'static str) {
    let policy = "q = Queue(200 pkts);\nout = Port(100, q);\n";
    let Some((_alone, mut hosts)) = around_a_switch(backend, policy, &["--rate", "50Mbps"]) else { return };
    let kinds = [
        "vxlan id 5 dstport 4789 dev e0",
        "vxlan id 6 dstport 7777 udpcsum dev e0",
        "geneve id 7",
        "gretap",
        "gretap key 3 csum",
    ];
    for (number, kind) in (1..).zip(kinds) {
        let Some(address) = hosts.tunnel(number, kind) else {
            println!("skipped: this kernel has no {kind}");
            continue;
        };
        let before = hosts.stats();
        // A machine that has other things to do may be slow in one second; a tunnel that is not carried is slow in each.
        let mut rates = (0..3).map(|_| received_bps(&hosts.iperf_to(&address, &[("a", "-t 1")])[0]));
        assert!(rates.any(|rate| rate > 20e6), "{backend}, {kind}: less than 20 of 50 Mbps, three times");
        let malformed = |stats: &Value| stats["ports"][0]["dropped_on_arrival"]["malformed"].as_u64().unwrap_or(0);
        assert_eq!(malformed(&hosts.stats()), malformed(&before), "{backend}, {kind}");
    }
    let log = hosts.stop_switch();
    assert!(!log.contains("warning"), "{log}");
    if backend == "af-xdp" {
        assert!(log.contains("pa: the driver's XDP"), "{log}");
        hosts.set_link("s", "pa", "mtu 9000");
        let refused = hosts.another_switch();
        assert!(refused.contains("--port pa: has an MTU of 9000") && refused.contains("mtu 3818"), "{refused}");
    }
}

#[test]
fn tunnels_are_carried_by_packet_sockets() {
    tunnels_are_carried("af-packet");
}

#[test]
fn tunnels_are_carried_by_af_xdp() {
    tunnels_are_carried("af-xdp");
}

#[test]
fn packet_sockets_follow_an_interface_that_is_made_again() {
    an_interface_that_is_made_again_is_taken_back("af-packet");
}

#[test]
fn xdp_sockets_follow_an_interface_that_is_made_again() {
    an_interface_that_is_made_again_is_taken_back("af-xdp");
}

fn an_interface_that_is_made_again_is_taken_back(backend: &'static str) {
    let policy = "q = Queue(100 pkts);\nout = Port(100);\n";
    let Some((_alone, mut hosts)) = around_a_switch(backend, policy, &["--forward", "pa=pr"]) else { return };
    if let Err(why) = hosts.send(1) {
        println!("skipped: {why}");
        return;
    }
    for round in 1..=2_u64 {
        hosts.delete_link();
        hosts.wait_until("gone");
        let gone = |hosts: &Hosts| hosts.stats()["ports"][2]["dropped"]["link-gone"].as_u64().unwrap_or(0);
        let before = gone(&hosts);
        hosts.send(50).unwrap();
        assert_eq!(gone(&hosts) - before, 50, "{backend}, round {round}");
        hosts.make_link();
        hosts.wait_until("there");
        let came = hosts.frames_received();
        hosts.send(50).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        assert!(hosts.frames_received() >= came + 50, "{backend}, round {round}: frames pass again");
    }
    let log = hosts.stop_switch();
    assert_eq!(log.matches("port pr: the interface is gone").count(), 2, "each time it is said once: {log}");
    assert_eq!(log.matches("port pr: the interface is back").count(), 2, "{log}");
}
