//! An AF_XDP socket with its four rings: frames to be filled, frames that arrived, frames to be sent, frames that were
//! sent.
#![expect(unsafe_code, reason = "bind(2) of AF_XDP is not in safe libraries")]

use super::area::Area;
use super::ring::{Offsets, Ring};
use crate::switch::OpenError;
use crate::switch::link::{Link, option, set_option};
use crate::switch::mapping::Mapping;
use rustix::io::Errno;
use rustix::net::{AddressFamily, SendFlags, SocketFlags, SocketType, send, socket_with};
use std::io;
use std::mem::size_of_val;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::Arc;
use std::time::Duration;

const SOL_XDP: i32 = 283;
const MMAP_OFFSETS: i32 = 1;
const RX_RING: i32 = 2;
const TX_RING: i32 = 3;
const UMEM_REG: i32 = 4;
const FILL_RING: i32 = 5;
const COMPLETION_RING: i32 = 6;
const STATISTICS: i32 = 7;
const RX_PLACE: i64 = 0;
const TX_PLACE: i64 = 0x8000_0000;
const FILL_PLACE: i64 = 0x1_0000_0000;
const COMPLETION_PLACE: i64 = 0x1_8000_0000;
const COPY: u16 = 2;
/// The most checks, when a socket is closed, of whether all frames are on their way to the interface, and the pause between checks.
const FINISH_TRIES: u32 = 1_000;
const FINISH_STEP: Duration = Duration::from_micros(100);

/// The kernel's `xdp_umem_reg`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Registration {
    address: u64,
    bytes: u64,
    frame_bytes: u32,
    headroom: u32,
    flags: u32,
    metadata: u32,
}

/// The kernel's `xdp_desc`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Descriptor {
    at: u64,
    length: u32,
    options: u32,
}

/// The kernel's `sockaddr_xdp`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Address {
    family: u16,
    flags: u16,
    index: i32,
    queue: u32,
    shared: u32,
}

/// Maps a ring of a socket.
#[expect(clippy::arc_with_non_send_sync, reason = "in a test the two sides of a ring are in two threads")]
fn map<T: Copy>(socket: &OwnedFd, place: i64, offsets: Offsets) -> Result<Ring<T>, OpenError> {
    let memory = Mapping::of_socket(socket, place, Ring::<T>::bytes(offsets, Area::FRAMES))
        .map_err(OpenError::of_mapping("mapping a ring", super::CAPABILITIES))?;
    Ok(Ring::new(Arc::new(memory), offsets, Area::FRAMES))
}

/// The socket of one receive queue.
pub(super) struct XdpSocket {
    fill: Ring<u64>,
    came: Ring<Descriptor>,
    sending: Ring<Descriptor>,
    sent: Ring<u64>,
    /// The free slots for frames to be sent.
    free: Vec<u64>,
    /// Whether a frame was handed over since the last kick.
    is_begun: bool,
    /// Whether the interface was down at the last system call.
    is_down: bool,
    /// The number of entries of the ring that were made void and may still be in it.
    voided: u32,
    area: Area,
    socket: OwnedFd,
}

impl XdpSocket {
    /// Opens the socket of an interface's receive queue; `None` if there is no such queue.
    pub(super) fn open(link: Link, queue: u32, area: Area) -> Result<Option<Self>, OpenError> {
        let capabilities = super::CAPABILITIES;
        let socket = socket_with(AddressFamily::XDP, SocketType::RAW, SocketFlags::CLOEXEC, None)
            .map_err(|error| OpenError::of("an AF_XDP socket", capabilities, &error.into()))?;
        let registration = Registration {
            address: area.address(),
            bytes: Area::BYTES as u64,
            frame_bytes: u32::try_from(Area::FRAME_BYTES).unwrap_or(0),
            headroom: 0,
            flags: 0,
            metadata: 0,
        };
        let failed = |what: &'static str| move |error: io::Error| OpenError::of(what, capabilities, &error);
        set_option(&socket, SOL_XDP, UMEM_REG, &registration).map_err(failed("memory for frames"))?;
        for ring in [FILL_RING, COMPLETION_RING, RX_RING, TX_RING] {
            set_option(&socket, SOL_XDP, ring, &Area::FRAMES).map_err(failed("a ring for frames"))?;
        }
        let [rx, tx, fill, completion] =
            option(&socket, SOL_XDP, MMAP_OFFSETS, [Offsets::default(); 4]).map_err(failed("asking for the rings"))?;
        let mut opened = Self {
            fill: map(&socket, FILL_PLACE, fill)?,
            came: map(&socket, RX_PLACE, rx)?,
            sending: map(&socket, TX_PLACE, tx)?,
            sent: map(&socket, COMPLETION_PLACE, completion)?,
            free: Vec::new(),
            is_begun: false,
            is_down: false,
            voided: 0,
            area,
            socket,
        };
        let place = |frame: u32| u64::from(frame) * Area::FRAME_BYTES as u64;
        for frame in 0..Area::FRAMES {
            opened.fill.push(place(frame));
        }
        opened.free.extend((Area::FRAMES..2 * Area::FRAMES).map(place));
        let family = 44; // AF_XDP
        let address = Address { family, flags: COPY, index: link.index, queue, shared: 0 };
        let length = u32::try_from(size_of_val(&address)).unwrap_or(0);
        // SAFETY: the address is of the family of the socket and as long as is said.
        let done = unsafe { libc::bind(opened.socket.as_raw_fd(), (&raw const address).cast(), length) };
        if done == 0 {
            return Ok(Some(opened));
        }
        let error = io::Error::last_os_error();
        match error.raw_os_error() {
            Some(libc::EINVAL) => Ok(None),
            _ => Err(OpenError::of("binding to the interface", capabilities, &error)),
        }
    }

