//! Two endpoints and a path between them, with everything written down that passes.

use forebay_core::{Duration, Params, Rate, Seed, Time, convert, registry};
use forebay_sim::EventQueue;
use forebay_sim::net::transport::TRANSPORTS;
use forebay_sim::net::{Actions, Endpoint, Flags, FlowContext, FlowSpec, HostId, Segment, Transport, TransportCounts};

/// What the path does with a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Arrives,
    IsLost,
    /// Arrives with a mark, if it can be marked.
    IsMarked,
    ArrivesTwice,
    /// Arrives so much later than it would.
    IsLate(Duration),
}

/// A packet as it enters the path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sent {
    pub(crate) at: Time,
    pub(crate) to_receiver: bool,
    pub(crate) segment: Segment,
    pub(crate) fate: Fate,
    /// The sender's window behind it.
    pub(crate) window: u64,
}

/// The same in both directions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PathSpec {
    pub(crate) rate: Rate,
    /// One way.
    pub(crate) delay: Duration,
    /// The greatest backlog, in bytes.
    pub(crate) buffer: u64,
    /// Packets that find more than this waiting are marked.
    pub(crate) mark_above: u64,
}

impl PathSpec {
    /// So fast that only the delay counts: a round trip takes 100 us.
    pub(crate) fn long() -> Self {
        Self::of("1 Tbps", Duration::from_us(50))
    }

    pub(crate) fn of(rate: &str, delay: Duration) -> Self {
        Self { rate: Rate::parse(rate).expect("a rate"), delay, buffer: u64::MAX, mark_above: u64::MAX }
    }
}

#[derive(Debug, Clone, Copy)]
enum Event {
    Arrival { to_receiver: bool, segment: Segment },
    Timer { receiver: bool, number: u64 },
}

struct End {
    endpoint: Box<dyn Endpoint>,
    timer: u64,
    finished: Option<Time>,
    /// When the last packet has left the host.
    free: Time,
}

/// A flow in progress.
pub(crate) struct Flow<'a> {
    spec: PathSpec,
    fate: Box<dyn FnMut(&Sent) -> Fate + 'a>,
    ends: [End; 2],
    events: EventQueue<Event>,
    bytes: u64,
    acknowledges: bool,
    /// Which bytes have arrived; only for flows that are not long.
    arrived: Vec<bool>,
    pub(crate) sent: Vec<Sent>,
    pub(crate) now: Time,
}

/// The transport called `name` with `params`, as texts.
pub(crate) fn transport(name: &str, params: &[(&str, &str)]) -> Box<dyn Transport> {
    let entry = registry::find("transport", TRANSPORTS, name).expect("registered");
    let params = Params::of_texts(entry.about.params, params.iter().copied()).expect("parameters that it has");
    (entry.build)(&params).expect("values that it takes")
}

impl<'a> Flow<'a> {
    /// Opens a flow of `bytes`; `fate` decides on each packet in order of sending.
    pub(crate) fn open(
        transport: &dyn Transport,
        bytes: u64,
        spec: PathSpec,
        fate: impl FnMut(&Sent) -> Fate + 'a,
    ) -> Self {
        let flow = FlowSpec { start: Time::ZERO, src: HostId(0), dst: HostId(1), bytes, workload: 0 };
        let (full, bare) = transport.full_segment_bytes();
        let base_rtt = spec.delay + spec.delay + spec.rate.transmission_time(full) + spec.rate.transmission_time(bare);
        let context = FlowContext { flow, access_rate: spec.rate, base_rtt, seed: Seed(7) };
        let (sender, receiver) = transport.open(&context);
        let end = |endpoint| End { endpoint, timer: 0, finished: None, free: Time::ZERO };
        let arrived = vec![false; convert::saturate::<usize>(bytes).min(1 << 22)];
        let mut flow = Self {
            spec,
            fate: Box::new(fate),
            ends: [end(sender), end(receiver)],
            events: EventQueue::with_capacity(64),
            bytes,
            acknowledges: transport.acknowledges(),
            arrived,
            sent: Vec::new(),
            now: Time::ZERO,
        };
        flow.call(1, |endpoint, now, actions| endpoint.start(now, actions));
        flow.call(0, |endpoint, now, actions| endpoint.start(now, actions));
        flow
    }

    /// Goes on until both ends say that it is over, or the receiver if it answers nothing; at most so many events.
    pub(crate) fn run(&mut self, events: u64) -> &mut Self {
        for _ in 0..events {
            let over = self.received().is_some() && (self.acknowledged().is_some() || !self.acknowledges);
            if over || !self.step(Time::MAX) {
                break;
            }
        }
        self
    }

    /// Goes on up to `time`.
    pub(crate) fn run_until(&mut self, time: Time) -> &mut Self {
        while self.step(time) {}
        self
    }

