//! The core from outside.

mod estimate;
