//! The announcer beside lists that a reader believes at a glance.

use forebay_cache::seer::{Announcer, AnnouncerCounts, AnnouncerSpec, Fpm, Idle};
use forebay_core::{Duration, Rate, Seed, Time};
use rand::RngExt as _;

/// A packet that waits.
struct Waiting {
    class: usize,
    id: Option<u64>,
    size_bytes: u32,
    /// Whether its FPM waits, too.
    fpm_waits: bool,
}

/// A port as one list of packets in the order in which they came.
struct Lists {
    spec: AnnouncerSpec,
    packets: Vec<Waiting>,
    last_control: Option<Time>,
    counts: AnnouncerCounts,
}

impl Lists {
    fn fpms(&self) -> usize {
        self.packets.iter().filter(|packet| packet.fpm_waits).count()
    }

    fn queued(&mut self, class: usize, id: Option<u64>, size_bytes: u32) {
        let has_room = self.fpms() < self.spec.queue_capacity;
        self.packets.push(Waiting { class, id, size_bytes, fpm_waits: id.is_some() && has_room });
        self.counts.made += u64::from(id.is_some());
        self.counts.dropped_full += u64::from(id.is_some() && !has_room);
        self.counts.max_waiting = self.counts.max_waiting.max(self.fpms());
    }

    fn left(&mut self, class: usize) {
        if let Some(first) = self.packets.iter().position(|packet| packet.class == class) {
            self.counts.stale += u64::from(self.packets.remove(first).fpm_waits);
        }
    }

    fn take(&mut self, at_most: usize) -> Vec<Fpm> {
        let mut taken = Vec::new();
        for class in 0..self.spec.classes {
            for index in 0..self.packets.len() {
                let packet = &self.packets[index];
                if packet.class == class && packet.fpm_waits && taken.len() < at_most {
                    let before = |other: &usize| {
                        let place = self.packets[*other].class;
                        place < class || (place == class && *other <= index)
                    };
                    let size_of = |other: usize| self.spec.rate.transmission_time(self.packets[other].size_bytes);
                    let delay = (0..self.packets.len()).filter(before).map(size_of);
                    let delay = delay.fold(Duration::ZERO, |sum, own| sum + own);
                    taken.push(Fpm::of(packet.id.expect("it has an FPM"), packet.size_bytes, delay));
                    self.packets[index].fpm_waits = false;
                }
            }
        }
        taken
    }

    fn control(&mut self, now: Time) -> Option<Vec<Fpm>> {
        let many = self.spec.threshold.is_some_and(|m| self.fpms() > m);
        let long_ago = self.last_control.is_none_or(|last| now >= last + self.spec.interval);
        (many && long_ago).then(|| {
            self.last_control = Some(now);
            self.counts.control_packets += 1;
            self.counts.control_bytes += u64::from(self.spec.control_bytes);
            let taken = self.take(self.spec.per_control);
            self.counts.sent_in_control += taken.len() as u64;
            taken
        })
    }
}

#[test]
fn random_operations_are_what_lists_make_of_them() {
    let mut rng = Seed(1).stream("announcer");
    let mut seen = AnnouncerCounts::default();
    for round in 0..60 {
        let spec = AnnouncerSpec {
            classes: rng.random_range(1..4),
            // 3 divides no power of two: transmission times are rounded.
            rate: Rate::from_bits_per_second(3_000_000_000).unwrap(),
            per_gap: rng.random_range(0..4),
            per_control: rng.random_range(1..9),
            control_bytes: 64,
            threshold: (round % 5 > 0).then(|| rng.random_range(0..9)),
            interval: Duration::from_ns(rng.random_range(0..40)),
            queue_capacity: rng.random_range(1..30),
            idle: if round % 2 == 0 { Idle::Before } else { Idle::After },
        };
        let mut fast = Announcer::new(spec).unwrap();
        let mut lists = Lists { spec, packets: Vec::new(), last_control: None, counts: AnnouncerCounts::default() };
        let mut now = Time::ZERO;
        for id in 0..1_000 {
            now += Duration::from_ns(rng.random_range(0..10));
            let class = rng.random_range(0..spec.classes);
            let (mut out, mut expected) = (Vec::new(), Vec::new());
            match rng.random_range(0..100) {
                0..50 => {
                    let id = rng.random_bool(0.9).then_some(id);
                    let size_bytes = rng.random_range(1..1_600);
                    fast.queued(class, id, size_bytes);
                    lists.queued(class, id, size_bytes);
                }
                50..80 => {
                    fast.left(class);
                    lists.left(class);
                }
                80..90 => {
                    fast.gap(&mut out);
                    expected = lists.take(spec.per_gap);
                    lists.counts.sent_in_gaps += expected.len() as u64;
                }
                90..98 => {
                    let sent = fast.control(now, &mut out);
                    let control = lists.control(now);
                    assert_eq!(sent, control.is_some());
                    expected = control.unwrap_or_default();
                }
                _ => {
                    fast.idle(&mut out);
                    expected = lists.take(if spec.idle == Idle::Before { usize::MAX } else { 0 });
                    lists.counts.sent_idle += expected.len() as u64;
                }
            }
            assert_eq!(out, expected, "{spec:?}");
            assert_eq!(fast.counts(), lists.counts, "{spec:?}");
            assert_eq!(fast.waiting(), lists.fpms());
            assert!(fast.is_conserved());
        }
        let counts = fast.counts();
        seen.dropped_full += counts.dropped_full;
        seen.stale += counts.stale;
        seen.sent_in_gaps += counts.sent_in_gaps;
        seen.sent_idle += counts.sent_idle;
        seen.sent_in_control += counts.sent_in_control;
    }
    let all = [seen.dropped_full, seen.stale, seen.sent_in_gaps, seen.sent_idle, seen.sent_in_control];
    assert!(all.iter().all(|&count| count > 100), "{seen:?}");
}
