//! Packets at a fixed rate: always, or in ON and OFF periods.
//!
//! There are no acknowledgements and no retransmissions. A flow is over when all its bytes have arrived. A flow is never over if a packet
//! is lost, if the flow stops before its end, or if it is endless. A flow begins with an ON period. A gap that has not passed at the end of
//! a period goes on in the next, so that the mean rate holds for short periods too.

use crate::net::counting::Counting;
use crate::net::endpoint::{Actions, Endpoint, FlowContext, Transport, TransportEntry};
use crate::net::segment::Segment;
use crate::net::transport_counts::TransportCounts;
use crate::net::transport_params::{HEADER_BYTES, PAYLOAD_BYTES, small};
use forebay_core::params::{ParamKind, ParamSpec};
use forebay_core::{About, Duration, Exactness, ParamError, Params, Rate, Rng, Time, real};

/// The registry's entry for [`Udp`].
pub const ENTRY: TransportEntry = TransportEntry {
    about: About {
        name: "udp",
        title: "Sends at a constant rate, or in ON and OFF periods, whether packets are lost or not",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "O(1) per packet; 16 bytes per gap at the receiver",
        source: "the constant-rate and ON/OFF sources of network simulators",
        params: &[
            ParamSpec::optional_rate(
                "rate",
                "bits on the wire per second while it is ON, like \"10 Gbps\"; default: by `rate_share`",
            ),
            ParamSpec {
                name: "rate_share",
                kind: ParamKind::Number { min: 1e-9, max: 1.0, default: 1.0 },
                meaning: "rate as a share of the access link's rate; not used if `rate` is given",
            },
            PAYLOAD_BYTES,
            HEADER_BYTES,
            ParamSpec::choice(
                "spacing",
                &["constant", "poisson"],
                "constant",
                "gaps between packets; poisson: independent, exponential",
            ),
            ParamSpec::optional_duration("on", "mean length of ON periods, like \"1 ms\"; default: always ON"),
            ParamSpec::optional_duration("off", "mean length of OFF periods"),
            ParamSpec::choice("periods", &["exponential", "fixed"], "exponential", "how long periods last"),
            ParamSpec::optional_duration(
                "stop_after",
                "time after its start at which a flow stops sending; default: when all is sent",
            ),
        ],
    },
    build: |params| Ok(Box::new(Udp::read(params)?)),
};

/// Shortest mean of ON periods, whatever the rate.
const LEAST_ON: Duration = Duration::from_ns(1);
/// ON periods that pass while a packet is sent, at most, as far as the rate is known.
const MOST_PERIODS_PER_PACKET: u64 = 1_000;

/// A transport that opens flows of a fixed rate.
#[derive(Debug, Clone, Copy)]
pub struct Udp {
    rate: Option<Rate>,
    rate_share: f64,
    payload_bytes: u32,
    header_bytes: u32,
    is_poisson: bool,
    /// Mean lengths of ON and OFF periods.
    periods: Option<(Duration, Duration)>,
    are_fixed: bool,
    stop_after: Option<Duration>,
}

impl Udp {
    /// Flows at the rate of their access link, without a pause.
    pub(super) fn at_link_rate(payload_bytes: u32, header_bytes: u32) -> Self {
        Self {
            rate: None,
            rate_share: 1.0,
            payload_bytes,
            header_bytes,
            is_poisson: false,
            periods: None,
            are_fixed: false,
            stop_after: None,
        }
    }

    fn read(params: &Params) -> Result<Self, ParamError> {
        let periods = match (params.optional_duration("on"), params.optional_duration("off")) {
            (None, None) => None,
            (Some(Duration::ZERO), _) => return Err(ParamError::of("on", "`on` must be more than 0")),
            (Some(on), Some(off)) => Some((on, off)),
            (Some(_), None) => return Err(ParamError::of("off", "`on` needs `off`, how long it pauses")),
            (None, Some(_)) => return Err(ParamError::of("on", "`off` needs `on`, how long it sends")),
        };
        let udp = Self {
            rate: params.optional_rate("rate"),
            rate_share: params.number("rate_share"),
            payload_bytes: small(params, "payload_bytes"),
            header_bytes: small(params, "header_bytes"),
            is_poisson: params.text("spacing") == "poisson",
            periods,
            are_fixed: params.text("periods") == "fixed",
            stop_after: params.optional_duration("stop_after"),
        };
        udp.check_periods()?;
        Ok(udp)
    }

