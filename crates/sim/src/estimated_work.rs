//! An estimate in place of the truth: the scheduler sees the estimate, and the real work is unchanged.

use crate::service::Service;
use forebay_core::{Duration, Packet, Time};
use rustc_hash::FxHashMap;

/// A service that shows the scheduler an estimate instead of the packet's work.
///
/// The true work of waiting packets is stored here by `id`, so no two waiting packets may have the same `id`. The packet gets its true work
/// back when it is started or dropped.
#[derive(Debug)]
pub struct Estimated<S, E> {
    service: S,
    estimate: E,
    truths: FxHashMap<u64, Duration>,
}

impl<S, E: FnMut(&Packet) -> Duration> Estimated<S, E> {
    /// Wraps `service`. The scheduler sees the result of `estimate` for each packet, computed from the true work.
    #[must_use]
    pub fn new(service: S, estimate: E) -> Self {
        Self { service, estimate, truths: FxHashMap::default() }
    }

    /// The service.
    pub fn service(&self) -> &S {
        &self.service
    }

    /// The number of packets whose true work is stored: the waiting packets.
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
