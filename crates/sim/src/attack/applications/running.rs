//! An application as the processor of a simulation: its state depends on the packets that were really served.

use super::Application;
use crate::Service;
use crate::attack::traffic::{Merged, is_attack};
use forebay_core::{Duration, FlowId, Packet, Time};
use rustc_hash::FxHashMap;

/// Works on the packets that a discipline dequeues. The scheduler knows the estimate that the application gives on arrival.
pub struct Running<A: Application> {
    application: A,
    upcoming: Merged<A::Input>,
    /// The inputs that wait or are worked on, by the id of their packet.
    present: FxHashMap<u64, A::Input>,
    counted_from: Time,
    watched: Watched,
}

/// The resets and the memory of an application, from a given time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Watched {
    /// The number of resets of innocent flows because of the application's own limits; a flow that is reset twice counts twice.
    pub innocent_flows_reset: u64,
    /// The most bytes that the application held at a time.
    pub held_bytes: u64,
}

/// A running application and its counts.
pub trait Working: Service {
    /// Sets the time from which on events are counted.
    fn count_from(&mut self, from: Time);

    /// The counts.
    fn watched(&self) -> Watched;
}

impl<A: Application> Running<A> {
    /// Creates a service for the packets of a source that is equal to `inputs`.
    #[must_use]
    pub fn new(application: A, inputs: Merged<A::Input>) -> Self {
        Self {
            application,
            upcoming: inputs,
            present: FxHashMap::default(),
            counted_from: Time::ZERO,
            watched: Watched::default(),
        }
    }

    /// The application in its present state.
    #[must_use]
    pub fn application(&self) -> &A {
        &self.application
    }

    /// The number of packets that wait or are in service.
    #[must_use]
    pub fn present(&self) -> usize {
        self.present.len()
    }
}

impl<A: Application> Working for Running<A> {
    fn count_from(&mut self, from: Time) {
        self.counted_from = from;
    }

    fn watched(&self) -> Watched {
        self.watched
    }
}

impl<A: Application> Service for Running<A> {
    fn arrived(&mut self, _: Time, packet: &mut Packet) {
        if let Some(input) = self.upcoming.next() {
            packet.processing = self.application.estimate(&input);
            self.present.insert(packet.id, input);
        }
    }

    fn started(&mut self, now: Time, packet: &mut Packet) -> Duration {
        let input = self.present.get(&packet.id);
        packet.processing = input.map_or(Duration::ZERO, |input| self.application.serve(input));
        let mut resets = 0;
        self.application.drain_resets(&mut |flow| resets += u64::from(!is_attack(FlowId(flow))));
        if now > self.counted_from {
            self.watched.innocent_flows_reset += resets;
            self.watched.held_bytes = self.watched.held_bytes.max(self.application.held_bytes());
        }
        packet.processing
    }

    fn dropped(&mut self, _: Time, packet: &mut Packet) {
        self.present.remove(&packet.id);
    }

    fn completed(&mut self, _: Time, packet: &Packet) {
        if let Some(input) = self.present.remove(&packet.id) {
            self.application.completed(&input);
        }
    }
}
