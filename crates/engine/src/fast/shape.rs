//! The features that a policy does not use. They are known when its engine is built, so that they are not compiled in.

use std::fmt::Debug;

/// Which queues are in buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Buffered {
    /// No queue has a buffer.
    No,
    /// All queues share one buffer.
    Together,
    /// Some queues are in buffers.
    Some,
}

/// A class of policies.
pub(super) trait Shape: Debug + Send + 'static {
    /// There is one queue, no buffer and no classifier.
    const ONE: bool = false;
    /// Congestion causes only tail drops, and nothing happens after service.
    const PLAIN: bool = true;
    /// Packets name one of several queues.
    const DIRECTED: bool = false;
    /// Keys of queues may have to be cached.
    const KEYS: bool = false;
    /// A size may be in bytes.
    const BYTES: bool = true;
    /// Which queues are in buffers.
    const BUFFERED: Buffered = Buffered::No;
}

/// One queue, measured in bytes if `BYTES`.
#[derive(Debug)]
pub(super) struct One<const BYTES: bool>;

impl<const BYTES: bool> Shape for One<BYTES> {
    const ONE: bool = true;
    const BYTES: bool = BYTES;
}

/// Separate queues, each with its own room, that packets name; no keys of queues are cached.
#[derive(Debug)]
pub(super) struct Separate<const BYTES: bool>;

impl<const BYTES: bool> Shape for Separate<BYTES> {
    const DIRECTED: bool = true;
    const BYTES: bool = BYTES;
}

/// Queues that packets name, all in one buffer; no keys of queues are cached.
#[derive(Debug)]
pub(super) struct Shared<const BYTES: bool>;

impl<const BYTES: bool> Shape for Shared<BYTES> {
    const DIRECTED: bool = true;
    const BYTES: bool = BYTES;
    const BUFFERED: Buffered = Buffered::Together;
}

/// Any queues, if only tail drops happen.
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
