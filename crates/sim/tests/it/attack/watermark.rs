//! The switch at a watermark beside a list of packets that is sorted anew.

use crate::attack::support::policy;
use forebay_core::{Counter, Duration, Element, Packet, Seed, Time, Verdict};
use forebay_sim::attack::Watermark;
use rand::RngExt as _;

/// First come, first served above the mark, and shortest job first below.
struct Naive {
    waiting: Vec<Packet>,
    is_below: bool,
    /// Decided, but no packet has arrived since.
    decided: bool,
    mark_bps: f64,
    window: u64,
    ends: u64,
    bits: u64,
    is_busy: bool,
}

impl Naive {
    fn look(&mut self, now: u64) {
        while now >= self.ends {
            let is_slow = self.bits as f64 / (self.window as f64 * 1e-12) < self.mark_bps;
            if self.is_busy {
                self.decided = is_slow;
            }
            self.bits = 0;
            self.is_busy = !self.waiting.is_empty();
            self.ends = if self.waiting.is_empty() { now + self.window } else { self.ends + self.window };
        }
    }

    /// Where the next one to be served stands.
    fn next(&self) -> Option<usize> {
        let key = |place: &usize| if self.is_below { self.waiting[*place].processing } else { Duration::ZERO };
        (0..self.waiting.len()).min_by_key(key)
    }

    fn arrive(&mut self, now: u64, packet: Packet) {
        self.look(now);
        if self.decided != self.is_below {
            let mut moved = Vec::new();
            while let Some(place) = self.next() {
                moved.push(self.waiting.remove(place));
            }
            (self.waiting, self.is_below) = (moved, self.decided);
        }
        self.is_busy &= !self.waiting.is_empty();
        self.waiting.push(packet);
    }

    fn serve(&mut self, now: u64) -> Option<Packet> {
        self.look(now);
        let packet = self.next().map(|place| self.waiting.remove(place));
        match &packet {
            Some(packet) => self.bits += u64::from(packet.size_bytes) * 8,
            None => self.is_busy = false,
        }
        packet
    }
}

#[test]
fn packets_are_served_in_the_order_of_the_policy_in_charge() {
    let mut rng = Seed(7).stream("watermark");
    let mut switches = 0;
    for _ in 0..200 {
        let window = Duration::from_ns(rng.random_range(100..2_000));
        let mark_bps = rng.random_range(1.0..10.0) * 1e9;
        let [above, below] = ["arrival", "job-size"].map(|rank| policy(rank, 10_000));
        let mut fast = Watermark::new(above, below, mark_bps, window);
        let mut naive = Naive {
            waiting: Vec::new(),
            is_below: false,
            decided: false,
            mark_bps,
            window: window.as_ps(),
            ends: window.as_ps(),
            bits: 0,
            is_busy: true,
        };
        let (mut now, mut evicted) = (0, Vec::new());
        // Times of many services and times of few.
        let mut arrivals = 0.5;
        for id in 0..600 {
            if id % 50 == 0 {
                arrivals = rng.random_range(0.3..0.8);
            }
            now += rng.random_range(1..400_000);
            let time = Time::from_ps(now);
            if rng.random::<f64>() < arrivals {
                let processing = Duration::from_ns(rng.random_range(1..100));
                let packet = Packet { id, arrival: time, processing, size_bytes: 100, ..Packet::default() };
                fast.enqueue(time, packet, &mut evicted);
                naive.arrive(now, packet);
            } else {
                let served = |packet: Option<Packet>| packet.map(|packet| packet.id);
                assert_eq!(served(fast.dequeue(time, 0)), served(naive.serve(now)));
            }
            assert_eq!(fast.len(), naive.waiting.len());
        }
        assert!(evicted.is_empty());
        switches += fast.switches();
    }
    assert!(switches > 500, "{switches}");
}

/// Lets a packet go each millisecond.
struct Paced<E> {
    inner: E,
    next: Time,
}

impl<E: Element> Element for Paced<E> {
    fn links(&self) -> usize {
        1
    }

    fn enqueue(&mut self, now: Time, packet: Packet, evicted: &mut Vec<Packet>) -> Verdict {
        self.inner.enqueue(now, packet, evicted)
    }

    fn dequeue(&mut self, now: Time, link: usize) -> Option<Packet> {
        let packet = if now < self.next { None } else { self.inner.dequeue(now, link) };
        if packet.is_some() {
            self.next = now + Duration::from_us(1_000);
        }
        packet
    }

    fn next_wakeup(&self, _: Time, _: usize) -> Option<Time> {
        (self.inner.len() > 0).then_some(self.next)
    }

    fn len(&self) -> usize {
        self.inner.len()
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes()
    }

    fn counters(&self) -> Vec<Counter> {
        Vec::new()
    }
}

#[test]
fn what_a_policy_holds_back_is_served_when_it_lets_go() {
    let paced = || Paced { inner: policy("arrival", 100), next: Time::ZERO };
    let mut watermark = Watermark::new(paced(), paced(), 1e9, Duration::from_us(100));
    let mut evicted = Vec::new();
    let mut arrive = |watermark: &mut Watermark<_>, id: u64, now: Time| {
        watermark.enqueue(now, Packet { id, arrival: now, size_bytes: 100, ..Packet::default() }, &mut evicted);
    };
    (0..3).for_each(|id| arrive(&mut watermark, id, Time::ZERO));
    assert_eq!(watermark.dequeue(Time::ZERO, 0).unwrap().id, 0);
    // Nearly nothing was served: the next packet enters the other policy, and the first two stay where they are paced.
    let later = Time::ZERO + Duration::from_us(200);
    arrive(&mut watermark, 3, later);
    assert_eq!((watermark.switches(), watermark.len()), (1, 3));
    assert_eq!(watermark.dequeue(later, 0).unwrap().id, 3);
    let mut served = Vec::new();
    while let Some(at) = watermark.next_wakeup(later, 0) {
        served.push((at, watermark.dequeue(at, 0).unwrap().id));
    }
    let at = |us| Time::ZERO + Duration::from_us(us);
    assert_eq!(served, [(at(1_000), 1), (at(2_000), 2)]);
    assert!(evicted.is_empty() && watermark.len() == 0);
}
