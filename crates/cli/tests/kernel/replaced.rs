//! Policies that are replaced while packets flow: nothing is lost but by a rule.

use crate::guest::POLICIES;
use crate::guest_or_skip;

const REPLACEMENTS: u64 = 100;

#[test]
fn a_hundred_replacements_under_traffic_lose_nothing() {
    let guest = guest_or_skip!(&POLICIES).slow();
    let names = POLICIES.map(|(name, _)| name).join(" ");
    let script = format!(
        "pair v0 v1
        put v0 fifo --rate 2Mbps
        receive v1
        (seed=1; while [ ! -f /tmp/enough ]; do traffic send v0 5000 200 $seed 300; seed=$((seed % 15 + 1)); done >/tmp/sent) &
        sender=$!
        count=0
        while [ $count -lt {REPLACEMENTS} ]; do
            for policy in {names}; do
                [ $count -lt {REPLACEMENTS} ] || break
                put v0 $policy --rate 2Mbps
                count=$((count + 1))
            done
        done
        touch /tmp/enough
        wait $sender
        while read sent time; do say sent $sent; done </tmp/sent
        stats busy v0
        drained v0
        received
        stats drained v0
        shown shown v0
        say versions $(ls /sys/fs/bpf/forebay/forebay0 | grep -c '^v[0-9]')
        forebay undeploy --dev v0
        say pins $(pins)
        "
    );
    let said = guest.run(&script, 1_800);
    let (busy, drained) = (said.stats("busy"), said.stats("drained"));
    busy.check();
    drained.check();
    assert_eq!(drained.version(), REPLACEMENTS + 1);
    assert_eq!(drained.packets("arrived"), said.sum("sent"));
    assert_eq!(drained.packets("sent"), said.number("received-v1"));
    assert_eq!((drained.packets("no_place"), drained.packets("no_policy"), drained.packets("emptied")), (0, 0, 0));
    assert_eq!((drained.waiting(), said.shown("shown").0), (0, 0));
    assert!(drained.packets("sent") > 10 * REPLACEMENTS, "there was traffic: {}", drained.packets("sent"));
    assert_eq!((said.number("versions"), said.number("pins")), (1, 0), "older versions are gone, and at last all");
    println!("{} sent = {} received + {} dropped", said.sum("sent"), said.number("received-v1"), drained.dropped());
}

/// The discipline keeps nothing of versions under which no packet was ever queued, however many there were.
#[test]
fn packets_of_the_older_version_leave_first_after_many_changes_without_packets() {
    let guest = guest_or_skip!(&[("fifo", &[])]);
    let said = guest.run(
        "pair v0 v1
        put v0 fifo --rate 400bps
        traffic send v0 1 200 1 >/dev/null
        sleep 5
        # Versions that no policy answers for: their packets are refused.
        for version in $(seq 2 255); do
            control forebay0 0 $version
            traffic send v0 1 200 1 >/dev/null
        done
        control forebay0 0 1
        traffic send v0 10 200 1 >/dev/null
        put v0 fifo --rate 400bps
        traffic send v0 10 200 2 >/dev/null
        stats before v0
        sleep 13
        stats after v0
        # As if there had been 254 changes more since the first packet that waits came.
        sed -i 's/\"number\": 2,/\"number\": 256,/' /run/forebay/forebay0.json
        control forebay0 0 256
        forebay deploy /p/fifo/policy.oq --built /p/fifo --dev v0 2>/tmp/why
        say refused $? $(cat /tmp/why)
        sed -i 's/\"number\": 256,/\"number\": 2,/' /run/forebay/forebay0.json
        control forebay0 0 2
        stats same v0
        ",
        900,
    );
    assert_eq!(
        said.text("refused"),
        "2 error: v0: an older policy at this device still has packets that wait; try again when they have departed",
        "256 versions are told apart"
    );
    assert_eq!(said.stats("same").version(), 2);
    let (before, after) = (said.stats("before"), said.stats("after"));
    assert_eq!((before.version(), before.packets("no_policy")), (2, 254));
    assert!(before.draining() >= 8, "{} wait under the first version", before.draining());
    let left = before.waiting() - after.waiting();
    assert!((3..=4).contains(&left), "a packet leaves every 4 s: {left} did");
    assert_eq!(after.draining(), before.draining() - left, "those of the first version leave first");
}
