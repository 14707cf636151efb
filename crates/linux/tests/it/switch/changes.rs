//! A thousand replacements of policies under traffic lose no frame: each is delivered or counted by a named rule.

use crate::switch::oracle::Oracle;
use crate::switch::support::{frame, library, mapping, number, setting, switch, whole_ns};
use forebay_core::{Duration, Rate, Seed, Time};
use forebay_engine::live::Transition;
use forebay_linux::switch::frame::Offload;
use forebay_linux::switch::{CannotChange, Forwarding, Setting, Table};
use forebay_targets::headers::{Metadata, write_marks};
use rand::RngExt;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn a_thousand_replacements_lose_nothing() {
    let all = library();
    let mut rng = Seed(3).stream("changes");
    let rate = Rate::parse("100 Mbps").unwrap();
    let forwarding = Forwarding::Learning(Table::new(3, Duration::from_ms(1_000_000)));
    let (mut switch, ends) = switch(3, &all[0], Some(rate), forwarding, None);
    let (mut now, mut sent, mut came) = (Time::ZERO, 0, 0);
    let (mut made, mut refused) = ([0, 0], 0);
    let mut numbers = BTreeSet::new();
    while made[0] + made[1] < 1_000 {
        for _ in 0..rng.random_range(0..120) {
            now += Duration::from_ns(rng.random_range(0..60_000));
            let from = rng.random_range(0..3_u8);
            let to = (from + rng.random_range(1..3_u8)) % 3;
            ends[usize::from(from)].put(frame(&mut rng, came, from, to), Offload::default());
            came += 1;
            switch.receive(now);
            switch.send(now);
        }
        for end in &ends {
            end.set_room(if rng.random_bool(0.1) { rng.random_range(0..20) } else { usize::MAX });
            end.set_failing(rng.random_bool(0.02));
        }
        let port = [None, Some(0), Some(1), Some(2)][rng.random_range(0..4_usize)];
        let transition = if rng.random_bool(0.5) { Transition::Drain } else { Transition::Rerank };
        let before = switch.stats();
        let changed = match rng.random_range(0..4) {
            0 => switch.roll_back(now, transition),
            _ => switch.change(now, port, &all[rng.random_range(0..all.len())], transition),
        };
        match changed {
            // All were undone.
            Err(CannotChange::NothingBefore) => {}
            Ok(_) => made[usize::from(transition == Transition::Rerank)] += 1,
            Err(why) => {
                assert!(why.to_string().contains("wait"), "{why}");
                assert_eq!(switch.stats(), before, "nothing has happened");
                refused += 1;
            }
        }
        switch.stats().check().unwrap();
        for frame in ends.iter().flat_map(|end| std::iter::from_fn(|| end.take())) {
            sent += 1;
            numbers.insert(number(&frame));
        }
    }
    for end in &ends {
        end.set_room(usize::MAX);
        end.set_failing(false);
    }
    while let Some(wakeup) = switch.next_wakeup() {
        switch.send(wakeup);
    }
    for frame in ends.iter().flat_map(|end| std::iter::from_fn(|| end.take())) {
        sent += 1;
        numbers.insert(number(&frame));
    }
    let stats = switch.stats();
    stats.check().unwrap();
    let dropped: u64 = stats.ports.iter().map(|port| port.dropped.total() + port.dropped_on_arrival.total()).sum();
    let received: u64 = stats.ports.iter().map(|port| port.received).sum();
    assert_eq!((received, switch.waiting()), (came, 0));
    assert_eq!(came + stats.copies, sent + dropped, "delivered or counted by a rule");
    assert!(made.iter().all(|made| *made > 200) && refused > 50, "{made:?} made, {refused} refused");
    assert!(numbers.len() > 5_000 && dropped > 1_000, "{} sent, {dropped} dropped", numbers.len());
}

