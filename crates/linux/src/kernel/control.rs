//! The values that user space sets (`struct oq_control` of the target).

use crate::kernel::map_values::Words;

/// The most ports of a device.
pub(crate) const PORTS: usize = 64;

/// The values that user space sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Control {
    /// The version of the policy that enqueues arriving packets.
    pub(crate) version: u64,
    /// 1 if that version reads headers.
    pub(crate) wants_head: u64,
    /// The seed of random trials.
    pub(crate) seed: u64,
    /// The number of ports.
    pub(crate) ports: u64,
    /// The time in nanoseconds; 0 selects the kernel's clock.
    pub(crate) clock: u64,
    /// 1: the discipline sends a packet only after it gets a ticket.
    pub(crate) hold: u64,
    /// The number of the current ticket. Each new number permits one packet.
    pub(crate) ticket: u64,
    /// The port that the ticket is for.
    pub(crate) ticket_port: u64,
    /// 1: the device's other program writes congestion notifications into packets.
    pub(crate) notifies: u64,
    /// The rate of each port in bits per second; 0 if it has none.
    pub(crate) rates: [u64; PORTS],
}

impl Control {
    /// The size of the value in bytes.
    pub(crate) const SIZE: usize = (9 + PORTS) * 8;

    /// Returns the values to write, in this order, while packets arrive. A packet may see any part of a write. So the new version is
    /// written after all that it needs, and values that only the old version needs are cleared last.
    pub(crate) fn steps_to(&self, next: Self) -> Vec<Self> {
        if self.version == next.version {
            return vec![next];
        }
        let both = Self {
            wants_head: self.wants_head | next.wants_head,
            notifies: self.notifies | next.notifies,
            ..next.clone()
        };
        let mut steps = vec![Self { version: self.version, ..both.clone() }, both, next];
        steps.dedup();
        steps
    }

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
        assert_eq!((control.bytes(), Control::SIZE), (bytes.clone(), bytes.len()));
    }

    #[test]
    fn a_version_comes_after_what_it_needs_and_alone() {
        let some = |version, wants_head, notifies| {
            let rates = [version; PORTS];
            Control { version, wants_head, notifies, seed: version, rates, ..Control::read(&[]) }
        };
        for (from, to) in [((0, 1), (1, 0)), ((1, 0), (0, 1)), ((1, 1), (0, 0)), ((0, 0), (1, 1)), ((1, 1), (1, 1))] {
            let (from, to) = (some(1, from.0, from.1), some(2, to.0, to.1));
            let mut steps = vec![from.clone()];
            steps.extend(from.steps_to(to.clone()));
            for step in &steps {
                let owner = if step.version == 1 { &from } else { &to };
                assert!(step.wants_head >= owner.wants_head && step.notifies >= owner.notifies, "{step:?}");
            }
            for pair in steps.windows(2) {
                let before = Control { version: pair[1].version, ..pair[0].clone() };
                assert!(pair[0].version == pair[1].version || before == pair[1], "the version changes alone");
            }
            assert_eq!(steps.last(), Some(&to));
        }
        let same = some(1, 0, 0);
        assert_eq!(same.steps_to(some(1, 1, 1)), [some(1, 1, 1)], "no other version: at once");
    }
}
