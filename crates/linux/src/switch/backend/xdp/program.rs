//! The program at the interface: five instructions that hand each frame to the socket of its receive queue.
//!
//! The program is attached by a link of bpf(2), which is removed with the process, however the process ends.
#![expect(unsafe_code, reason = "bpf(2) is not in safe libraries")]

use super::{CAPABILITIES, MOST_QUEUES};
use crate::switch::OpenError;
use crate::switch::link::Link;
use std::io;
use std::mem::size_of;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

const MAP_CREATE: i64 = 0;
const MAP_UPDATE: i64 = 2;
const PROGRAM_LOAD: i64 = 5;
const LINK_CREATE: i64 = 28;
const SOCKET_MAP: u32 = 17;
const XDP_PROGRAM: u32 = 6;
const XDP_ATTACH: u32 = 37;
/// The flag for the driver's own XDP.
const DRIVER: u32 = 1 << 2;
/// The flag for the kernel's generic XDP, which works at any interface.
const GENERIC: u32 = 1 << 1;

/// The first words of `bpf_attr`, as these commands read it; other fields are zero.
#[repr(C, align(8))]
#[derive(Clone, Copy, Default)]
struct Attributes([u32; 32]);

impl Attributes {
    /// Stores an address in the two words from `at` on.
    fn address(&mut self, at: usize, address: *const u8) {
        let bytes = (address as u64).to_ne_bytes();
        let word = |from: usize| u32::from_ne_bytes([bytes[from], bytes[from + 1], bytes[from + 2], bytes[from + 3]]);
        self.0[at] = word(0);
        self.0[at + 1] = word(4);
    }
}

/// An attached program.
pub(super) struct Program {
    /// Whether the driver runs the program, before the kernel makes a packet of the frame; otherwise the kernel runs it afterwards.
    pub(super) is_of_driver: bool,
    _link: OwnedFd,
    _program: OwnedFd,
    _map: OwnedFd,
}

impl Program {
    /// Attaches the program to an interface, with the sockets of its receive queues from 0 on.
    pub(super) fn attach<'a>(link: Link, sockets: impl Iterator<Item = &'a OwnedFd>) -> Result<Self, OpenError> {
        let failed = |what: &'static str| move |error: io::Error| OpenError::of(what, CAPABILITIES, &error);
        let mut attributes = Attributes::default();
        attributes.0[..4].copy_from_slice(&[SOCKET_MAP, 4, 4, MOST_QUEUES]);
        let map = made(MAP_CREATE, &attributes).map_err(failed("a map of sockets"))?;
        let program = load(&map).map_err(failed("loading the XDP program"))?;
        for (queue, socket) in (0_u32..).zip(sockets) {
            let value = number(socket);
            let mut attributes = Attributes::default();
            attributes.0[0] = number(&map);
            attributes.address(2, (&raw const queue).cast());
            attributes.address(4, (&raw const value).cast());
            bpf(MAP_UPDATE, &attributes).map_err(failed("adding a socket"))?;
        }
        let index = u32::try_from(link.index).unwrap_or(0);
        let attach = |mode: u32| {
            let mut attributes = Attributes::default();
            attributes.0[..4].copy_from_slice(&[number(&program), index, XDP_ATTACH, mode]);
            made(LINK_CREATE, &attributes)
        };
        // In the driver's XDP a bond names the queues of its parts, whose frames the sockets of the bond do not take.
        let of_driver = if link.is_bond { Err(io::ErrorKind::Unsupported.into()) } else { attach(DRIVER) };
        let attached = of_driver.map(|link| (link, true)).or_else(|error| match error.raw_os_error() {
            Some(libc::EBUSY | libc::EEXIST | libc::EPERM) => Err(error),
            _ => Ok((attach(GENERIC)?, false)),
        });
        let (link, is_of_driver) = attached.map_err(failed("attaching the XDP program"))?;
        Ok(Self { is_of_driver, _link: link, _program: program, _map: map })
    }
}

fn number(fd: &OwnedFd) -> u32 {
    u32::try_from(fd.as_raw_fd()).expect("an open descriptor is not negative")
}

/// Loads the program `return bpf_redirect_map(&sockets, context->rx_queue_index, XDP_PASS)`.
fn load(map: &OwnedFd) -> io::Result<OwnedFd> {
    // Each is: operation, registers (source and destination), offset, number.
    let instruction = |operation: u64, registers: u64, offset: u64, number: u64| {
        operation | registers << 8 | offset << 16 | number << 32
    };
    let code: [u64; 6] = [
        instruction(0x61, 0x12, 16, 0),                 // r2 = *(u32 *)(r1 + 16)
        instruction(0x18, 0x11, 0, number(map).into()), // r1 = map
        0,                                              // (its second half)
        instruction(0xb7, 0x03, 0, 2),                  // r3 = XDP_PASS
        instruction(0x85, 0, 0, 51),                    // call bpf_redirect_map
        instruction(0x95, 0, 0, 0),                     // exit
    ];
    let license = c"Dual MIT/GPL";
    let mut attributes = Attributes::default();
    attributes.0[..2].copy_from_slice(&[XDP_PROGRAM, 6]);
    attributes.address(2, code.as_ptr().cast());
    attributes.address(4, license.as_ptr().cast());
    made(PROGRAM_LOAD, &attributes)
}

/// Runs a command of bpf(2) that creates an object, and returns the object.
fn made(command: i64, attributes: &Attributes) -> io::Result<OwnedFd> {
    let fd = i32::try_from(bpf(command, attributes)?).map_err(io::Error::other)?;
    // SAFETY: a descriptor that the kernel has just made for us.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

fn bpf(command: i64, attributes: &Attributes) -> io::Result<i64> {
    // SAFETY: the kernel reads as many bytes as is said, and what they point to lives until the call is over.
    let done = unsafe { libc::syscall(libc::SYS_bpf, command, &raw const *attributes, size_of::<Attributes>()) };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(done) }
}
