//! Token buckets: each flow, each class or all traffic is limited to a rate and a burst.
//!
//! A bucket holds `burst` bytes and fills at its rate. A packet may leave as soon as the bucket holds as many bytes as the packet; the
//! packet then removes them. A packet that is larger than the bucket may leave when the bucket is full, and the bucket then owes the
//! missing bytes. Packets of a bucket become eligible in the order in which they arrive.
//!
//! The state of a bucket is the time at which the bucket will be full. The bytes that it lacks are the rate times the time left until it is
//! full. This is the virtual scheduling form of the generic cell rate algorithm (ITU-T I.371, annex A). So no counter is updated between
//! packets.

use crate::flow_state::FlowState;
use crate::pacing::{BuiltPaceRule, PaceEntry, PaceRule};
use forebay_core::params::ParamKind;
use forebay_core::{About, ClassId, Exactness, Packet, ParamError, ParamSpec, Params, Rate, Time};

const RATE: ParamKind = ParamKind::Rate { default: None };

/// The registry's entry for [`TokenBucket`].
pub const ENTRY: PaceEntry = PaceEntry {
    about: About {
        name: "token-bucket",
        title: "Token bucket: each flow, each class or all traffic keeps to a rate, except for a burst",
        exactness: Exactness::NotApplicable,
        hardware: "a time for each bucket, a multiplication and a comparison per packet",
        cost: "O(1) per packet; 16 bytes for each flow, in pages of 256, or for each class",
        source: "Turner, IEEE Communications Magazine 24(10), 1986; ITU-T I.371, annex A (GCRA)",
        params: &[
            ParamSpec { name: "rate", kind: RATE, meaning: "rate of each bucket; `rate` or `rates` must be given" },
            ParamSpec {
                name: "rates",
                kind: ParamKind::Map { key: "class", of: &RATE },
                meaning: "rates of classes, or of each flow of them, like { 46 = \"1 Gbps\", 0 = \"100 Mbps\" } (DSCP = rate); other \
                          classes have `rate`, or are not held back if there is none",
            },
            ParamSpec {
                name: "burst",
                kind: ParamKind::Bytes { default: Some("1500 B") },
                meaning: "bytes that may leave at once when a bucket is full, up to 4 GB",
            },
            ParamSpec::choice(
                "of",
                &["flow", "class", "all"],
                "flow",
                "which packets share a bucket: those of a flow, those of a class, or all",
            ),
        ],
    },
    also_known_as: &["shaper", "tbf"],
    example: "{ name = \"token-bucket\", rate = \"1 Gbps\" }",
    build,
};

fn build(params: &Params) -> BuiltPaceRule {
    let burst = params.integer("burst").unwrap_or_default();
    let Some(burst) = u32::try_from(burst).ok().filter(|burst| *burst > 0) else {
        return Err(ParamError::of("burst", format!("`burst` must be from 1 B to {} B", u32::MAX)));
    };
    let rate = params.optional_rate("rate");
    let mut rates = [rate; 256];
    let mut any = rate.is_some();
    for (class, rate) in params.rates_by_key("rates") {
        let Some(place) = class.parse::<u8>().ok().filter(|place| place.to_string() == class) else {
            let message = format!("`rates` has classes from 0 to 255, like {{ 46 = \"1 Gbps\" }}, and not `{class}`");
            return Err(ParamError::of("rates", message));
        };
        rates[usize::from(place)] = Some(rate);
        any = true;
    }
    if !any {
        return Err(ParamError::of(
            "rate",
            "`token-bucket` needs a `rate`, such as rate = \"1 Gbps\", or `rates` of classes",
        ));
    }
    let buckets = match params.text("of") {
        "flow" => Buckets::Flows(FlowState::default()),
        "class" => Buckets::Classes(Box::new([Bucket::default(); 256])),
        _ if params.rates_by_key("rates").next().is_some() => {
            let message = "one bucket for all has one rate; leave `rates` out, or write of = \"class\"";
            return Err(ParamError::of("rates", message));
        }
        _ => Buckets::All(Bucket::default()),
    };
    Ok(Box::new(TokenBucket { rates: Box::new(rates), burst, buckets }))
}

/// Token buckets with their rates.
#[derive(Debug, Clone)]
pub struct TokenBucket {
    /// The rates by class; a class without a rate is not held back.
    rates: Box<[Option<Rate>; 256]>,
    burst: u32,
    buckets: Buckets,
}

#[derive(Debug, Clone)]
enum Buckets {
    Flows(FlowState<Bucket>),
    Classes(Box<[Bucket; 256]>),
    All(Bucket),
}

/// One bucket. The default one is full.
#[derive(Debug, Clone, Copy, Default)]
struct Bucket {
    /// The time at which the bucket will be full if no packet removes bytes.
    full: Time,
    /// The time at which the last packet became eligible.
    last: Time,
}