/// The same at one port, held equal to the reference engine under the same changes.
#[test]
fn frames_leave_as_the_reference_engine_says_through_changes() {
    let mut all = library();
    // Those that are as fast as their link, so that the pace stays.
    all.retain(|setting| {
        matches!(setting.policy.ports[0].rate, forebay_lang::ir::PortRate::Percent(part) if part == 100.into())
    });
    let mut rng = Seed(4).stream("changes");
    let rate = Rate::parse("100 Mbps").unwrap();
    let (mut switch, ends) = switch(2, &all[0], Some(rate), Forwarding::Static(vec![vec![1], vec![]]), None);
    let mut oracle = Oracle::new(&all[0].policy, rate, Seed(5));
    let (mut now, mut frames, mut made, mut sent) = (Time::ZERO, Vec::new(), 0, 0);
    while made < 300 {
        for _ in 0..rng.random_range(0..100) {
            now += Duration::from_ns(rng.random_range(0..120_000));
            while let Some(wakeup) = switch.next_wakeup().map(whole_ns).filter(|wakeup| *wakeup <= now) {
                switch.send(wakeup);
            }
            oracle.until(now);
            let bytes = frame(&mut rng, frames.len() as u64, 1, 2);
            ends[0].put(bytes.clone(), Offload::default());
            switch.receive(now);
            switch.send(now);
            oracle.arrive(now, mapping().packet(&bytes, Metadata::default()));
            oracle.until(now);
            frames.push(bytes);
        }
        let next = &all[rng.random_range(0..all.len())];
        let transition = if rng.random_bool(0.5) { Transition::Drain } else { Transition::Rerank };
        let is_made = oracle.change(now, &next.policy, transition);
        assert_eq!(switch.change(now, Some(1), next, transition).is_ok(), is_made);
        made += u32::from(is_made);
        for (_, _, packet) in &oracle.departures[sent..] {
            let mut expected = frames[usize::try_from(packet.id).unwrap()].clone();
            write_marks(&mut expected, packet.marks);
            assert!(ends[1].take() == Some(expected), "{packet:?}");
            sent += 1;
        }
    }
    assert!(sent > 3_000, "{sent}");
}

#[test]
fn the_last_changes_are_undone_with_the_values_that_parameters_had() {
    let text = "param K = 4;\nq = Queue(9 pkts);\nout = Port(100);\nfull(q) = q.currSize > K, drop(1);\nq.congestion = full(q);";
    let live = forebay_lang::analyse_live(text, &Vec::new(), &["K".to_owned()]);
    let first = Setting { name: "first".to_owned(), policy: live.policy.unwrap().into() };
    let plain = |name: &str| setting(name, "q = Queue(9 pkts);\nout = Port(100);");
    let (mut switch, _ends) = switch(2, &first, None, Forwarding::Static(vec![vec![1], vec![0]]), None);
    assert!(matches!(switch.roll_back(Time::ZERO, Transition::Drain), Err(CannotChange::NothingBefore)));
    switch.set(Time::ZERO, Some(1), &[("K".to_owned(), "7".parse().unwrap())]).unwrap();
    switch.change(Time::ZERO, None, &plain("second"), Transition::Drain).unwrap();
    switch.change(Time::ZERO, Some(0), &plain("third"), Transition::Drain).unwrap();
    let runs = |switch: &mut forebay_linux::switch::Switch| {
        let ports = switch.stats().ports.into_iter();
        ports.map(|port| (port.policy.name, port.policy.version, port.policy.parameters)).collect::<Vec<_>>()
    };
    let k = |value: &str| BTreeMap::from([("K".to_owned(), value.to_owned())]);
    let undone = switch.roll_back(Time::ZERO, Transition::Rerank).unwrap();
    assert_eq!(
        undone.iter().map(|(port, change)| (port.as_deref(), change.version)).collect::<Vec<_>>(),
        [(Some("p0"), 4)]
    );
    let none = BTreeMap::new();
    assert_eq!(runs(&mut switch), [("second".to_owned(), 4, none.clone()), ("second".to_owned(), 2, none)]);
    assert_eq!(switch.roll_back(Time::ZERO, Transition::Drain).unwrap().len(), 2);
    assert_eq!(runs(&mut switch), [("first".to_owned(), 5, k("4")), ("first".to_owned(), 3, k("7"))]);
    assert!(matches!(switch.roll_back(Time::ZERO, Transition::Drain), Err(CannotChange::NothingBefore)));
    // Only so many are remembered.
    for number in 0..12 {
        switch.change(Time::ZERO, None, &plain(&format!("number {number}")), Transition::Drain).unwrap();
    }
    let undone = (0..20).take_while(|_| switch.roll_back(Time::ZERO, Transition::Drain).is_ok()).count();
    assert_eq!((undone, &runs(&mut switch)[0].0[..]), (8, "number 3"));
}
