//! A request to a cache: what a cache policy and a cache model see of a trace.

/// One request for one object.
///
/// Time is counted in *ticks* of the trace's [`Clock`]; requests come in order of
/// time, and those of one tick in the order of the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// When it arrives, in ticks.
    pub time: u64,
    /// Which object it asks for.
    pub key: u64,
    /// How much of the cache the object takes: 1 where sizes are not looked at, bytes
    /// otherwise. Never 0.
    pub size: u64,
}

/// A request that is sent only when the answer to an earlier one has come, as the objects that a web page names (thesis, section 2.6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Follows {
    /// The number of the earlier request in the trace, from 0.
    pub request: u64,
    /// From that answer to this request, in ticks.
    pub think: u64,
}

/// What a tick of a request trace is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// A slot in which at most one request arrives (thesis 2.1: a timestep).
    Slots,
    /// A nanosecond.
    Nanoseconds,
}
