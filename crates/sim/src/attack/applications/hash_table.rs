//! A hash table with chains; an attacker sends keys that collide (SurgeProtector, thesis, sections 3.2.1 and 3.8).
//!
//! Each packet has a key, such as the addresses of its connection. The table looks for the key in the chain of its bucket, node by node. A
//! missing key is added at the chain's end, and a full table removes its oldest key. With the public hash function (the key modulo the
//! buckets) an attacker chooses keys of one bucket. A universal hash function (Carter and Wegman, STOC 1977) is drawn from a family by a
//! secret, so the same keys spread over all buckets. It costs `hashing` per packet.

use super::{Application, ApplicationEntry, Recipe, Request, Senders, cost, plus};
use forebay_core::{About, Duration, Exactness, ParamError, ParamSpec, Params, Rng, Seed, mix};
use rand::RngExt as _;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The registry's entry for [`HashTable`].
pub const ENTRY: ApplicationEntry = ApplicationEntry {
    about: About {
        name: "hash-table",
        title: "a hash table with chains; an attacker sends keys that collide",
        exactness: Exactness::NotApplicable,
        hardware: "none",
        cost: "`fixed`, and `node` for each node that is looked at; at most all `entries`",
        source: "SurgeProtector (thesis), sections 3.2.1 and 3.8; universal hashing: Carter and Wegman, STOC 1977",
        params: &[
            ParamSpec::duration("fixed", "200 ns", "cost of each packet, up to \"1 s\""),
            ParamSpec::duration("node", "10 ns", "cost of each node of a chain that is looked at, up to \"1 s\""),
            ParamSpec::integer("buckets", 1, 1 << 20, Some(4_096), "number of chains"),
            ParamSpec::integer(
                "entries",
                1,
                1 << 20,
                Some(16_384),
                "largest number of keys; in a full table a new key replaces the oldest",
            ),
            ParamSpec::choice(
                "hash",
                &["public", "universal"],
                "public",
                "hash function: the key modulo the buckets, or one that a secret chooses",
            ),
            ParamSpec::duration(
                "hashing",
                "30 ns",
                "cost of the universal hash function for each packet, up to \"1 s\"",
            ),
            Senders::FLOWS,
        ],
    },
    attack: &[ParamSpec::integer(
        "keys",
        1,
        1 << 21,
        None,
        "number of keys that collide, sent in turn (default: one more than `entries`, so that none is found)",
    )],
    make: Some(ApplicationEntry::build::<HashTable>),
};

/// A hash table and the keys that are sent to it.
#[derive(Debug, Clone)]
pub struct HashTable {
    fixed: Duration,
    node: Duration,
    hashing: Option<Duration>,
    buckets: u64,
    entries: u64,
    keys: u64,
    senders: Senders,
}

impl HashTable {
    /// The cost of each packet before its chain is visited.
    fn base(&self) -> Duration {
        self.fixed + self.hashing.unwrap_or(Duration::ZERO)
    }
}

impl Recipe for HashTable {
    type Application = Table;
    type Content = u64;

    fn of(params: &Params) -> Result<Self, ParamError> {
        let entries = params.integer("entries").unwrap_or_default();
        let hashing = cost(params, "hashing")?;
        Ok(Self {
            fixed: cost(params, "fixed")?,
            node: cost(params, "node")?,
            hashing: (params.text("hash") == "universal").then_some(hashing),
            buckets: params.integer("buckets").unwrap_or_default(),
            entries,
            keys: entries + 1,
            senders: Senders::of(params.integer("flows").unwrap_or_default()),
        })
    }

    fn application(&self, seed: Seed) -> Table {
        let hash = match self.hashing {
            Some(_) => Hash::universal(&mut seed.stream("hash")),
            None => Hash::Public,
        };
        Table::new((self.base(), self.node), hash, self.buckets, self.entries)
    }

    fn senders(&self) -> &Senders {
        &self.senders
    }

    fn senders_mut(&mut self) -> &mut Senders {
        &mut self.senders
    }

    fn innocent(&self, flow: u32, _: u32, _: &mut Rng) -> u64 {
        mix(u64::from(flow) + 1)
    }

    fn attack(&self, number: u64) -> u64 {
        number % self.keys * self.buckets
    }

    fn mean_attack_work(&self) -> Duration {
        // With a universal hash other keys are in the chain of a key only by chance.
        let share = if self.hashing.is_some() { 1.0 / self.buckets as f64 } else { 1.0 };
        // Keys that all stay are found in the middle of their chain; of more keys none is found.
        let others = (self.keys - 1) as f64;
        let nodes = if self.keys > self.entries { self.entries as f64 * share } else { 1.0 + others / 2.0 * share };
        plus(self.base(), self.node, nodes)
    }

