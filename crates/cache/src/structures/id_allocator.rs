//! Small numbers for short-lived things, under which tables keep them.

/// Gives out numbers from 0 on. One that was given back is given out again before a new one, so tables stay as long as the most
/// things at a time.
#[derive(Debug, Clone, Default)]
pub struct Numbers {
    free: Vec<u32>,
    next: u32,
}

impl Numbers {
    /// A number that nothing has.
    #[inline]
    pub fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        })
    }

    /// Nothing has this number any more.
    #[inline]
    pub fn give_back(&mut self, number: u32) {
        self.free.push(number);
    }
}
