//! Packet sockets (packet(7)): frames arrive through a ring in shared memory (TPACKET_V3), and are sent by `send`.
//!
//! The kernel reports for each frame which checksum is missing, how to cut a large frame, and which VLAN tag it has removed. Frames that
//! this host sends by the interface are not received. The kernel hands over a block of the ring when the block is full or a millisecond
//! old, so a frame may be seen a millisecond late.
#![expect(unsafe_code, reason = "the ring is memory that is shared with the kernel")]

use crate::switch::claim::Claim;
use crate::switch::frame::{Missing, Offload, Protocol, Segment, Tag};
use crate::switch::link::{Link, option, packet_socket, set_option};
use crate::switch::mapping::Mapping;
use crate::switch::{Backend, Interface, OpenError, Sent};
use forebay_core::{About, Exactness};
use rustix::io::Errno;
use rustix::net::{SendFlags, send};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};

/// The registry's entry.
pub const ENTRY: &'static dyn Backend = &Packet;

struct Packet;

/// The capabilities that a packet socket needs.
const CAPABILITIES: &str = "CAP_NET_RAW";

const ABOUT: About = About {
    name: "af-packet",
    title: "Packet sockets with a ring; any Ethernet interface, including large and unfinished frames of virtual \
            interfaces",
    exactness: Exactness::NotApplicable,
    hardware: "Linux 5.1; CAP_NET_RAW",
    cost: "two copies and one system call for each frame; up to a millisecond until a frame is seen",
    source: "packet(7); Documentation/networking/packet_mmap.rst",
    params: &[],
};

const VERSION_3: i32 = 2;
const PACKET_VNET_HDR: i32 = 15;
const PACKET_IGNORE_OUTGOING: i32 = 23;
const EVERY_PROTOCOL: u16 = 3;
/// The size of a block: it has room for the largest frame, of 64 KB, and for many small ones. At low rates each frame occupies a block,
/// since a block is handed over after a millisecond. The ring stores the frames of a tenth of a second in which the switch does not run.
const BLOCK_BYTES: usize = 1 << 17;
const BLOCKS: usize = 128;
const FRAME_BYTES: usize = 1 << 11;
const RETIRE_AFTER_MS: u32 = 1;

/// The structure `tpacket_stats_v3` of the kernel.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Statistics {
    packets: u32,
    drops: u32,
    freezes: u32,
}

impl Backend for Packet {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn open(&self, name: &str) -> Result<Box<dyn Interface>, OpenError> {
        let receiver = packet_socket(CAPABILITIES)?;
        let link = Link::find(name, &receiver, CAPABILITIES)?;
        let claim = Claim::of(link.index)?;
        let set = |what: &'static str, name: i32, value: i32| {
            set_option(&receiver, libc::SOL_PACKET, name, &value)
                .map_err(|error| OpenError::of(what, CAPABILITIES, &error))
        };
        set("a ring of version 3", libc::PACKET_VERSION, VERSION_3)?;
        set("asking what frames lack", PACKET_VNET_HDR, 1)?;
        set("ignoring what this host sends", PACKET_IGNORE_OUTGOING, 1)?;
        let ring = Ring::new(&receiver)?;
        link.take_all(&receiver)?;
        let sender = packet_socket(CAPABILITIES)?;
        link.bind(&sender, 0)?;
        link.bind(&receiver, EVERY_PROTOCOL)?;
        Ok(Box::new(PacketInterface { ring, receiver, sender, mtu: link.mtu, lost: 0, _claim: claim }))
    }
}

struct PacketInterface {
    ring: Ring,
    receiver: OwnedFd,
    sender: OwnedFd,
    mtu: usize,
    lost: u64,
    _claim: Claim,
}

impl Interface for PacketInterface {
    fn receive(&mut self, most: usize, take: &mut dyn FnMut(&[u8], Offload) -> bool) -> io::Result<usize> {
        let mut taken = 0;
        while taken < most {
            let Some(goes_on) = self.ring.next(take) else { break };
            taken += 1;
            if !goes_on {
                break;
            }
        }
        Ok(taken)
    }

    fn send(&mut self, frame: &[u8]) -> io::Result<Sent> {
        match send(&self.sender, frame, SendFlags::DONTWAIT) {
            Ok(_) => Ok(Sent::Taken),
            Err(Errno::AGAIN | Errno::NOBUFS | Errno::INTR) => Ok(Sent::Busy),
            Err(error) => Err(error.into()),
        }
    }

    fn mtu(&self) -> usize {
        self.mtu
    }

    fn lost(&mut self) -> u64 {
        // Reading sets them to zero.
        let read = option(&self.receiver, libc::SOL_PACKET, libc::PACKET_STATISTICS, Statistics::default());
        self.lost += read.map_or(0, |statistics| u64::from(statistics.drops));
        self.lost
    }

