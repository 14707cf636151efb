//! forebay decides for a network element which packet waits, which is dropped, which goes next, and which state is kept close.

pub mod attack;
pub mod caching;
pub mod catalogue;
pub mod document;
pub mod error;
pub mod experiment;
pub mod fields;
pub mod metrics;
pub mod network;
pub mod observer;
pub mod op_streams;
pub mod openqueue;
pub mod output;
pub mod report;
pub mod requests;
pub mod scenario;
pub mod study;
pub mod threads;

pub use error::{Result, UserError};
pub use observer::{Cancel, Meter, Observer, Silent, Unit};
