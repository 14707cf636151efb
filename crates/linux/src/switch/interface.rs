//! What the switch needs of a network interface, and what kinds there are.

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
    /// It is on its way.
    Taken,
    /// The interface has no room now; nothing has happened.
    Busy,
}

/// An open network interface.
///
/// It waits for nothing: what cannot be done now is left undone.
pub trait Interface {
    /// Gives frames that have arrived, at most this many, and none after a frame for which `take` returns that it is
    /// enough. How many these were.
    ///
    /// # Errors
    /// If the interface is in trouble; it may be asked again.
    fn receive(&mut self, most: usize, take: &mut dyn FnMut(&[u8], Offload) -> bool) -> io::Result<usize>;

    /// Sends a frame, which is whole and has its checksums.
    ///
    /// # Errors
    /// If this frame cannot be sent.
    fn send(&mut self, frame: &[u8]) -> io::Result<Sent>;

    /// Called after some frames were sent.
    fn flush(&mut self) {}

    /// The most bytes of a frame behind its Ethernet header and VLAN tag.
    fn mtu(&self) -> usize;

    /// Frames that arrived, and were lost before the switch saw them, since it was opened.
    fn lost(&mut self) -> u64;

    /// Adds the descriptors that become readable when a frame arrives.
    fn wakers<'a>(&'a self, all: &mut Vec<BorrowedFd<'a>>);

    /// How it works, if that is not always the same, and what that costs.
    fn mode(&self) -> Option<String> {
        None
    }

    /// Called when one of the wakers reports an error, so that it stops reporting it.
    fn clear_trouble(&mut self) {}

    /// Whether it is there.
    fn link(&self) -> LinkState {
        LinkState::There
    }

    /// Called several times a second: looks whether it is still there, or again.
    fn look(&mut self) -> Option<News> {
        None
    }
}

/// Whether an interface is there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkState {
    /// It can be used.
    #[default]
    There,
    /// There is none of its name, or it cannot be opened.
    Gone,
    /// It can be used, and belongs to a bridge, a bond or another such device, which handles its frames as well.
    Part,
}

impl LinkState {
    /// As in JSON.
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
    /// It was deleted.
    Gone,
    /// There is one of its name again, which was opened.
    Back,
    /// There is one of its name again, which could not be opened.
    NotOpened(OpenError),
    /// It was put into a bridge, a bond or another such device.
    Joined(Master),
    /// It was taken out of that device.
    Left,
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone => f.write_str(
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
    /// What it is.
    fn about(&self) -> &About;

    /// Opens an interface by its name.
    ///
    /// # Errors
    /// If it cannot be opened. The error says why, and what to do.
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
    /// There is none of this name.
    #[error("there is no interface of this name; `ip link` lists those that there are")]
    NotThere,
    /// Only some may do that.
    #[error("{0}: permission is denied; run as root, or give the program {1}")]
    Privilege(&'static str, &'static str),
    /// It is no Ethernet.
    #[error("is not an Ethernet interface; the switch forwards between Ethernet interfaces only")]
    NotEthernet,
    /// Nothing can be sent or received.
    #[error("is down; set it up with `ip link set ... up`")]
    Down,
    /// Something else of this host forwards its frames.
    #[error(
        "belongs to {0}, which handles its frames as well; give the switch --port {name} instead, or take the interface out with `ip link set ... nomaster`",
        name = .0.name
    )]
    Part(Master),
    /// Its frames may be larger than what they are taken in.
    #[error(
        "has an MTU of {0}, and AF_XDP takes a frame in one buffer, at most {1} bytes behind the Ethernet header and \
         two tags; `ip link set ... mtu {1}`, or use --backend af-packet"
    )]
    TooLarge(usize, usize),
    /// Another switch has it.
    #[error("another `forebay switch` forwards at it; `forebay ctl stop --control PATH` stops that one")]
    Taken,
    /// The kernel said no.
    #[error("{0} fails: {1}{2}")]
    Kernel(&'static str, String, &'static str),
}

/// What is said of an interface that another program has.
const BUSY: &str = "; another program already uses this interface in this way";

impl OpenError {
    /// Whether another program has the interface.
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self, Self::Kernel(_, _, why) if *why == BUSY)
    }

    /// Of the step that failed last, as the system says why; with the capabilities that it takes.
    pub(crate) fn last(step: &'static str, capabilities: &'static str) -> Self {
        Self::of(step, capabilities, &io::Error::last_os_error())
    }

    /// Of a step that failed.
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
