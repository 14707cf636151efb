//! State per flow, for rank functions: pages of consecutive flow numbers. A page is allocated when a packet of one of its flows is seen.
//!
//! Flows are numbered as they begin, so the flows of a page begin at about the same time. At a port that sees one flow in a hundred of a
//! network, nearly all pages are allocated, so each port uses memory for all flows that ever began. A rank function that knows which values
//! it no longer needs frees pages; in other rank functions, such as PIAS, pages are never freed.

use forebay_core::FlowId;

/// The number of flows in a page.
const PAGE: usize = 256;

/// A value for every flow, the default one until it is changed.
#[derive(Debug, Clone, Default)]
pub(crate) struct FlowState<T> {
    pages: Vec<Option<Box<[T]>>>,
}

impl<T: Copy + Default> FlowState<T> {
    /// The value of `flow`.
    #[inline]
    pub(crate) fn get(&self, flow: FlowId) -> T {
        match self.pages.get(flow.index() / PAGE) {
            Some(Some(page)) => page[flow.index() % PAGE],
            _ => T::default(),
        }
    }

    /// The value of `flow`, to be changed.
    #[inline]
    pub(crate) fn get_mut(&mut self, flow: FlowId) -> &mut T {
        let number = flow.index() / PAGE;
        if number >= self.pages.len() {
            self.pages.resize(number + 1, None);
        }
        let page = self.pages[number].get_or_insert_with(|| vec![T::default(); PAGE].into());
        &mut page[flow.index() % PAGE]
    }

    /// As [`get_mut`](Self::get_mut). If this allocates a page, it first frees pages in which `over` holds for every value, so that the
    /// default value can replace it.
    #[inline]
    pub(crate) fn get_mut_forgetting(&mut self, flow: FlowId, over: impl Fn(&T) -> bool) -> &mut T {
        if !matches!(self.pages.get(flow.index() / PAGE), Some(Some(_))) {
            self.forget(over);
        }
        self.get_mut(flow)
    }

    #[cold]
    fn forget(&mut self, over: impl Fn(&T) -> bool) {
        for page in &mut self.pages {
            if page.as_ref().is_some_and(|page| page.iter().all(&over)) {
                *page = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::Seed;
    use rand::RngExt;
    use std::collections::BTreeMap;

    /// Values that are times, over when they have passed.
    #[test]
    fn what_is_over_is_forgotten_and_nothing_else() {
        let mut rng = Seed(7).stream("flow-state");
        let mut state = FlowState::<u64>::default();
        let mut plain = BTreeMap::new();
        let mut most_pages = 0;
        for now in 1..200_000_u32 {
            // Flows begin one after the other, and few of them are seen for long.
            let age = if rng.random_bool(0.01) { 20_000 } else { 200 };
            let flow = FlowId(now.saturating_sub(rng.random_range(0..age)));
            let until = u64::from(now) + rng.random_range(0..100);
            *state.get_mut_forgetting(flow, |&until| until <= now.into()) = until;
            plain.insert(flow, until);
            let probe = FlowId(now.saturating_sub(rng.random_range(0..30_000)));
            let known = |until: u64| until.max(now.into());
            assert_eq!(known(state.get(probe)), known(plain.get(&probe).copied().unwrap_or(0)), "{now}");
            most_pages = most_pages.max(state.pages.iter().flatten().count());
        }
        assert!(most_pages < 20, "{most_pages} of {} pages at a time", state.pages.len());
        assert!(state.pages.len() > 700);
    }
}
