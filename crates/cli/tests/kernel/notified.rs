//! Congestion notifications: as many packets get one as the reference engine marks.

use crate::guest::policy;
use crate::guest_or_skip;
use forebay_conform::{Operation, Verdict, expected};
use forebay_core::{Packet, Seed, Time};
use forebay_engine::Reference;
use forebay_lang::ir::PortId;

/// Number of packets of `count` that the engine marks if the first departs before the second arrives, and all others
/// wait.
fn marked_by_the_engine(text: &str, count: u64) -> usize {
    let policy = forebay_lang::analyse(text, &forebay_lang::Overrides::default()).policy.unwrap();
    let port = PortId(0);
    let mut operations = Vec::new();
    for id in 0..count {
        let now = Time::from_ps(id * 1_000_000);
        operations.push(Operation::Enqueue(now, Packet { id, size_bytes: 200, ..Packet::default() }));
        if id == 0 {
            operations.push(Operation::Dequeue(now, port));
        }
    }
    operations.extend((1..count).map(|id| Operation::Dequeue(Time::from_ps((count + id) * 1_000_000), port)));
    let mut engine = Reference::new(&policy, forebay_engine::EngineOptions { policy_id: 1, seed: Seed(1) });
    let answers = expected(&mut engine, &operations);
    answers.iter().filter(|answer| matches!(&answer.verdict, Verdict::Sent(sent) if sent.marks & 2 != 0)).count()
}

#[test]
fn as_many_as_the_engine_marks() {
    let few = ["--param", "K=3 pkts"];
    let guest = guest_or_skip!(&[("dctcp", &few)]);
    let said = guest.run(
        "pair v0 v1
        receive v1
        put v0 dctcp --param 'K=3 pkts' --rate 400bps
        # ECT(1)
        traffic send v0 30 200 1 0 1 >/dev/null
        stats held v0
        # What does not understand notifications, of the same flow.
        traffic send v0 10 200 2 0 0 >/dev/null
        stats deaf v0
        # ECT(0)
        traffic send v0 1 200 3 0 2 >/dev/null
        stats more v0
        put v0 dctcp --param 'K=3 pkts'
        sleep 5
        traffic send v0 1 200 4 0 0 >/dev/null
        drained v0
        received
        ",
        600,
    );
    let text = std::fs::read_to_string(policy("dctcp")).unwrap();
    let decided = marked_by_the_engine(&text.replace("K = 65 pkts", "K = 3 pkts"), 30) as u64;
    let [held, deaf, more] = ["held", "deaf", "more"].map(|label| said.stats(label));
    println!("the engine marks {decided}; decided {}, written {}", held.notified(), held.packets("notified"));
    assert_eq!((held.notified(), decided), (decided, 26), "decided as by the engine");
    // The decision for the last packet is owed: nothing has come after it.
    assert_eq!(held.packets("notified"), decided - 1);
    assert_eq!(deaf.packets("notified"), decided - 1, "nothing is owed for, or spent on, what cannot carry it");
    assert_eq!(more.packets("notified"), decided, "it was still owed");
    assert_eq!((deaf.notified(), more.notified()), (decided + 10, decided + 11));
    assert_eq!(said.numbers("received-v1")[3], decided, "the receiver sees them");
}

/// The place of the program that writes notifications is there before any policy needs it: while the kernel makes it, packets are
/// lost that nobody counts.
#[test]
fn a_policy_that_begins_to_notify_loses_no_packet() {
    let guest = guest_or_skip!(&[("fifo", &[]), ("dctcp", &[])]);
    let said = guest.run(
        "pair v0 v1
        for i in 1 2 3 4; do
            put v0 fifo
            traffic send v0 15000 200 $i 50 >/tmp/sent &
            sender=$!
            put v0 dctcp
            say notifies $(tc filter show dev v0 egress | grep -c oq_notify)
            wait $sender
            say sent $(cat /tmp/sent)
            stats after-$i v0
            forebay undeploy --dev v0
            say places $(tc qdisc show dev v0 | grep -c clsact)
        done
        # One that is somebody else's stays.
        tc qdisc add dev v0 clsact
        put v0 dctcp
        forebay undeploy --dev v0
        say others $(tc qdisc show dev v0 | grep -c clsact)
        ",
        600,
    );
    let arrived: u64 = (1..=4).map(|number| said.stats(&format!("after-{number}")).packets("arrived")).sum();
    assert_eq!((arrived, said.sum("sent")), (60_000, 60_000));
    assert!(said.all("notifies").iter().all(|count| count == "1"), "{:?}", said.all("notifies"));
    assert!(said.all("places").iter().all(|count| count == "0"), "{:?}", said.all("places"));
    assert_eq!(said.number("others"), 1);
}
