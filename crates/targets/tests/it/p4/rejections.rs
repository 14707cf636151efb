//! A policy that a switch cannot run is rejected, with the construct and the reason. Notes say what the switch does not
//! keep.

use super::{mapping, policy};
use forebay_core::registry::find;
use forebay_targets::{Switch, TARGETS, TargetOptions};

const FIELDS: [&str; 4] = ["remaining=udp[8:4]", "rank=udp[8:8]", "value=udp[8:4]", "slack=udp[8:4]&0xffffff"];

/// The messages about a policy: errors, and notes.
fn said(text: &str, switch: Switch) -> (Vec<String>, Vec<String>) {
    let target = find("target", TARGETS, "p4").unwrap();
    let options = TargetOptions { mapping: mapping(&FIELDS), switch, ..TargetOptions::default() };
    let policy = policy(text);
    let refusals: Vec<String> = target.check(&policy, &options).iter().map(ToString::to_string).collect();
    assert_eq!(target.emit(&policy, &options).is_ok(), refusals.is_empty());
    (refusals, target.notes(&policy, &options).iter().map(ToString::to_string).collect())
}

#[test]
fn what_a_switch_cannot_do_is_refused() {
    let one = "q = Queue(9 pkts); out = Port(100);";
    let two = "a = Queue(9 pkts); b = Queue(9 pkts); out = Port(100, a, b); classify(p) = (p.class > 3, enter(a)).(true, enter(b));";
    let fixed = "out.schedPrio(q1, q2) = (q1.size < q2.size);";
    for (text, expected) in [
        (
            format!("{one} q.admPrio(p1, p2) = (p1.rank > p2.rank);"),
            "queue q, admPrio q.admPrio: a switch's queue cannot push out",
        ),
        (
            format!("{one} q.procPrio(p1, p2) = (p1.processing < p2.processing);"),
            "the key `lowest p.processing`: `processing` falls while a packet is served",
        ),
        (format!("{one} q.procPrio(p1, p2) = (p1.value / p1.size > p2.value / p2.size);"), "a switch does not divide"),
        (format!("{one} q.procPrio(p1, p2) = (p1.value * p1.size > p2.value * p2.size);"), "does not multiply"),
        (format!("{one} q.procPrio(p1, p2) = (p1.rank + p1.size > p2.rank + p2.size);"), "may reach 2^47"),
        (
            format!("{one} classify(p) = (p.queue > 3, enter(q));"),
            "field queue: the policy reads `queue` of packets, and no header implies it",
        ),
        (
            format!("{one} q.procPrio(p1, p2) = (p1.marked < p2.marked);"),
            "`marked` is a mark, and this program does not read marks of packets",
        ),
        (
            format!("{one} q.congestion(q) = (q.currSize > 3, modify(arriving.value := 1));"),
            "a state that changes is not known when the program chooses a packet's queue",
        ),
        (format!("{one} q.procPrio(p1, p2) = (p1.flow < p2.flow);"), "hash functions do not compute `flow-hash`"),
        (
            format!(
                "{one} q.procPrio(p1, p2) = (p1.class < p2.class || p1.class == p2.class && p1.arrival > p2.arrival);"
            ),
            "has the time of arrival behind another key",
        ),
        (format!("{one} q.procPrio(p1, p2) = (p1.value * .3 < p2.value * .3);"), "is not a whole number"),
        (format!("{one} q.procPrio(p1, p2) = (mod(p1.value, 3) < mod(p2.value, 3));"), "powers of two only"),
        (format!("{one} q.congestion(q) = (q.currSize > 3, drop(.5));"), "never at random"),
        (format!("{one} q.congestion(q) = (q.currSize > 3, notify);"), "marks depend on an occupancy"),
        (format!("{one} q.congestion(q) = (arriving.value > 3, drop(1));"), "only when it is itself full"),
        (
            format!(
                "{one} q.procPrio(p1, p2) = (p1.value > p2.value); \
                     q.congestion(q) = (q.currSize > 3, modify(q.findHigh().value := 1));"
            ),
            "changes the `value` of packets that wait",
        ),
        (
            format!(
                "{two} out.schedPrio(q1, q2) = (q1.currProcessing * q2.currSize < q2.currProcessing * q1.currSize);"
            ),
            "the policy: reads `currProcessing`, and a switch does not know how much work is in its queues",
        ),
        (two.to_owned(), "port out, schedPrio oldest first: depends on `q.findHigh().arrival`"),
        (format!("{two} out.schedPrio(q1, q2) = (q1.currSize > q2.currSize);"), "depends on `q.currSize`"),
        (
            format!("{two} {fixed} served(p) = (true, modify(p.schedState++)); out.postSchedAct = served(out);"),
            "port out, postSchedAct served: a switch does nothing",
        ),
        (
            format!("{two} {fixed} a.procPrio(p1, p2) = (p1.rank < p2.rank);"),
            "queue a, procPrio a.procPrio: is not first in",
        ),
        (format!("{two} {fixed} m = Buffer(9 pkts, a, b);"), "buffer m: a switch's queues have sizes"),
        (
            "a = Queue(9 pkts); b = Queue(9 pkts); x = Port(100, a); y = Port(100, b); classify(p) = (true, enter(a));"
                .to_owned(),
            "the policy: has several ports",
        ),
        (format!("{one} classify(p) = (p.arrival > 5, enter(q));"), "classify, case 1: the time of arrival wraps"),
    ] {
        let (refusals, notes) = said(&text, Switch::default());
        assert!(refusals.iter().any(|refusal| refusal.contains(expected)), "{text}\n{refusals:#?}");
        assert_eq!(notes, Vec::<String>::new());
    }
}

