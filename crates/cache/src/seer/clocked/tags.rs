//! The content of a set-associative cache, way by way, as its manager looks at it.

/// A way of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) id: u64,
    /// Otherwise it is in flight.
    pub(super) here: bool,
    /// The latest of its set has the highest number.
    touched: u64,
}

/// All ways of all sets. The lowest bits of an id say which set it is in.
#[derive(Debug, Clone)]
pub(super) struct Tags {
    lines: Vec<Option<Line>>,
    ways: usize,
    touches: u64,
}

impl Tags {
    /// Nothing is there. The number of sets is a power of two.
    pub(super) fn new(sets: usize, ways: usize) -> Self {
        Self { lines: vec![None; sets * ways], ways, touches: 0 }
    }

    fn first_of(&self, id: u64) -> usize {
        let sets = self.lines.len() / self.ways;
        usize::try_from(id % sets as u64).unwrap_or(0) * self.ways
    }

    /// A way of the set of an id.
    pub(super) fn line(&self, id: u64, way: usize) -> Option<Line> {
        self.lines[self.first_of(id) + way]
    }

    /// The way with an id.
    pub(super) fn find(&self, id: u64) -> Option<usize> {
        (0..self.ways).find(|&way| self.line(id, way).is_some_and(|line| line.id == id))
    }

    /// A fetch into a way begins.
    pub(super) fn begin(&mut self, id: u64, way: usize) {
        let at = self.first_of(id) + way;
        self.lines[at] = Some(Line { id, here: false, touched: 0 });
    }

    /// A state enters a way.
    pub(super) fn enter(&mut self, id: u64, way: usize) {
        let at = self.first_of(id) + way;
        self.lines[at] = Some(Line { id, here: true, touched: 0 });
        self.touch(id, way);
    }

    /// A packet was answered from a way.
    pub(super) fn touch(&mut self, id: u64, way: usize) {
        self.touches += 1;
        let at = self.first_of(id) + way;
        if let Some(line) = &mut self.lines[at] {
            line.touched = self.touches;
        }
    }

    /// Of some ways that hold something the one that was touched least recently.
    pub(super) fn least_recent(&self, id: u64, ways: impl Iterator<Item = usize>) -> Option<usize> {
        ways.min_by_key(|&way| self.line(id, way).map(|line| line.touched))
    }
}
