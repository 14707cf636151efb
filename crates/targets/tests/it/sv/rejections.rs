//! A policy that hardware cannot run is rejected, with the construct and the reason. Notes say what hardware does not
//! keep.

use super::policy;
use forebay_core::registry::find;
use forebay_targets::sv::{Hardware, QueueBlock};
use forebay_targets::{TARGETS, TargetOptions};

/// The messages about a policy: errors, and notes.
fn said(text: &str, options: &TargetOptions) -> (Vec<String>, Vec<String>) {
    let target = find("target", TARGETS, "sv").unwrap();
    let policy = policy(text);
    let refusals: Vec<String> = target.check(&policy, options).iter().map(ToString::to_string).collect();
    assert_eq!(target.emit(&policy, options).is_ok(), refusals.is_empty(), "{text}");
    (refusals, target.notes(&policy, options).iter().map(ToString::to_string).collect())
}

/// The queue block of a policy's hardware, or why the policy is rejected.
fn block(text: &str, queue: QueueBlock) -> String {
    let target = find("target", TARGETS, "sv").unwrap();
    let options = TargetOptions { hardware: Hardware { queue, ..Hardware::default() }, ..TargetOptions::default() };
    match target.emit(&policy(text), &options) {
        Err(refusals) => refusals.iter().map(ToString::to_string).collect(),
        Ok(files) => {
            let readme = files.iter().find(|file| file.name == "README.md").unwrap();
            let line = readme.text.lines().find(|line| line.starts_with("| queue block |")).unwrap();
            line.trim_start_matches("| queue block | ").trim_end_matches(" |").to_owned()
        }
    }
}

#[test]
fn a_queue_of_which_only_arriving_packets_are_dropped_may_have_a_front() {
    use QueueBlock::{Auto, BbqFront, Pifo};
    let bytes = "q = Queue(9000); out = Port(100);";
    let packets = "q = Queue(9 pkts); out = Port(100);";
    let two = "a = Queue(9 pkts); b = Queue(9 pkts); out = Port(100, a, b); out.schedPrio(q1, q2) = (q1.currSize < q2.currSize);";
    let reverse = format!("{bytes} q.procPrio(p1, p2) = (p1.rank < p2.rank); q.admPrio(p1, p2) = (p1.rank > p2.rank);");
    for (text, queue, expected) in [
        (bytes, BbqFront, "bbq-front, 1 levels of width 2"),
        (bytes, Auto, "bbq, 1 levels of width 2"),
        (bytes, Pifo, "pifo"),
        (packets, Auto, "bbq, 1 levels of width 2"),
        (packets, BbqFront, "bbq-front, 1 levels of width 2"),
        (two, BbqFront, "--queue bbq-front: holds one queue, and the policy has 2; use bbq or pifo"),
        (&reverse, Auto, "bbq, 3 levels of width 32"),
        (
            &reverse,
            BbqFront,
            "--queue bbq-front: gives only the packet that is served next, and the policy drops the last; use bbq or \
             pifo",
        ),
    ] {
        assert_eq!(block(text, queue), expected, "{text}");
    }
}

