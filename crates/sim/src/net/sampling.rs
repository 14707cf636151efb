//! Queues and windows over time.

use forebay_core::{Duration, Time};

/// What is looked at, and how often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampling {
    /// The gap between two looks; not zero.
    pub every: Duration,
    /// Queues of these ports.
    pub links: Vec<usize>,
    /// Windows and received bytes of these flows, numbered from 0 in order of start.
    pub flows: Vec<u32>,
}

/// What was seen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Series {
    /// When it was looked.
    pub times: Vec<Time>,
    /// For each link: bytes that waited, at each time.
    pub queue_bytes: Vec<Vec<u64>>,
    /// For each flow: its window in bytes at each time; [`None`] while it has none.
    pub window_bytes: Vec<Vec<Option<u64>>>,
    /// For each flow: bytes that its receiver has, at each time.
    pub received_bytes: Vec<Vec<u64>>,
}

/// Collects a series.
#[derive(Debug)]
pub(crate) struct Sampler {
    pub(crate) what: Sampling,
    pub(crate) series: Series,
}

impl Sampler {
    pub(crate) fn new(what: Sampling) -> Self {
        let series = Series {
            times: Vec::new(),
            queue_bytes: vec![Vec::new(); what.links.len()],
            window_bytes: vec![Vec::new(); what.flows.len()],
            received_bytes: vec![Vec::new(); what.flows.len()],
        };
        Self { what, series }
    }

    pub(crate) fn into_series(self) -> Series {
        self.series
    }
}