impl Bucket {
    /// Removes a packet's bytes as soon as they are available, or all bytes if the packet is larger than the bucket. Returns the time of
    /// the removal.
    fn take(&mut self, now: Time, bytes: u32, burst: u32, rate: Rate) -> Time {
        // A bucket with room for the rest has the packet's bytes.
        let rest = rate.transmission_time(burst - bytes.min(burst));
        let filled = Time::from_ps(self.full.as_ps().saturating_sub(rest.as_ps()));
        self.last = filled.max(self.last).max(now);
        self.full = self.full.max(self.last) + rate.transmission_time(bytes);
        self.last
    }
}

impl TokenBucket {
    fn bucket(&mut self, now: Time, packet: &Packet) -> &mut Bucket {
        match &mut self.buckets {
            Buckets::Flows(flows) => flows.get_mut_forgetting(packet.flow, |bucket| bucket.full <= now),
            Buckets::Classes(classes) => &mut classes[usize::from(packet.class.0)],
            Buckets::All(bucket) => bucket,
        }
    }

    fn rate(&self, class: ClassId) -> Option<Rate> {
        self.rates[usize::from(class.0)]
    }
}

impl PaceRule for TokenBucket {
    fn eligible(&mut self, now: Time, packet: &Packet) -> Time {
        let (burst, Some(rate)) = (self.burst, self.rate(packet.class)) else { return now };
        self.bucket(now, packet).take(now, packet.size_bytes, burst, rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::{FlowId, ParamValue, Seed};
    use rand::RngExt as _;

    fn rule(given: &[(&str, ParamValue)]) -> BuiltPaceRule {
        let given = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        build(&Params::check(ENTRY.about.params, given)?)
    }

    fn text(text: &str) -> ParamValue {
        ParamValue::Text(text.to_owned())
    }

    /// A bucket that counts tokens bit by bit: at 1 Gbps, one per nanosecond. Packets arrive in whole nanoseconds.
    struct Naive {
        tokens: i64,
        at: u64,
    }

    impl Naive {
        fn eligible(&mut self, now: u64, bits: i64, burst: i64) -> u64 {
            loop {
                if self.at >= now && self.tokens >= bits.min(burst) {
                    self.tokens -= bits;
                    return self.at;
                }
                self.at += 1;
                self.tokens = (self.tokens + 1).min(burst);
            }
        }
    }

    #[test]
    fn packets_leave_when_a_counted_bucket_has_their_bytes() {
        let mut rng = Seed(3).stream("token-bucket");
        for _ in 0..200 {
            let burst: u32 = rng.random_range(1..3_000);
            let burst_text = format!("{burst} B");
            let mut rule =
                rule(&[("rate", text("1 Gbps")), ("burst", text(&burst_text)), ("of", text("all"))]).unwrap();
            let mut naive = Naive { tokens: i64::from(burst) * 8, at: 0 };
            let mut now = 0;
            for _ in 0..50 {
                now += rng.random_range(0..20_000_u64);
                let size_bytes = rng.random_range(64..1_515);
                let found = rule.eligible(Time::from_ps(now * 1_000), &Packet { size_bytes, ..Packet::default() });
                let expected = naive.eligible(now, i64::from(size_bytes) * 8, i64::from(burst) * 8);
                assert_eq!(found.as_ps(), expected * 1_000, "burst {burst}");
            }
        }
    }

    #[test]
    fn flows_and_classes_have_buckets_of_their_own() {
        let rates = ParamValue::Table([("46".to_owned(), text("8 Gbps"))].into());
        let packet =
            |flow, class| Packet { flow: FlowId(flow), class: ClassId(class), size_bytes: 1_000, ..Packet::default() };
        let ns = |time: Time| time.as_ps() / 1_000;
        let mut flows = rule(&[("rates", rates.clone()), ("burst", text("1000 B"))]).unwrap();
        let at = [packet(1, 46), packet(1, 46), packet(2, 46), packet(2, 46), packet(3, 0), packet(3, 0)];
        assert_eq!(at.map(|packet| ns(flows.eligible(Time::ZERO, &packet))), [0, 1_000, 0, 1_000, 0, 0]);
        let mut classes =
            rule(&[("rate", text("80 Gbps")), ("rates", rates.clone()), ("burst", text("1 B")), ("of", text("class"))])
                .unwrap();
        assert_eq!(at.map(|packet| ns(classes.eligible(Time::ZERO, &packet))), [0, 1_000, 2_000, 3_000, 0, 100]);
        for (given, said) in [
            (&[][..], "needs a `rate`"),
            (&[("rate", text("1 Gbps")), ("burst", text("0 B"))][..], "`burst` must be from 1 B"),
            (&[("rates", rates), ("of", text("all"))][..], "one bucket for all has one rate"),
            (&[("rates", ParamValue::Table([("EF".to_owned(), text("8 Gbps"))].into()))][..], "classes from 0 to 255"),
        ] {
            let error = rule(given).err().unwrap().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
