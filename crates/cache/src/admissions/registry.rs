//! Rules of admission, one file each.

use crate::admission::AdmissionEntry;

forebay_core::registry! {
    /// Every rule of admission.
    pub static ADMISSIONS: [AdmissionEntry] = {
        mod adaptsize;
        mod bloom;
        mod probability;
        mod size_threshold;
        mod tinylfu;
    }
}
