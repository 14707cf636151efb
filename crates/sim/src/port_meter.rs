//! What an output port counts, alone or in a network.

use forebay_core::{Duration, Time};

/// What a port has counted. The fields that every packet changes come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub struct PortCounts {
    /// Bytes that waited, times picoseconds: divided by a time it is the mean queue.
    pub queue_byte_ps: u128,
    /// Most bytes that waited at a time.
    pub max_queue_bytes: u64,
    /// Packets that were to leave here.
    pub packets_offered: u64,
    /// Packets that began to leave.
    pub packets_sent: u64,
    /// Their bytes.
    pub bytes_sent: u64,
    /// Picoseconds in which the link was sending.
    pub busy_ps: u64,
    /// Packets that left with a mark that they did not bring.
    pub packets_marked: u64,
    /// Packets that the discipline dropped on arrival or pushed out.
    pub packets_dropped: u64,
    /// Packets for which the switch had no shared memory left.
    pub packets_dropped_shared: u64,
    /// Packets that a failed or lossy link lost.
    pub packets_lost: u64,
    /// Packets that arrived over the link at a switch that knew no way on.
    pub packets_no_route: u64,
}

impl PortCounts {
    /// What was counted after `earlier`; the greatest queue is that of the whole run.
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
    /// Until when `queue_byte_ps` has been counted.
    counted_until: Time,
    packets_queued: u32,
    /// What has been counted. A port's owner counts here what the meter does not see.
    pub counts: PortCounts,
}

impl PortMeter {
    /// Bytes that wait.
    #[inline]
    #[must_use]
    pub fn bytes_queued(&self) -> u64 {
        self.bytes_queued
    }

    /// Packets that wait.
    #[inline]
    #[must_use]
    pub fn packets_queued(&self) -> u32 {
        self.packets_queued
    }

    /// Counts the backlog until now; to be called before the backlog changes.
    #[inline]
    pub fn count_queue(&mut self, now: Time) {
        if self.bytes_queued > 0 {
            let lasted = now.since(self.counted_until).as_ps();
            self.counts.queue_byte_ps += u128::from(self.bytes_queued) * u128::from(lasted);
        }
        self.counted_until = now;
    }

    /// A packet waits.
    #[inline]
    pub fn queued(&mut self, bytes: u32) {
        self.packets_queued += 1;
        self.bytes_queued += u64::from(bytes);
        self.counts.max_queue_bytes = self.counts.max_queue_bytes.max(self.bytes_queued);
    }

    /// A packet does not wait any more.
    #[inline]
    pub fn left(&mut self, bytes: u32) {
        self.packets_queued -= 1;
        self.bytes_queued -= u64::from(bytes);
    }

    /// A packet that has left is sent for so long.
    #[inline]
    pub fn sent(&mut self, bytes: u32, lasts: Duration) {
        self.counts.packets_sent += 1;
        self.counts.bytes_sent += u64::from(bytes);
        self.counts.busy_ps += lasts.as_ps();
    }
}
