//! Which of a buffer's queues are the longest: kept as a set, since lengths change by one most of the time.
//!
//! A queue joins or leaves the set when its length becomes, or was, the greatest; all others cost a comparison. Only
//! when the last of the set becomes shorter are all lengths compared again, and only on demand.

/// Queues of a buffer, numbered from 0 in order of declaration; at most [`MOST`](Self::MOST).
#[derive(Debug, Clone, Copy)]
pub(super) struct Longest {
    /// No length is greater.
    most: u64,
    /// A bit for each queue of that length. If there is none, the greatest length is not known.
    members: u64,
}

impl Longest {
    /// For so many queues.
    pub(super) const MOST: usize = u64::BITS as usize;

    /// Of queues without packets, which have nothing to lose.
    pub(super) const EMPTY: Self = Self { most: 1, members: 0 };

    /// If it is never used: no length reaches it.
    pub(super) const UNUSED: Self = Self { most: u64::MAX, members: 0 };

    /// The length of a queue has become greater.
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

    /// The length of a queue has become less than this.
    #[inline(always)]
    pub(super) fn shrank(&mut self, member: usize, from: u64) {
        if from == self.most {
            self.members &= !(1 << member);
        }
    }

    /// The length of a queue has changed.
    pub(super) fn changed(&mut self, member: usize, length: u64) {
        if length >= self.most {
            self.join(member, length);
        } else if self.members != 0 {
            // If the set is never used, there may be more queues than bits, but no members.
            self.members &= !(1 << member);
        }
    }

    /// Any lengths may have changed: none of them is known to be the greatest.
    pub(super) fn forget(&mut self) {
        *self = Self::UNUSED;
    }

    /// Whether all lengths have to be looked at.
    #[inline(always)]
    pub(super) fn is_unknown(&self) -> bool {
        self.members == 0
    }

    /// Looks at all lengths.
    pub(super) fn look(&mut self, lengths: impl Iterator<Item = u64>) {
        let mut longest = Self::EMPTY;
        lengths.enumerate().for_each(|(member, length)| longest.grew(member, length));
        *self = longest;
    }

    /// The first of the longest, if one has packets and their length is known.
    #[inline(always)]
    pub(super) fn first(self) -> Option<usize> {
        (self.members != 0).then_some(self.members.trailing_zeros() as usize)
    }

    /// The same if the length of one of them were another, greater one.
    #[inline(always)]
    pub(super) fn first_with(self, member: usize, length: u64) -> usize {
        let mut with = self;
        with.grew(member, length);
        with.members.trailing_zeros() as usize
    }
}
