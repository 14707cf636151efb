//! A request to a cache, as cache policies and cache models see it in a trace.

/// One request for one object.
///
/// Time is counted in *ticks* of the trace's [`Clock`]. Requests arrive in order of time, and requests of one tick in
/// the order of the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// The time at which it arrives, in ticks.
    pub time: u64,
    /// The object that it asks for.
    pub key: u64,
    /// The space that the object takes in the cache: 1 if sizes are ignored, otherwise bytes. Never 0.
    pub size: u64,
}

/// A request that is sent only after the answer to an earlier one, such as a request for an object of a web page
/// (thesis, section 2.6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Follows {
    /// The number of the earlier request in the trace, from 0.
    pub request: u64,
    /// The time from that answer to this request, in ticks.
    pub think: u64,
}

/// The unit of time of a request trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// A slot in which at most one request arrives (thesis 2.1: a timestep).
    Slots,
    /// A nanosecond.
    Nanoseconds,
}
