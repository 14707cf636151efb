//! Queues and windows over time.

use forebay_core::{Duration, Time};

/// The sampled queues and flows, and the interval between samples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampling {
    /// The interval between two samples; not zero.
    pub every: Duration,
    /// The links whose queues are sampled.
    pub links: Vec<usize>,
    /// The flows whose windows and received bytes are sampled, numbered from 0 in order of start.
    pub flows: Vec<u32>,
}

/// The samples of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Series {
    /// The times of the samples.
    pub times: Vec<Time>,
    /// For each link, the waiting bytes at each time.
    pub queue_bytes: Vec<Vec<u64>>,
    /// For each flow, its window in bytes at each time; [`None`] while the flow has no window.
    pub window_bytes: Vec<Vec<Option<u64>>>,
    /// For each flow, the bytes that its receiver has at each time.
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