    /// Rejects ON periods so short that a simulation would pass thousands of them between two packets.
    fn check_periods(&self) -> Result<(), ParamError> {
        let Some((on, _)) = self.periods else { return Ok(()) };
        let packet = self.rate.map_or(Duration::ZERO, |rate| rate.transmission_time(self.full_segment_bytes().0));
        let least = Duration::from_ps(packet.as_ps() / MOST_PERIODS_PER_PACKET).max(LEAST_ON);
        if on >= least {
            return Ok(());
        }
        let message =
            format!("`on` must be at least {least}, not {on}: a run would be all periods and hardly any packets");
        Err(ParamError::of("on", message))
    }

    /// The rate of a flow whose access link has the rate `access`.
    #[expect(clippy::cast_possible_truncation, reason = "not more than the rate of the link")]
    fn rate(&self, access: Rate) -> Rate {
        let share = (access.bits_per_second() as f64 * self.rate_share).round() as u64;
        self.rate.or(Rate::from_bits_per_second(share.max(1))).unwrap_or(access)
    }
}

impl Transport for Udp {
    fn open(&self, context: &FlowContext) -> (Box<dyn Endpoint>, Box<dyn Endpoint>) {
        let bytes = context.flow.bytes;
        let sender = Sender {
            shape: *self,
            rate: self.rate(context.access_rate),
            rng: context.seed.stream("udp"),
            on_left: Duration::ZERO,
            bytes,
            sent: 0,
            stop: Time::MAX,
            segments: 0,
        };
        (Box::new(sender), Box::new(Counting::new(bytes)))
    }

    fn full_segment_bytes(&self) -> (u32, u32) {
        (self.payload_bytes + self.header_bytes, self.header_bytes)
    }

    fn acknowledges(&self) -> bool {
        false
    }
}

#[derive(Debug)]
struct Sender {
    shape: Udp,
    rate: Rate,
    rng: Rng,
    /// The rest of the ON period.
    on_left: Duration,
    bytes: u64,
    sent: u64,
    stop: Time,
    segments: u64,
}

impl Sender {
    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    fn exponential(&mut self, mean: Duration) -> Duration {
        Duration::from_ps((mean.as_ps() as f64 * real::exponential(&mut self.rng)).round() as u64)
    }

    fn period(&mut self, mean: Duration) -> Duration {
        if self.shape.are_fixed { mean } else { self.exponential(mean) }
    }

    /// When it has been ON for `gap` more.
    fn after(&mut self, now: Time, mut gap: Duration) -> Time {
        let Some((on, off)) = self.shape.periods else { return now + gap };
        let mut at = now;
        while gap >= self.on_left {
            at = at + self.on_left + self.period(off);
            gap = gap - self.on_left;
            self.on_left = self.period(on);
        }
        self.on_left = self.on_left - gap;
        at + gap
    }

    /// Waits after a packet of `wire_bytes` bytes, if the flow has more to send.
    fn wait(&mut self, now: Time, wire_bytes: u32, actions: &mut Actions) {
        let gap = self.rate.transmission_time(wire_bytes);
        let gap = if self.shape.is_poisson { self.exponential(gap) } else { gap };
        let at = self.after(now, gap);
        actions.timer = Some((self.sent < self.bytes && at < self.stop).then_some(at));
    }

    fn send(&mut self, now: Time, actions: &mut Actions) {
        let left = self.bytes - self.sent;
        let payload_bytes =
            u32::try_from(left).map_or(self.shape.payload_bytes, |left| left.min(self.shape.payload_bytes));
        let segment = Segment {
            seq: self.sent,
            remaining: left,
            timestamp: now,
            payload_bytes,
            header_bytes: self.shape.header_bytes,
            ..Segment::default()
        };
        self.sent += u64::from(payload_bytes);
        self.segments += 1;
        actions.segments.push(segment);
        self.wait(now, segment.wire_bytes(), actions);
    }
}

impl Endpoint for Sender {
    fn start(&mut self, now: Time, actions: &mut Actions) {
        if let Some(length) = self.shape.stop_after {
            self.stop = now + length;
        }
        if let Some((on, _)) = self.shape.periods {
            self.on_left = self.period(on);
        }
        if self.shape.is_poisson {
            self.wait(now, self.shape.full_segment_bytes().0, actions);
        } else {
            self.send(now, actions);
        }
    }

    fn receive(&mut self, _: Time, _: &Segment, _: &mut Actions) {}

    fn timer(&mut self, now: Time, actions: &mut Actions) {
        self.send(now, actions);
    }

    fn counts(&self) -> TransportCounts {
        TransportCounts { data_segments: self.segments, ..TransportCounts::default() }
    }
}
