//! A queue that is full: what `tc` shows is what waits, and none of it stays behind.

use crate::guest_or_skip;

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