    fn wakers<'a>(&'a self, all: &mut Vec<BorrowedFd<'a>>) {
        all.push(self.receiver.as_fd());
    }

    fn clear_trouble(&mut self) {
        // Reading the error takes it away; that the interface went down shows where frames are sent.
        let _ = option(&self.receiver, libc::SOL_SOCKET, libc::SO_ERROR, 0_i32);
    }
}

/// The ring: blocks of frames, which the kernel fills in turn.
struct Ring {
    memory: Mapping,
    block: usize,
    /// The number of frames in the block that were not read yet, and the position of the next one.
    left: u32,
    next: usize,
}

impl Ring {
    const BYTES: usize = BLOCK_BYTES * BLOCKS;

    fn new(socket: &OwnedFd) -> Result<Self, OpenError> {
        let number = |number: usize| u32::try_from(number).expect("the ring has fewer than 2^32 bytes");
        let request = libc::tpacket_req3 {
            tp_block_size: number(BLOCK_BYTES),
            tp_block_nr: number(BLOCKS),
            tp_frame_size: number(FRAME_BYTES),
            tp_frame_nr: number(Self::BYTES / FRAME_BYTES),
            tp_retire_blk_tov: RETIRE_AFTER_MS,
            tp_sizeof_priv: 0,
            tp_feature_req_word: 0,
        };
        set_option(socket, libc::SOL_PACKET, libc::PACKET_RX_RING, &request)
            .map_err(|error| OpenError::of("a ring for frames", CAPABILITIES, &error))?;
        let failed = OpenError::of_mapping("mapping the ring", CAPABILITIES);
        Ok(Self::of(Mapping::of_socket(socket, 0, Self::BYTES).map_err(failed)?))
    }

    fn of(memory: Mapping) -> Self {
        Self { memory, block: 0, left: 0, next: 0 }
    }

    /// Returns the owner of the block: the third word of its header.
    fn status(&self) -> &AtomicU32 {
        self.memory.atomic(self.block * BLOCK_BYTES + 8)
    }

    /// Returns the block's bytes. The kernel must have handed the block over.
    fn bytes(&self) -> &[u8] {
        let place = self.memory.place(self.block * BLOCK_BYTES, BLOCK_BYTES);
        // SAFETY: within the mapping; the kernel does not write into a block that it has handed over.
        unsafe { std::slice::from_raw_parts(place.as_ptr(), BLOCK_BYTES) }
    }

    /// Hands the next frame to `take`. Returns what `take` returned; `None` if there was no frame.
    fn next(&mut self, take: &mut dyn FnMut(&[u8], Offload) -> bool) -> Option<bool> {
        while self.left == 0 {
            if self.status().load(Ordering::Acquire) & libc::TP_STATUS_USER == 0 {
                return None;
            }
            let head = Fields(self.bytes());
            (self.left, self.next) = (head.long(12), head.long(16) as usize);
            if self.left == 0 {
                self.give_back();
            }
        }
        let block = self.bytes();
        let header = Fields(block.get(self.next..).unwrap_or(&[]));
        let goes_on = match frame(header) {
            Some((bytes, offload)) => take(bytes, offload),
            // One that was cut off is counted as that.
            None => take(&[], Offload::default()),
        };
        let step = header.long(0) as usize;
        self.next = self.next.saturating_add(step);
        self.left -= 1;
        if self.left == 0 {
            self.give_back();
        }
        Some(goes_on)
    }

    fn give_back(&mut self) {
        self.status().store(libc::TP_STATUS_KERNEL, Ordering::Release);
        self.block = (self.block + 1) % BLOCKS;
    }
}

/// Numbers at offsets of a header, in the machine's byte order; 0 after its end.
#[derive(Clone, Copy)]
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn long(self, at: usize) -> u32 {
        self.0.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_ne_bytes)
    }

    fn word(self, at: usize) -> u16 {
        self.0.get(at..at + 2).and_then(|bytes| bytes.try_into().ok()).map_or(0, u16::from_ne_bytes)
    }
}

