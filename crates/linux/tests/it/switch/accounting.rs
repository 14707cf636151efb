//! Every frame is forwarded, waits, or is counted under a rule, whatever it is and whatever interfaces do.

use crate::switch::support::{frame, policy, switch};
use etherparse::PacketBuilder;
use forebay_core::{Duration, Rate, Seed, Time};
use forebay_linux::switch::frame::{Missing, Offload, Protocol, Segment, Tag};
use forebay_linux::switch::{Forwarding, Rule, Setting, Table};
use rand::RngExt;

fn plain(packets: u32) -> Setting {
    Setting {
        name: "plain".to_owned(),
        policy: policy(&format!("q = Queue({packets} pkts);\nout = Port(100);\n")).into(),
    }
}

fn wire() -> Forwarding {
    Forwarding::Static(vec![vec![1], vec![0]])
}

#[test]
fn an_interface_without_room_delays_frames_and_loses_none() {
    let mut rng = Seed(1).stream("busy");
    let (mut switch, ends) = switch(2, &plain(1_000), None, wire(), None);
    ends[1].set_room(3);
    for number in 0..50 {
        ends[0].put(frame(&mut rng, number, 1, 2), Offload::default());
    }
    switch.receive(Time::ZERO);
    switch.send(Time::ZERO);
    let stats = switch.stats();
    stats.check().unwrap();
    assert_eq!((stats.ports[1].sent, stats.ports[1].waiting, switch.waiting()), (3, 47, 47));
    let again = switch.next_wakeup().unwrap();
    assert!(again > Time::ZERO, "it is not asked all the time");
    switch.send(Time::ZERO);
    assert_eq!(switch.stats(), stats);
    ends[1].set_room(usize::MAX);
    switch.send(again);
    let numbers: Vec<u64> =
        std::iter::from_fn(|| ends[1].take()).map(|frame| crate::switch::support::number(&frame)).collect();
    assert_eq!(numbers, (0..50).collect::<Vec<u64>>(), "in order");
}

/// UDP datagrams of 1,000 bytes that a sender has left in frames of 40: they are cut.
fn large_frames(count: usize) -> Vec<(Vec<u8>, Offload)> {
    let mut bytes = Vec::new();
    PacketBuilder::ethernet2([2, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 2])
        .ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64)
        .udp(1_000, 2_000)
        .write(&mut bytes, &vec![7; 40_000])
        .unwrap();
    let segment = Some(Segment { protocol: Protocol::Udp, bytes: 1_000 });
    let checksum = Some(Missing { start: 34, offset: 6 });
    vec![(bytes, Offload { checksum, segment, tag: None }); count]
}

#[test]
fn large_frames_lose_nothing_where_nothing_holds_them_back() {
    let (mut switch, ends) = switch(2, &plain(128), None, wire(), None);
    for (bytes, offload) in large_frames(100) {
        ends[0].put(bytes.clone(), offload);
        ends[1].put(bytes, offload);
    }
    for round in 0.. {
        let more = switch.receive(Time::from_ns(round));
        switch.send(Time::from_ns(round));
        if !more && switch.waiting() == 0 {
            break;
        }
    }
    let stats = switch.stats();
    stats.check().unwrap();
    for port in &stats.ports {
        assert_eq!((port.received, port.sent, port.dropped.total()), (100, 4_000, 0), "{}", port.name);
    }
    // What holds them back makes the policy drop what does not fit.
    ends[1].set_room(0);
    large_frames(10).into_iter().for_each(|(bytes, offload)| ends[0].put(bytes, offload));
    for round in 200..220 {
        switch.receive(Time::from_ns(round));
        switch.send(Time::from_ns(round));
    }
    let stats = switch.stats();
    stats.check().unwrap();
    // One of them is in the hands of the interface.
    assert_eq!((stats.ports[1].waiting, stats.ports[1].offered - stats.ports[1].sent), (129, 400));
}

#[test]
fn no_port_waits_for_another_that_always_has_large_frames() {
    let (mut switch, ends) = switch(3, &plain(1_000), None, Forwarding::Static(vec![vec![2], vec![2], vec![0]]), None);
    for port in [0, 1] {
        large_frames(50).into_iter().for_each(|(bytes, offload)| ends[port].put(bytes, offload));
    }
    for round in 0..20 {
        assert!(switch.receive(Time::from_ns(round)));
        switch.send(Time::from_ns(round));
    }
    let received: Vec<u64> = switch.stats().ports.iter().map(|port| port.received).collect();
    assert_eq!(received, [20, 20, 0]);
}

