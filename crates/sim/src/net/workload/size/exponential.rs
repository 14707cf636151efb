//! Exponential sizes in whole bytes: the geometric distribution on 1, 2, 3, … of the given mean.

use super::{FlowSizes, MAX_BYTES, SizeEntry, about, bytes};
use forebay_core::params::{ParamKind, ParamSpec};
use forebay_core::{Rng, real};
use rand::RngExt as _;

/// The registry's entry.
pub const ENTRY: SizeEntry = SizeEntry {
    about: about(
        "exponential",
        "Exponential, in whole bytes",
        "common",
        &[ParamSpec {
            name: "mean_bytes",
            kind: ParamKind::Integer { min: 1, max: MAX_BYTES, default: Some(100_000) },
            meaning: "bytes of a flow, on average",
        }],
    ),
    needs_file: false,
    build: |params, _| Ok(Box::new(Exponential { mean_bytes: bytes(params, "mean_bytes") as f64 })),
};

#[derive(Debug)]
struct Exponential {
    mean_bytes: f64,
}

impl FlowSizes for Exponential {
    fn mean_bytes(&self) -> f64 {
        self.mean_bytes
    }

    fn draw(&self, rng: &mut Rng) -> u64 {
        self.quantile(rng.random())
    }

    /// At most 37 times the mean: a draw is at least 2^-53 away from 1.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate")]
    fn quantile(&self, share: f64) -> u64 {
        // A flow has more than n bytes with probability (1 - 1/mean)^n.
        let left = (1.0 - share).max(f64::EPSILON / 2.0);
        let bytes = real::ln(left) / real::ln_1p(-1.0 / self.mean_bytes);
        (bytes.ceil() as u64).max(1)
    }
}