    fn step(&mut self, until: Time) -> bool {
        if self.events.peek_time().is_none_or(|time| time > until) {
            return false;
        }
        let Some((now, event)) = self.events.pop() else { return false };
        self.now = now;
        match event {
            Event::Arrival { to_receiver, segment } => {
                if to_receiver {
                    self.note_arrival(&segment);
                }
                self.call(usize::from(to_receiver), |endpoint, now, actions| endpoint.receive(now, &segment, actions));
            }
            Event::Timer { receiver, number } => {
                let end = usize::from(receiver);
                if self.ends[end].timer == number {
                    self.call(end, |endpoint, now, actions| endpoint.timer(now, actions));
                }
            }
        }
        true
    }

    fn note_arrival(&mut self, segment: &Segment) {
        let end = segment.seq + u64::from(segment.payload_bytes);
        assert!(end <= self.bytes, "a segment ends behind its flow");
        let place = |byte: u64| usize::try_from(byte).map_or(self.arrived.len(), |at| at.min(self.arrived.len()));
        let (from, to) = (place(segment.seq), place(end));
        self.arrived[from..to].fill(true);
    }

    fn call(&mut self, end: usize, what: impl FnOnce(&mut dyn Endpoint, Time, &mut Actions)) {
        let mut actions = Actions::default();
        what(&mut *self.ends[end].endpoint, self.now, &mut actions);
        if let Some(timer) = actions.timer {
            self.ends[end].timer += 1;
            if let Some(time) = timer {
                assert!(time >= self.now, "a timer in the past");
                self.events.schedule(time, Event::Timer { receiver: end == 1, number: self.ends[end].timer });
            }
        }
        for segment in actions.segments {
            self.send(end == 0, segment);
        }
        if actions.finished {
            assert!(self.arrived.iter().all(|byte| *byte), "over, but not all has arrived");
            assert_eq!(self.ends[end].finished.replace(self.now), None, "over twice");
        }
    }

    fn send(&mut self, to_receiver: bool, mut segment: Segment) {
        let end = usize::from(!to_receiver);
        let window = self.ends[0].endpoint.window_bytes().unwrap_or(0);
        let mut sent = Sent { at: self.now, to_receiver, segment, fate: Fate::Arrives, window };
        sent.fate = (self.fate)(&sent);
        self.sent.push(sent);
        let free = self.ends[end].free.max(self.now);
        let ps_per_byte = self.spec.rate.transmission_time(1_000).as_ps() / 1_000;
        let waiting = free.since(self.now).as_ps() / ps_per_byte;
        if waiting + u64::from(segment.wire_bytes()) > self.spec.buffer {
            return;
        }
        self.ends[end].free = free + self.spec.rate.transmission_time(segment.wire_bytes());
        let marked = sent.fate == Fate::IsMarked || waiting > self.spec.mark_above;
        if marked && segment.flags.has(Flags::ECN_CAPABLE) {
            segment.flags = segment.flags.with(Flags::CONGESTED);
        }
        let late = if let Fate::IsLate(late) = sent.fate { late } else { Duration::ZERO };
        let arrival = self.ends[end].free + self.spec.delay + late;
        let copies = match sent.fate {
            Fate::IsLost => 0,
            Fate::ArrivesTwice => 2,
            _ => 1,
        };
        for _ in 0..copies {
            self.events.schedule(arrival, Event::Arrival { to_receiver, segment });
        }
    }

    /// When the receiver had everything.
    pub(crate) fn received(&self) -> Option<Time> {
        self.ends[1].finished
    }

    /// When the sender knew it.
    pub(crate) fn acknowledged(&self) -> Option<Time> {
        self.ends[0].finished
    }

    pub(crate) fn counts(&self) -> TransportCounts {
        self.ends[0].endpoint.counts()
    }

    pub(crate) fn window(&self) -> u64 {
        self.ends[0].endpoint.window_bytes().unwrap_or(0)
    }

    /// The numbers of the segments of `mss` bytes that were sent from `from` to before `to`, in microseconds.
    pub(crate) fn data(&self, mss: u64, from: u64, to: u64) -> Vec<u64> {
        let within = |sent: &&Sent| (Time::from_ns(from * 1_000)..Time::from_ns(to * 1_000)).contains(&sent.at);
        let data = self.sent.iter().filter(|sent| sent.to_receiver && sent.segment.payload_bytes > 0);
        data.filter(within).map(|sent| sent.segment.seq / mss).collect()
    }

    /// When the sender sent something, in microseconds.
    pub(crate) fn times(&self) -> Vec<u64> {
        self.sent.iter().filter(|sent| sent.to_receiver).map(|sent| sent.at.as_ps() / 1_000_000).collect()
    }
}

/// Loses the data packets with these numbers, counted from 0 in order of sending.
pub(crate) fn losing(numbers: &[u64]) -> impl FnMut(&Sent) -> Fate + use<> {
    let numbers = numbers.to_vec();
    let mut count = 0;
    move |sent| {
        if !sent.to_receiver || sent.segment.payload_bytes == 0 {
            return Fate::Arrives;
        }
        count += 1;
        if numbers.contains(&(count - 1)) { Fate::IsLost } else { Fate::Arrives }
    }
}
