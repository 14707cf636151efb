//! The operations of a network interface that the switch needs, and the kinds of interfaces.

use crate::switch::device::Master;
use crate::switch::frame::Offload;
use forebay_core::About;
use forebay_core::registry::Named;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::os::fd::BorrowedFd;

/// The outcome of a frame that was given to an interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sent {
    /// The frame is on its way.
    Taken,
    /// The interface has no room now; the frame was not sent.
    Busy,
}

/// An open network interface.
///
/// No call waits: an operation that is not possible now is not done.
pub trait Interface {
    /// Hands at most `most` arrived frames to `take`, and stops after a frame for which `take` returns false. Returns the number of frames.
    ///
    /// # Errors
    /// If the interface fails; the call may be repeated.
    fn receive(&mut self, most: usize, take: &mut dyn FnMut(&[u8], Offload) -> bool) -> io::Result<usize>;

    /// Sends a complete frame with its checksums.
    ///
    /// # Errors
    /// If this frame cannot be sent.
    fn send(&mut self, frame: &[u8]) -> io::Result<Sent>;

    /// Flushes sent frames; called after a series of calls of `send`.
    fn flush(&mut self) {}

    /// Returns the most bytes of a frame after its Ethernet header and VLAN tag.
    fn mtu(&self) -> usize;

    /// Returns the number of frames that arrived since the interface was opened, and were lost before the switch saw them.
    fn lost(&mut self) -> u64;

    /// Adds the descriptors that become readable when a frame arrives.
    fn wakers<'a>(&'a self, all: &mut Vec<BorrowedFd<'a>>);

    /// Returns the interface's mode and what that costs, if there are several modes.
    fn mode(&self) -> Option<String> {
        None
    }

    /// Clears an error that a waker reports; called so that the waker stops reporting it.
    fn clear_trouble(&mut self) {}

    /// Returns the interface's state.
    fn link(&self) -> LinkState {
        LinkState::There
    }

    /// Checks whether the interface was removed or is there again; called several times a second.
    fn look(&mut self) -> Option<News> {
        None
    }
}

/// The state of an interface.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkState {
    /// The interface can be used.
    #[default]
    There,
    /// There is no interface of this name, or it cannot be opened.
    Gone,
    /// The interface can be used, and belongs to a bridge, a bond or another such device, which handles its frames as well.
    Part,
}

impl LinkState {
    /// Returns the state's name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::There => "there",
            Self::Gone => "gone",
            Self::Part => "part",
        }
    }
}

/// A change of an interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// The interface was deleted.
    Gone,
    /// There is an interface of its name again, which was opened.
    Back,
    /// There is an interface of its name again, which could not be opened.
    NotOpened(OpenError),
    /// The interface was added to a bridge, a bond or another such device.
    Joined(Master),
    /// The interface was removed from that device.
    Left,
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone => f.write_str(
                // prose: allow private-word: the state link-gone
                "the interface is gone; frames for it are dropped (link-gone) until an interface of its name exists \
                 again",
            ),
            Self::Back => f.write_str("the interface is back, and frames pass again"),
            Self::Joined(master) => write!(
                f,
                "the interface belongs to {master} now, which handles its frames as well, so frames may arrive twice \
                 or not at all; take it out with `ip link set ... nomaster`, or give the switch --port {name} instead",
                name = master.name
            ),
            Self::Left => f.write_str("the interface belongs to no other device any more"),
            Self::NotOpened(why) => {
                write!(f, "there is an interface of this name again, and it cannot be opened: {why}")
            }
        }
    }
}

/// A kind of interface.
pub trait Backend: Sync {
    /// Returns the back end's name and description.
    fn about(&self) -> &About;

    /// Opens an interface by its name.
    ///
    /// # Errors
    /// If the interface cannot be opened. The error gives the reason and the remedy.
    fn open(&self, name: &str) -> Result<Box<dyn Interface>, OpenError>;
}

impl Named for &'static dyn Backend {
    fn about(&self) -> &About {
        (**self).about()
    }
}

/// Why an interface cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// There is no interface of this name.
    #[error("there is no interface of this name; `ip link` lists those that there are")]
    NotThere,
    /// The user lacks the privilege.
    #[error("{0}: permission is denied; run as root, or give the program {1}")]
    Privilege(&'static str, &'static str),
    /// The interface is no Ethernet interface.
    #[error("is not an Ethernet interface; the switch forwards between Ethernet interfaces only")]
    NotEthernet,
    /// The interface is down, so that nothing can be sent or received.
    #[error("is down; set it up with `ip link set ... up`")]
    Down,
    /// Another device of this host forwards the interface's frames.
    #[error(
        "belongs to {0}, which handles its frames as well; give the switch --port {name} instead, or take the interface out with `ip link set ... nomaster`",
        name = .0.name
    )]
    Part(Master),
    /// The interface's frames may be larger than the buffers of AF_XDP.
    #[error(
        "has an MTU of {0}, and AF_XDP takes a frame in one buffer, at most {1} bytes behind the Ethernet header and \
         two tags; `ip link set ... mtu {1}`, or use --backend af-packet"
    )]
    TooLarge(usize, usize),
    /// Another switch uses the interface.
    #[error("another `forebay switch` forwards at it; `forebay ctl stop --control PATH` stops that one")]
    Taken,
    /// The kernel returned an error.
    #[error("{0} fails: {1}{2}")]
    Kernel(&'static str, String, &'static str),
}

/// The note on an interface that another program uses.
const BUSY: &str = "; another program already uses this interface in this way";

impl OpenError {
    /// Whether another program uses the interface.
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self, Self::Kernel(_, _, why) if *why == BUSY)
    }

    /// Creates the error of the step that failed last from the system's error, with the capabilities that the step needs.
    pub(crate) fn last(step: &'static str, capabilities: &'static str) -> Self {
        Self::of(step, capabilities, &io::Error::last_os_error())
    }

    /// Creates the error of a failed step.
    pub(crate) fn of(step: &'static str, capabilities: &'static str, error: &io::Error) -> Self {
        match error.raw_os_error() {
            Some(libc::EPERM | libc::EACCES) => Self::Privilege(step, capabilities),
            Some(libc::ENODEV) => Self::NotThere,
            Some(libc::EBUSY) => Self::Kernel(step, error.to_string(), BUSY),
            Some(libc::ENOBUFS) => {
                Self::Kernel(step, error.to_string(), "; raise `ulimit -l`, or give the program CAP_IPC_LOCK")
            }
            _ => Self::Kernel(step, error.to_string(), ""),
        }
    }
}
