//! The definition of an exact rank queue: a sorted list.
//!
//! It is slow (every operation looks at the whole list) and obviously right. The
//! op streams are made with it and every exact queue is compared with it.

/// A list of (rank, item) in order of rank, then of arrival.
#[derive(Debug, Clone)]
pub struct Reference<T> {
    list: Vec<(u64, T)>,
    capacity: usize,
    ranks: u64,
}

impl<T: PartialEq> Reference<T> {
    /// An empty list for `capacity` items with ranks below `ranks`.
    #[must_use]
    pub fn new(capacity: usize, ranks: u64) -> Self {
        Self { list: Vec::new(), capacity, ranks }
    }

    /// Puts an item behind all items of its rank or lower.
    ///
    /// # Errors
    /// Says why if that rank does not exist or there is no room.
    pub fn push(&mut self, rank: u64, item: T) -> Result<(), crate::PushErrorKind> {
        if rank >= self.ranks {
            return Err(crate::PushErrorKind::RankOutOfRange);
        }
        if self.list.len() == self.capacity {
            return Err(crate::PushErrorKind::Full);
        }
        let place = self.list.iter().filter(|(queued, _)| *queued <= rank).count();
        self.list.insert(place, (rank, item));
        Ok(())
    }

    /// Takes the first item.
    pub fn pop_min(&mut self) -> Option<(u64, T)> {
        if self.list.is_empty() { None } else { Some(self.list.remove(0)) }
    }

    /// Takes the last item.
    pub fn pop_max(&mut self) -> Option<(u64, T)> {
        self.list.pop()
    }

    /// Looks at the first item.
    #[must_use]
    pub fn peek_min(&self) -> Option<&(u64, T)> {
        self.list.first()
    }

    /// Looks at the last item.
    #[must_use]
    pub fn peek_max(&self) -> Option<&(u64, T)> {
        self.list.last()
    }

    /// Takes out the given item.
    pub fn remove(&mut self, item: &T) -> Option<(u64, T)> {
        let place = self.list.iter().position(|(_, queued)| queued == item)?;
        Some(self.list.remove(place))
    }

    /// How many items are in.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing is in.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
