//! Measurements of a processor behind a queue: the innocent and the attack bits that it serves.

use crate::attack::applications::Watched;
use crate::attack::innocents::Innocents;
use crate::attack::processor::OneLink;
use crate::attack::reserved_servers::{Apart, Suspected, Suspects, Waiting, Watching};
use crate::attack::traffic::is_attack;
use crate::{EndReason, Port, Probe, RunOptions, Servers, Service};
use forebay_core::{Duration, Element, Packet, Source, Time};
use std::cell::RefCell;

/// A span of time of which the first part is not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first part, which is not counted.
    pub warmup: Duration,
    /// The counted part.
    pub window: Duration,
}

impl Span {
    /// Creates a span from milliseconds.
    #[must_use]
    pub const fn ms(warmup: u64, window: u64) -> Self {
        Self { warmup: Duration::from_ms(warmup), window: Duration::from_ms(window) }
    }

    /// The end of the span.
    #[must_use]
    pub fn end(self) -> Time {
        Time::ZERO + self.warmup + self.window
    }
}

/// The result of a trial, within the window.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measured {
    /// The bits per second of innocent packets whose work was done.
    pub goodput_bps: f64,
    /// The bits per second of attack packets that arrived.
    pub attack_bps: f64,
    /// The bits per second of attack packets whose work was done.
    pub attack_served_bps: f64,
    /// The number of innocent packets that arrived.
    pub innocent_packets: u64,
    /// The number of innocent packets that were dropped, on arrival or later.
    pub innocent_dropped: u64,
    /// The share of the time of all servers in which they worked.
    pub busy: f64,
    /// The attack's share of the work time; none if there was no work.
    pub attack_work_share: Option<f64>,
    /// The waits of innocent packets until their work began: mean and 99th percentile; none without such packets.
    pub innocent_waits: Option<[Duration; 2]>,
    /// The share of innocent packets whose work was done after a later packet's of the same flow; none without innocent packets.
    pub innocent_reordered: Option<f64>,
    /// The suspected packets, if servers are set aside.
    pub suspected: Option<Suspected>,
    /// The counts of an application that ran live; [`None`] where jobs were known.
    pub application: Option<Watched>,
    /// Whether the trial ran to its end.
    pub complete: bool,
}

/// Sends the packets of `source` through the queues, until the span's end or until `go_on` returns `false`. `go_on` is called from time to
/// time with the number of arrived packets.
pub(crate) fn measure(
    source: &mut dyn Source,
    service: impl Service,
    Waiting { queue, aside }: Waiting<'_>,
    (span, servers): (Span, usize),
    go_on: &dyn Fn(u64) -> bool,
) -> Measured {
    let Some((rule, suspected)) = aside else {
        return play(source, service, Servers::new(servers, OneLink(queue)), span, go_on);
    };
    let suspects = RefCell::new(Suspects::new(rule, Time::ZERO + span.warmup));
    let queues = Apart::new(servers, queue, suspected, &suspects);
    let measured = play(source, Watching { service, suspects: &suspects }, queues, span, go_on);
    Measured { suspected: Some(suspects.borrow().shares()), ..measured }
}

fn play(
    source: &mut dyn Source,
    service: impl Service,
    servers: impl Element,
    span: Span,
    go_on: &dyn Fn(u64) -> bool,
) -> Measured {
    let number = servers.links();
    let until = span.end();
    let count = Count { from: Time::ZERO + span.warmup, until, ..Count::default() };
    let mut port = Port::new(service, servers, count);
    let outcome = port.run(source, &RunOptions { until, go_on });
    let (_, count) = port.into_parts();
    let seconds = span.window.as_secs_f64();
    Measured {
        goodput_bps: count.innocent_served_bits as f64 / seconds,
        attack_bps: count.attack_bits as f64 / seconds,
        attack_served_bps: count.attack_served_bits as f64 / seconds,
        innocent_packets: count.innocent_packets,
        innocent_dropped: count.innocent_dropped,
        busy: count.worked.as_secs_f64() / seconds / number as f64,
        attack_work_share: (count.worked > Duration::ZERO)
            .then(|| count.attack_worked.as_secs_f64() / count.worked.as_secs_f64()),
        innocent_waits: count.innocents.waits(),
        innocent_reordered: count.innocents.reordered(),
        suspected: None,
        application: None,
        complete: outcome.reason == EndReason::Finished,
    }
}

/// The counts within the window.
#[derive(Debug, Default)]
struct Count {
    from: Time,
    until: Time,
    innocent_packets: u64,
    innocent_dropped: u64,
    innocent_served_bits: u64,
    attack_bits: u64,
    attack_served_bits: u64,
    worked: Duration,
    attack_worked: Duration,
    innocents: Innocents,
}

impl Count {
    fn within(&self, now: Time) -> bool {
        now > self.from && now <= self.until
    }

    fn dropped(&mut self, now: Time, packet: &Packet) {
        if self.within(now) && !is_attack(packet.flow) {
            self.innocent_dropped += 1;
        }
    }
}

impl Probe for Count {
    fn offered(&mut self, now: Time, packet: &Packet) {
        if self.within(now) {
            if is_attack(packet.flow) {
                self.attack_bits += bits(packet);
            } else {
                self.innocent_packets += 1;
            }
        }
    }

    fn refused(&mut self, now: Time, packet: &Packet) {
        self.dropped(now, packet);
    }

    fn evicted(&mut self, now: Time, packet: &Packet) {
        self.dropped(now, packet);
    }

    fn sent(&mut self, now: Time, packet: &Packet) {
        let (is_within, is_attack) = (self.within(now), is_attack(packet.flow));
        if !is_attack {
            self.innocents.done(now, packet, is_within);
        }
        if !is_within {
            return;
        }
        self.worked = self.worked + packet.processing;
        if is_attack {
            self.attack_served_bits += bits(packet);
            self.attack_worked = self.attack_worked + packet.processing;
        } else {
            self.innocent_served_bits += bits(packet);
        }
    }
}

fn bits(packet: &Packet) -> u64 {
    u64::from(packet.size_bytes) * 8
}
