//! The registry of the kinds of interfaces.

use crate::switch::Backend;

forebay_core::registry! {
    /// All kinds of interfaces, in the order in which they are listed.
    pub static BACKENDS: [&'static dyn Backend] = {
        mod packet;
        mod xdp;
        mod memory;
    }
}
