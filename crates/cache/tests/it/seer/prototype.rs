//! The prototype beside queueing theory, beside the expectation of its caches, and beside a target that believes every FPM.

use forebay_cache::StateCache;
use forebay_cache::seer::prototype::{Generator, Prototype, PrototypeSpec, Recording, Target, TargetCounts};
use forebay_cache::seer::{AnnouncerSpec, Fpm, Idle, SeerCache};
use forebay_core::{Duration, Rate, Seed, Time};

fn near(measured: f64, expected: f64, tolerance: f64) {
    assert!((measured / expected - 1.0).abs() < tolerance, "{measured}, not {expected}");
}

fn gigabits(count: u64) -> Rate {
    Rate::from_bits_per_second(count * 1_000_000_000).expect("above 0")
}

/// Without control packets.
fn gaps_only() -> PrototypeSpec {
    let spec = PrototypeSpec::default();
    PrototypeSpec { announcer: AnnouncerSpec { threshold: None, ..spec.announcer }, ..spec }
}

#[test]
fn packets_wait_as_in_the_queue_m_d_1_with_priorities() {
    let spec = PrototypeSpec { flows: 1, ..gaps_only() };
    let mut prototype = Prototype::new(&spec, Seed(1)).unwrap();
    prototype.run(1_500_000, &mut []);
    let report = prototype.report();
    let load = spec.utilisation();
    let packet_ps = spec.announcer.rate.transmission_time(spec.wire_bytes()).as_ps() as f64;
    // What is on the link when a packet comes (Pollaczek, Khinchine), and who goes first (Cobham).
    let residual = load * packet_ps / 2.0;
    near(report.waits().mean().as_ps() as f64, residual / (1.0 - load), 0.02);
    near(report.classes[0].mean().as_ps() as f64, residual / (1.0 - load / 2.0), 0.02);
    near(report.classes[1].mean().as_ps() as f64, residual / ((1.0 - load / 2.0) * (1.0 - load)), 0.02);
    near(report.data_share(), load, 0.005);
    assert_eq!((report.dropped, report.control_share()), (0, 0.0));
}

#[test]
fn packets_that_take_a_time_to_write_keep_their_rate_and_a_least_gap() {
    let writes_at = Some(gigabits(12));
    let spec = PrototypeSpec { packet_bytes: 1_500, writes_at, flows: 1, ..gaps_only() };
    let times: Vec<Time> = Generator::new(&spec, Seed(1)).take(100_000).map(|packet| packet.time).collect();
    let gaps: Vec<u64> = times.windows(2).map(|pair| pair[1].since(pair[0]).as_ps()).collect();
    let least = Duration::from_ns(1_000).as_ps();
    assert!(gaps.iter().all(|&gap| gap >= least));
    near(gaps.iter().sum::<u64>() as f64 / gaps.len() as f64, 2_000_000.0, 0.01);
    // A gap ends while its packet is sent, which takes 1,216 ns, as often as an exponential one of 1,000 ns ends within 216.
    let short = gaps.iter().filter(|&&gap| gap < 1_216_000).count() as f64 / gaps.len() as f64;
    near(short, 1.0 - (-0.216_f64).exp(), 0.03);
}

#[test]
fn lru_keeps_two_flows_of_each_set() {
    let spec = PrototypeSpec::default();
    let mut cache = StateCache::new(&spec.cache(Seed(2)), &"lru".parse().unwrap()).unwrap();
    let counts = Prototype::new(&spec, Seed(2)).unwrap().measure(200_000, 400_000, &mut [&mut cache])[0];
    assert_eq!(counts.accesses(), 400_000);
    // Of a set with n flows min(n, 2) are there, any of them alike; n is binomial, here near Poisson.
    let (sets, flows) = (15_000.0, 100_000.0);
    let mean: f64 = flows / sets;
    let kept = 2.0 - (-mean).exp() * (2.0 + mean);
    near(counts.miss_ratio(), 1.0 - sets * kept / flows, 0.003);
}

