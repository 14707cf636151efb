//! The time of a policy does not begin with the machine: the numbers of OpenQueue end at 39 hours of nanoseconds.

use crate::guest_or_skip;

#[test]
fn a_policy_begins_at_0() {
    let guest = guest_or_skip!(&[("token-bucket", &["--param", "rate=1 Mbps"])]);
    let said = guest.run(
        "pair v0 v1
        put v0 token-bucket --param 'rate=1 Mbps'
        sleep 20
        traffic send v0 1 1000 1 >/dev/null
        # The queue's admState: when the bucket is full again.
        say first $(command control /sys/fs/bpf/forebay/forebay0/v1/queues 3)
        sleep 20
        ip link set v0 down
        ip link set v0 up
        traffic send v0 1 1000 2 >/dev/null
        say emptied $(command control /sys/fs/bpf/forebay/forebay0/v1/queues 3)
        sleep 20
        put v0 token-bucket --param 'rate=1 Mbps'
        sleep 20
        traffic send v0 1 1000 3 >/dev/null
        say replaced $(command control /sys/fs/bpf/forebay/forebay0/v2/queues 3)
        sleep 20
        traffic send v0 1 1000 4 >/dev/null
        say later $(command control /sys/fs/bpf/forebay/forebay0/v2/queues 3)
        ",
        600,
    );
    // 1,000 bytes take 8 ms, and a nanosecond is 65,536.
    let taken = 8_000_000 * 65_536;
    let [first, emptied, replaced] = ["first", "emptied", "replaced"].map(|label| said.number(label));
    assert_eq!([first, emptied, replaced], [taken; 3]);
    assert!(said.number("later") > replaced + 20_000_000_000 * 65_536, "and its time goes on");
}

/// The machine passes idle time quickly, and yet this takes minutes.
#[test]
fn policies_know_the_time_on_a_machine_that_was_up_for_40_hours() {
    let guest =
        guest_or_skip!(&[("edf", &["--field", "slack=udp[8:4]"]), ("token-bucket", &["--param", "rate=1 Mbps"]),]);
    let said = guest.run(
        "pair v0 v1
        pair w0 w1
        put v0 edf --rate 400bps
        # The machine's time passes at once where nothing runs.
        sleep 144000
        say up $(cut -d. -f1 /proc/uptime)
        put w0 token-bucket --param 'rate=1 Mbps'
        traffic send w0 100 1000 1 >/dev/null
        stats policed w0
        # One that leaves, one with a second of slack, and one with less than a millisecond.
        traffic send v0 1 200 1 >/dev/null
        traffic send v0 1 1000 1 >/dev/null
        traffic send v0 1 200 4 >/dev/null
        stats first v0
        sleep 6
        stats second v0
        ",
        3_600,
    );
    assert!(said.number("up") >= 144_000);
    let policed = said.stats("policed");
    // A burst of 15 KB passes.
    assert!((15..=17).contains(&policed.packets("sent")), "{} of 100 packets passed", policed.packets("sent"));
    let (first, second) = (said.stats("first"), said.stats("second"));
    assert_eq!((first.waiting(), first.waiting_bytes()), (2, 1_200));
    assert_eq!((second.waiting(), second.waiting_bytes()), (1, 1_000), "the one with less slack has left first");
}
