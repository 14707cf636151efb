//! Queues and windows over time.

use crate::net::hook::Hooks;
use crate::net::network::{Event, Network};
use forebay_core::{Duration, Element, Time};

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

impl<E: Element, H: Hooks> Network<E, H> {
    /// Looks at queues and windows.
    pub(crate) fn sample(&mut self, now: Time) {
        let Some(sampler) = &mut self.sampler else { return };
        sampler.series.times.push(now);
        for (link, series) in sampler.what.links.iter().zip(&mut sampler.series.queue_bytes) {
            series.push(self.ports[*link].meter.bytes_queued());
        }
        let series = &mut sampler.series;
        let flows = sampler.what.flows.iter().zip(&mut series.window_bytes).zip(&mut series.received_bytes);
        for ((&flow, windows), received) in flows {
            let started = u64::from(flow) < self.flows.started();
            let live = if started { self.flows.get(flow) } else { None };
            windows.push(live.as_ref().and_then(|live| live.sender.endpoint.window_bytes()));
            received.push(match live {
                Some(live) => live.receiver.endpoint.received_bytes(),
                None if started => self.flows.record(flow).flow.bytes,
                None => 0,
            });
        }
        let every = sampler.what.every;
        // If nothing else is to come, nothing will change.
        if !self.events.is_empty() {
            self.events.schedule(now + every, Event::Sample);
        }
    }
}
