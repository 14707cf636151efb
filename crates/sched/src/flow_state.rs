//! State per flow, for rank functions: a vector that grows with the flows seen.

use forebay_core::FlowId;

/// A value for every flow, the default one until it is changed.
#[derive(Debug, Clone, Default)]
pub(crate) struct FlowState<T>(Vec<T>);

impl<T: Copy + Default> FlowState<T> {
    /// The value of `flow`.
    pub(crate) fn get(&self, flow: FlowId) -> T {
        self.0.get(flow.index()).copied().unwrap_or_default()
    }

    /// The value of `flow`, to be changed.
    pub(crate) fn get_mut(&mut self, flow: FlowId) -> &mut T {
        let index = flow.index();
        if index >= self.0.len() {
            self.0.resize(index + 1, T::default());
        }
        &mut self.0[index]
    }
}
