//! A full queue: `tc` shows its backlog, and no packet stays behind.

use crate::guest_or_skip;

/// At one queue of a device with several, by hand: the parent (mq) shows the sums of its children.
#[test]
fn the_parent_shows_what_its_children_have() {
    let guest = guest_or_skip!(&[("srpt", &["--field", "processing=udp[8:1]"])]);
    let said = guest.run(
        "ip link add v0 numtxqueues 2 type veth peer name v1 numrxqueues 2
        ip link set v0 up
        ip link set v1 up
        put v0 srpt --rate 400bps
        kind=$(ls /sys/fs/bpf/forebay)
        tc qdisc replace dev v0 root handle 1: mq
        tc qdisc replace dev v0 parent 1:1 $kind
        say kind $(tc qdisc show dev v0 | grep -c $kind)
        # Flows, so that both queues of the device have some: some 300 packets each.
        traffic send v0 600 200 1 0 0 0 0 512 >/dev/null
        shown full v0
        # Without a rate, from the next packet on.
        control $kind 9 0
        sleep 5
        traffic send v0 64 200 2 0 0 0 0 64 >/dev/null
        sleep 1
        shown end v0
        ",
        600,
    );
    assert_eq!(said.number("kind"), 1);
    let full = said.all_shown("full");
    let sum = |all: &[(u64, u64, u64)]| all.iter().fold((0, 0, 0), |s, one| (s.0 + one.0, s.1 + one.1, s.2 + one.2));
    let parent = full["mq"][0];
    let children: Vec<_> = full.iter().filter(|(kind, _)| *kind != "mq").flat_map(|(_, all)| all.clone()).collect();
    assert_eq!((parent, children.len()), (sum(&children), 2));
    // 128 wait, of which a packet has 200 bytes; others were pushed out and refused. How many is the kernel's choice: it
    // gives flows to queues by a hash with a key of its own.
    assert!(parent.0 == 128 && parent.1 == 128 * 200 && parent.2 > 0, "{full:?}");
    let end = said.all_shown("end");
    assert_eq!((end["mq"][0].0, end["mq"][0].1), (0, 0), "no ghosts: {end:?}");
}

#[test]
fn tc_shows_what_waits_and_nothing_after_it_has_left() {
    let guest = guest_or_skip!(&[("fifo", &[]), ("srpt", &["--field", "processing=udp[8:1]"])]);
    let said = guest.run(
        "pair v0 v1
        receive v1
        for policy in fifo srpt; do
            seed=$((seed + 1)) before=
            put v0 $policy --rate 400bps
            say sent $(traffic send v0 300 200 $seed)
            # A packet may leave between two looks.
            until [ \"$before\" = \"$(tc -s qdisc show dev v0)\" ] && [ -n \"$before\" ]; do
                before=$(tc -s qdisc show dev v0)
                shown=$(tc -s -j qdisc show dev v0)
                stats=$(forebay stats --dev v0 --format json | tr '\\n' ' ')
            done
            say $policy-shown \"$shown\"
            say $policy-stats \"$stats\"
            # Without a rate, from the next packet on.
            put v0 $policy
            sleep 5
            say sent $(traffic send v0 1 200 $((seed + 4)))
            drained v0
            shown $policy-drained v0
            stats $policy-end v0
        done
        received
        ",
        600,
    );
    for policy in ["fifo", "srpt"] {
        let stats = said.stats(&format!("{policy}-stats"));
        stats.check();
        let shown = said.shown(&format!("{policy}-shown"));
        assert_eq!((shown.0, shown.1, shown.2), (stats.waiting(), stats.waiting_bytes(), stats.dropped()), "{policy}");
        assert!((120..=128).contains(&shown.0), "{policy} is nearly full: {shown:?}");
        let end = said.shown(&format!("{policy}-drained"));
        assert_eq!((end.0, end.1), (0, 0), "{policy}: no ghosts");
        said.stats(&format!("{policy}-end")).check();
    }
    assert!(said.stats("srpt-end").packets("pushed_out") > 0, "the longest are pushed out");
    let end = said.stats("srpt-end");
    assert_eq!((end.packets("arrived"), end.packets("sent")), (said.sum("sent"), said.number("received-v1")));
}
