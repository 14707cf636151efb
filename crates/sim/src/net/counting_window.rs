//! The counted part of a run.

use crate::net::hook::Counted;

/// The counts when counting began and when it ended.
pub(crate) struct CountingWindow<T> {
    from: From<T>,
    until: Option<T>,
}

/// Since when is counted.
enum From<T> {
    /// Since the start of the run.
    Start,
    /// Since later; with the counts then, if that time has come.
    Later(Option<T>),
}

impl<T> Default for CountingWindow<T> {
    /// The whole run.
    fn default() -> Self {
        Self { from: From::Start, until: None }
    }
}

impl<T> CountingWindow<T> {
    /// Counting begins later in the run.
    pub(crate) fn wait(&mut self) {
        self.from = From::Later(None);
    }

    /// Counting begins; so much had been counted before.
    pub(crate) fn begin(&mut self, counts: T) {
        self.from = From::Later(Some(counts));
    }

    /// Counting ends.
    pub(crate) fn end(&mut self, counts: T) {
        self.until = Some(counts);
    }

    /// Returns the counts of the window; `last` holds the counts at the end of the run.
    pub(crate) fn counted(self, last: T) -> Counted<T> {
        let last = self.until.unwrap_or(last);
        match self.from {
            From::Start => Counted::All(last),
            From::Later(None) => Counted::Nothing(last),
            From::Later(Some(from)) => Counted::Between(from, last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_lies_in_the_window() {
        assert_eq!(CountingWindow::default().counted(9), Counted::All(9));
        let mut window = CountingWindow::default();
        window.wait();
        assert_eq!(window.counted(9), Counted::Nothing(9), "the run ended before");
        let mut window = CountingWindow::default();
        window.wait();
        window.begin(2);
        window.end(7);
        assert_eq!(window.counted(9), Counted::Between(2, 7));
    }
}
