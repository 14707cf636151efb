//! The patterns of senders and receivers: one file and one line each.

use super::hosts::Hosts;
use crate::net::flow::HostId;
use forebay_core::params::ParamSpec;
use forebay_core::registry::UnknownName;
use forebay_core::{About, Duration, Exactness, Named, ParamError, Params, Rng, Seed};
use std::fmt;

forebay_core::registry! {
    /// Every pattern, in the order in which `forebay list` shows them.
    pub static PATTERNS: [PatternEntry] = {
        mod all_to_all;
        mod permutation;
        mod incast;
        mod rack_to_rack;
        mod one_to_all;
        mod pairs;
        mod fixed;
    }
}

/// Chooses senders and receivers at each arrival.
pub trait Pattern: fmt::Debug + Send {
    /// All hosts that may send; a load is a share of the capacity of their links.
    fn senders(&self) -> &[HostId];

    /// The number of flows that an arrival starts; always the same.
    fn flows_per_arrival(&self) -> u64;

    /// Sender and receiver of each flow of the next arrival, appended to `pairs`. Never the same host twice in one pair.
    fn next_pairs(&mut self, rng: &mut Rng, pairs: &mut Vec<(HostId, HostId)>);

    /// Whether the flows of an arrival share one size that is drawn, in parts as equal as can be; else each has a size of
    /// its own.
    fn shares_size(&self) -> bool {
        false
    }

    /// The greatest delay of a flow's start after its arrival; each flow draws its own delay.
    fn jitter(&self) -> Duration {
        Duration::ZERO
    }
}

/// Builds a pattern for these hosts. The seed belongs to the workload; choices that are made once are drawn from it.
type Build = fn(&Params, &Hosts, Seed) -> Result<Box<dyn Pattern>, ParamError>;

/// One pattern in the registry.
#[derive(Debug)]
pub struct PatternEntry {
    /// The name, title and source of the pattern.
    pub about: About,
    /// Builds the pattern.
    pub build: Build,
}

impl Named for PatternEntry {
    fn about(&self) -> &About {
        &self.about
    }
}

/// Finds the pattern called `name`.
///
/// # Errors
/// If the name is unknown; the error suggests a similar known name.
pub fn find(name: &str) -> Result<&'static PatternEntry, UnknownName> {
    forebay_core::registry::find("pattern", PATTERNS, name)
}

/// Returns the description with the parts that all entries share.
const fn about(name: &'static str, title: &'static str, source: &'static str, params: &'static [ParamSpec]) -> About {
    let cost = "O(1) per flow";
    About { name, title, exactness: Exactness::NotApplicable, hardware: "none", cost, source, params }
}

/// Whether an arrival starts one pair or all; see [`super::pairs_at_arrivals`].
const STARTS: ParamSpec = ParamSpec::choice(
    "starts",
    &["one", "all"],
    "one",
    "flows that an arrival starts: of `one` pair at random, or of `all` pairs at the same time",
);

/// The host that the parameter `name` names.
fn host(params: &Params, hosts: &Hosts, name: &str) -> Result<HostId, ParamError> {
    hosts.find(params.text(name)).map_err(|message| ParamError::of(name, message))
}
