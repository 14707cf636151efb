//! A request to a cache, as a trace gives it to cache policies and cache models.

/// One request for one object.
///
/// Time is counted in *ticks* of the trace's [`Clock`]. Requests arrive in order of time; requests of one tick keep the order of the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// The time at which the request arrives, in ticks.
    pub time: u64,
    /// The object that is requested.
    pub key: u64,
    /// The space that the object uses in the cache: 1 if sizes are ignored, otherwise bytes. Never 0.
    pub size: u64,
}

/// A request that is sent only after the answer to an earlier one, such as a request for an object of a web page
/// (thesis, section 2.6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Follows {
    /// The number of the earlier request in the trace, from 0.
    pub request: u64,
    /// The time from the answer to the earlier request until this request, in ticks.
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
