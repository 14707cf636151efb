//! Policies that are removed, and devices that go away, while packets wait: all are freed.

use crate::guest_or_skip;

/// How often a policy is deployed and removed to check that no packet stays in the kernel's memory.
const TIMES: usize = 20;

#[test]
fn what_waits_is_freed_with_the_policy_the_link_or_the_device() {
    let guest = guest_or_skip!(&[("fifo", &[])]);
    let script = format!(
        "active() {{ echo 1 >/sys/kernel/slab/skbuff_head_cache/shrink; awk '$1 == \"skbuff_head_cache\" {{ print $2 }}' /proc/slabinfo; }}
        pair v0 v1
        for i in $(seq {TIMES}); do
            put v0 fifo --rate 400bps
            traffic send v0 300 200 1 >/dev/null
            [ $i = 1 ] && say held $(active)
            forebay undeploy --dev v0
            say active $(active)
        done
        say pins $(pins)
        receive v1
        put v0 fifo --rate 2Mbps
        traffic send v0 20000 200 2 300 >/tmp/sent &
        sender=$!
        sleep 1
        stats before v0
        say removed $(forebay undeploy --dev v0 | tr -dc '0-9, ' | tr , ' ')
        wait $sender
        say sent $(cat /tmp/sent)
        received
        put v0 fifo --rate 400bps
        traffic send v0 100 200 3 >/dev/null
        ip link set v0 down
        stats down v0
        shown down-shown v0
        ip link set v0 up
        traffic send v0 10 200 4 >/dev/null
        stats up v0
        ip link del v0
        sleep 1
        say active $(active)
        forebay stats --dev v0 2>/tmp/complaint
        say gone $? $(cat /tmp/complaint)
        say left $(pins) $(ls /run/forebay/*.json 2>/dev/null | wc -l)
        pair v2 v3
        put v2 fifo
        tc qdisc replace dev v2 root pfifo
        put v2 fifo
        stats anew v2
        say one $(pins) $(ls /run/forebay/*.json 2>/dev/null | wc -l)
        "
    );
    let said = guest.run(&script, 900);
    let active: Vec<u64> = said.all("active").iter().map(|line| line.parse().unwrap()).collect();
    println!("objects of skbuff_head_cache: {active:?}");
    // 128 packets wait whenever the policy is removed.
    assert!(said.number("held") >= 128, "packets that wait are among them: {}", said.number("held"));
    assert!(active[TIMES] < active[1] + 128, "packets stay in memory: {active:?}");
    assert_eq!(said.number("pins"), 0);
    let (before, sent, received) = (said.stats("before"), said.number("sent"), said.number("received-v1"));
    assert!(received > before.packets("sent"), "traffic goes on without the policy");
    // Device 0; what arrived under the policy, was sent, dropped, and freed with it.
    let removed = said.numbers("removed");
    let [_, arrived, passed, dropped, freed] = removed[..] else { panic!("{removed:?}") };
    assert_eq!(arrived, passed + dropped + freed, "nothing leaks: {removed:?}");
    assert!(freed >= 100 && arrived >= before.packets("arrived"), "{removed:?}");
    // While the kernel puts its default there, it drops what comes itself.
    let lost = (sent - dropped - freed).checked_sub(received).unwrap();
    println!(
        "removed under traffic: {removed:?}; {sent} sent, {received} received, {lost} lost to the kernel's change"
    );
    assert!(lost < 100, "{lost}");
    let (down, up) = (said.stats("down"), said.stats("up"));
    down.check();
    up.check();
    assert_eq!((down.waiting(), said.shown("down-shown").0), (0, 0));
    assert!((95..=100).contains(&down.packets("emptied")), "{}", down.packets("emptied"));
    assert_eq!(up.packets("arrived"), 110);
    assert_eq!(said.text("gone"), "2 error: v0: there is no device `v0`; `ip link` lists them");
    assert_eq!(said.numbers("left"), [0, 0], "what was the device's is cleared away");
    assert_eq!(said.stats("anew").version(), 1);
    assert_eq!(said.numbers("one"), [1, 1], "what tc has replaced is cleared away");
}
