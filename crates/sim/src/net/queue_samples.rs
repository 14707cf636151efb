//! Samples the queues and windows of a network.

use crate::net::event::Event;
use crate::net::hook::Hooks;
use crate::net::network::Network;
use forebay_core::{Element, Time};

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
