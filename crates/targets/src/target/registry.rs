//! Every target: one line each.

use crate::Target;

forebay_core::registry! {
    /// Every target, in the order in which they are listed.
    pub static TARGETS: [&'static dyn Target] = {
        mod bpf;
        mod user;
        mod dpdk;
        mod p4;
        mod sv;
    }
}
