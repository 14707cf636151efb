//! The features that a policy does not use. They are known when its engine is built, so that they are not compiled in.

use std::fmt::Debug;

/// Which queues are in buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Buffered {
    /// None.
    No,
    /// All, in one buffer.
    Together,
    /// Some, in some buffers.
    Some,
}

/// A class of policies.
pub(super) trait Shape: Debug + Send + 'static {
    /// There is one queue, no buffer and no classifier.
    const ONE: bool = false;
    /// All that happens at congestion is a tail drop, and nothing happens after service.
    const PLAIN: bool = true;
    /// Packets say which of several queues they enter.
    const DIRECTED: bool = false;
    /// Keys of queues may have to be kept.
    const KEYS: bool = false;
    /// A size may be in bytes.
    const BYTES: bool = true;
    /// Which queues are in buffers.
    const BUFFERED: Buffered = Buffered::No;
}

/// One queue; `BYTES`: it is measured in bytes.
#[derive(Debug)]
pub(super) struct One<const BYTES: bool>;

impl<const BYTES: bool> Shape for One<BYTES> {
    const ONE: bool = true;
    const BYTES: bool = BYTES;
}

/// Queues side by side, each with room of its own, that packets are directed to; no keys of them are kept.
#[derive(Debug)]
pub(super) struct Separate<const BYTES: bool>;

impl<const BYTES: bool> Shape for Separate<BYTES> {
    const DIRECTED: bool = true;
    const BYTES: bool = BYTES;
}

/// The same, all in one buffer.
#[derive(Debug)]
pub(super) struct Shared<const BYTES: bool>;

impl<const BYTES: bool> Shape for Shared<BYTES> {
    const DIRECTED: bool = true;
    const BYTES: bool = BYTES;
    const BUFFERED: Buffered = Buffered::Together;
}

/// Any queues, if nothing but tail drops happens.
#[derive(Debug)]
pub(super) struct Plain;

impl Shape for Plain {
    const KEYS: bool = true;
    const BUFFERED: Buffered = Buffered::Some;
}

/// Any policy.
#[derive(Debug)]
pub(super) struct Any;

impl Shape for Any {
    const PLAIN: bool = false;
    const KEYS: bool = true;
    const BUFFERED: Buffered = Buffered::Some;
}
