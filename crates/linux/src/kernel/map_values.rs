//! Numbers in values of maps, as the programs have them in memory.

/// Reads one number after the other.
pub(crate) struct Words<'a>(pub(crate) &'a [u8]);

impl Words<'_> {
    /// Returns the next number of 32 bits; 0 at the end.
    pub(crate) fn short(&mut self) -> u32 {
        let Some((bytes, rest)) = self.0.split_first_chunk() else { return 0 };
        self.0 = rest;
        u32::from_ne_bytes(*bytes)
    }

    /// Returns the next number of 64 bits; 0 at the end.
    pub(crate) fn long(&mut self) -> u64 {
        let Some((bytes, rest)) = self.0.split_first_chunk() else { return 0 };
        self.0 = rest;
        u64::from_ne_bytes(*bytes)
    }

    /// Skips `bytes` bytes.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.0 = self.0.get(bytes..).unwrap_or_default();
    }
}
