//! forebay in a browser: three functions that the page's worker calls, and one that it provides.
//!
//! A question is bytes in the memory of the module: the worker calls [`reserve`] for memory, writes there, and calls [`ask`]. The answer
//! begins at [`answer_address`]. [`put`] reads a file in the same way: its name, then its content.

mod exchange;
mod progress;

pub use exchange::{answer_address, ask, put, reserve};
