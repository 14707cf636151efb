//! The counters of an output port, alone or in a network.

use forebay_core::{Duration, Time};

/// The counts of a port. The fields that every packet changes are first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub struct PortCounts {
    /// The integral of the waiting bytes over time in picoseconds; divided by a time, it is the mean queue.
    pub queue_byte_ps: u128,
    /// The most bytes that waited at a time.
    pub max_queue_bytes: u64,
    /// The number of packets that arrived for this port.
    pub packets_offered: u64,
    /// The number of packets whose transmission began.
    pub packets_sent: u64,
    /// The bytes of these packets.
    pub bytes_sent: u64,
    /// The time in which the link was sending, in picoseconds.
    pub busy_ps: u64,
    /// The number of packets that left with a mark that they did not have on arrival.
    pub packets_marked: u64,
    /// The number of packets that the discipline dropped on arrival or pushed out.
    pub packets_dropped: u64,
    /// The number of packets for which the switch had no shared memory left.
    pub packets_dropped_shared: u64,
    /// The number of packets that a failed or lossy link lost.
    pub packets_lost: u64,
    /// The number of packets that arrived over the link at a switch without a route for them.
    pub packets_no_route: u64,
}

impl PortCounts {
    /// Returns the counts since `earlier`; the greatest queue is that of the whole run.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            packets_offered: self.packets_offered - earlier.packets_offered,
            packets_sent: self.packets_sent - earlier.packets_sent,
            bytes_sent: self.bytes_sent - earlier.bytes_sent,
            busy_ps: self.busy_ps - earlier.busy_ps,
            packets_dropped: self.packets_dropped - earlier.packets_dropped,
            packets_dropped_shared: self.packets_dropped_shared - earlier.packets_dropped_shared,
            packets_lost: self.packets_lost - earlier.packets_lost,
            packets_no_route: self.packets_no_route - earlier.packets_no_route,
            packets_marked: self.packets_marked - earlier.packets_marked,
            max_queue_bytes: self.max_queue_bytes,
            queue_byte_ps: self.queue_byte_ps - earlier.queue_byte_ps,
        }
    }
}

/// The counters of a port, and its backlog.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct PortMeter {
    bytes_queued: u64,
    /// The time up to which `queue_byte_ps` has been counted.
    counted_until: Time,
    packets_queued: u32,
    /// The counts. A port's owner adds the events that the meter does not see.
    pub counts: PortCounts,
}

impl PortMeter {
    /// The bytes that wait.
    #[inline]
    #[must_use]
    pub fn bytes_queued(&self) -> u64 {
        self.bytes_queued
    }

    /// The number of packets that wait.
    #[inline]
    #[must_use]
    pub fn packets_queued(&self) -> u32 {
        self.packets_queued
    }

    /// Adds the backlog until now; to be called before the backlog changes.
    #[inline]
    pub fn count_queue(&mut self, now: Time) {
        if self.bytes_queued > 0 {
            let lasted = now.since(self.counted_until).as_ps();
            self.counts.queue_byte_ps += u128::from(self.bytes_queued) * u128::from(lasted);
        }
        self.counted_until = now;
    }

    /// Counts a packet that was queued.
    #[inline]
    pub fn queued(&mut self, bytes: u32) {
        self.packets_queued += 1;
        self.bytes_queued += u64::from(bytes);
        self.counts.max_queue_bytes = self.counts.max_queue_bytes.max(self.bytes_queued);
    }

    /// Counts a packet that left the queue.
    #[inline]
    pub fn left(&mut self, bytes: u32) {
        self.packets_queued -= 1;
        self.bytes_queued -= u64::from(bytes);
    }

    /// Counts a packet that left the queue to be sent, and the duration of its transmission.
    #[inline]
    pub fn sent(&mut self, bytes: u32, lasts: Duration) {
        self.counts.packets_sent += 1;
        self.counts.bytes_sent += u64::from(bytes);
        self.counts.busy_ps += lasts.as_ps();
    }
}
