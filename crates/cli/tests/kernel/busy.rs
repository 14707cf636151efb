//! A discipline has the packets of one device: another device is rejected, and the backlog of the first one stays.

use crate::guest_or_skip;

#[test]
fn a_second_device_is_refused_each_time() {
    let guest = guest_or_skip!(&[("fifo", &[])]);
    let said = guest.run(
        "pair v0 v1
        pair w0 w1
        put v0 fifo --rate 400bps
        traffic send v0 100 200 1 >/dev/null
        stats before v0
        for i in 1 2 3; do
            tc qdisc add dev w0 root forebay0 2>/dev/null
            say refused $?
        done
        say others $(tc qdisc show dev w0 | grep -c forebay0)
        stats after v0
        shown shown v0
        receive v1
        # Without a rate, from the next packet on.
        put v0 fifo
        sleep 5
        traffic send v0 1 200 2 >/dev/null
        drained v0
        received
        stats end v0
        ",
        600,
    );
    assert_eq!(said.all("refused"), ["2", "2", "2"]);
    assert_eq!(said.number("others"), 0);
    let (before, after, end) = (said.stats("before"), said.stats("after"), said.stats("end"));
    assert!(before.waiting() >= 98, "{}", before.waiting());
    // One may leave meanwhile.
    assert!(after.waiting() + 1 >= before.waiting() && said.shown("shown").0 + 1 >= before.waiting());
    assert_eq!((after.packets("emptied"), end.packets("emptied")), (0, 0), "none is freed");
    assert_eq!((end.packets("sent"), end.waiting()), (101, 0));
    // `received` came after the first.
    assert!(said.number("received-v1") >= before.waiting());
}