    fn max_work(&self) -> Duration {
        plus(self.base(), self.node, self.entries as f64)
    }

    fn degree(&self) -> u64 {
        self.keys
    }

    fn with_degree(&self, degree: u64) -> Self {
        Self { keys: degree.max(1), ..self.clone() }
    }

    fn attacked(&self, params: &Params) -> Result<Self, ParamError> {
        Ok(self.with_degree(params.integer("keys").unwrap_or(self.entries + 1)))
    }
}

/// The hash function from keys to buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    /// The key modulo the number of buckets, as everyone knows.
    Public,
    /// `(factor key + more) mod (2^61 - 1)`, modulo the number of buckets.
    Universal {
        /// A factor from 1 up, below the prime.
        factor: u64,
        /// Below the prime.
        more: u64,
    },
}

impl Hash {
    const PRIME: u64 = (1 << 61) - 1;

    /// Draws a function of the universal family.
    pub fn universal(rng: &mut Rng) -> Self {
        Self::Universal { factor: rng.random_range(1..Self::PRIME), more: rng.random_range(0..Self::PRIME) }
    }

    /// Returns the bucket of `key`.
    #[must_use]
    pub fn bucket(self, key: u64, buckets: u64) -> u64 {
        match self {
            Self::Public => key % buckets,
            Self::Universal { factor, more } => {
                let sum = u128::from(factor) * u128::from(key % Self::PRIME) + u128::from(more);
                u64::try_from(sum % u128::from(Self::PRIME)).expect("less than the prime") % buckets
            }
        }
    }
}

/// The hash table.
///
/// A chain holds its keys in order of insertion, so the oldest key of the table is the first of its chain. The keys of a chain are
/// numbered, so the position of a key follows without a search. A test compares this with real linked chains.
#[derive(Debug, Clone)]
pub struct Table {
    base: Duration,
    node: Duration,
    hash: Hash,
    buckets: u64,
    entries: usize,
    chains: FxHashMap<u64, Chain>,
    /// The number of each key in its chain.
    numbers: FxHashMap<u64, u64>,
    /// All keys, the oldest first.
    ages: VecDeque<u64>,
}

/// The keys of a bucket have the numbers from `first` up to before `next`.
#[derive(Debug, Clone, Copy, Default)]
struct Chain {
    first: u64,
    next: u64,
}

impl Table {
    /// Creates an empty table. `base` is the cost of each packet, `node` the cost of each visited node.
    #[must_use]
    pub fn new((base, node): (Duration, Duration), hash: Hash, buckets: u64, entries: u64) -> Self {
        Self {
            base,
            node,
            hash,
            buckets: buckets.max(1),
            entries: forebay_core::convert::index(entries.max(1)),
            chains: FxHashMap::default(),
            numbers: FxHashMap::default(),
            ages: VecDeque::new(),
        }
    }

    /// The number of nodes in the chain of `key`.
    #[must_use]
    pub fn chain_len(&self, key: u64) -> u64 {
        self.chains.get(&self.hash.bucket(key, self.buckets)).map_or(0, |chain| chain.next - chain.first)
    }

    /// Looks up a key, and adds it if it is missing. Returns the number of visited nodes.
    pub fn look_up(&mut self, key: u64) -> u64 {
        let bucket = self.hash.bucket(key, self.buckets);
        let chain = self.chains.get(&bucket).copied().unwrap_or_default();
        if let Some(number) = self.numbers.get(&key) {
            return number - chain.first + 1;
        }
        if self.ages.len() == self.entries
            && let Some(oldest) = self.ages.pop_front()
        {
            self.numbers.remove(&oldest);
            self.chains.entry(self.hash.bucket(oldest, self.buckets)).or_default().first += 1;
        }
        let of_bucket = self.chains.entry(bucket).or_default();
        self.numbers.insert(key, of_bucket.next);
        of_bucket.next += 1;
        self.ages.push_back(key);
        chain.next - chain.first
    }
}

/// The scheduler's estimate is the length of the chain; this needs a hash, and a counter for each bucket. The estimate is never too low if
/// no packet before this one makes the chain longer.
impl Application for Table {
    type Input = Request<u64>;

    fn estimate(&self, request: &Request<u64>) -> Duration {
        plus(self.base, self.node, self.chain_len(request.content) as f64)
    }

    fn serve(&mut self, request: &Request<u64>) -> Duration {
        let looked = self.look_up(request.content);
        plus(self.base, self.node, looked as f64)
    }
}
