//! Every kind of interface: one line each.

use crate::switch::Backend;

forebay_core::registry! {
    /// Every kind of interface, in the order in which they are listed.
    pub static BACKENDS: [&'static dyn Backend] = {
        mod packet;
        mod xdp;
        mod memory;
    }
}
