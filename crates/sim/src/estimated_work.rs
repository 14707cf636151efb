//! An estimate in place of the truth: the scheduler sees what it could know, and the work stays as it is.

use crate::service::Service;
use forebay_core::{Duration, Packet, Time};
use rustc_hash::FxHashMap;

/// A service whose scheduler sees the estimate of a function instead of the work that the packet carries.
///
/// The true work of the waiting packets is kept here by their `id`, so no two of them may have the same one. The packet gets its true work
/// back when it is started or dropped.
#[derive(Debug)]
pub struct Estimated<S, E> {
    service: S,
    estimate: E,
    truths: FxHashMap<u64, Duration>,
}

impl<S, E: FnMut(&Packet) -> Duration> Estimated<S, E> {
    /// `service`, whose scheduler sees `estimate` of each packet; the estimate is computed from the true work.
    #[must_use]
    pub fn new(service: S, estimate: E) -> Self {
        Self { service, estimate, truths: FxHashMap::default() }
    }

    /// The service.
    pub fn service(&self) -> &S {
        &self.service
    }

    /// Of how many packets the truth is kept: those that wait.
    pub fn kept(&self) -> usize {
        self.truths.len()
    }

    fn restore(&mut self, packet: &mut Packet) {
        if let Some(truth) = self.truths.remove(&packet.id) {
            packet.processing = truth;
        }
    }
}

impl<S: Service, E: FnMut(&Packet) -> Duration> Service for Estimated<S, E> {
    fn arrived(&mut self, now: Time, packet: &mut Packet) {
        self.service.arrived(now, packet);
        let earlier = self.truths.insert(packet.id, packet.processing);
        debug_assert!(earlier.is_none(), "two packets that wait have the id {}", packet.id);
        packet.processing = (self.estimate)(packet);
    }

    fn started(&mut self, now: Time, packet: &mut Packet) -> Duration {
        self.restore(packet);
        self.service.started(now, packet)
    }

    fn dropped(&mut self, now: Time, packet: &mut Packet) {
        self.restore(packet);
        self.service.dropped(now, packet);
    }

    fn completed(&mut self, now: Time, packet: &Packet) {
        self.service.completed(now, packet);
    }
}
