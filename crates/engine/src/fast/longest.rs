//! Tracks a buffer's longest queues as a set, since most changes of a length are by one.
//!
//! A queue joins the set when its length becomes the greatest, and leaves it when its length was the greatest. All other changes cost a
//! comparison. Only when the last of the set becomes shorter are all lengths compared again, and only on demand.

/// The longest queues of a buffer, numbered from 0 in order of declaration; at most [`MOST`](Self::MOST).
#[derive(Debug, Clone, Copy)]
pub(super) struct Longest {
    /// The greatest length.
    most: u64,
    /// A bit for each queue of that length. If there is none, the greatest length is not known.
    members: u64,
}

impl Longest {
    /// The most queues.
    pub(super) const MOST: usize = u64::BITS as usize;

    /// The set for queues without packets, which have nothing to lose.
    pub(super) const EMPTY: Self = Self { most: 1, members: 0 };

    /// The set that is never used: no length reaches it.
    pub(super) const UNUSED: Self = Self { most: u64::MAX, members: 0 };

    /// Records that the length of a queue has increased.
    #[inline(always)]
    pub(super) fn grew(&mut self, member: usize, length: u64) {
        if length >= self.most {
            self.join(member, length);
        }
    }

    #[inline(always)]
    fn join(&mut self, member: usize, length: u64) {
        if length > self.most {
            *self = Self { most: length, members: 0 };
        }
        self.members |= 1 << member;
    }

    /// Records that the length of a queue has decreased from `from`.
    #[inline(always)]
    pub(super) fn shrank(&mut self, member: usize, from: u64) {
        if from == self.most {
            self.members &= !(1 << member);
        }
    }

    /// Records that the length of a queue has changed.
    pub(super) fn changed(&mut self, member: usize, length: u64) {
        if length >= self.most {
            self.join(member, length);
        } else if self.members != 0 {
            // If the set is never used, there may be more queues than bits, but no members.
            self.members &= !(1 << member);
        }
    }

    /// Records that any lengths may have changed, so that the greatest is unknown.
    pub(super) fn forget(&mut self) {
        *self = Self::UNUSED;
    }

    /// Whether all lengths must be compared.
    #[inline(always)]
    pub(super) fn is_unknown(&self) -> bool {
        self.members == 0
    }

    /// Compares all lengths.
    pub(super) fn look(&mut self, lengths: impl Iterator<Item = u64>) {
        let mut longest = Self::EMPTY;
        lengths.enumerate().for_each(|(member, length)| longest.grew(member, length));
        *self = longest;
    }

    /// Returns the first of the longest queues, if it has packets and the greatest length is known.
    #[inline(always)]
    pub(super) fn first(self) -> Option<usize> {
        (self.members != 0).then_some(self.members.trailing_zeros() as usize)
    }

    /// Returns the first of the longest queues if `member` had the greater length `length`.
    #[inline(always)]
    pub(super) fn first_with(self, member: usize, length: u64) -> usize {
        let mut with = self;
        with.grew(member, length);
        with.members.trailing_zeros() as usize
    }
}
