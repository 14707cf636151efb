//! Checks certificates of lower bounds: that no cache has a lower total latency on a trace than the certificate says.
//!
//! This shares no code with the search that writes certificates ([`crate::belatedly`]), and needs no trust in it. The
//! argument, for a cache that loses nothing by knowing the future:
//!
//! 1. A leaf is a set of schedules: all that make some requests hits and some others none. The leaves divide all
//!    schedules, request by request, so every schedule is in one of them.
//! 2. In a leaf, let every object pay rent: its size times the price of each step at whose end it is cached. A schedule that
//!    fits pays at most the capacity times the sum of the prices. So its latency is at least the latency plus rent of
//!    its objects, less this product.
//! 3. Each object on its own has a cheapest way through its requests, rent included. A request that misses fetches the
//!    object, and those that arrive during the fetch wait for the rest of it. Then the object is kept until its next request, or not at
//!    all: rent for less than that would buy nothing. The sum over objects is at most what any schedule of the leaf pays.
//!
//! All numbers are integers: latencies count in units of two to the power of minus `places`, as prices do.

use forebay_core::Request;
use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;
use thiserror::Error;

/// What is wrong with a certificate.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// It cannot be read.
    #[error("cannot read the certificate: {0}")]
    Read(#[from] std::io::Error),
    /// A line is not what the format says.
    #[error("line {line} of the certificate is wrong: {what}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What it should be.
        what: &'static str,
    },
    /// The text is not what was written.
    #[error("the certificate was changed or cut off after it was written: its digest is another one")]
    Changed,
    /// The trace is another one.
    #[error("the certificate is of another trace: {0}; give the trace and the options of the search")]
    OtherTrace(&'static str),
    /// The leaves leave schedules out.
    #[error("the leaves of the certificate do not cover all schedules")]
    Uncovered,
    /// Numbers do not fit 128 bits.
    #[error("the numbers of the certificate are too large to be checked")]
    TooLarge,
    /// The prices prove less.
    #[error("the certificate says {said}, but its prices prove only {proven}")]
    Unproven {
        /// The bound that it states.
        said: u64,
        /// The bound that its prices prove.
        proven: u64,
    },
}

/// A certificate that was read and has yet to be checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The number of requests.
    pub requests: u64,
    /// How sizes count: `unit` or `bytes`.
    pub sizes: String,
    /// The capacity, in entries or bytes.
    pub capacity: u64,
    /// The latency of a fetch, in ticks, of objects that `objects` does not name.
    pub latency: u64,
    /// The latency of other objects' fetches.
    pub objects: HashMap<u64, u64>,
    /// No schedule has a lower total latency, in ticks.
    pub lower: u64,
    trace: u64,
    places: u32,
    leaves: Vec<Leaf>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Leaf {
    /// Positions of requests, and whether they are hits.
    outcomes: Vec<(usize, bool)>,
    /// Of each step that has one, its price.
    prices: BTreeMap<u64, i128>,
}

