//! The two ends of a flow.

/// One of the two ends of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The end that sends the flow's data.
    Sender,
    /// The end that receives it.
    Receiver,
}
