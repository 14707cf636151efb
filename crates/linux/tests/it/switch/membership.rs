//! Ports that are added to a running switch and removed from it.

use crate::switch::support::{frame, setting, switch};
use forebay_core::{Duration, Rate, Rng, Seed, Time};
use forebay_engine::Transition;
use forebay_linux::switch::backend::memory::OtherEnd;
use forebay_linux::switch::control::{Answer, answer};
use forebay_linux::switch::frame::Offload;
use forebay_linux::switch::{BACKENDS, Forwarding, Rule, Switch, Table};
use rand::RngExt as _;

const TEXT: &str = "param K = 4;\nq = Queue(20 pkts);\nout = Port(100);\n";

fn learning(ports: usize, rate: Option<Rate>) -> (Switch, Vec<OtherEnd>) {
    let forwarding = Forwarding::Learning(Table::new(ports, Duration::from_ms(10_000)));
    let (switch, ends) = switch(ports, &setting("first", TEXT), rate, forwarding, None);
    let memory = BACKENDS.iter().find(|backend| backend.about().name == "memory").unwrap();
    (switch.with_backend(*memory, Rate::parse("10 Mbps").ok()), ends)
}

fn ask(switch: &mut Switch, now: Time, line: &str) -> Answer {
    answer(switch, now, line.as_bytes()).0
}

#[track_caller]
fn refused(switch: &mut Switch, line: &str) -> String {
    let before = switch.stats();
    let Answer::Error(why) = ask(switch, Time::ZERO, line) else { panic!("{line} is taken") };
    assert_eq!(switch.stats(), before, "{line}");
    why
}

