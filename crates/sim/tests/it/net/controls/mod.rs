//! Congestion controls alone, without a network: what all of them promise, and CUBIC's curve.

mod conformance;
mod cubic;
mod support;
