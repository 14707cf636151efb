//! Two devices at once, each with its own policy, rate and state.

use crate::guest_or_skip;

#[test]
fn devices_keep_their_own_rates() {
    let guest = guest_or_skip!(&[("fifo", &[]), ("lifo", &[])]);
    let said = guest.run(
        "pair v0 v1
        pair w0 w1
        put v0 fifo --rate 2Mbps
        put w0 lifo --rate 500kbps
        receive v1
        receive w1
        # Frames of 1250 bytes: 5 ms and 20 ms.
        say sent-v $(traffic send v0 120 1250 1)
        say sent-w $(traffic send w0 100 1250 2)
        drained v0
        drained w0
        received
        stats v v0
        stats w w0
        say kinds $(ls /sys/fs/bpf/forebay)
        ",
        600,
    );
    assert_eq!(said.text("kinds"), "forebay0 forebay1");
    for (device, frames, rate) in [("v", 120_u64, 2_000_000_u64), ("w", 100, 500_000)] {
        let stats = said.stats(device);
        stats.check();
        assert_eq!((stats.packets("arrived"), stats.packets("sent")), (frames, frames), "{device}");
        let received = said.numbers(&format!("received-{device}1"));
        assert_eq!((received[0], received[1]), (frames, 0), "{device}");
        // The first of these intervals begins with the first packet, so that there is one less.
        let bits = (frames - 1) * 1_250 * 8;
        let seen = bits * 1_000_000 / received[2];
        println!("{device}: {seen} bit/s of {rate}");
        assert!(seen.abs_diff(rate) <= rate / 50, "{device}: {seen} bit/s of {rate}");
    }
}

/// A packet of 64 bytes takes 5.12 ns at 100 Gbps: the fractions add up. The time is set by hand.
#[test]
fn fractions_of_a_nanosecond_are_kept() {
    let guest = guest_or_skip!(&[("fifo", &["--param", "B=1000 pkts"])]);
    let said = guest.run(
        "pair v0 v1
        put v0 fifo --param 'B=1000 pkts' --rate 100Gbps
        control forebay0 4 1000000000000
        traffic send v0 300 64 1 >/dev/null
        stats first v0
        control forebay0 4 1000000000512
        traffic send v0 1 64 2 >/dev/null
        sleep 1
        stats second v0
        ",
        600,
    );
    assert_eq!(said.stats("first").packets("sent"), 1, "the time stands still");
    // At 0, 5.12, 10.24, ..., 512 ns.
    assert_eq!(said.stats("second").packets("sent"), 101);
}
