//! What a packet costs beside `pfifo`, in one machine: a sender's loop, of which sending is all. The machine's time is
//! instructions, 2 ns each.

use crate::guest_or_skip;

#[test]
fn fifo_and_srpt_beside_pfifo() {
    let many = ["--param", "B=1000 pkts"];
    let guest = guest_or_skip!(&[("fifo", &many), ("srpt", &[many[0], many[1], "--field", "processing=udp[8:2]"])]);
    let said = guest.run(
        "pair v0 v1
        for round in 1 2; do
            tc qdisc replace dev v0 root pfifo limit 1000
            say pfifo $(traffic send v0 4000 200 1)
            tc qdisc del dev v0 root
            put v0 fifo --param 'B=1000 pkts'
            say fifo $(traffic send v0 4000 200 2)
            forebay undeploy --dev v0
            # All wait: each of the next ones pushes out the longest, or is refused.
            put v0 srpt --param 'B=1000 pkts' --rate 400bps
            traffic send v0 1001 200 3 >/dev/null
            say srpt $(traffic send v0 4000 200 4)
            stats full-$round v0
            forebay undeploy --dev v0
        done
        ",
        900,
    );
    let full = said.stats("full-1");
    full.check();
    assert!(full.waiting() >= 990 && full.packets("pushed_out") > 500, "1,000 packets wait, and are pushed out");
    // Nothing of the first round has run before.
    let best = |label: &str| {
        let time = |line: &String| line.split(' ').nth(1).unwrap().parse::<u64>().unwrap();
        said.all(label).iter().map(time).min().unwrap()
    };
    let (pfifo, fifo, srpt) = (best("pfifo"), best("fifo"), best("srpt"));
    println!("a packet: pfifo {pfifo} ns, fifo {fifo} ns, srpt with 1,000 waiting {srpt} ns");
    println!("pfifo {:?}\nfifo {:?}\nsrpt {:?}", said.all("pfifo"), said.all("fifo"), said.all("srpt"));
    assert!(fifo <= 2 * pfifo, "fifo {fifo} ns, pfifo {pfifo} ns");
    assert!(srpt <= 4 * pfifo, "srpt {srpt} ns, pfifo {pfifo} ns");
}