    pub(super) fn fd(&self) -> &OwnedFd {
        &self.socket
    }

    /// Hands at most `most` arrived frames to `take`, and returns their number.
    pub(super) fn receive(&mut self, most: usize, take: &mut dyn FnMut(&[u8]) -> bool) -> usize {
        for taken in 0..most {
            let Some(Descriptor { at, length, .. }) = self.came.pop() else { return taken };
            let goes_on = take(self.area.frame(at, length).unwrap_or(&[]));
            // The ring has room for all places, so this one has room.
            self.fill.push(at / Area::FRAME_BYTES as u64 * Area::FRAME_BYTES as u64);
            if !goes_on {
                return taken + 1;
            }
        }
        most
    }

    /// Hands over a frame. Returns whether there was room.
    ///
    /// The first frame since the last [`kick`](Self::kick) is sent at once, which shows whether the interface is up. The next kick sends
    /// the others.
    pub(super) fn send(&mut self, frame: &[u8]) -> io::Result<bool> {
        self.take_back();
        if self.is_down {
            self.kick_others()?;
        }
        let Some(at) = self.free.pop() else {
            self.kick_others()?;
            return Ok(false);
        };
        self.area.put(at, frame);
        let length = u32::try_from(frame.len()).unwrap_or(0);
        let is_alone = !self.sending.has_entries();
        if !self.sending.push(Descriptor { at, length, options: 0 }) {
            self.free.push(at);
            self.kick_others()?;
            return Ok(false);
        }
        if !self.is_begun {
            if is_alone {
                self.kick()?;
            } else {
                self.kick_others()?;
            }
            self.is_begun = true;
        }
        Ok(true)
    }

    /// Kicks like [`kick`](Self::kick), but ignores that the interface dropped a frame.
    fn kick_others(&mut self) -> io::Result<()> {
        self.kick().or_else(|error| if self.is_down { Err(error) } else { Ok(()) })
    }

    /// Frees the slots of frames that were sent.
    fn take_back(&mut self) {
        while let Some(at) = self.sent.pop() {
            // Some kernels say of those that were made void as well that they are done.
            if at < Area::BYTES as u64 {
                self.free.push(at);
            }
        }
    }

    /// Lets the kernel send the frames that were handed over, and those for which it had no room before. It is an error if the interface is
    /// down or removed. Then no frame that was handed over departs, so none departs late when the interface is up again. It is also an
    /// error if the interface has dropped a frame, as an interface without a carrier does.
    pub(super) fn kick(&mut self) -> io::Result<()> {
        self.is_begun = false;
        let mut done = Ok(());
        // The kernel does some frames a call, and leaves in the ring what the interface does not take now. After a
        // dropped frame, and for void frames, the kernel handles one in each call.
        let mut calls = 8 + self.voided;
        for _ in 0..2 * Area::FRAMES {
            if calls == 0 || !self.is_down && !self.sending.has_entries() {
                break;
            }
            match send(&self.socket, &[], SendFlags::DONTWAIT) {
                Ok(_) => {
                    self.is_down = false;
                    calls -= 1;
                }
                Err(error @ (Errno::NETDOWN | Errno::NXIO | Errno::NODEV)) => {
                    self.is_down = true;
                    self.void();
                    return Err(error.into());
                }
                Err(error @ Errno::BUSY) => done = Err(error.into()),
                Err(_) => break,
            }
        }
        if !self.sending.has_entries() {
            self.voided = 0;
        }
        done
    }

    /// Makes the entries in the ring void: the kernel skips frames whose address is invalid. The kernel reads the ring only during a
    /// request to send, which only this thread makes.
    fn void(&mut self) {
        self.take_back();
        self.sending.change(|entry| {
            if entry.at < Area::BYTES as u64 {
                // One that was dropped was given back, and may still be counted as in the ring.
                if !self.free.contains(&entry.at) {
                    self.free.push(entry.at);
                }
                entry.at = Area::BYTES as u64;
                self.voided += 1;
            }
        });
    }

    /// Waits briefly until the frames that were handed over are on their way.
    fn finish(&mut self) {
        for _ in 0..FINISH_TRIES {
            let is_up = self.kick_others().is_ok();
            self.take_back();
            if !is_up || self.free.len() >= Area::FRAMES as usize {
                return;
            }
            std::thread::sleep(FINISH_STEP);
        }
    }

    /// Returns the number of frames that arrived and were lost, since there was no room or they were too long.
    pub(super) fn lost(&self) -> u64 {
        // rx_dropped, rx_invalid_descs, tx_invalid_descs, rx_ring_full, rx_fill_ring_empty_descs, tx_ring_empty_descs
        let read = option(&self.socket, SOL_XDP, STATISTICS, [0_u64; 6]);
        read.map_or(0, |[dropped, _, _, ring_full, ..]| dropped + ring_full)
    }
}

impl Drop for XdpSocket {
    fn drop(&mut self) {
        self.finish();
    }
}
