//! The registry of congestion controls, one line for each.
//!
//! An entry is a transport, too: TCP's endpoints with this control (`crates/sim/src/net/tcp.rs`). So a scenario can use `transport =
//! "cubic"` with only one line in this file.

mod build;
mod control;
mod entry;
mod own;

pub use build::Build;
pub use control::{Acked, Congestion, CongestionControl, Ecn, Limits};
pub use entry::{ControlEntry, Make, MakeControl};
pub use own::{MakeOwnControl, OWN_TRANSPORT, OwnControl, own_transport};

forebay_core::registry! {
    /// Every congestion control, in the order in which `forebay list` shows them among the transports.
    pub static CONTROLS: [ControlEntry] = {
        mod newreno;
        mod dctcp;
        mod cubic;
    }
}