impl Certificate {
    /// Reads a certificate.
    ///
    /// # Errors
    /// [`VerifyError`] says which line is wrong.
    pub fn read(text: impl BufRead) -> Result<Self, VerifyError> {
        let mut read = Self::default();
        let mut sum = 0xcbf2_9ce4_8422_2325;
        let mut fields = 0;
        for (number, line) in (1..).zip(text.split(b'\n')) {
            let line = String::from_utf8(line?).map_err(|_| VerifyError::Changed)?;
            let wrong = |what| VerifyError::Line { line: number, what };
            let whole = |text: &str| text.parse::<u64>().map_err(|_| wrong("a whole number was expected"));
            let hexadecimal =
                |text| u64::from_str_radix(text, 16).map_err(|_| wrong("a hexadecimal number was expected"));
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["digest", digest] => {
                    let is_whole = fields == 8 && !read.leaves.is_empty();
                    return if is_whole && hexadecimal(digest)? == sum { Ok(read) } else { Err(VerifyError::Changed) };
                }
                ["forebay-bound", "1"] => fields += 1,
                ["forebay-bound", _] => return Err(wrong("this version is not known; use a newer forebay")),
                ["requests", count] => (read.requests, fields) = (whole(count)?, fields + 1),
                ["trace", digest] => (read.trace, fields) = (hexadecimal(digest)?, fields + 1),
                ["sizes", sizes @ ("unit" | "bytes")] => (read.sizes, fields) = (sizes.to_owned(), fields + 1),
                ["capacity", capacity] => (read.capacity, fields) = (whole(capacity)?, fields + 1),
                ["latency", latency] => (read.latency, fields) = (whole(latency)?, fields + 1),
                ["places", places] => {
                    let places = u32::try_from(whole(places)?).ok().filter(|&places| places <= 60);
                    (read.places, fields) = (places.ok_or_else(|| wrong("up to 60 places were expected"))?, fields + 1);
                }
                ["lower", lower] => (read.lower, fields) = (whole(lower)?, fields + 1),
                ["object", key, latency] => {
                    read.objects.insert(whole(key)?, whole(latency)?);
                }
                ["leaf"] => read.leaves.push(Leaf::default()),
                [outcome @ ("hit" | "other"), request] => {
                    let position = usize::try_from(whole(request)?).ok().and_then(|request| request.checked_sub(1));
                    let position = position.ok_or_else(|| wrong("a request from 1 was expected"))?;
                    let leaf = read.leaves.last_mut().ok_or_else(|| wrong("a leaf was expected before"))?;
                    leaf.outcomes.push((position, outcome == "hit"));
                }
                ["price", step, price] => {
                    let price = price.parse::<i128>().ok().filter(|&price| price >= 0);
                    let price = price.ok_or_else(|| wrong("a price of at least 0 was expected"))?;
                    let leaf = read.leaves.last_mut().ok_or_else(|| wrong("a leaf was expected before"))?;
                    leaf.prices.insert(whole(step)?, price);
                }
                _ => return Err(wrong("this is no line of a certificate")),
            }
            sum = digest(sum, line.as_bytes());
            sum = digest(sum, b"\n");
        }
        Err(VerifyError::Changed)
    }

    /// Checks that the certificate proves its bound for a trace.
    ///
    /// # Errors
    /// [`VerifyError`] says what is wrong.
    pub fn check(&self, requests: &[Request]) -> Result<(), VerifyError> {
        let other = |what| Err(VerifyError::OtherTrace(what));
        let numbers = requests.iter().flat_map(|request| [request.time, request.key, request.size]);
        let sum = numbers.fold(0xcbf2_9ce4_8422_2325, |sum, number| digest(sum, &number.to_le_bytes()));
        if self.requests != requests.len() as u64 || self.trace != sum {
            return other("its requests differ");
        }
        if !requests.is_sorted_by_key(|request| request.time) {
            return other("its requests are not in order of time");
        }
        let mut objects: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (position, request) in requests.iter().enumerate() {
            let visits = objects.entry(request.key).or_default();
            if visits.first().is_some_and(|&first| requests[first].size != request.size) {
                return other("an object has two sizes");
            }
            visits.push(position);
        }
        let leaves: Vec<&[(usize, bool)]> = self.leaves.iter().map(|leaf| leaf.outcomes.as_slice()).collect();
        if !covers(&leaves) {
            return Err(VerifyError::Uncovered);
        }
        let mut proven = u64::MAX;
        for leaf in &self.leaves {
            proven = proven.min(self.bound(leaf, requests, &objects).ok_or(VerifyError::TooLarge)?);
        }
        if proven < self.lower { Err(VerifyError::Unproven { said: self.lower, proven }) } else { Ok(()) }
    }

    /// The bound of a leaf, rounded up; the greatest number if it has no schedules, and none if numbers do not fit.
    fn bound(&self, leaf: &Leaf, requests: &[Request], objects: &BTreeMap<u64, Vec<usize>>) -> Option<u64> {
        // Before each step that has a price: the sum of the prices of earlier ones.
        let mut sums = vec![0i128];
        for price in leaf.prices.values() {
            sums.push(sums.last()?.checked_add(*price)?);
        }
        let steps: Vec<u64> = leaf.prices.keys().copied().collect();
        let paid_before = |step: u64| sums[steps.partition_point(|&priced| priced < step)];
        let outcomes: HashMap<usize, bool> = leaf.outcomes.iter().copied().collect();
        let mut total = 0i128;
        for (key, positions) in objects {
            let latency = self.objects.get(key).copied().unwrap_or(self.latency).max(1);
            let size = requests[positions[0]].size;
            let visits: Vec<Visit> = positions
                .iter()
                .map(|position| {
                    let time = requests[*position].time;
                    Visit { time, hit: outcomes.get(position).copied() }
                })
                .collect();
            let fits = size <= self.capacity;
            match cheapest(&visits, latency, fits, self.places, |from, to| {
                i128::from(size).checked_mul(paid_before(to) - paid_before(from))
            })? {
                Some(least) => total = total.checked_add(least)?,
                None => return Some(u64::MAX),
            }
        }
        let rest = total.checked_sub(i128::from(self.capacity).checked_mul(*sums.last()?)?)?.max(0);
        let whole = (rest >> self.places) + i128::from(rest & ((1 << self.places) - 1) != 0);
        u64::try_from(whole).ok()
    }
}