#[test]
fn what_is_lost_is_said() {
    let one = "q = Queue(90 pkts); out = Port(100);";
    let keys = "q.procPrio(p1, p2) = (p1.class > p2.class || p1.class == p2.class && p1.rank < p2.rank);";
    for (text, switch, expected) in [
        (
            format!("{one} {keys}"),
            Switch::default(),
            "the key `lowest p.rank` is quantised in steps of 2^22: it has 48 bits, and the bounds leave 26",
        ),
        (
            format!("{one} {keys}"),
            Switch { rank_bits: 54, ..Switch::default() },
            "its 90 packets are divided among 8 queues, 12 in each",
        ),
        (
            format!("{one} {keys}"),
            Switch { queues: 9, ..Switch::default() },
            "policy.p4: leaves the queue in `meta.queue`",
        ),
        (
            format!("{one} q.procPrio(p1, p2) = (p1.rank < p2.rank || p1.rank == p2.rank && p1.class < p2.class);"),
            Switch::default(),
            "the key `lowest p.class` is ignored: the bounds have 32 bits",
        ),
        (
            format!("{one} q.procPrio(p1, p2) = (p1.slack + p1.arrival < p2.slack + p2.arrival);"),
            Switch::default(),
            "wraps modulo 2^32, so a bound",
        ),
        (
            format!("{one} q.procPrio(p1, p2) = (p1.size < p2.size);"),
            Switch::default(),
            "policy.spec: is not generated: DPDK's pipeline does not know a packet's size",
        ),
        (
            "q = Queue(90 pkts); out = Port(100); full() = (q.currSize > .5 * q.size, drop(1)); q.congestion = full();"
                .to_owned(),
            Switch::default(),
            "its 45 packets are divided among 8 queues, 6 in each",
        ),
        (
            "q = Queue(9000 B); out = Port(10 Mbps);".to_owned(),
            Switch::default(),
            "its 9000 bytes are divided among 8 queues, 1125 in each",
        ),
        (
            "q = Queue(9000 B); out = Port(10 Mbps);".to_owned(),
            Switch::default(),
            "port out: the switch has to enforce its rate",
        ),
    ] {
        let (refusals, notes) = said(&text, switch);
        assert_eq!(refusals, Vec::<String>::new(), "{text}");
        assert!(notes.iter().any(|note| note.contains(expected)), "{text}\n{notes:#?}");
    }
    let (_, mut notes) = said(&format!("{one} {keys}"), Switch { rank_bits: 54, ..Switch::default() });
    // What a pipeline would need is an estimate, and no loss.
    notes.retain(|note| !note.starts_with("a pipeline like Tofino's: "));
    assert_eq!(notes.len(), 1, "nothing is lost: {notes:?}");
}

#[test]
fn a_switch_that_cannot_be_is_refused() {
    let one = "q = Queue(9 pkts); out = Port(100);";
    let (queues, bounds) = ("has 1 to 32 queues", "has bounds of 8 to 63 bits; give --rank-bits in this range");
    for (queues, rank_bits, expected) in [(0, 32, queues), (33, 32, queues), (8, 7, bounds), (8, 64, bounds)] {
        let (refusals, _) = said(one, Switch { queues, rank_bits, ..Switch::default() });
        assert_eq!(refusals, [format!("the switch: {expected}")]);
    }
    assert_eq!(
        said(one, Switch { queues: 1, rank_bits: 8, resubmit: true, ..Switch::default() }).0,
        Vec::<String>::new()
    );
}
