//! The time that a packet is in service, and the scheduler's knowledge of it.

use forebay_core::{Duration, Packet, Rate, Time, TransmissionTimes};

/// A service for packets: a link, or an application that works on them.
///
/// Every packet arrives; then it is dropped, or it is started and completed. A packet whose work is done in turns is started once for each
/// turn, and may be dropped between two turns.
pub trait Service {
    /// A packet arrives, and is about to be offered to the discipline. The scheduler's view of the packet can be changed, above all the
    /// work that it is expected to need, `processing`. Probes do not see the change.
    #[inline]
    fn arrived(&mut self, now: Time, packet: &mut Packet) {
        let _ = (now, packet);
    }

    /// A packet that the discipline gave is taken into service: how long that lasts. An application writes the true work
    /// into `processing`, for probes.
    fn started(&mut self, now: Time, packet: &mut Packet) -> Duration;

    /// The time that was said at the start is over. [`None`]: the packet has been served. Otherwise its work goes on later,
    /// and it goes back to the discipline as it is given here.
    #[inline]
    fn unfinished(&mut self, now: Time, packet: &Packet) -> Option<Packet> {
        let _ = (now, packet);
        None
    }

    /// A packet was dropped and not started. A waiting packet is as the scheduler saw it, and a packet that was not admitted is as it
    /// arrived. Probes see the changes that are made here.
    #[inline]
    fn dropped(&mut self, now: Time, packet: &mut Packet) {
        let _ = (now, packet);
    }

    /// A packet that was started has been served.
    #[inline]
    fn completed(&mut self, now: Time, packet: &Packet) {
        let _ = (now, packet);
    }
}

/// A link of that rate, which sends packets.
impl Service for Rate {
    #[inline]
    fn started(&mut self, _: Time, packet: &mut Packet) -> Duration {
        self.transmission_time(packet.size_bytes)
    }
}

/// A link as a service, for many packets of few lengths.
impl Service for TransmissionTimes {
    #[inline]
    fn started(&mut self, _: Time, packet: &mut Packet) -> Duration {
        self.of(packet.size_bytes)
    }
}

/// The simplest application: it works on a packet for the time in the packet's field `processing`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Processor;

impl Service for Processor {
    #[inline]
    fn started(&mut self, _: Time, packet: &mut Packet) -> Duration {
        packet.processing
    }
}

/// A service that its owner reads results from after the run.
impl<S: Service + ?Sized> Service for &mut S {
    fn arrived(&mut self, now: Time, packet: &mut Packet) {
        (**self).arrived(now, packet);
    }

    fn started(&mut self, now: Time, packet: &mut Packet) -> Duration {
        (**self).started(now, packet)
    }

    fn unfinished(&mut self, now: Time, packet: &Packet) -> Option<Packet> {
        (**self).unfinished(now, packet)
    }

    fn dropped(&mut self, now: Time, packet: &mut Packet) {
        (**self).dropped(now, packet);
    }

    fn completed(&mut self, now: Time, packet: &Packet) {
        (**self).completed(now, packet);
    }
}