/// Whether leaves, in the order in which schedules were divided, cover all of them.
fn covers(leaves: &[&[(usize, bool)]]) -> bool {
    match leaves {
        [] => false,
        [[]] => true,
        [[(request, _), ..], ..] => {
            [true, false].iter().all(|side| {
                let half: Vec<_> = leaves.iter().filter(|leaf| leaf.first() == Some(&(*request, *side))).collect();
                covers(&half.iter().map(|leaf| &leaf[1..]).collect::<Vec<_>>())
            }) && leaves.iter().all(|leaf| leaf.first().is_some_and(|(own, _)| own == request))
        }
        _ => false,
    }
}

/// A request of one object.
struct Visit {
    time: u64,
    /// Whether it must be a hit, or must not, in this leaf.
    hit: Option<bool>,
}

/// The lowest latency and rent of an object; the inner none if nothing obeys the leaf, the outer one if numbers do not
/// fit. `rent(from, to)` is for the ends of the steps from `from` to the one before `to`.
fn cheapest(
    visits: &[Visit],
    latency: u64,
    fits: bool,
    places: u32,
    rent: impl Fn(u64, u64) -> Option<i128>,
) -> Option<Option<i128>> {
    // Before each visit: the sum of the times, and how many visits must be hits.
    let (mut times, mut forced) = (vec![0u128], vec![0usize]);
    for (own, visit) in visits.iter().enumerate() {
        times.push(times[own] + u128::from(visit.time));
        forced.push(forced[own] + usize::from(visit.hit == Some(true)));
    }
    // From each visit on: the least cost if it is a miss, and if it is a hit.
    let mut miss = vec![None; visits.len()];
    let mut hit = vec![None; visits.len()];
    for (own, visit) in visits.iter().enumerate().rev() {
        let usable = visit.time.checked_add(latency)?;
        let next = own + visits[own..].partition_point(|later| later.time < usable);
        let waits = u128::from(usable) * (next - own) as u128 - (times[next] - times[own]);
        let waits = i128::try_from(waits).ok()?.checked_mul(1 << places)?;
        let found = |next: usize, since: u64| match hit[next] {
            Some(cost) if fits => i128::checked_add(cost, rent(since, visits[next].time)?).map(Some),
            _ => Some(None),
        };
        let rest = if next == visits.len() { Some(0) } else { least(miss[next], found(next, usable - 1)?) };
        let is_possible = forced[own] == forced[next];
        let after = own + 1;
        let after_hit = if after == visits.len() { Some(0) } else { least(miss[after], found(after, visit.time)?) };
        miss[own] = match rest {
            Some(rest) if is_possible => Some(waits.checked_add(rest)?),
            _ => None,
        };
        hit[own] = after_hit.filter(|_| visit.hit != Some(false));
    }
    Some(miss[0])
}

/// The lesser cost of those that are possible.
fn least(one: Option<i128>, other: Option<i128>) -> Option<i128> {
    [one, other].into_iter().flatten().min()
}

/// A digest, 64-bit FNV-1a. It notices accidents; the proof does not rest on it.
fn digest(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
