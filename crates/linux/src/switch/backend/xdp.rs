//! AF_XDP sockets (Documentation/networking/af_xdp.rst): a program at the interface hands frames over before the kernel's own network stack
//! sees them.
//!
//! Frames are copied, which every driver allows. The driver's own XDP is used if there is one, else the generic one. Each receive queue has
//! a socket with its own memory. The program is removed when the process ends, since only the process holds its link. XDP does not report a
//! missing checksum, so [`guess`] recognises it from its field. XDP does not report a removed VLAN tag either, so the tag is lost
//! (docs/targets/switch.md).

mod area;
mod program;
mod ring;
mod rings;

use crate::switch::claim::Claim;
use crate::switch::frame::{Offload, guess};
use crate::switch::link::{Link, packet_socket, takes_tags_off};
use crate::switch::{Backend, Interface, OpenError, Sent};
use area::Area;
use forebay_core::{About, Exactness};
use program::Program;
use rings::XdpSocket;
use std::cell::Cell;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// The registry's entry.
pub const ENTRY: &'static dyn Backend = &Xdp;

struct Xdp;

/// The capabilities that AF_XDP needs.
const CAPABILITIES: &str = "CAP_NET_RAW, CAP_NET_ADMIN, CAP_BPF and CAP_IPC_LOCK";
/// The largest MTU: a frame with an Ethernet header and two tags must fit one buffer.
const LARGEST_MTU: usize = Area::RECEIVED_BYTES - 22;
/// The most receive queues of an interface; further queues are not opened.
const MOST_QUEUES: u32 = 64;

/// The note on an interface that removes VLAN tags from frames.
const TAGS_ARE_LOST: &str = "; its VLAN offload is on (rx-vlan-offload): XDP does not see a tag that is kept beside its frame, so the frame is forwarded \
                             without it. If frames have tags, turn the offload off with `ethtool -K ... rxvlan off` (of a virtual interface, `txvlan off` at the \
                             sender), or use --backend af-packet";

const ABOUT: About = About {
    name: "af-xdp",
    title: "AF_XDP sockets in copy mode; frames bypass the network of the kernel",
    exactness: Exactness::NotApplicable,
    hardware: "Linux 5.9; CAP_NET_RAW, CAP_NET_ADMIN, CAP_BPF and CAP_IPC_LOCK",
    cost: "two copies for each frame, and one system call for each batch that is sent",
    source: "Documentation/networking/af_xdp.rst",
    params: &[],
};

impl Backend for Xdp {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn open(&self, name: &str) -> Result<Box<dyn Interface>, OpenError> {
        let promiscuous = packet_socket(CAPABILITIES)?;
        let link = Link::find(name, &promiscuous, CAPABILITIES)?;
        if link.mtu > LARGEST_MTU {
            return Err(OpenError::TooLarge(link.mtu, LARGEST_MTU));
        }
        let claim = Claim::of(link.index)?;
        let mut sockets = Vec::new();
        for queue in 0..MOST_QUEUES {
            match XdpSocket::open(link, queue, Area::new()?)? {
                Some(socket) => sockets.push(socket),
                None if queue == 0 => {
                    return Err(OpenError::Kernel(
                        "an AF_XDP socket",
                        "the interface has no receive queue".to_owned(),
                        "",
                    ));
                }
                None => break,
            }
        }
        let program = Program::attach(link, sockets.iter().map(XdpSocket::fd))?;
        link.bind(&promiscuous, 0)?;
        link.take_all(&promiscuous)?;
        Ok(Box::new(XdpInterface {
            sockets,
            first: 0,
            mtu: link.mtu,
            program,
            takes_tags_off: takes_tags_off(name, &promiscuous),
            _promiscuous: promiscuous,
            _claim: claim,
        }))
    }
}

struct XdpInterface {
    /// One socket for each receive queue; the first one sends.
    sockets: Vec<XdpSocket>,
    /// The index of the socket that is read first.
    first: usize,
    mtu: usize,
    program: Program,
    /// Whether the interface removes VLAN tags from frames, so that they are lost.
    takes_tags_off: bool,
    _promiscuous: OwnedFd,
    _claim: Claim,
}

impl Interface for XdpInterface {
    fn receive(&mut self, most: usize, take: &mut dyn FnMut(&[u8], Offload) -> bool) -> io::Result<usize> {
        let goes_on = Cell::new(true);
        let mut take = |bytes: &[u8]| {
            goes_on.set(take(bytes, Offload { checksum: guess(bytes), ..Offload::default() }));
            goes_on.get()
        };
        let receive = |socket: &mut XdpSocket, most| if goes_on.get() { socket.receive(most, &mut take) } else { 0 };
        Ok(in_turn(&mut self.sockets, &mut self.first, most, receive))
    }

    fn send(&mut self, frame: &[u8]) -> io::Result<Sent> {
        if frame.len() > Area::FRAME_BYTES {
            return Err(io::Error::from_raw_os_error(libc::EMSGSIZE));
        }
        Ok(if self.sockets[0].send(frame)? { Sent::Taken } else { Sent::Busy })
    }

    fn flush(&mut self) {
        // An interface that has just gone down is noticed again by the next frame.
        let _ = self.sockets[0].kick();
    }

    fn mtu(&self) -> usize {
        self.mtu
    }

    fn mode(&self) -> Option<String> {
        let xdp = if self.program.is_of_driver {
            "the driver's XDP"
        } else {
            "generic XDP, since that of the driver cannot be used here: segments over 3,840 bytes are lost (`lost_before`), so turn segmentation off at \
             the senders (`ethtool -K ... tso off gso off`), or use --backend af-packet"
        };
        let tags = if self.takes_tags_off { TAGS_ARE_LOST } else { "" };
        Some(format!("{xdp}{tags}"))
    }

    fn lost(&mut self) -> u64 {
        self.sockets.iter().map(XdpSocket::lost).sum()
    }

    fn wakers<'a>(&'a self, all: &mut Vec<BorrowedFd<'a>>) {
        all.extend(self.sockets.iter().map(|socket| socket.fd().as_fd()));
    }
}

/// Reads at most `most` frames of several queues, and returns their number. Each call starts with another queue, so that no queue waits for
/// a busy one for ever.
fn in_turn<Q>(queues: &mut [Q], first: &mut usize, most: usize, mut take: impl FnMut(&mut Q, usize) -> usize) -> usize {
    let (begin, mut taken) = (*first, 0);
    for turn in 0..queues.len() {
        let queue = (begin + turn) % queues.len();
        taken += take(&mut queues[queue], most - taken);
    }
    *first = (begin + 1) % queues.len().max(1);
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_that_is_always_full_leaves_turns_to_others() {
        let mut queues = [100, 3, 5];
        let mut first = 0;
        let mut rounds = Vec::new();
        for _ in 0..3 {
            let take = |queue: &mut usize, most: usize| {
                let taken = most.min(*queue);
                *queue -= taken;
                taken
            };
            assert_eq!(in_turn(&mut queues, &mut first, 10, take), 10);
            rounds.push(queues);
        }
        assert_eq!(rounds, [[90, 3, 5], [88, 0, 0], [78, 0, 0]]);
    }
}
