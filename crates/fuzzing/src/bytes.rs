//! Choices, read from bytes.

/// Bytes, read from the front. At their end, all choices are 0.
pub(crate) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self(data)
    }

    /// Whether nothing is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// A number below `count`, which is at least 1.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let high = if count > 256 { usize::from(self.byte()) << 8 } else { 0 };
        (high | usize::from(self.byte())) % count
    }

    /// One of `all`, which are not none.
    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A number of the whole width: small ones, powers of two and their neighbours, and any.
    pub(crate) fn wide(&mut self) -> u64 {
        let shift = u32::from(self.byte());
        match shift {
            0..64 => 1_u64 << shift,
            64..128 => (1_u64 << (shift - 64)).wrapping_sub(1),
            128..192 => (1_u64 << (shift - 128)).wrapping_add(1),
            192..224 => u64::from(self.byte()),
            _ => u64::from_le_bytes(std::array::from_fn(|_| self.byte())),
        }
    }

    /// What is left.
    pub(crate) fn rest(self) -> &'a [u8] {
        self.0
    }
}
