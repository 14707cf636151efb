//! Interfaces without a wire: the holder of the other end puts frames in and takes sent frames out.
//!
//! An interface that is opened by name has no other end. No frame arrives at such an interface, and it accepts all frames. So you can try a
//! policy and the control socket without privileges.

use crate::switch::frame::Offload;
use crate::switch::{Backend, Interface, OpenError, Sent};
use forebay_core::{About, Exactness};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::os::fd::BorrowedFd;
use std::rc::Rc;

/// The registry's entry.
pub const ENTRY: &'static dyn Backend = &Memory;

struct Memory;

const ABOUT: About = About {
    name: "memory",
    title: "Ports without a wire, to try policies and the control socket; no frame arrives, and sent frames are \
            discarded",
    exactness: Exactness::NotApplicable,
    hardware: "none",
    cost: "a copy of the frame",
    source: "docs/targets/switch.md",
    params: &[],
};

impl Backend for Memory {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn open(&self, _name: &str) -> Result<Box<dyn Interface>, OpenError> {
        let (interface, _) = pair();
        Ok(Box::new(interface))
    }
}

/// The frames in both directions.
struct Wire {
    coming: VecDeque<(Vec<u8>, Offload)>,
    sent: VecDeque<Vec<u8>>,
    /// The number of frames that the wire still accepts.
    room: usize,
    fails: bool,
}

/// An interface in memory.
pub struct MemoryInterface {
    wire: Rc<RefCell<Wire>>,
    /// Whether the other end is held.
    is_watched: bool,
}

/// The other end of an interface in memory.
pub struct OtherEnd(Rc<RefCell<Wire>>);

/// Creates an interface and its other end, which accepts any number of frames.
#[must_use]
pub fn pair() -> (MemoryInterface, OtherEnd) {
    let wire = Wire { coming: VecDeque::new(), sent: VecDeque::new(), room: usize::MAX, fails: false };
    let wire = Rc::new(RefCell::new(wire));
    (MemoryInterface { wire: Rc::clone(&wire), is_watched: true }, OtherEnd(wire))
}

impl OtherEnd {
    /// Lets a frame arrive at the switch.
    pub fn put(&self, frame: Vec<u8>, offload: Offload) {
        self.0.borrow_mut().coming.push_back((frame, offload));
    }

    /// Returns the next frame that the switch has sent.
    pub fn take(&self) -> Option<Vec<u8>> {
        self.0.borrow_mut().sent.pop_front()
    }

    /// Lets the interface accept `frames` more frames, and then none.
    pub fn set_room(&self, frames: usize) {
        self.0.borrow_mut().room = frames;
    }

    /// Makes sending fail from now on, or succeed again.
    pub fn set_failing(&self, fails: bool) {
        self.0.borrow_mut().fails = fails;
    }
}

impl Interface for MemoryInterface {
    fn receive(&mut self, most: usize, take: &mut dyn FnMut(&[u8], Offload) -> bool) -> io::Result<usize> {
        for taken in 0..most {
            let next = self.wire.borrow_mut().coming.pop_front();
            let Some((frame, offload)) = next else { return Ok(taken) };
            if !take(&frame, offload) {
                return Ok(taken + 1);
            }
        }
        Ok(most)
    }

    fn send(&mut self, frame: &[u8]) -> io::Result<Sent> {
        self.is_watched &= Rc::strong_count(&self.wire) > 1;
        let mut wire = self.wire.borrow_mut();
        if wire.fails {
            return Err(io::Error::other("the wire is cut"));
        }
        if wire.room == 0 {
            return Ok(Sent::Busy);
        }
        wire.room -= 1;
        if self.is_watched {
            wire.sent.push_back(frame.to_vec());
        }
        Ok(Sent::Taken)
    }

    fn mtu(&self) -> usize {
        1_500
    }

    fn lost(&mut self) -> u64 {
        0
    }

    fn wakers<'a>(&'a self, _all: &mut Vec<BorrowedFd<'a>>) {}
}
