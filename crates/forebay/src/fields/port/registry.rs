//! The fields of `[port]`: one file for each.

forebay_core::registry! {
    /// Fields of `[port]`, in the order of the manual.
    pub static FIELDS: [crate::fields::Field] = {
        mod rate;
        mod buffer;
    }
}
