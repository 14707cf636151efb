//! Flows that send until the run ends.

use super::{FlowSizes, SizeEntry, about};
use crate::net::flow::FlowSpec;
use forebay_core::Rng;

/// The registry's entry.
pub const ENTRY: SizeEntry = SizeEntry {
    about: about("endless", "Flows that send until the run ends", "common", &[]),
    needs_file: false,
    build: |_, _| Ok(Box::new(Endless)),
};

#[derive(Debug)]
struct Endless;

impl FlowSizes for Endless {
    fn mean_bytes(&self) -> f64 {
        f64::INFINITY
    }

    fn draw(&self, _: &mut Rng) -> u64 {
        FlowSpec::ENDLESS
    }

    fn quantile(&self, _: f64) -> u64 {
        FlowSpec::ENDLESS
    }
}
