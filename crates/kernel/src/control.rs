//! What user space decides (`struct oq_control` of the target).

use crate::words::Words;

/// Ports that a device can have.
pub(crate) const PORTS: usize = 64;

/// What user space decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Control {
    /// Of the policy that packets arrive under.
    pub(crate) version: u64,
    /// Whether that one reads headers.
    pub(crate) wants_head: u64,
    /// Of random trials.
    pub(crate) seed: u64,
    /// How many ports there are.
    pub(crate) ports: u64,
    /// The time in nanoseconds, or 0: the kernel's.
    pub(crate) clock: u64,
    /// 1: a packet leaves only with a ticket.
    pub(crate) hold: u64,
    /// Another number than before is one packet.
    pub(crate) ticket: u64,
    /// The port that it is for.
    pub(crate) ticket_port: u64,
    /// 1: the device's other program writes congestion notifications into packets.
    pub(crate) notifies: u64,
    /// Bits per second of each port, or 0.
    pub(crate) rates: [u64; PORTS],
}

impl Control {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let mut words = Words(bytes);
        let mut next = || words.long();
        Self {
            version: next(),
            wants_head: next(),
            seed: next(),
            ports: next(),
            clock: next(),
            hold: next(),
            ticket: next(),
            ticket_port: next(),
            notifies: next(),
            rates: std::array::from_fn(|_| next()),
        }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let first = [
            self.version,
            self.wants_head,
            self.seed,
            self.ports,
            self.clock,
            self.hold,
            self.ticket,
            self.ticket_port,
            self.notifies,
        ];
        first.iter().chain(&self.rates).flat_map(|word| word.to_ne_bytes()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let bytes: Vec<u8> = (1_u64..).take(9 + PORTS).flat_map(u64::to_ne_bytes).collect();
        let control = Control::read(&bytes);
        assert_eq!((control.version, control.ticket_port, control.rates[0], control.rates[63]), (1, 8, 10, 73));
        assert_eq!(control.bytes(), bytes);
    }
}
