//! The cost of a packet in comparison with `pfifo`, in one machine: from the sender's call on, through the discipline
//! and the pair of devices. The machine's time is instructions, 2 ns each.
//!
//! With 1,000 waiting packets, arrivals and departures are measured one after the other. First the cost of a call while no packet
//! may depart, then the additional time of as many calls while the 1,000 packets depart.

use crate::guest_or_skip;

#[test]
fn fifo_and_srpt_beside_pfifo() {
    let many = ["--param", "B=1000 pkts"];
    let guest = guest_or_skip!(&[("fifo", &many), ("srpt", &[many[0], many[1], "--field", "processing=udp[8:2]"])]);
    let said = guest.run(
        "pair v0 v1
        for round in 1 2; do
            say bare $(traffic send v0 4000 200 1)
            tc qdisc replace dev v0 root pfifo limit 1000
            say pfifo $(traffic send v0 4000 200 2)
            tc qdisc del dev v0 root
            put v0 fifo --param 'B=1000 pkts'
            say fifo $(traffic send v0 4000 200 3)
            forebay undeploy --dev v0
            put v0 srpt --param 'B=1000 pkts' --rate 400bps
            traffic send v0 1001 200 4 >/dev/null
            # All wait: each of the next ones pushes out the longest, or is refused.
            say arrive $(traffic send v0 4000 200 5)
            stats full-$round v0
            # Held, until the port may send again, and then without a rate.
            kind=$(ls /sys/fs/bpf/forebay)
            control $kind 5 1 9 0
            sleep 5
            control $kind 5 0
            say drain $(traffic send v0 1000 200 6)
            stats drained-$round v0
            say through $(traffic send v0 1000 200 7)
            forebay undeploy --dev v0
        done
        ",
        900,
    );
    let (full, drained) = (said.stats("full-1"), said.stats("drained-1"));
    full.check();
    assert!(full.waiting() >= 990 && full.packets("pushed_out") > 500, "1,000 packets wait, and are pushed out");
    assert_eq!(drained.waiting(), 0);
    assert!(drained.packets("sent") - full.packets("sent") >= 1_990, "they leave, and those that come");
    // Nothing of the first round has run before.
    let best = |label: &str| {
        let time = |line: &String| line.split(' ').nth(1).unwrap().parse::<u64>().unwrap();
        said.all(label).iter().map(time).min().unwrap()
    };
    let [bare, pfifo, fifo] = ["bare", "pfifo", "fifo"].map(best);
    let [arrive, drain, through] = ["arrive", "drain", "through"].map(best);
    let srpt = arrive + drain - through;
    println!("a packet: without a discipline {bare} ns, pfifo {pfifo} ns, fifo {fifo} ns");
    println!("srpt with 1,000 waiting: {arrive} ns to arrive, {} ns to leave, {srpt} ns", drain - through);
    println!("srpt with none waiting: {through} ns");
    assert!(fifo <= 2 * pfifo, "fifo {fifo} ns, pfifo {pfifo} ns");
    assert!(srpt <= 4 * pfifo, "srpt {srpt} ns, pfifo {pfifo} ns");
}