#[test]
fn belady_plays_the_same_packets_in_the_same_sets() {
    let seed = Seed(3);
    let spec = PrototypeSpec { flows: 1_000, entries: 300, ..PrototypeSpec::default() };
    // A fetch of one tick is the classical model: no two packets come within it.
    let cache = PrototypeSpec { fetch: Duration::from_ps(1), ..spec }.cache(seed);
    let mut lru = StateCache::new(&cache, &"lru".parse().unwrap()).unwrap();
    let mut recording = Recording::default();
    let counts = Prototype::new(&spec, seed).unwrap().measure(5_000, 50_000, &mut [&mut lru, &mut recording]);
    assert_eq!(recording.requests().len(), 55_000);
    let play = |policy: &str| recording.play(&policy.parse().unwrap(), &cache, 5_000).unwrap();
    assert_eq!(play("lru"), counts[0]);
    let (belady, lru) = (play("belady"), play("lru"));
    assert_eq!(belady.accesses(), lru.accesses());
    assert!(belady.misses * 4 < lru.misses * 3, "{belady:?} {lru:?}");
}

/// Believes every FPM, and keeps what is expected in a list: arrival, id, time on the link.
struct Believer {
    rate: Rate,
    expected: Vec<(Time, u64, Duration)>,
    told: u64,
    untold: u64,
    /// Packets that arrived at another time than they were expected at.
    mistimed: u64,
}

impl Target for Believer {
    fn control(&mut self, _: Time, length: Duration) {
        self.expected.iter_mut().for_each(|(arrival, ..)| *arrival += length);
    }

    fn announced(&mut self, now: Time, fpms: &[Fpm]) {
        for fpm in fpms {
            let own = self.rate.transmission_time(fpm.size_bytes);
            let start = now + (fpm.delay - own);
            for (arrival, _, time) in &mut self.expected {
                if arrival.since(start) >= *time {
                    *arrival += own;
                }
            }
            self.expected.push((now + fpm.delay, fpm.id, own));
        }
    }

    fn packet(&mut self, now: Time, id: u64) {
        let of_id = (0..self.expected.len()).filter(|index| self.expected[*index].1 == id);
        let Some(first) = of_id.min_by_key(|index| self.expected[*index].0) else {
            self.untold += 1;
            return;
        };
        self.told += 1;
        self.mistimed += u64::from(self.expected.swap_remove(first).0 != now);
    }

    fn counts(&self) -> TargetCounts {
        TargetCounts::default()
    }
}

fn believe(spec: &PrototypeSpec) -> (Believer, Prototype) {
    let mut believer = Believer { rate: spec.announcer.rate, expected: Vec::new(), told: 0, untold: 0, mistimed: 0 };
    let mut prototype = Prototype::new(spec, Seed(4)).expect("a prototype that can be");
    prototype.run(100_000, &mut [&mut believer]);
    assert!(prototype.is_conserved());
    assert_eq!(believer.told + believer.untold, 100_000);
    (believer, prototype)
}

#[test]
fn arrivals_are_known_to_the_picosecond() {
    let spec = PrototypeSpec::default();
    for (classes, load, packet_bytes) in [(1, 6, 256), (2, 2, 256), (2, 9, 256), (4, 9, 1_500), (3, 7, 64)] {
        // 3 divides no power of two, so that times on the link are rounded.
        for (rate, interval) in [(gigabits(10), 5), (gigabits(10), 0), (gigabits(30), 1)] {
            let load = Rate::from_bits_per_second(load * rate.bits_per_second() / 10).unwrap();
            let interval = Duration::from_us(interval);
            let announcer = AnnouncerSpec { classes, rate, interval, queue_capacity: 1 << 20, ..spec.announcer };
            for idle in [Idle::Before, Idle::After] {
                let announcer = AnnouncerSpec { idle, ..announcer };
                let (believer, prototype) = believe(&PrototypeSpec { announcer, load, packet_bytes, ..spec });
                assert_eq!(believer.mistimed, 0);
                let counts = prototype.report().announcer;
                assert_eq!(counts.stale > 0, idle == Idle::After);
                assert_eq!(believer.untold, counts.stale);
            }
        }
    }
}

