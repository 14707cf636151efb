//! The types that a policy sees: a request, an object whose fetch is complete, and an object in the cache.

/// The slot of an object in a cache. Slots are used again.
pub type Slot = u32;

/// The knowledge of an object's next request. Only offline policies look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Future {
    /// The tick of the next request for the object; [`Future::NEVER`] if there is none.
    pub next: u64,
    /// The number of that request among all requests of the trace, from 0 on: the order of requests that share a tick.
    /// [`Future::NEVER`] if there is none.
    pub number: u64,
    /// The aggregate delay of that request if it missed, in ticks: its own latency and
    /// that of the requests that would wait with it (thesis, equation 2.13).
    pub delay: u64,
}

impl Future {
    /// The tick of events that do not happen.
    pub const NEVER: u64 = u64::MAX;
    /// Nothing is known, or there is no next request.
    pub const NONE: Self = Self { next: Self::NEVER, number: Self::NEVER, delay: 0 };
}

/// A request, before its outcome is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// When it arrives, in ticks.
    pub time: u64,
    /// The requested object.
    pub key: u64,
    /// The object's size, in the unit of the capacity.
    pub size: u64,
    /// How long a fetch that begins now is expected to take, in ticks; 1 or more.
    pub latency: u64,
    /// The next request for the object after this one.
    pub future: Future,
}

/// An object whose fetch is complete, and which may now enter the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fetched {
    /// The first tick at which a request could hit it.
    pub time: u64,
    /// Which object it is.
    pub key: u64,
    /// Its size, in the unit of the capacity.
    pub size: u64,
    /// How long the fetch took, in ticks.
    pub latency: u64,
    /// When it was requested last, in ticks: the miss, or the last delayed hit.
    pub last: u64,
    /// How many requests waited for it: the miss and the delayed hits; 1 or more.
    pub waiting: u64,
    /// The next request for the object.
    pub future: Future,
}

/// An object in a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Which object it is.
    pub key: u64,
    /// Its size, in the unit of the capacity.
    pub size: u64,
}
