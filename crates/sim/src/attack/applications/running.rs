//! An application as the processor of a simulation: its state is that of what was really served.

use super::Application;
use crate::Service;
use crate::attack::traffic::Merged;
use forebay_core::{Duration, Packet, Time};
use rustc_hash::FxHashMap;

/// Works on what a discipline lets through; the scheduler is told the estimate that the application gives on arrival.
pub struct Running<A: Application> {
    application: A,
    upcoming: Merged<A::Input>,
    /// What waits or is worked on, by the id of its packet.
    present: FxHashMap<u64, A::Input>,
}

impl<A: Application> Running<A> {
    /// Works on the packets of a source that is equal to `inputs`.
    #[must_use]
    pub fn new(application: A, inputs: Merged<A::Input>) -> Self {
        Self { application, upcoming: inputs, present: FxHashMap::default() }
    }

    /// The application as it is now.
    #[must_use]
    pub fn application(&self) -> &A {
        &self.application
    }

    /// Packets that wait or are worked on.
    #[must_use]
    pub fn present(&self) -> usize {
        self.present.len()
    }
}

impl<A: Application> Service for Running<A> {
    fn arrived(&mut self, _: Time, packet: &mut Packet) {
        if let Some(input) = self.upcoming.next() {
            packet.processing = self.application.estimate(&input);
            self.present.insert(packet.id, input);
        }
    }

    fn started(&mut self, _: Time, packet: &mut Packet) -> Duration {
        let input = self.present.get(&packet.id);
        packet.processing = input.map_or(Duration::ZERO, |input| self.application.serve(input));
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
