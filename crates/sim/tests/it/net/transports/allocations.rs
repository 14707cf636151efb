//! Endpoints allocate when they are opened and as far as the worst gaps need, not for each packet.

use crate::net::transports::path::transport;
use forebay_core::{Duration, Rate, Seed, Time};
use forebay_sim::net::{Actions, Endpoint, FlowContext, FlowSpec, HostId, Segment};
use std::collections::VecDeque;

/// A path of a fixed delay that loses one packet in so many; it allocates nothing after a while, either.
struct Belt {
    ends: [Box<dyn Endpoint>; 2],
    timers: [Time; 2],
    on_the_way: VecDeque<(Time, usize, Segment)>,
    actions: Actions,
    now: Time,
    sent: u64,
    lose_every: u64,
}

impl Belt {
    fn open(name: &str, lose_every: u64) -> Self {
        let params: &[(&str, &str)] = match name {
            "pfabric" => &[("window_segments", "100")],
            "newreno" | "dctcp" => &[("max_window_bytes", "146000")],
            _ => &[],
        };
        let flow =
            FlowSpec { start: Time::ZERO, src: HostId(0), dst: HostId(1), bytes: FlowSpec::ENDLESS, workload: 0 };
        let access_rate = Rate::parse("10 Gbps").expect("a rate");
        let context = FlowContext { flow, access_rate, base_rtt: Duration::from_us(20), seed: Seed(1) };
        let (sender, receiver) = transport(name, params).open(&context);
        let mut belt = Self {
            ends: [sender, receiver],
            timers: [Time::MAX; 2],
            on_the_way: VecDeque::new(),
            actions: Actions::default(),
            now: Time::ZERO,
            sent: 0,
            lose_every,
        };
        belt.call(0, |end, now, actions| end.start(now, actions));
        belt
    }

    fn call(&mut self, end: usize, what: impl FnOnce(&mut dyn Endpoint, Time, &mut Actions)) {
        what(&mut *self.ends[end], self.now, &mut self.actions);
        if let Some(timer) = self.actions.timer.take() {
            self.timers[end] = timer.unwrap_or(Time::MAX);
        }
        for segment in self.actions.segments.drain(..) {
            self.sent += 1;
            if !self.sent.is_multiple_of(self.lose_every) {
                self.on_the_way.push_back((self.now + Duration::from_us(10), 1 - end, segment));
            }
        }
    }

    /// Delivers so many packets, and calls timers between them.
    fn run(&mut self, packets: u64) {
        let mut left = packets;
        while left > 0 {
            let first = usize::from(self.timers[1] < self.timers[0]);
            match self.on_the_way.front() {
                Some(&(at, end, segment)) if at <= self.timers[first] => {
                    self.on_the_way.pop_front();
                    self.now = at;
                    self.call(end, |endpoint, now, actions| endpoint.receive(now, &segment, actions));
                    left -= 1;
                }
                _ => {
                    self.now = self.timers[first];
                    self.timers[first] = Time::MAX;
                    self.call(first, |endpoint, now, actions| endpoint.timer(now, actions));
                }
            }
        }
    }
}

#[test]
fn no_packet_allocates() {
    let one = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(one.count_total, 1, "the counter counts");
    for name in ["newreno", "dctcp", "pfabric", "ideal", "udp"] {
        let mut belt = Belt::open(name, 997);
        belt.run(100_000);
        let allocated = allocation_counter::measure(|| belt.run(100_000));
        assert_eq!(allocated.count_total, 0, "{name}");
    }
}
