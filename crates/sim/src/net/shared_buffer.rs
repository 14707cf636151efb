//! Packet memory that all ports of a switch share.

/// Dynamic thresholds (Choudhury and Hahne, 1998): a port may hold `alpha` times the free bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SharedBuffer {
    /// The total memory in bytes.
    pub bytes: u64,
    /// The factor of the threshold: a port's backlog may be up to `alpha` times the free bytes.
    pub alpha: f64,
}

/// The memory of one switch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SharedMemory {
    spec: SharedBuffer,
    used: u64,
}

impl SharedMemory {
    pub(crate) fn new(spec: SharedBuffer) -> Self {
        Self { spec, used: 0 }
    }

    /// Whether a port at which `waiting` bytes wait may take `bytes` more.
    pub(crate) fn admits(&self, waiting: u64, bytes: u32) -> bool {
        let bytes = u64::from(bytes);
        let free = self.spec.bytes - self.used;
        bytes <= free && (waiting + bytes) as f64 <= self.spec.alpha * free as f64
    }

    pub(crate) fn take(&mut self, bytes: u32) {
        self.used += u64::from(bytes);
    }

    pub(crate) fn give_back(&mut self, bytes: u32) {
        self.used -= u64::from(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_port_alone_gets_half_of_the_memory_with_alpha_1() {
        let mut memory = SharedMemory::new(SharedBuffer { bytes: 10_000, alpha: 1.0 });
        let mut waiting = 0;
        while memory.admits(waiting, 100) {
            memory.take(100);
            waiting += 100;
        }
        assert_eq!(waiting, 5_000);
        assert!(memory.admits(0, 100), "another port still finds room");
        memory.give_back(5_000);
        assert!(memory.admits(0, 5_000));
    }
}
