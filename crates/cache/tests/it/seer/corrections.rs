//! A port that sorts packets by rank and pushes the last one out, as one sorted list, with a link and the cache at its
//! end. Every packet arrives when it is expected, though packets without state overtake it. No packet is expected that
//! was pushed out.

use forebay_cache::StateCacheSpec;
use forebay_cache::seer::{
    Announcer, AnnouncerCounts, AnnouncerSpec, Fpm, Pace, Says, SeerCache, SeerCounts, SeerSpec,
};
use forebay_core::{Duration, Rate, Rng, Seed, Time};
use rand::RngExt as _;
use std::collections::VecDeque;

/// A packet that waits, or is on the link.
#[derive(Debug, Clone, Copy)]
struct Packet {
    rank: u64,
    id: Option<u64>,
    size_bytes: u32,
}

/// What travels over the link, in order.
enum OnLink {
    Packet(Packet),
    Notifications(Vec<Fpm>, Option<Duration>),
}

const PROPAGATION: Duration = Duration::from_ns(700);

struct Port {
    announcer: Announcer,
    rate: Rate,
    /// In the order of service.
    sorted: Vec<Packet>,
    room: usize,
    /// By when it arrives.
    link: VecDeque<(Time, OnLink)>,
    free: Time,
    after_control: bool,
}

impl Port {
    fn arrive(&mut self, packet: Packet) {
        if self.sorted.len() == self.room {
            if self.sorted.last().is_none_or(|worst| worst.rank <= packet.rank) {
                return;
            }
            self.sorted.pop();
            self.announcer.pushed_out();
        }
        let place = self.sorted.iter().filter(|queued| queued.rank <= packet.rank).count();
        self.sorted.insert(place, packet);
        self.announcer.entered(packet.rank, packet.id, packet.size_bytes);
    }

    /// The link is free. `waited`: the first packet has waited behind another.
    fn send(&mut self, now: Time, waited: bool) {
        let mut fpms = Vec::new();
        if self.sorted.is_empty() {
            self.announcer.corrections(&mut fpms);
            self.link.push_back((now + PROPAGATION, OnLink::Notifications(fpms, None)));
            return;
        }
        if waited && !self.after_control && self.announcer.control(now, &mut fpms) {
            let lasts = self.rate.transmission_time(64);
            self.free = now + lasts;
            self.after_control = true;
            self.link.push_back((self.free + PROPAGATION, OnLink::Notifications(fpms, Some(lasts))));
            return;
        }
        self.after_control = false;
        if waited {
            self.announcer.gap(&mut fpms);
        } else {
            self.announcer.idle(&mut fpms);
        }
        self.link.push_back((now + PROPAGATION, OnLink::Notifications(fpms, None)));
        let packet = self.sorted.remove(0);
        self.announcer.left_first();
        self.free = now + self.rate.transmission_time(packet.size_bytes);
        self.link.push_back((self.free + PROPAGATION, OnLink::Packet(packet)));
    }
}

/// Plays so many arrivals, and until the port is empty.
fn play(spec: AnnouncerSpec, room: usize, with_state: f64, rng: &mut Rng) -> (AnnouncerCounts, SeerCounts) {
    let cache = StateCacheSpec { entries: 8, ways: None, latency: 100_000, parallel: None, seed: Seed(1) };
    let seer = SeerSpec::of(cache, vec![spec.rate], Pace::Cycle(Duration::from_ns(1)));
    let mut cache = SeerCache::new(&SeerSpec { list_capacity: 1_000, ..seer }, &"lru".parse().unwrap()).unwrap();
    let mut port = Port {
        announcer: Announcer::sorted(spec).unwrap(),
        rate: spec.rate,
        sorted: Vec::new(),
        room,
        link: VecDeque::new(),
        free: Time::ZERO,
        after_control: false,
    };
    let (mut next, mut left) = (Time::ZERO, 800);
    loop {
        let arrives = port.link.front().map(|(time, _)| *time);
        let frees = (!port.sorted.is_empty() || port.announcer.has_corrections()).then_some(port.free);
        let comes = (left > 0).then_some(next);
        let Some(now) = [arrives, frees, comes].into_iter().flatten().min() else { break };
        if arrives == Some(now) {
            match port.link.pop_front().expect("it was seen").1 {
                OnLink::Packet(packet) => {
                    packet.id.map(|id| cache.access(now, Some(0), id));
                }
                OnLink::Notifications(fpms, control) => {
                    if let Some(lasted) = control {
                        cache.pushed_back(now, 0, lasted);
                    }
                    cache.notify(now, 0, &fpms);
                }
            }
        } else if frees == Some(now) && now > Time::ZERO {
            port.send(now, true);
        } else {
            left -= 1;
            next += Duration::from_ns(if rng.random_bool(0.2) { 0 } else { rng.random_range(1..1_500) });
            let id = rng.random_bool(with_state).then(|| rng.random_range(0..12));
            port.arrive(Packet { rank: rng.random_range(0..20), id, size_bytes: rng.random_range(64..1_500) });
            if port.free < now || (port.free == now && port.sorted.len() == 1 && !port.after_control) {
                port.send(now, false);
            }
        }
        assert!(port.announcer.is_conserved());
    }
    (port.announcer.counts(), cache.counts())
}