#[test]
fn what_hardware_cannot_do_is_refused() {
    let one = "q = Queue(9 pkts); out = Port(100);";
    let two = "a = Queue(9 pkts); b = Queue(9 pkts); out = Port(100, a, b);";
    let shared = "a = Queue(9 pkts); b = Queue(9 pkts); x = Port(100, a); y = Port(100, b); m = Buffer(9 pkts, a, b);";
    for (text, expected) in [
        (
            format!("{one} q.procPrio(p1, p2) = (p1.value * p2.size > p2.value * p1.size);"),
            "queue q, procPrio: is no list of keys",
        ),
        (
            format!("{one} q.admPrio(p1, p2) = (p1.value < p2.value);"),
            "queue q, admPrio: is the reverse neither of the order of arrival nor of `procPrio`",
        ),
        (
            format!("{one} q.admPrio = fifo;"),
            "queue q, admPrio: is the reverse neither of the order of arrival nor of `procPrio`",
        ),
        (
            format!("{one} q.procPrio(p1, p2) = (p1.rank < p2.rank); q.congestion(q) = (q.currSize > 5, drop(1));"),
            "queue q, congestion goes on dropping while `q.currSize > 5`, which may hold after the arriving packet \
             was dropped; add `&& arriving.size > 0`, so that it drops no other packet",
        ),
        (
            format!(
                "{one} q.procPrio(p1, p2) = (p1.rank < p2.rank); q.congestion(q) = (q.currSize > 9, drop(1), drop(.5));"
            ),
            "a case of queue q, congestion drops twice",
        ),
        (
            format!(
                "{shared} a.procPrio(p1, p2) = (p1.rank < p2.rank); m.admPrio(q1, q2) = (q1.currSize > q2.currSize);"
            ),
            "queue a, admPrio: a queue block knows the last packet that arrived only if packets depart in the order \
             of arrival, or if only the arriving packet is ever dropped; buffer m drops from this queue",
        ),
        (
            format!("{one} q.congestion(q) = (q.findHigh().size > 9, drop(1));"),
            "queue q, congestion: reads `q.findHigh().size`: the next packet of a queue is in the queue block",
        ),
        (
            format!("{one} q.congestion(q) = (q.currSize > 3, modify(q.findHigh().value := 1));"),
            "queue q, congestion: `modify` of a packet's `value` changes a packet in the queue block",
        ),
        (
            format!("{one} q.congestion(q) = (true, modify(arriving.value := 1));"),
            "queue q, congestion: `modify` of `arriving.value` comes too late: the packet has its rank",
        ),
        (
            format!("{one} q.congestion(q) = (arriving.marked && q.currSize > 3, drop(1));"),
            "queue q, congestion: reads `arriving.marked`: marks travel beside the fields of a packet",
        ),
        (
            format!("{one} q.procPrio(p1, p2) = (p1.notified > p2.notified);"),
            "queue q, procPrio: reads `p.notified`: marks travel beside the fields of a packet",
        ),
        (two.to_owned(), "port out, schedPrio: depends on the next packets of queues"),
        (
            format!("{two} out.schedPrio(q1, q2) = (q1.findHigh().value > q2.findHigh().value);"),
            "port out, schedPrio: depends on the next packets of queues",
        ),
        (
            format!("{two} out.schedPrio(q1, q2) = (max(q1.currSize, q2.currSize) > q2.currSize);"),
            "port out, schedPrio: cannot be proved to be an order",
        ),
        (
            "q[1..65] = Queue(9 pkts); out = Port(100, q[1..65]); out.schedPrio(q1, q2) = (q1.currSize < q2.currSize);"
                .to_owned(),
            "queue q65: is one too many; the hardware has room for 64 queues",
        ),
        ("q = Queue(70000 pkts); out = Port(100);".to_owned(), "raise --smallest-packet; hardware has 65536 at most"),
    ] {
        let (refusals, _) = said(&text, &TargetOptions::default());
        assert!(refusals.iter().any(|refusal| refusal.contains(expected)), "{text}\n{expected}\n{refusals:?}");
    }
}

