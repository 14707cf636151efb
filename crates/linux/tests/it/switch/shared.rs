//! A memory that ports share: a pushed-out packet is counted where it waited, forwarding gives the queue if it is asked
//! to, and impossible settings are rejected.

use crate::switch::support::{frame, mapping, set_queue, setting, shared_library, switch, switch_that_reads};
use forebay_core::{Duration, Rate, Seed, Time};
use forebay_linux::switch::backend::memory::OtherEnd;
use forebay_linux::switch::frame::Offload;
use forebay_linux::switch::{Forwarding, Rule, Setting, Switch, Table, check};
use forebay_targets::headers::Mapping;
use rand::RngExt;

fn lqd() -> Setting {
    shared_library().into_iter().find(|setting| setting.name == "lqd").unwrap()
}

fn learning(ports: usize) -> Forwarding {
    Forwarding::Learning(Table::new(ports, Duration::from_ms(1_000_000)))
}

fn by_egress() -> Mapping {
    let mut mapping = mapping();
    let (field, source) = Mapping::read_setting("queue=egress").unwrap();
    mapping.set(field, source);
    mapping
}

/// The longest queue of an eight-packet memory loses a packet to another port's queue.
#[test]
fn what_is_pushed_out_is_counted_where_it_waited() {
    let small = include_str!("../../../../../policies/lqd.oq").replace("B = 128 pkts", "B = 8 pkts");
    let rate = Rate::parse("1 Mbps").unwrap();
    let (mut switch, ends) = switch(4, &setting("small", &small), Some(rate), learning(4), None);
    let mut rng = Seed(1).stream("counted");
    for (number, queue) in [0; 8].into_iter().chain([1; 5]).enumerate() {
        let mut bytes = frame(&mut rng, number as u64, 1, 2);
        set_queue(&mut bytes, queue);
        ends[3].put(bytes, Offload::default());
        switch.receive(Time::ZERO);
        switch.stats().check().unwrap();
    }
    let stats = switch.stats();
    let counts = |port: usize| {
        let port = &stats.ports[port];
        (port.offered, port.waiting, port.dropped.0.get(&Rule::Buffer).copied(), port.dropped.total())
    };
    assert_eq!(counts(0), (8, 4, Some(4), 4), "pushed out for packets of the other port");
    assert_eq!(counts(1), (5, 4, Some(1), 1), "the last one finds its own queue the longest");
    assert_eq!((stats.ports[3].received, stats.copies), (13, 0));
    // One that the interface has no room for waits in its hands; the other port goes on.
    ends[0].set_room(0);
    while switch.stats().ports[1].waiting > 0 {
        let next = switch.next_wakeup().unwrap();
        switch.send(next);
        switch.stats().check().unwrap();
    }
    assert_eq!((switch.stats().ports[0].waiting, switch.waiting()), (4, 4));
    switch.stop();
    let stats = switch.stats();
    stats.check().unwrap();
    assert_eq!(stats.ports[0].dropped.0.get(&Rule::Stopped), Some(&4));
}

/// Random frames between hosts, and interfaces that have no room or fail.
fn disturb(switch: &mut Switch, ends: &[OtherEnd], mut look: impl FnMut(usize, Vec<u8>)) {
    let mut rng = Seed(3).stream("shared");
    let mut now = Time::ZERO;
    for number in 0..20_000 {
        let ports = u8::try_from(ends.len()).unwrap();
        let (from, to) = (rng.random_range(0..ports), rng.random_range(0..ports + 1));
        let mut bytes = frame(&mut rng, number, from, to);
        match rng.random_range(0..20) {
            0 => bytes.truncate(rng.random_range(0..bytes.len())),
            1 => bytes[..6].fill(0xff),
            2 => bytes[..6].copy_from_slice(&[1, 0x80, 0xc2, 0, 0, 3]),
            3 => bytes.resize(rng.random_range(1_400..1_700), 9),
            _ => {}
        }
        ends[usize::from(from)].put(bytes, Offload::default());
        now += Duration::from_us(rng.random_range(0..12));
        switch.receive(now);
        switch.send(now);
        if number % 300 == 0 {
            let mut any = |most: usize| rng.random_range(0..most);
            ends[any(ends.len())].set_room(any(100));
            ends[any(ends.len())].set_room(usize::MAX);
            ends[any(ends.len())].set_failing(any(2) == 0);
        }
        switch.stats().check().unwrap();
        for (port, end) in ends.iter().enumerate() {
            std::iter::from_fn(|| end.take()).for_each(|frame| look(port, frame));
        }
    }
}

