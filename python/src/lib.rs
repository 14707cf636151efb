//! The part in Rust of forebay's Python package: `forebay/` beside this folder is what people import.

mod answer;
mod arrow;
mod catalogue;
mod error;
mod failure;
mod files;
mod own;
mod request_arrays;
mod run;
mod traces;
mod watch;

use pyo3::prelude::*;

/// The functions that the Python part calls.
#[pymodule]
mod _forebay {
    #[pymodule_export]
    use super::answer::PyAnswer;
    #[pymodule_export]
    use super::catalogue::{entries, schema};
    #[pymodule_export]
    use super::own::{PyAcked, PyLimits, PyPacket};
    #[pymodule_export]
    use super::request_arrays::{PyRequests, numbers_of_keys};
    #[pymodule_export]
    use super::run::{PyQuestion, merge};
    #[pymodule_export]
    use super::traces::read_requests;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
