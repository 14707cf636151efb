//! A memory that the ports of a switch share, between real hosts: senders that overload one port leave the other its part.

use crate::switch_namespaces::{ALONE, Hosts, missing};
use serde_json::Value;
use std::sync::PoisonError;

/// Longest queue drop of UDP (rank 17: the protocol); the rest, such as iperf3's own talk, goes first and shares nothing. The
/// packet's queue is the port to which the switch forwards.
const LONGEST: &str = "
param B = 400 pkts;
q[1..3] = Queue(B);
talk[1..3] = Queue(60 KB);
first(q1, q2) = (q1.schedState > q2.schedState);
for i in 1..3 {
    out[i] = Port(100, talk[i], q[i]);
    out[i].schedPrio = first;
    talk[i].schedState = 1;
}
b = Buffer(B, q[1..3]);
longest(q1, q2) = (q1.currSize > q2.currSize);
full(b) = b.currSize > b.size, drop(1);
b.admPrio = longest();
b.congestion = full();
classify(p) = (p.rank == 17, enter(q[p.queue + 1])).(true, enter(talk[p.queue + 1]));
";

/// Packets that were offered to a queue, and packets that it dropped.
fn counts(stats: &Value, port: usize, queue: &str) -> (u64, u64) {
    let queues = stats["ports"][port]["queues"].as_array().unwrap();
    let queue = queues.iter().find(|known| known["name"] == queue).unwrap_or_else(|| panic!("no {queue}: {stats:#}"));
    let dropped = queue["dropped"].as_object().unwrap().values().map(|frames| frames.as_u64().unwrap()).sum();
    (queue["offered"].as_u64().unwrap(), dropped)
}

#[test]
fn senders_that_overload_a_port_do_not_push_out_the_part_of_another() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(why) = missing("af-packet") {
        println!("skipped: {why}");
        return;
    }
    let mut hosts = Hosts::new("af-packet");
    let fields = ["--field", "queue=egress", "--field", "rank=ip[9:1]"];
    hosts.start_switch(LONGEST, &[&fields[..], &["--rate", "10Mbit", "--record", "ops"]].concat()).unwrap();
    // Two send nearly twice what the receiver's port takes; the receiver itself sends less than that to one of them.
    let udp = "-u -l 1200 -t 4";
    let [much, less] = ["9M", "7M"].map(|rate| format!("{udp} -b {rate}"));
    hosts.iperf(&[("a", &much), ("b", &much), ("a", &format!("{less} -R"))]);
    let stats = hosts.stats();
    let (overloaded, lost_there) = counts(&stats, 2, "q3");
    let (offered, lost) = counts(&stats, 0, "q1");
    println!("overloaded: {lost_there} of {overloaded} dropped; the other: {lost} of {offered}");
    assert!(overloaded > 4_000 && lost_there * 4 > overloaded, "{lost_there} of {overloaded} dropped");
    assert!(offered > 2_000 && lost * 50 <= offered, "{lost} of {offered} dropped at the port with room");
    let pushed_out = stats["ports"][2]["queues"].as_array().unwrap().iter();
    let by_buffer = pushed_out.filter_map(|queue| queue["dropped"]["buffer"].as_u64()).sum::<u64>();
    assert_eq!(by_buffer, lost_there, "by the memory that they share");
    assert!(!hosts.stop_switch().contains("warning"));
    let recorded = hosts.check_recording(&String::from_utf8(hosts.read("ops/switch.ops")).unwrap());
    assert!(recorded > 4_000, "{recorded}");
}
