//! What can go wrong, where it went wrong, and where it could have.

use forebay_core::{Rng, Seed};
use rand::RngExt as _;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A call that can fail, and what it was of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// The call.
    pub call: &'static str,
    /// What it was of.
    pub of: &'static str,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.call, self.of)
    }
}

/// How it fails.
pub type Fault = &'static str;

/// Draws faults and all else that is left to chance in a life.
#[derive(Debug)]
pub(crate) struct Faults {
    pub(crate) random: Rng,
    pub(crate) coverage: Coverage,
    /// How many of a thousand calls fail.
    pub(crate) rate: u32,
}

impl Faults {
    /// Those of a seed. Of a thousand calls so many fail.
    pub(crate) fn new(seed: u64, rate: u32) -> Self {
        Self { random: Seed(seed).stream("chaos"), coverage: Coverage::default(), rate }
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.random.random_range(0..end)
    }

    /// A place in a list of this length.
    pub(crate) fn place(&mut self, length: usize) -> usize {
        self.random.random_range(0..length)
    }

    /// Whether a call fails that can have these faults, and how.
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

/// How often each fault was at each site, and which could have been.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    faults: BTreeMap<(Site, Fault), u64>,
    /// Sites that were reached, each with the faults that it can have.
    reachable: BTreeSet<(Site, Fault)>,
}

impl Coverage {
    /// A site was reached that can have these faults.
    pub fn reached(&mut self, site: Site, faults: &[Fault]) {
        self.reachable.extend(faults.iter().map(|fault| (site, *fault)));
    }

    /// A site had a fault.
    pub fn had(&mut self, site: Site, fault: Fault) {
        *self.faults.entry((site, fault)).or_default() += 1;
    }

    /// Adds what another one has seen.
    pub fn add(&mut self, other: &Self) {
        for (pair, times) in &other.faults {
            *self.faults.entry(*pair).or_default() += times;
        }
        self.reachable.extend(&other.reachable);
    }

    /// How many faults there were.
    #[must_use]
    pub fn faults(&self) -> u64 {
        self.faults.values().sum()
    }

    /// How many pairs of a site and a fault were reachable.
    #[must_use]
    pub fn reachable(&self) -> usize {
        self.reachable.len()
    }

    /// Those that never were.
    pub fn missed(&self) -> impl Iterator<Item = (Site, Fault)> {
        self.reachable.iter().filter(|pair| !self.faults.contains_key(pair)).copied()
    }

    /// Each site with how many faults it had.
    #[must_use]
    pub fn by_site(&self) -> BTreeMap<Site, u64> {
        let mut sites: BTreeMap<Site, u64> = self.reachable.iter().map(|(site, _)| (*site, 0)).collect();
        for ((site, _), times) in &self.faults {
            *sites.entry(*site).or_default() += times;
        }
        sites
    }
}