#[test]
fn a_port_joins_takes_part_and_leaves_with_its_account() {
    let (mut switch, ends) = learning(2, None);
    let mut rng = Seed(1).stream("frames");
    let now = Time::from_ns(1_000);
    let added = ask(&mut switch, now, r#"{"do":"port-add","port":"new"}"#);
    let Answer::Added { port, mode: None } = added else { panic!("{added:?}") };
    assert_eq!((&*port.name, port.rate_bps, &*port.policy, port.version), ("new", Some(10_000_000), "first", 1));
    // To an address that nobody knows: to both other ports. At 10 Mbps the new one sends one of them at once.
    for number in 0..5 {
        ends[0].put(frame(&mut rng, number, 1, 9), Offload::default());
    }
    switch.receive(now);
    switch.send(now);
    let stats = switch.stats();
    stats.check().unwrap();
    assert_eq!((stats.ports[2].offered, stats.ports[2].sent, stats.ports[2].waiting, stats.copies), (5, 1, 4, 5));
    let removed = ask(&mut switch, now, r#"{"do":"port-remove","port":"new"}"#);
    assert_eq!(removed, Answer::Removed { port: "new".to_owned(), dropped: 4 });
    let stats = switch.stats();
    stats.check().unwrap();
    assert_eq!(stats.ports.len(), 2);
    assert_eq!((stats.removed.ports, stats.removed.offered, stats.removed.sent), (1, 5, 1));
    assert_eq!(stats.removed.dropped.0.get(&Rule::PortRemoved), Some(&4));
    assert_eq!(switch.waiting(), 0);
}

/// The port of an address moves up, or the address is forgotten.
#[test]
fn addresses_of_a_removed_port_are_forgotten() {
    let (mut switch, ends) = learning(3, None);
    let mut rng = Seed(2).stream("frames");
    let now = Time::from_ns(1_000);
    for (port, from) in [(0, 1), (1, 2), (2, 3)] {
        ends[port].put(frame(&mut rng, 0, from, 9), Offload::default());
    }
    let step = |switch: &mut Switch| {
        switch.receive(now);
        switch.send(now);
        ends.iter().map(|end| std::iter::from_fn(|| end.take()).count()).collect::<Vec<_>>()
    };
    assert_eq!(step(&mut switch), [2, 2, 2]);
    assert_eq!(switch.remove_port("p1"), Ok(0));
    assert_eq!(switch.stats().addresses, 2);
    ends[0].put(frame(&mut rng, 0, 1, 3), Offload::default());
    assert_eq!(step(&mut switch), [0, 0, 1], "known at the port that moved up");
    ends[0].put(frame(&mut rng, 0, 1, 2), Offload::default());
    assert_eq!(step(&mut switch), [0, 0, 1], "flooded to who is left");
    ends[1].put(frame(&mut rng, 0, 2, 1), Offload::default());
    assert_eq!(step(&mut switch), [0, 0, 0], "nothing comes by a port that was removed");
    switch.stats().check().unwrap();
}

#[test]
fn what_cannot_join_or_leave_is_refused_with_what_there_is() {
    let (mut switch, _ends) = learning(2, None);
    for (line, expected) in [
        (r#"{"do":"port-add","port":"p1"}"#, "`p1` is a port of the switch already; there are p0, p1"),
        (r#"{"do":"port-add","port":"p2","rate":"fast"}"#, "rate: `fast` is not a rate"),
        (r#"{"do":"port-remove","port":"p2"}"#, "there is no port `p2`; there are p0, p1"),
        (r#"{"do":"port-remove","port":"p1"}"#, "a switch needs two ports or more, and there are p0 and p1; add"),
    ] {
        let why = refused(&mut switch, line);
        assert!(why.starts_with(expected), "{line}: {why}");
    }
    let forwarding = Forwarding::Static(vec![vec![1], vec![0], vec![]]);
    let (mut table, _ends) = crate::switch::support::switch(3, &setting("first", TEXT), None, forwarding, None);
    let shared = setting("shared", "q[1..3] = Queue(8 pkts);\nfor i in 1..3 { out[i] = Port(100, q[i]); }\n");
    let forwarding = Forwarding::Learning(Table::new(3, Duration::from_ms(10_000)));
    let (mut shared, _ends) = crate::switch::support::switch(3, &shared, None, forwarding, None);
    for (switch, expected) in
        [(&mut table, "--forward chooses the ports of frames"), (&mut shared, "all 3 ports share one policy")]
    {
        for line in [r#"{"do":"port-add","port":"p3"}"#, r#"{"do":"port-remove","port":"p1"}"#] {
            let why = refused(switch, line);
            assert!(why.starts_with(expected), "{line}: {why}");
        }
    }
}

/// A port that is added runs what all were given last; what only one was given is that one's.
#[test]
fn a_port_runs_what_all_ports_were_given_last() {
    let (mut switch, _ends) = learning(2, None);
    let mut policy_of = |lines: &[&str], name: &str| {
        for line in lines {
            let answer = ask(&mut switch, Time::ZERO, line);
            assert!(matches!(answer, Answer::Changed(_) | Answer::Removed { .. }), "{line}: {answer:?}");
        }
        let answer = ask(&mut switch, Time::ZERO, &format!(r#"{{"do":"port-add","port":"{name}","rate":"1 Gbps"}}"#));
        let Answer::Added { port, .. } = answer else { panic!("{answer:?}") };
        assert_eq!((port.version, port.rate_bps), (1, Some(1_000_000_000)));
        port.policy
    };
    let one = r#"{"do":"policy","name":"one","text":"q = Queue(9 pkts);\nout = Port(100);","port":"p1"}"#;
    let all = r#"{"do":"policy","name":"all","text":"q = Queue(9 pkts);\nout = Port(100);"}"#;
    let rollback = r#"{"do":"rollback"}"#;
    assert_eq!(policy_of(&[one], "a"), "first");
    assert_eq!(policy_of(&[all, one], "b"), "all");
    assert_eq!(policy_of(&[rollback, rollback], "c"), "first");
    // The change of p1 alone goes with p1, and cannot be undone any more.
    assert_eq!(policy_of(&[r#"{"do":"port-remove","port":"p1"}"#], "d"), "first");
    let why = refused(&mut switch, rollback);
    assert!(why.starts_with("the policy was not changed"), "{why}");
}

/// Whatever joins, leaves, changes and is undone under traffic: every frame is counted once.
#[test]
fn the_account_balances_whatever_joins_and_leaves() {
    for seed in 0..30 {
        let mut rng = Seed(seed).stream("membership");
        let (mut switch, ends) = learning(3, Rate::parse("20 Mbps").ok());
        let mut removed = 0;
        for step in 0..300_u64 {
            let now = Time::from_ns(step * 50_000);
            for end in &ends {
                let (from, to) = (rng.random_range(1..9), rng.random_range(1..9));
                end.put(frame(&mut rng, step, from, to), Offload::default());
            }
            switch.receive(now);
            act(&mut switch, now, &mut rng, &mut removed);
            switch.stats().check().unwrap();
            switch.send(now);
            switch.stats().check().unwrap();
        }
        let stats = switch.stats();
        assert!(removed > 3 && stats.removed.ports == removed, "{removed}");
        switch.stop();
        switch.stats().check().unwrap();
        assert_eq!(switch.waiting(), 0);
    }
}

fn act(switch: &mut Switch, now: Time, rng: &mut Rng, removed: &mut u64) {
    let name = format!("p{}", rng.random_range(0..6));
    let transition = if rng.random_bool(0.5) { Transition::Drain } else { Transition::Rerank };
    match rng.random_range(0..8) {
        0 => *removed += u64::from(switch.remove_port(&name).is_ok()),
        1 | 2 => {
            // One that is there already is refused.
            let _there = ask(switch, now, &format!(r#"{{"do":"port-add","port":"{name}"}}"#));
        }
        3 => {
            switch.change(now, None, &setting("next", "q = Queue(30 pkts);\nout = Port(50%);\n"), transition).unwrap();
        }
        4 => {
            let port = switch.port_names().count() - 1;
            switch.change(now, Some(port), &setting("last", TEXT), transition).unwrap();
        }
        5 => {
            // There may be none.
            let _undone = switch.roll_back(now, transition);
        }
        _ => {}
    }
}

#[test]
fn a_long_line_is_answered_as_a_short_one() {
    let (mut short, _ends) = learning(2, None);
    let (mut long, _other_ends) = learning(2, None);
    for line in [
        r#"{"do":"port-add","port":"new"}"#,
        r#"{"do":"port-add","port":"new"}"#,
        r#"{"do":"port-add","port":"other","rate":"fast"}"#,
        r#"{"do":"ports"}"#,
        r#"{"do":"set","values":["K=3"]}"#,
        r#"{"do":"policy","name":"next","text":"q = Queue(9 pkts);\nout = Port(100);"}"#,
        r#"{"do":"rollback"}"#,
        r#"{"do":"rollback"}"#,
        r#"{"do":"port-remove","port":"new"}"#,
        r#"{"do":"stats"}"#,
        r#"{"do":"nothing"}"#,
        "}",
        r#"{"do":"stop"}"#,
    ] {
        let padded = format!("{line}{}", " ".repeat(5_000));
        let expected = answer(&mut short, Time::ZERO, line.as_bytes());
        assert_eq!(answer(&mut long, Time::ZERO, padded.as_bytes()), expected, "{line}");
        assert_eq!(expected.1, line.contains("stop"));
    }
}