#[test]
fn forwarding_says_the_queue_if_a_field_comes_from_it() {
    let rate = Rate::parse("1 Gbps").unwrap();
    let (mut switch, ends) = switch_that_reads(by_egress(), 4, &lqd(), Some(rate), learning(4), None);
    let mut known = 0;
    disturb(&mut switch, &ends, |port, frame| {
        // Addresses end with the number of the port; 4 is nobody.
        assert!(usize::from(frame[11]) != port, "never back");
        known += u32::from(usize::from(frame[5]) == port);
    });
    let stats = switch.stats();
    assert!(known > 3_000 && stats.copies > 1_000 && stats.addresses == 4, "{known} {stats:?}");
    for port in &stats.ports {
        let pushed_out: u64 = port.dropped.0.get(&Rule::Buffer).copied().unwrap_or(0);
        assert!(port.sent > 1_000 && pushed_out > 20 && port.queues.len() == 1, "{port:?}");
        assert!(port.dropped_on_arrival.0.contains_key(&Rule::LinkLocal));
    }
    // By a table: each frame of the first port goes to two others.
    let table = Forwarding::Static(vec![vec![2, 3], vec![0], vec![], vec![]]);
    let (mut switch, ends) = switch_that_reads(by_egress(), 4, &lqd(), None, table, None);
    let mut rng = Seed(4).stream("table");
    ends[0].put(frame(&mut rng, 1, 1, 2), Offload::default());
    ends[1].put(frame(&mut rng, 2, 2, 1), Offload::default());
    ends[2].put(frame(&mut rng, 3, 3, 1), Offload::default());
    switch.receive(Time::ZERO);
    switch.send(Time::ZERO);
    let left: Vec<usize> = ends.iter().map(|end| std::iter::from_fn(|| end.take()).count()).collect();
    assert_eq!(left, [1, 0, 1, 1]);
    let stats = switch.stats();
    stats.check().unwrap();
    assert_eq!((stats.copies, stats.ports[2].dropped_on_arrival.0.get(&Rule::NoRoute)), (1, Some(&1)));
}

#[test]
fn without_it_the_policy_alone_forwards() {
    for setting in shared_library() {
        let ports = setting.policy.ports.len();
        let rate = Rate::parse("1 Gbps").unwrap();
        let (mut switch, ends) = switch(ports, &setting, Some(rate), learning(ports), None);
        disturb(&mut switch, &ends, |_, _| {});
        let stats = switch.stats();
        assert_eq!((stats.copies, stats.addresses), (0, 0), "no frame is flooded");
        let on_arrival = |rule| stats.ports.iter().filter_map(|port| port.dropped_on_arrival.0.get(&rule)).sum::<u64>();
        for (rule, least) in
            [(Rule::NoRoute, 1_000), (Rule::Unclassified, 500), (Rule::LinkLocal, 500), (Rule::Malformed, 10)]
        {
            assert!(on_arrival(rule) >= least, "{}, {rule:?}: {stats:?}", setting.name);
        }
        assert!(stats.ports.iter().all(|port| port.sent > 200), "{}: {stats:?}", setting.name);
    }
}

/// A field of a policy with one port can come from forwarding as well: the number of the port at which it runs.
#[test]
fn a_policy_of_one_port_can_be_told_which_port_it_is() {
    let text = "q[1..3] = Queue(9 pkts);\nout = Port(100, q[1..3]);\nclassify(p) = (true, enter(q[p.queue + 1]));\n";
    let (mut switch, ends) = switch_that_reads(by_egress(), 3, &setting("told", text), None, learning(3), None);
    ends[1].put(frame(&mut Seed(1).stream("told"), 1, 1, 2), Offload::default());
    switch.receive(Time::ZERO);
    let stats = switch.stats();
    stats.check().unwrap();
    let offered = |port: usize| stats.ports[port].queues.iter().map(|queue| queue.offered).collect::<Vec<u64>>();
    assert_eq!([offered(0), offered(1), offered(2)], [vec![1, 0, 0], vec![0; 3], vec![0, 0, 1]]);
}

#[test]
fn what_does_not_fit_the_switch_is_refused() {
    let rate = Rate::parse("1 Gbps").ok();
    let table = Forwarding::Static(vec![vec![1], vec![0], vec![], vec![]]);
    let half = setting("half", "a = Queue(9 pkts);\nb = Queue(9 pkts);\nx = Port(100, a);\ny = Port(50%, b);\n");
    let said = |setting: &Setting, mapping: &Mapping, forwarding: &Forwarding, rates: &[Option<Rate>]| {
        check(&setting.policy, mapping, forwarding, rates).err().map_or_else(String::new, |why| why.to_string())
    };
    for (message, expected) in [
        (said(&lqd(), &mapping(), &learning(4), &[None; 4]), ""),
        (said(&lqd(), &mapping(), &learning(3), &[None; 3]), "the policy has 4 ports and the switch 3; give as many"),
        (
            said(&lqd(), &Mapping::default(), &learning(4), &[None; 4]),
            "--field queue=egress (the port to which it forwards a frame)",
        ),
        (
            said(&lqd(), &mapping(), &table, &[None; 4]),
            "so the policy alone chooses the port of a frame; leave --forward out",
        ),
        (said(&lqd(), &by_egress(), &table, &[None; 4]), ""),
        (said(&half, &mapping(), &learning(2), &[rate, None]), "port `y` has 50% of its link; give the link's rate"),
        (said(&half, &mapping(), &learning(2), &[None, rate]), ""),
    ] {
        assert!(message.starts_with(expected) || message.contains(expected) && !expected.is_empty(), "{message}");
        assert_eq!(message.is_empty(), expected.is_empty(), "{message}");
        assert!(!message.contains('\n'));
    }
}