#[test]
fn control_packets_take_a_hundredth_of_the_link_and_make_fpms_earlier() {
    // Two FPMs for each gap would be enough for all but the rarest bursts.
    let busy = PrototypeSpec { load: gigabits(7), packet_bytes: 64, ..PrototypeSpec::default() };
    let run = |threshold| {
        let announcer = AnnouncerSpec { threshold, per_gap: 1, ..busy.announcer };
        let mut prototype = Prototype::new(&PrototypeSpec { announcer, ..busy }, Seed(5)).unwrap();
        prototype.run(200_000, &mut []);
        assert!(prototype.is_conserved());
        prototype.report()
    };
    let (with, without) = (run(Some(8)), run(None));
    // 84 bytes on the link, 67.2 ns, every 5 us at most.
    assert!(with.announcer.control_packets > 100);
    assert!(with.control_share() <= 67.2 / 5_000.0, "{}", with.control_share());
    assert!(with.leads.quantile_packets(0.99) > without.leads.quantile_packets(0.99));
    assert_eq!(with.announcer.control_bytes, 84 * with.announcer.control_packets);
}

#[test]
fn a_bounded_port_drops_and_everything_is_still_accounted_for() {
    let spec = PrototypeSpec { load: gigabits(12), queue_bytes: Some(25_700), ..PrototypeSpec::default() };
    let announcer = AnnouncerSpec { queue_capacity: 20, per_gap: 0, ..spec.announcer };
    let mut prototype = Prototype::new(&PrototypeSpec { announcer, ..spec }, Seed(6)).unwrap();
    prototype.run(50_000, &mut []);
    let report = prototype.report();
    assert!(prototype.is_conserved());
    assert!(report.dropped > 0 && report.announcer.dropped_full > 0 && report.announcer.stale > 0);
    assert_eq!(report.announcer.max_waiting, 20, "as many as there is room for");
    // A hundred packets wait, and the link is never idle.
    near(report.data_share() + report.control_share(), 1.0, 0.001);
}

#[test]
fn the_same_seed_has_the_same_packets_whoever_listens() {
    let spec = PrototypeSpec::default();
    let record = |seed, capacity| {
        let announcer = AnnouncerSpec { queue_capacity: capacity, threshold: None, ..spec.announcer };
        let mut recording = Recording::default();
        let mut cache = StateCache::new(&spec.cache(seed), &"sieve".parse().unwrap()).unwrap();
        let mut prototype = Prototype::new(&PrototypeSpec { announcer, ..spec }, seed).unwrap();
        prototype.run(20_000, &mut [&mut recording, &mut cache]);
        (recording.requests().to_vec(), Target::counts(&cache), prototype.report().announcer)
    };
    let first = record(Seed(7), 256);
    assert_eq!(record(Seed(7), 256), first);
    // FPMs in gaps are not in the way of packets.
    assert_eq!(record(Seed(7), 1).0, first.0);
    assert_ne!(record(Seed(8), 256).0, first.0);
}

#[test]
fn seer_knows_every_arrival_and_fetches_before_it() {
    let spec = PrototypeSpec { load: gigabits(9), ..PrototypeSpec::default() };
    let (seed, policy) = (Seed(9), "lru".parse().unwrap());
    let mut lru = StateCache::new(&spec.cache(seed), &policy).unwrap();
    let mut seer = SeerCache::new(&spec.seer(seed), &policy).unwrap();
    let mut prototype = Prototype::new(&spec, seed).unwrap();
    let counts = prototype.measure(100_000, 100_000, &mut [&mut lru, &mut seer]);
    assert_eq!(counts[0].accesses(), counts[1].accesses());
    assert!(counts[1].absent_ratio() * 2.0 < counts[0].absent_ratio(), "{counts:?}");
    let (report, seer) = (prototype.report(), seer.counts());
    assert_eq!((report.announcer.dropped_full, report.announcer.stale, seer.fpms.mistimed), (0, 0, 0));
    assert_eq!(seer.fpms.received, report.announcer.sent());
    assert_eq!(seer.fpms.received, seer.fpms.used + seer.fpms.expected);
    assert_eq!((seer.fpms.full, seer.visibility.unannounced), (0, 0));
    let mean_lead = seer.visibility.lead_ps / u128::from(seer.fpms.used);
    assert_eq!(mean_lead, u128::from(report.leads.mean().as_ps()));
}
