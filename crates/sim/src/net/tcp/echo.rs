//! The receiver's reports of marks to its sender.

use crate::net::segment::Flags;
use std::fmt;

/// Decides which acknowledgements carry [`Flags::ECHO`].
pub(crate) trait Echo: fmt::Debug {
    /// Whether data with `flags` needs an acknowledgement separate from that of earlier data.
    fn separates(&self, flags: Flags) -> bool;

    /// Data has arrived that carries `flags`.
    fn arrived(&mut self, flags: Flags);

    /// Whether an acknowledgement that leaves now is an echo.
    fn echoes(&self) -> bool;
}

/// Never an echo.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unmarked;

impl Echo for Unmarked {
    fn separates(&self, _: Flags) -> bool {
        false
    }

    fn arrived(&mut self, _: Flags) {}

    fn echoes(&self) -> bool {
        false
    }
}

/// An echo from a mark on, until the sender says that it has reduced its window (RFC 3168, section 6.1.3).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Latched {
    marked: bool,
}

impl Echo for Latched {
    fn separates(&self, _: Flags) -> bool {
        false
    }

    fn arrived(&mut self, flags: Flags) {
        self.marked = flags.has(Flags::CONGESTED) || self.marked && !flags.has(Flags::REDUCED);
    }

    fn echoes(&self) -> bool {
        self.marked
    }
}

/// An echo of each mark (RFC 8257, section 3.2). An acknowledgement reports data that was all marked or all not. Where that changes, data
/// that is held back is acknowledged first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EchoExact {
    marked: bool,
}

impl Echo for EchoExact {
    fn separates(&self, flags: Flags) -> bool {
        self.marked != flags.has(Flags::CONGESTED)
    }

    fn arrived(&mut self, flags: Flags) {
        self.marked = flags.has(Flags::CONGESTED);
    }

    fn echoes(&self) -> bool {
        self.marked
    }
}
