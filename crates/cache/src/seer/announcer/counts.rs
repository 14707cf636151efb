//! The counts of a port's FPMs.

/// The outcomes of the FPMs of a port, and their costs on its link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnnouncerCounts {
    /// FPMs made: of packets with an id that went into a queue, or will, and corrections.
    pub made: u64,
    /// Of these, corrections of earlier notifications.
    pub corrections: u64,
    /// Packets that left while a correction of their time still waited, or that were taken for another.
    pub uncorrected: u64,
    /// Of these, forecasts: of packets that have not arrived yet.
    pub forecasts: u64,
    /// The greatest number that waited at a time, of all classes, forecasts and corrections together.
    pub max_waiting: usize,
    /// How many found the FPM queues full.
    pub dropped_full: u64,
    /// Number not sent before their packets began to leave; of forecasts, before their packets arrived.
    pub stale: u64,
    /// How many were sent in gaps between packets.
    pub sent_in_gaps: u64,
    /// How many were sent over an idle link.
    pub sent_idle: u64,
    /// How many were sent in control packets.
    pub sent_in_control: u64,
    /// Control packets.
    pub control_packets: u64,
    /// Their bytes.
    pub control_bytes: u64,
}

impl AnnouncerCounts {
    /// FPMs sent in any way.
    #[must_use]
    pub fn sent(&self) -> u64 {
        self.sent_in_gaps + self.sent_idle + self.sent_in_control
    }
}
