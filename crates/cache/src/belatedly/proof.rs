//! What proves a lower bound, written as text that [`crate::verify`] checks without any of the search.
//!
//! docs/belatedly.md describes the format.

use crate::belatedly::branch::Leaf;
use crate::belatedly::certificate::{in_units, places};
use crate::belatedly::problem::Problem;
use forebay_core::Request;
use std::io::{Error, Write};

/// Prices of all leaves of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// Prices are multiples of two to the power of minus this.
    pub places: u32,
    /// Together, the leaves cover all schedules.
    pub leaves: Vec<ProofLeaf>,
}

/// The schedules that have the same outcome at some requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofLeaf {
    /// The positions of requests, and whether they are hits, in the order in which the search divided.
    pub outcomes: Vec<(u32, bool)>,
    /// Steps, in order, and the price of a unit of room at the end of each, above 0.
    pub prices: Vec<(u64, i128)>,
}

impl Proof {
    /// The proof that leaves of a search are.
    pub(crate) fn new(
        problem: &Problem,
        requests: &[Request],
        latency_of: impl Fn(&Request) -> u64,
        leaves: &[Leaf],
    ) -> Self {
        let places = places(problem);
        let mut steps = vec![0; problem.checkpoints()];
        for object in 0..problem.flexible {
            let visits = problem.visits(object);
            for visit in visits.clone().filter(|&visit| (problem.after_miss[visit] as usize) < visits.end) {
                let request = &requests[problem.request[visit] as usize];
                let step = &mut steps[problem.commit[visit] as usize];
                *step = request.time.saturating_add(latency_of(request) - 1).max(*step);
            }
        }
        let leaves = leaves.iter().map(|leaf| ProofLeaf {
            outcomes: leaf.decisions.iter().map(|&(visit, hit)| (problem.request[visit as usize], hit)).collect(),
            prices: {
                let prices = steps.iter().zip(&leaf.prices).map(|(&step, &price)| (step, in_units(price, places)));
                prices.filter(|(_, price)| *price > 0).collect()
            },
        });
        Self { places, leaves: leaves.collect() }
    }

    /// Writes a certificate: the proof that no cache of `capacity` has a lower latency on the trace than `lower`.
    /// `sizes` is how the trace was read, `unit` or `bytes`.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write(
        &self,
        out: impl Write,
        requests: &[Request],
        (capacity, sizes): (u64, &str),
        latency_of: impl Fn(&Request) -> u64,
        lower: u64,
    ) -> Result<(), Error> {
        let mut out = Digesting { out, digest: BASIS };
        let mut trace = BASIS;
        for request in requests {
            for number in [request.time, request.key, request.size] {
                trace = digest(trace, &number.to_le_bytes());
            }
        }
        writeln!(out, "forebay-bound 1\nrequests {}\ntrace {trace:016x}", requests.len())?;
        writeln!(out, "sizes {sizes}\ncapacity {capacity}")?;
        let first = requests.first().map_or(1, &latency_of);
        writeln!(out, "latency {first}")?;
        let mut others = std::collections::BTreeMap::new();
        for request in requests {
            let latency = latency_of(request);
            if latency != first {
                others.insert(request.key, latency);
            }
        }
        for (key, latency) in others {
            writeln!(out, "object {key} {latency}")?;
        }
        writeln!(out, "places {}\nlower {lower}", self.places)?;
        for leaf in &self.leaves {
            writeln!(out, "leaf")?;
            for &(position, hit) in &leaf.outcomes {
                writeln!(out, "{} {}", if hit { "hit" } else { "other" }, u64::from(position) + 1)?;
            }
            for (step, price) in &leaf.prices {
                writeln!(out, "price {step} {price}")?;
            }
        }
        let digest = out.digest;
        writeln!(out.out, "digest {digest:016x}")?;
        out.out.flush()
    }
}

/// The start of a digest: 64-bit FNV-1a.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;

fn digest(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

struct Digesting<W> {
    out: W,
    digest: u64,
}

impl<W: Write> Write for Digesting<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        let written = self.out.write(bytes)?;
        self.digest = digest(self.digest, &bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.out.flush()
    }
}
