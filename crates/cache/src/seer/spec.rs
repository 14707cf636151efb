//! The parameters of a cache with notifications.

use crate::StateCacheSpec;
use forebay_core::{Duration, Rate};

/// A cache with its manager.
#[derive(Debug, Clone)]
pub struct SeerSpec {
    /// The cache and the store behind it; a tick is a picosecond.
    pub cache: StateCacheSpec,
    /// The rates of the ingress ports.
    pub rates: Vec<Rate>,
    /// How long an iteration of the manager takes.
    pub pace: Pace,
    /// How many packets are expected on a port at most; notifications of more are dropped.
    pub list_capacity: usize,
    /// The reaction if no entry can leave for a prefetch.
    pub after_failure: AfterFailure,
    /// When a packet leaves the list of those whose state is to be fetched.
    pub to_x: ToX,
    /// When entries are thought to be wanted that no expected packet wants.
    pub unannounced: Unannounced,
    /// What becomes of a miss whose set is full of what will be wanted.
    pub admit: Admit,
    /// When a prefetch takes its slot.
    pub enters: Enters,
    /// The fate of packets whose state has left again before they arrived.
    pub after_eviction: AfterEviction,
    /// How long before its packet arrives a fetch may begin; [`None`]: as soon as the packet is known, as in Algorithm 1.
    ///
    /// A cache that fetches that early holds entries longer than Belady would. Suppose one class, one set and a known
    /// future: then the cache holds the entries that are wanted next. It makes as many fetches as LRU has misses (LRU is
    /// the same cache in reversed time), though no packet waits. A horizon of little more than the time of a fetch has
    /// hardly more fetches than Belady has misses.
    pub horizon: Option<Duration>,
    /// How late a packet may be before it is no longer expected; [`None`]: as late as it likes.
    pub patience: Option<Duration>,
}

impl SeerSpec {
    /// The lists of section 6 have so many entries.
    pub const LIST_CAPACITY: usize = 1024;

    /// Algorithms 1 and 2 with the defaults of all options.
    #[must_use]
    pub fn of(cache: StateCacheSpec, rates: Vec<Rate>, pace: Pace) -> Self {
        Self {
            cache,
            rates,
            pace,
            list_capacity: Self::LIST_CAPACITY,
            after_failure: AfterFailure::Block,
            to_x: ToX::AtOnce,
            unannounced: Unannounced::Last,
            admit: Admit::Belady,
            enters: Enters::WhenBegun,
            after_eviction: AfterEviction::Keep,
            horizon: None,
            patience: None,
        }
    }

    /// How long an iteration takes.
    pub(crate) fn iteration(&self) -> Duration {
        match self.pace {
            Pace::Iteration(duration) => duration,
            Pace::Cycle(cycle) => {
                let ways = self.cache.ways.unwrap_or(self.cache.entries);
                Duration::from_ps(cycle.as_ps().saturating_mul(cycles(self.rates.len(), ways)))
            }
        }
    }
}

/// How many cycles an iteration takes (section 4): the least of P arrivals, and two looks at k ways.
#[must_use]
pub fn cycles(ports: usize, ways: u64) -> u64 {
    u64::from(ports.max(1).next_power_of_two().trailing_zeros())
        .saturating_add(ways.saturating_mul(2))
        .saturating_add(1)
}

/// How fast the manager is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Its clock: an iteration takes [`cycles`] of this length.
    Cycle(Duration),
    /// An iteration takes this long; with zero, all that can be done is done at once.
    Iteration(Duration),
}

/// The reaction if Algorithm 2 fails for the packet that arrives first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterFailure {
    /// Nothing more is fetched in the iteration: Algorithm 1 as it stands, where one packet can hold up all ports.
    Stop,
    /// The port of that packet offers nothing until something changes; the heads of the others are tried.
    Block,
    /// The next packet is tried, of any port.
    Next,
}

/// When a packet whose state is being fetched joins X.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToX {
    /// When the fetch begins.
    AtOnce,
    /// When the fetch begins if an entry left for it (line 22), as Algorithm 1 stands. Otherwise (line 26), in the next
    /// iteration, which finds the state in the cache. That takes an iteration of the port.
    NextIteration,
}

/// When a prefetch takes its slot in its set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enters {
    /// When it begins (Algorithm 1): its victim leaves then, though no packet gains by that until the fetch has ended.
    WhenBegun,
    /// When it ends, as for states that packets had to fetch: its victim is useful until then. A fetch begins if, by what
    /// is known then, it will find a slot beside the other fetches for its set. It is in vain if it finds none in the end.
    WhenEnded,
}

/// The fate of packets whose state was there, or in flight, and is no longer; the paper does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterEviction {
    /// They stay in X, as Algorithm 1 has it, which takes nothing from there: each has to fetch its state itself.
    Keep,
    /// They go back to F: their state is fetched again in time, if there is room.
    Refetch,
}

/// When an entry is assumed to be wanted that no expected packet wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unannounced {
    /// After all others: it leaves before them (Algorithm 2).
    Last,
    /// After as long a time as has passed since its last request. So an entry that was requested a moment ago stays before
    /// one whose packet has yet to wait for long. With all entries unannounced, the one wanted last is the least recently
    /// used.
    ByRecency,
}

/// What becomes of an entry that a packet had to ask for, if all others of its set will be wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admit {
    /// It enters if it is wanted again before another is (Belady).
    Belady,
    /// It enters, and that which is wanted last leaves.
    Always,
}
