//! Faults, the sites where they occurred, and those where they could have.

use forebay_core::{Rng, Seed};
use rand::RngExt as _;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A call that can fail, and its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// The call.
    pub call: &'static str,
    /// The object of the call.
    pub of: &'static str,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.call, self.of)
    }
}

/// The name of a fault.
pub type Fault = &'static str;

/// Draws the faults and all other random choices of a life.
#[derive(Debug)]
pub(crate) struct Faults {
    pub(crate) random: Rng,
    pub(crate) coverage: Coverage,
    /// The number of failing calls in a thousand.
    pub(crate) rate: u32,
}

impl Faults {
    /// Creates the faults of a seed, where `rate` of a thousand calls fail.
    pub(crate) fn new(seed: u64, rate: u32) -> Self {
        Self { random: Seed(seed).stream("chaos"), coverage: Coverage::default(), rate }
    }

    /// Draws a number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.random.random_range(0..end)
    }

    /// Draws an index of a list of this length.
    pub(crate) fn place(&mut self, length: usize) -> usize {
        self.random.random_range(0..length)
    }

    /// Decides whether a call that can have these faults fails, and by which.
    pub(crate) fn draw(&mut self, site: Site, faults: &[Fault]) -> Option<Fault> {
        self.coverage.reached(site, faults);
        if self.rate == 0 || faults.is_empty() || self.random.random_range(0..1_000) >= self.rate {
            return None;
        }
        let fault = faults[self.random.random_range(0..faults.len())];
        self.coverage.had(site, fault);
        Some(fault)
    }
}

/// The number of times that each fault occurred at each site, and the faults that could have.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    faults: BTreeMap<(Site, Fault), u64>,
    /// Sites that were reached, each with its possible faults.
    reachable: BTreeSet<(Site, Fault)>,
}

impl Coverage {
    /// Records that a site with these possible faults was reached.
    pub fn reached(&mut self, site: Site, faults: &[Fault]) {
        self.reachable.extend(faults.iter().map(|fault| (site, *fault)));
    }

    /// Records a fault at a site.
    pub fn had(&mut self, site: Site, fault: Fault) {
        *self.faults.entry((site, fault)).or_default() += 1;
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        for (pair, times) in &other.faults {
            *self.faults.entry(*pair).or_default() += times;
        }
        self.reachable.extend(&other.reachable);
    }

    /// Returns the number of faults.
    #[must_use]
    pub fn faults(&self) -> u64 {
        self.faults.values().sum()
    }

    /// Returns the number of reachable pairs of a site and a fault.
    #[must_use]
    pub fn reachable(&self) -> usize {
        self.reachable.len()
    }

    /// Returns the pairs that never occurred.
    pub fn missed(&self) -> impl Iterator<Item = (Site, Fault)> {
        self.reachable.iter().filter(|pair| !self.faults.contains_key(pair)).copied()
    }

    /// Returns each site with its number of faults.
    #[must_use]
    pub fn by_site(&self) -> BTreeMap<Site, u64> {
        let mut sites: BTreeMap<Site, u64> = self.reachable.iter().map(|(site, _)| (*site, 0)).collect();
        for ((site, _), times) in &self.faults {
            *sites.entry(*site).or_default() += times;
        }
        sites
    }
}