#[test]
fn rules_have_their_names() {
    let mut rng = Seed(2).stream("rules");
    let (mut switch, ends) = switch(2, &plain(10), None, wire(), None);
    let put = |bytes: Vec<u8>| ends[0].put(bytes, Offload::default());
    put(vec![1; 13]);
    put([vec![2; 12], vec![8, 0], vec![0; 1_501]].concat());
    put([vec![2; 12], vec![0x81, 0, 0, 7, 8, 0], vec![0; 1_500]].concat());
    put([vec![2; 12], vec![0x81, 0, 0, 7, 8, 0], vec![0; 1_501]].concat());
    for number in 0..30 {
        put(frame(&mut rng, number, 1, 2));
    }
    switch.receive(Time::ZERO);
    ends[1].set_failing(true);
    switch.send(Time::ZERO);
    ends[1].set_failing(false);
    for number in 0..4 {
        ends[0].put(frame(&mut rng, number, 1, 2), Offload::default());
    }
    switch.receive(Time::ZERO);
    switch.stop();
    let stats = switch.stats();
    stats.check().unwrap();
    let dropped = &stats.ports[1].dropped.0;
    let of = |rule: Rule| dropped.get(&rule).copied();
    assert_eq!(stats.ports[0].dropped_on_arrival.0.get(&Rule::Malformed), Some(&1));
    assert_eq!(of(Rule::TooLarge), Some(2), "the tag is not counted");
    assert_eq!((of(Rule::Queue), of(Rule::SendFailed), of(Rule::Stopped)), (Some(21), Some(10), Some(4)));
    assert_eq!((stats.ports[1].sent, stats.ports[1].waiting), (0, 0));
    for rule in dropped.keys() {
        assert_eq!(serde_json::to_value(rule).unwrap(), rule.name());
    }
}

#[test]
fn no_frame_goes_nowhere_without_being_counted() {
    let forwarding = Forwarding::Learning(Table::new(4, Duration::from_ms(1_000)));
    let rate = Rate::parse("1 Gbps").unwrap();
    let (mut switch, ends) = switch(4, &plain(50), Some(rate), forwarding, None);
    let mut rng = Seed(3).stream("any");
    let mut now = Time::ZERO;
    for number in 0..20_000 {
        let from = rng.random_range(0..4_u8);
        let to = rng.random_range(0..6_u8);
        let mut bytes = frame(&mut rng, number, from, to);
        match rng.random_range(0..20) {
            0 => bytes.truncate(rng.random_range(0..bytes.len())),
            1 => bytes[..6].fill(0xff),
            2 => bytes[..6].copy_from_slice(&[1, 0x80, 0xc2, 0, 0, 3]),
            3 => bytes.resize(rng.random_range(1_000..70_000), 9),
            _ => {}
        }
        let mut any = |most: usize| rng.random_range(0..most);
        let checksum = (any(3) == 0).then(|| Missing { start: any(120), offset: any(30) });
        let protocol = if any(2) == 0 { Protocol::Tcp } else { Protocol::Udp };
        let segment = (any(5) == 0).then(|| Segment { protocol, bytes: any(1_600) });
        let tag = (any(5) == 0).then_some(Tag { kind: 0x8100, control: 5 });
        ends[usize::from(from)].put(bytes, Offload { checksum, segment, tag });
        now += Duration::from_us(any(20) as u64);
        switch.receive(now);
        switch.send(now);
        if number % 500 == 0 {
            ends[any(4)].set_room(any(100));
            ends[any(4)].set_room(usize::MAX);
            ends[any(4)].set_failing(any(2) == 0);
            switch.stats().check().unwrap();
        }
    }
    let stats = switch.stats();
    stats.check().unwrap();
    for rule in [Rule::NoRoute, Rule::LinkLocal, Rule::Malformed] {
        let dropped = stats.ports.iter().filter_map(|port| port.dropped_on_arrival.0.get(&rule)).sum::<u64>();
        assert!(dropped > 100, "{rule:?}: {dropped}");
    }
    let sent: u64 = stats.ports.iter().map(|port| port.sent).sum();
    assert!(sent > 3_000 && stats.copies > 1_000 && stats.addresses >= 4, "{sent} sent, {stats:?}");
}
