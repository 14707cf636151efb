//! The rate of an egress: kept on average by a switch that is late, never exceeded for longer than it catches up.

use crate::switch::support::{frame, policy, switch};
use forebay_core::{Duration, Rate, Seed, Time};
use forebay_linux::switch::frame::Offload;
use forebay_linux::switch::{Forwarding, Setting};
use rand::RngExt;

fn plain() -> Setting {
    Setting { name: "plain".to_owned(), policy: policy("q = Queue(20000 pkts);\nout = Port(100);\n").into() }
}

#[test]
fn a_late_switch_keeps_the_rate_on_average() {
    let rate = Rate::parse("50 Mbps").unwrap();
    let mut rng = Seed(1).stream("pace");
    let (mut switch, ends) = switch(2, &plain(), Some(rate), Forwarding::Static(vec![vec![1], vec![]]), None);
    for number in 0..10_000 {
        ends[0].put(frame(&mut rng, number, 1, 2), Offload::default());
    }
    while switch.receive(Time::ZERO) {}
    let (mut now, mut bytes) = (Time::ZERO, 0);
    while now < Time::from_ns(500_000_000) {
        now += Duration::from_us(rng.random_range(10..1_900));
        switch.send(now);
        bytes += std::iter::from_fn(|| ends[1].take()).map(|frame| frame.len() as u64).sum::<u64>();
        let exact = 50e6 / 8.0 * now.as_secs_f64();
        assert!((bytes as f64 - exact).abs() <= 1_500.0 + 50e6 / 8.0 * 2e-3, "{bytes} bytes at {now:?}");
    }
    let pause = now + Duration::from_ms(100);
    switch.send(pause);
    let burst: usize = std::iter::from_fn(|| ends[1].take()).map(|frame| frame.len()).sum();
    assert!(burst <= 1_500, "what was missed by more is not caught up: {burst} bytes");
}

#[test]
fn a_share_of_the_link_is_that_share_and_without_a_rate_nothing_waits() {
    let half = Setting { name: "half".to_owned(), policy: policy("q = Queue(2000 pkts);\nout = Port(50%);\n").into() };
    for (setting, rate, expected) in [
        (half, Some("80 Mbps"), 40e6),
        (plain(), Some("80 Mbps"), 80e6),
        (
            Setting { name: "own".to_owned(), policy: policy("q = Queue(2000 pkts);\nout = Port(30 Mbps);\n").into() },
            None,
            30e6,
        ),
        (plain(), None, f64::INFINITY),
    ] {
        let rate = rate.map(|rate| Rate::parse(rate).unwrap());
        let mut rng = Seed(2).stream("share");
        let (mut switch, ends) = switch(2, &setting, rate, Forwarding::Static(vec![vec![1], vec![]]), None);
        for number in 0..1_000 {
            ends[0].put(frame(&mut rng, number, 1, 2), Offload::default());
        }
        while switch.receive(Time::ZERO) {}
        let (mut last, mut bytes) = (Time::ZERO, 0);
        while let Some(wakeup) = switch.next_wakeup() {
            last = wakeup;
            switch.send(wakeup);
        }
        while let Some(frame) = ends[1].take() {
            bytes += frame.len();
        }
        let found = bytes as f64 * 8.0 / last.as_secs_f64();
        assert!(found == expected || (found / expected - 1.0).abs() < 0.01, "{}: {found}", setting.name);
    }
}
