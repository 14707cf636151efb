//! Decompression of payloads; an attacker sends payloads that expand to long outputs (SurgeProtector, thesis, sections 3.2.1 and 3.8).
//!
//! The work grows with the length of the output. DEFLATE expands one byte to at most 1,032 bytes (RFC 1951: a match of 258 bytes takes two
//! bits), so a small packet may be expensive. The patch of section 3.8 stops after `limit_bytes`. This bounds the largest job, but it also
//! resets innocent flows with longer outputs.

use super::{Application, ApplicationEntry, Recipe, Request, Senders, cost, plus};
use crate::attack::quantity::Quantity;
use forebay_core::{About, Duration, Exactness, ParamError, ParamSpec, Params, Rng, Seed};

/// The registry's entry for [`Decompression`].
pub const ENTRY: ApplicationEntry = ApplicationEntry {
    about: About {
        name: "decompression",
        title: "decompression of payloads; an attacker sends bodies that expand much",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "`fixed`, and `byte` for each output byte; at most 1,032 output bytes for each input byte, or `limit_bytes`",
        source: "SurgeProtector (thesis), sections 3.2.1 and 3.8; RFC 1951",
        params: &[
            ParamSpec::duration("fixed", "500 ns", "cost of each packet, up to \"1 s\""),
            ParamSpec::duration("byte", "1 ns", "cost of each output byte, up to \"1 us\""),
            ParamSpec::number("ratio", 1.0, MOST, 4.0, "mean number of bytes that an innocent byte becomes"),
            ParamSpec::number("deviation", 0.0, MOST, 3.0, "standard deviation of that number from packet to packet"),
            ParamSpec::integer(
                "limit_bytes",
                1,
                1 << 30,
                None,
                "output bytes after which a packet is given up and its flow reset (default: no limit)",
            ),
            Senders::FLOWS,
        ],
    },
    attack: &[
        ParamSpec::integer("ratio", 1, 1_032, Some(1_032), "bytes that each byte of the attack becomes"),
        ParamSpec::integer(
            "declared",
            1,
            1_032,
            None,
            "bytes that each byte of the attack claims to become (default: the truth)",
        ),
    ],
    make: Some(ApplicationEntry::build::<Decompression>),
};

/// The most output bytes for one input byte.
const MOST: f64 = 1_032.0;

/// A decompressor and the bodies that are sent to it.
#[derive(Debug, Clone)]
pub struct Decompression {
    decompressor: Decompressor,
    ratio: Quantity,
    attack_ratio: u64,
    declared: Option<u64>,
    senders: Senders,
}

/// A compressed body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Body {
    /// The bytes of the decompressed output.
    pub bytes: u64,
    /// The output bytes that the header declares.
    pub declared: u64,
}

impl Recipe for Decompression {
    type Application = Decompressor;
    type Content = Body;

    fn of(params: &Params) -> Result<Self, ParamError> {
        let (mean, deviation) = (params.number("ratio"), params.number("deviation"));
        let byte = cost(params, "byte")?;
        if byte > Duration::from_us(1) {
            return Err(ParamError::of("byte", "`byte` must be at most 1 us"));
        }
        let limit = params.integer("limit_bytes").unwrap_or(u64::MAX);
        Ok(Self {
            decompressor: Decompressor::new((cost(params, "fixed")?, byte), limit),
            ratio: Quantity::Normal { mean, deviation, min: 1.0, max: MOST },
            attack_ratio: 1_032,
            declared: None,
            senders: Senders::of(params.integer("flows").unwrap_or_default()),
        })
    }

    fn application(&self, _: Seed) -> Decompressor {
        self.decompressor.clone()
    }

    fn senders(&self) -> &Senders {
        &self.senders
    }

    fn senders_mut(&mut self) -> &mut Senders {
        &mut self.senders
    }

    fn innocent(&self, _: u32, size_bytes: u32, rng: &mut Rng) -> Body {
        let bytes = whole(f64::from(size_bytes) * self.ratio.draw(rng));
        Body { bytes, declared: bytes }
    }

    fn attack(&self, _: u64) -> Body {
        let of = |ratio| u64::from(Recipe::attack_bytes(self)) * ratio;
        Body { bytes: of(self.attack_ratio), declared: of(self.declared.unwrap_or(self.attack_ratio)) }
    }

    fn mean_attack_work(&self) -> Duration {
        self.decompressor.work(self.attack(0).bytes)
    }

    fn max_work(&self) -> Duration {
        self.decompressor.work(u64::from(Recipe::attack_bytes(self)) * 1_032)
    }

    fn degree(&self) -> u64 {
        self.attack_ratio
    }

    fn with_degree(&self, degree: u64) -> Self {
        Self { attack_ratio: degree.clamp(1, 1_032), ..self.clone() }
    }

    fn warmup_packets(&self) -> u64 {
        1
    }

    fn attacked(&self, params: &Params) -> Result<Self, ParamError> {
        let ratio = params.integer("ratio").unwrap_or_default();
        Ok(Self { declared: params.integer("declared"), ..self.with_degree(ratio) })
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
fn whole(bytes: f64) -> u64 {
    bytes.round() as u64
}

/// A decompressor.
#[derive(Debug, Clone)]
pub struct Decompressor {
    fixed: Duration,
    byte: Duration,
    limit: u64,
    /// Flows that have not been reported yet.
    given_up: Vec<u32>,
}

impl Decompressor {
    /// Creates a decompressor that stops after `limit` bytes. `fixed` is the cost of each packet, `byte` the cost of each output byte.
    #[must_use]
    pub fn new((fixed, byte): (Duration, Duration), limit: u64) -> Self {
        Self { fixed, byte, limit, given_up: Vec::new() }
    }

    /// Returns the work on a body with `bytes` output bytes.
    #[must_use]
    pub fn work(&self, bytes: u64) -> Duration {
        plus(self.fixed, self.byte, bytes.min(self.limit) as f64)
    }
}

/// The scheduler's estimate is the size in the header of the body: the truth, unless an attacker lies.
impl Application for Decompressor {
    type Input = Request<Body>;

    fn estimate(&self, request: &Request<Body>) -> Duration {
        self.work(request.content.declared)
    }

    fn serve(&mut self, request: &Request<Body>) -> Duration {
        if request.content.bytes > self.limit {
            self.given_up.push(request.flow);
        }
        self.work(request.content.bytes)
    }

    fn drain_resets(&mut self, each: &mut dyn FnMut(u32)) {
        self.given_up.drain(..).for_each(each);
    }
}
