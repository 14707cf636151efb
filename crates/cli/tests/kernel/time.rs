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
