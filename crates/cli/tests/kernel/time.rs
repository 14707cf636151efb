//! The time of a policy does not begin with the machine: the numbers of OpenQueue end at 39 hours of nanoseconds.

use crate::guest_or_skip;

#[test]
fn a_policy_begins_at_0() {
    let guest = guest_or_skip!(&[("clock", &[])]);
    let said = guest.run(
        "seen() { traffic send v0 1 200 1 >/dev/null; say $1 $(command control /sys/fs/bpf/forebay/forebay0/$2/queues 3); }
        pair v0 v1
        put v0 clock
        sleep 2
        seen first v1
        sleep 2
        seen later v1
        ip link set v0 down
        ip link set v0 up
        sleep 2
        seen emptied v1
        put v0 clock
        sleep 2
        seen replaced v2
        ",
        600,
    );
    // The queue's admState, where 65,536 is a nanosecond.
    for label in ["first", "emptied", "replaced"] {
        assert_eq!(said.number(label), 65_536, "{label}");
    }
    assert!(said.number("later") > 2_000_000_000 * 65_536, "its time goes on: {}", said.number("later"));
}

/// A policy that keeps no state of departed packets counts from the first packet that arrives at an empty queue, however long it
/// runs. While a packet waits, its time goes on.
#[test]
fn of_a_policy_that_forgets_it_begins_anew_when_none_waits() {
    let guest = guest_or_skip!(&[("stopwatch", &[])]);
    let said = guest.run(
        // The value of the packet that departed last is in the middle of struct oq_counted.
        "left() { say $1 $(command control /sys/fs/bpf/forebay/forebay0/counted 136); }
        one() { traffic send v0 1 200 $1 >/dev/null; }
        pair v0 v1
        put v0 stopwatch
        one 1
        sleep 2
        one 2
        left idle
        # 4 s for each: the first leaves at once, and the others wait.
        put v0 stopwatch --rate 400bps
        one 3
        one 4
        sleep 2
        one 5
        sleep 3
        left busy
        ",
        600,
    );
    let value = |label: &str| said.number(label) & u64::from(u32::MAX);
    assert_eq!(value("idle"), 0, "none waited");
    let busy = value("busy");
    assert!((1_900_000_000..3_000_000_000).contains(&busy), "one waited: {busy}");
}