#[test]
fn what_hardware_can_do_is_not_refused() {
    let one = "q = Queue(9 pkts); out = Port(100);";
    let srpt = "q.procPrio(p1, p2) = (p1.rank < p2.rank); q.admPrio(p1, p2) = (p1.rank > p2.rank);";
    let two = "a = Queue(9 pkts); b = Queue(9 pkts); out = Port(100, a, b); out.schedPrio(q1, q2) = (q1.currSize < q2.currSize);";
    for text in [
        format!("{one} {srpt} q.congestion(q) = (q.currSize > q.size, drop(1)).(q.currSize > 5, drop(.5));"),
        format!("{one} {srpt} q.congestion(q) = (q.currSize > q.size, drop(1), notify);"),
        format!("{one} {srpt} q.congestion(q) = (q.currSize > 5, drop(.5));"),
        // A drop that is not sure does not go on.
        format!("{one} q.procPrio(p1, p2) = (p1.rank < p2.rank); q.congestion(q) = (q.currSize > 5, drop(.5));"),
        format!(
            "{one} q.procPrio(p1, p2) = (p1.rank < p2.rank); q.congestion(q) = (q.currSize > 5 && arriving.size > 2, drop(1));"
        ),
        format!(
            "{two} m = Buffer(18 pkts, a, b); m.admPrio(q1, q2) = (q1.currSize * q2.size > q2.currSize * q1.size);"
        ),
        format!("{two} a.congestion(q) = (q.currProcessing > 1000, drop(1));"),
        format!("{two} m = Buffer(18 pkts, a, b); a.procPrio(p1, p2) = (p1.rank < p2.rank);"),
        format!(
            "{two} m = Buffer(9 pkts, a, b); a.procPrio(p1, p2) = (p1.rank < p2.rank); a.admPrio(p1, p2) = (p1.rank > p2.rank);"
        ),
    ] {
        assert_eq!(said(&text, &TargetOptions::default()).0, Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_sum_of_processing_that_could_be_no_number_is_refused() {
    let text = "q = Queue(3 pkts); out = Port(100); q.congestion(q) = (q.currProcessing > 1000, drop(1));";
    let options = |width: &str| {
        let mut hardware = Hardware::default();
        hardware.bits.set(width.parse().unwrap());
        TargetOptions { hardware, ..TargetOptions::default() }
    };
    let expected = "queue q: its packets of up to 2^46 - 1 cycles could add up to 2^47, more than `currProcessing` \
                    can hold; give fewer bits (--bits processing=N), or make the queue smaller";
    assert_eq!(said(text, &options("processing=46")).0, [expected]);
    // Of four packets, with the one that arrives.
    assert_eq!(said(text, &options("processing=45")).0, Vec::<String>::new());
}

#[test]
fn ids_must_differ() {
    let text = "q = Queue(49 pkts); out = Port(100);";
    let options =
        |id_bits| TargetOptions { hardware: Hardware { id_bits, ..Hardware::default() }, ..TargetOptions::default() };
    let expected = "--id-bits: are 5, too few for different ids of up to 50 packets; give 6 or more";
    assert_eq!(said(text, &options(5)).0, [expected]);
    assert_eq!(said(text, &options(6)).0, Vec::<String>::new());
}

#[test]
fn what_is_cut_is_said() {
    let edf =
        "q = Queue(9 pkts); out = Port(100); q.procPrio(p1, p2) = (p1.arrival + p1.slack < p2.arrival + p2.slack);";
    let options =
        TargetOptions { hardware: Hardware { rank_bits: Some(12), ..Hardware::default() }, ..TargetOptions::default() };
    let notes = said(edf, &options).1;
    let expected = "queue q, procPrio: ranks of 41 bits are cut to 12: packets whose `lowest p.arrival + p.slack` are \
                    less than 536870912 apart may depart in the order of arrival";
    assert_eq!(notes[0], expected);
    assert_eq!(notes[1], "time: has 40 bits of nanoseconds, and wraps after 18 minutes (--bits time=N)");
    assert_eq!(said(edf, &TargetOptions::default()).1.len(), 1, "{:?}", said(edf, &TargetOptions::default()));
}

#[test]
fn answers_are_waited_for_where_decisions_need_them() {
    let waits = |text: &str| {
        let target = find("target", TARGETS, "sv").unwrap();
        let files = target.emit(&policy(text), &TargetOptions::default()).unwrap();
        let package = files.iter().find(|file| file.name == "policy_pkg.sv").unwrap();
        package.text.contains("Waits = 1'b1;")
    };
    let one = "q = Queue(9 pkts); out = Port(100);";
    let srpt = "q.procPrio(p1, p2) = (p1.rank < p2.rank); q.admPrio(p1, p2) = (p1.rank > p2.rank);";
    let shared = "a = Queue(9 pkts); b = Queue(9 pkts); x = Port(100, a); y = Port(100, b); m = Buffer(9 pkts, a, b); \
                  m.admPrio(q1, q2) = (q1.currSize > q2.currSize); a.procPrio(p1, p2) = (p1.rank < p2.rank); \
                  a.admPrio(p1, p2) = (p1.rank > p2.rank);";
    for (text, expected) in [
        (one.to_owned(), false),
        ("q = Queue(9 KB); out = Port(100);".to_owned(), true),
        (format!("{one} q.congestion(q) = (q.currProcessing > 1000, drop(1));"), true),
        (format!("{one} {srpt}"), false),
        // The rest may be over the size, is marked after a drop, or is asked for.
        (format!("{one} {srpt} q.congestion(q) = (q.currSize > 5, drop(.5));"), true),
        (format!("{one} {srpt} q.congestion(q) = (q.currSize > q.size, drop(1)).(q.currSize > 5, drop(.5));"), false),
        (format!("{one} {srpt} q.congestion(q) = (q.currSize > q.size, drop(1), notify);"), true),
        (format!("{one} {srpt} q.congestion(q) = (q.currSize > q.size, notify, drop(1));"), false),
        (
            format!(
                "{one} {srpt} q.congestion(q) = (q.currSize > q.size && arriving.size > 9, drop(1)).(q.currSize > q.size, drop(1));"
            ),
            true,
        ),
        (format!("{one} out.postSchedAct(p) = let q = p.getCurrQueue() in (q.findHigh().size > 9, mark);"), true),
        (
            format!("{one} out.postSchedAct(p) = let q = p.getCurrQueue() in (q.findHigh().processing == 0, mark);"),
            false,
        ),
        (shared.to_owned(), false),
        // Whether the queue judges the arriving packet depends on whether the buffer has dropped it.
        (format!("{shared} a.congestion(q) = (q.currSize > q.size, drop(1)).(q.currSize > 3, mark);"), true),
    ] {
        assert_eq!(waits(&text), expected, "{text}");
    }
}