fn spec(rng: &mut Rng) -> AnnouncerSpec {
    AnnouncerSpec {
        rate: Rate::parse("8 Gbps").unwrap(),
        per_gap: rng.random_range(1..4),
        threshold: rng.random_bool(0.5).then(|| rng.random_range(0..9)),
        interval: Duration::from_ns(rng.random_range(0..4_000)),
        ..AnnouncerSpec::default()
    }
}

fn is_conserved(port: &AnnouncerCounts, cache: &SeerCounts) -> bool {
    let fpms = &cache.fpms;
    let fates = fpms.full + fpms.used + fpms.expired + fpms.cancelled + fpms.corrections + fpms.expected;
    fpms.received == port.sent() && fpms.received == fates
}

#[test]
fn every_packet_of_a_port_that_sorts_comes_when_it_is_expected() {
    let mut rng = Seed(3).stream("sorted");
    let [mut corrections, mut cancelled, mut used, mut exact] = [0; 4];
    for round in 0..18 {
        let spec = spec(&mut rng);
        // Some ports never push out, and at some all packets ask for a state.
        let (room, with_state) = (if round % 3 == 0 { 10_000 } else { 12 }, if round % 2 == 0 { 0.7 } else { 1.0 });
        let (port, cache) = play(spec, room, with_state, &mut rng);
        assert!(is_conserved(&port, &cache), "{spec:?}: {port:?} {cache:?}");
        let fpms = &cache.fpms;
        assert_eq!([port.dropped_full, fpms.expected], [0; 2], "{spec:?}: {port:?} {fpms:?}");
        if port.uncorrected == 0 {
            assert_eq!(fpms.mistimed, 0, "{spec:?}: {port:?} {fpms:?}");
            exact += 1;
        }
        corrections += port.corrections;
        cancelled += fpms.cancelled;
        used += fpms.used;
        // Without push-out, and where all are named, nothing is to be corrected.
        assert!(room == 12 || with_state < 1.0 || port.corrections == 0, "{port:?}");
    }
    let enough = corrections > 1_000 && cancelled > 400 && used > 8_000 && exact > 12;
    assert!(enough, "{corrections} {cancelled} {used} {exact}");
}

/// With little room, or without room in gaps, corrections come too late or not at all: that is counted, and nothing is lost.
#[test]
fn what_is_not_corrected_in_time_is_counted() {
    let mut rng = Seed(4).stream("sorted");
    let [mut late, mut dropped] = [0; 2];
    for round in 0..10 {
        let narrow = AnnouncerSpec { queue_capacity: 3, ..spec(&mut rng) };
        let silent = AnnouncerSpec { per_gap: 0, threshold: Some(2), ..spec(&mut rng) };
        let (port, cache) = play(if round % 2 == 0 { narrow } else { silent }, 12, 0.7, &mut rng);
        assert!(is_conserved(&port, &cache), "{port:?} {cache:?}");
        late += port.uncorrected;
        dropped += port.dropped_full;
        assert!(port.uncorrected > 0 || port.dropped_full > 0 || cache.fpms.mistimed == 0, "{port:?} {cache:?}");
    }
    assert!(late > 20 && dropped > 20, "{late} {dropped}");
}

#[test]
fn each_change_makes_its_correction() {
    let spec = AnnouncerSpec { rate: Rate::parse("8 Gbps").unwrap(), ..AnnouncerSpec::default() };
    let mut announcer = Announcer::sorted(spec).unwrap();
    let gap = |announcer: &mut Announcer| {
        let mut out = Vec::new();
        announcer.gap(&mut out);
        out.iter().map(|fpm| (fpm.says, fpm.id, fpm.delay.as_ps() / 1_000)).collect::<Vec<_>>()
    };
    announcer.entered(5, Some(1), 100);
    announcer.entered(5, None, 100);
    announcer.entered(9, Some(2), 100);
    assert_eq!(gap(&mut announcer), [(Says::Comes, 1, 100), (Says::Comes, 2, 300)]);
    // Nobody need know of one that comes behind all.
    announcer.entered(9, None, 100);
    announcer.entered(7, None, 50);
    assert_eq!(gap(&mut announcer), [(Says::Overtakes, 0, 250)]);
    announcer.pushed_out();
    announcer.pushed_out();
    assert_eq!(gap(&mut announcer), [(Says::Cancelled, 2, 0)]);
    // One that leaves before it was told of, though the first waits that was.
    announcer.entered(1, Some(3), 70);
    announcer.left_first();
    assert_eq!(gap(&mut announcer), [(Says::Later, 0, 0)]);
    let AnnouncerCounts { corrections, stale, uncorrected, .. } = announcer.counts();
    assert_eq!([corrections, stale, uncorrected], [3, 1, 0]);
    assert!(announcer.is_conserved() && !announcer.has_corrections());
}