/// The frame that follows a `tpacket3_hdr`, and the offloads from the `virtio_net_hdr` just before the frame; `None` if the frame was cut
/// off.
fn frame(header: Fields<'_>) -> Option<(&[u8], Offload)> {
    const VIRTIO_BYTES: usize = 10;
    let (kept, length, status) = (header.long(12), header.long(16), header.long(20));
    let at = usize::from(header.word(24));
    let bytes = header.0.get(at..at + kept as usize)?;
    let virtio = Fields(header.0.get(at.checked_sub(VIRTIO_BYTES)?..at)?);
    if kept < length {
        return None;
    }
    let tag = (status & libc::TP_STATUS_VLAN_VALID != 0).then(|| {
        let kind = if status & libc::TP_STATUS_VLAN_TPID_VALID == 0 { 0x8100 } else { header.word(36) };
        // The tag is the lower half of a word.
        Tag { kind, control: (header.long(32) & 0xffff) as u16 }
    });
    let checksum =
        (virtio.0[0] & 1 != 0).then(|| Missing { start: virtio.word(6).into(), offset: virtio.word(8).into() });
    let protocol = match virtio.0[1] & 0x7f {
        1 | 4 => Some(Protocol::Tcp),
        5 => Some(Protocol::Udp),
        _ => None,
    };
    let segment = protocol.map(|protocol| Segment { protocol, bytes: virtio.word(4).into() });
    Some((bytes, Offload { checksum, segment, tag }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests a frame of four bytes after its headers, as the kernel writes them.
    #[test]
    fn headers_say_what_a_frame_lacks() {
        let mut block = vec![0; 100];
        let mut long = |at: usize, number: u32| block[at..at + 4].copy_from_slice(&number.to_ne_bytes());
        long(12, 4);
        long(16, 4);
        long(20, libc::TP_STATUS_VLAN_VALID);
        long(32, 0x6007);
        let mut word = |at: usize, number: u16| block[at..at + 2].copy_from_slice(&number.to_ne_bytes());
        word(24, 96);
        [(90, 1_448), (92, 34), (94, 16)].into_iter().for_each(|(at, number)| word(at, number));
        block[86..88].copy_from_slice(&[1, 1]);
        let (bytes, offload) = frame(Fields(&block)).unwrap();
        assert_eq!(bytes, [0; 4]);
        assert_eq!(offload.tag, Some(Tag { kind: 0x8100, control: 0x6007 }));
        assert_eq!(offload.checksum, Some(Missing { start: 34, offset: 16 }));
        assert_eq!(offload.segment, Some(Segment { protocol: Protocol::Tcp, bytes: 1_448 }));
        block[16] = 5;
        assert!(frame(Fields(&block)).is_none(), "it was cut off");
    }

    /// Writes 32-bit numbers into a block of a ring.
    fn write(ring: &Ring, block: usize, numbers: &[(usize, u32)]) {
        for (at, number) in numbers {
            ring.memory.atomic(block * BLOCK_BYTES + at).store(*number, Ordering::Relaxed);
        }
    }

    /// Two frames of four bytes in a block, as the kernel hands them over.
    fn hand_over(ring: &Ring, block: usize) {
        let frame = |at: usize, next: u32| [(at, next), (at + 12, 4), (at + 16, 4), (at + 24, 96), (at + 96, 7)];
        write(ring, block, &[(12, 2), (16, 48)]);
        write(ring, block, &frame(48, 112));
        write(ring, block, &frame(160, 0));
        write(ring, block, &[(8, libc::TP_STATUS_USER)]);
    }

    #[test]
    fn blocks_are_walked_and_given_back_one_after_the_other() {
        let mut ring = Ring::of(Mapping::anonymous(Ring::BYTES).unwrap());
        assert_eq!(ring.next(&mut |_, _| panic!("nothing was handed over")), None);
        for block in (0..BLOCKS).chain([0]) {
            hand_over(&ring, block);
            for _ in 0..2 {
                assert_eq!(ring.next(&mut |bytes, _| bytes == 7_u32.to_ne_bytes()), Some(true));
            }
            let status = ring.memory.atomic(block * BLOCK_BYTES + 8).load(Ordering::Relaxed);
            assert_eq!(status, libc::TP_STATUS_KERNEL, "block {block}");
            assert_eq!(ring.next(&mut |_, _| true), None);
        }
    }

    /// Checks that no header makes the ring read beyond its block.
    #[test]
    fn numbers_that_lead_out_of_a_block_read_nothing_beyond_it() {
        let end = u32::try_from(BLOCK_BYTES).unwrap();
        let far = [end - 97, end - 1, end, end + 1, u32::MAX];
        for (place, number) in [16, 48, 60, 64, 72].into_iter().flat_map(|place| far.map(|number| (place, number))) {
            let mut ring = Ring::of(Mapping::anonymous(Ring::BYTES).unwrap());
            hand_over(&ring, 0);
            write(&ring, 0, &[(place, number)]);
            for _ in 0..2 {
                let taken = ring.next(&mut |bytes, _| bytes.len() <= 4);
                assert_eq!(taken, Some(true), "{number} at {place}");
            }
            assert_eq!(ring.next(&mut |_, _| true), None, "{number} at {place}");
        }
    }
}
