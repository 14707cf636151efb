//! Live parameters: set in a map while packets flow, and read by the policy from the next packet on.

use crate::guest_or_skip;

#[test]
fn a_parameter_is_set_without_touching_the_policy() {
    let live = ["--live", "K", "--param", "K=2"];
    let guest = guest_or_skip!(&[("dctcp", &live), ("fifo", &[])]);
    let said = guest.run(
        "refused() { label=$1; shift; \"$@\" >/dev/null 2>/tmp/why; say $label $? $(cat /tmp/why); }
        pair v0 v1
        put v0 dctcp --rate 1Mbps --live K --param K=2
        refused unknown forebay set B=3 --dev v0
        refused unit forebay set 'K=3 ms' --dev v0
        refused device forebay set K=3 --dev v1
        traffic send v0 40 200 1 0 >/dev/null
        drained v0
        stats low v0
        say set $(forebay set K=1000 --dev v0)
        traffic send v0 40 200 1 0 >/dev/null
        drained v0
        stats high v0
        put v0 fifo --rate 1Mbps
        refused none forebay set K=3 --dev v0
        refused built forebay deploy /p/dctcp/policy.oq --built /p/fifo --dev v0 --live K
        forebay undeploy --dev v0
        say pins $(pins)
        ",
        600,
    );
    assert_eq!(
        said.text("unknown"),
        "2 error: v0: `B` is not live in /p/dctcp/policy.oq, version 1; live are K; \
                                      name it with --live when the policy is deployed"
    );
    assert_eq!(said.text("unit"), "2 error: v0: `K` is packets, and 3 ms is a time");
    assert!(
        said.text("device").starts_with("2 error: v1: no policy of forebay is at device"),
        "{}",
        said.text("device")
    );
    let (low, high) = (said.stats("low"), said.stats("high"));
    low.check();
    high.check();
    assert_eq!(said.text("set"), "v0: K = 1000 pkts");
    assert_eq!((low.parameter("K"), high.parameter("K")), (2.0, 1000.0));
    assert_eq!((low.version(), high.version()), (1, 1), "it is the same version");
    assert!(low.notified() > 10, "a low threshold notifies: {}", low.notified());
    assert_eq!(high.notified(), low.notified(), "a threshold that is not reached does not");
    assert!(said.text("none").contains("version 2; nothing is"), "{}", said.text("none"));
    let built = "it was built of another policy, with other --param or --live";
    assert!(said.text("built").contains(built), "{}", said.text("built"));
    assert_eq!(said.number("pins"), 0);
}
