//! An Ethernet interface of the kernel: found by its name, and opened for frames that are not for this host.
#![expect(
    unsafe_code,
    reason = "the socket options and requests of packet(7) and netdevice(7) are not in safe libraries"
)]

use crate::switch::OpenError;
use crate::switch::device::Device;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};
use std::ffi::CString;
use std::mem::{size_of, size_of_val, zeroed};
use std::os::fd::{AsRawFd, OwnedFd};

const ETHERNET: u16 = 1;
const UP: i16 = 1;

/// An Ethernet interface.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    pub(crate) index: i32,
    pub(crate) mtu: usize,
    /// Whether the interface combines other devices, which receive its frames.
    pub(crate) is_bond: bool,
    /// The capabilities that opening needs, for messages.
    capabilities: &'static str,
}

/// Opens a socket for frames, bound to no interface and no protocol yet.
pub(crate) fn packet_socket(capabilities: &'static str) -> Result<OwnedFd, OpenError> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    socket_with(AddressFamily::PACKET, SocketType::RAW, flags, None)
        .map_err(|error| OpenError::of("a packet socket", capabilities, &error.into()))
}

/// Returns the number that the kernel gave to the interface that has this name now.
pub(crate) fn index_of(name: &str) -> Option<u32> {
    let socket = socket_with(AddressFamily::UNIX, SocketType::DGRAM, SocketFlags::CLOEXEC, None).ok()?;
    rustix::net::netdevice::name_to_index(socket, name).ok()
}

/// Whether the interface removes VLAN tags from received frames and stores them separately. False if the interface does not report it.
pub(crate) fn takes_tags_off(name: &str, socket: &OwnedFd) -> bool {
    /// The kernel's `struct ethtool_value`.
    #[repr(C)]
    struct Flags {
        command: u32,
        value: u32,
    }
    const GET_FLAGS: u32 = 0x25;
    const TAKES_TAGS_OFF: u32 = 1 << 8;
    let mut flags = Flags { command: GET_FLAGS, value: 0 };
    let mut request = named(name);
    request.ifr_ifru.ifru_data = (&raw mut flags).cast();
    // SAFETY: the request reads the name and the command, and writes the value; both structures live on.
    let done = unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCETHTOOL as libc::Ioctl, &raw mut request) };
    done >= 0 && flags.value & TAKES_TAGS_OFF != 0
}

/// Creates a request about an interface of this name, which is truncated if it is too long.
fn named(name: &str) -> libc::ifreq {
    // SAFETY: a structure of numbers, for which zeros are valid.
    let mut request: libc::ifreq = unsafe { zeroed() };
    for (to, from) in request.ifr_name[..libc::IFNAMSIZ - 1].iter_mut().zip(name.as_bytes()) {
        *to = from.cast_signed();
    }
    request
}

impl Link {
    /// Finds an interface that is Ethernet, is up, and belongs to no other device.
    pub(crate) fn find(name: &str, socket: &OwnedFd, capabilities: &'static str) -> Result<Self, OpenError> {
        let bytes = name.as_bytes();
        if bytes.is_empty() || bytes.len() >= libc::IFNAMSIZ || CString::new(bytes).is_err() {
            return Err(OpenError::NotThere);
        }
        let mut request = named(name);
        let mut ask = |what: libc::Ioctl| {
            // SAFETY: each of these requests reads the name and writes into the structure, which lives on.
            let done = unsafe { libc::ioctl(socket.as_raw_fd(), what, &raw mut request) };
            if done < 0 { Err(OpenError::last("asking for the interface", capabilities)) } else { Ok(request.ifr_ifru) }
        };
        // SAFETY: the field of the union that the request before it has written.
        let index = unsafe { ask(libc::SIOCGIFINDEX as libc::Ioctl)?.ifru_ifindex };
        // SAFETY: as above.
        let kind = unsafe { ask(libc::SIOCGIFHWADDR as libc::Ioctl)?.ifru_hwaddr.sa_family };
        // SAFETY: as above.
        let flags = unsafe { ask(libc::SIOCGIFFLAGS as libc::Ioctl)?.ifru_flags };
        // SAFETY: as above.
        let mtu = unsafe { ask(libc::SIOCGIFMTU as libc::Ioctl)?.ifru_mtu };
        if kind != ETHERNET {
            return Err(OpenError::NotEthernet);
        }
        if flags & UP == 0 {
            return Err(OpenError::Down);
        }
        // A service may have no permission to ask. Then the device is unknown, and it is used as it is.
        let device = Device::ask(index).unwrap_or_default();
        if let Some(master) = device.master() {
            return Err(OpenError::Part(master));
        }
        let is_bond = device.kind == "bond";
        Ok(Self { index, mtu: usize::try_from(mtu).unwrap_or(0), is_bond, capabilities })
    }

    /// Binds a packet socket to the interface, for frames of this protocol (0: none).
    pub(crate) fn bind(self, socket: &OwnedFd, protocol: u16) -> Result<(), OpenError> {
        // SAFETY: a structure of numbers, for which zeros are valid.
        let mut address: libc::sockaddr_ll = unsafe { zeroed() };
        address.sll_family = 17; // AF_PACKET
        address.sll_protocol = protocol.to_be();
        address.sll_ifindex = self.index;
        let length = u32::try_from(size_of_val(&address)).unwrap_or(0);
        // SAFETY: the address is of the family of the socket and as long as is said.
        let done = unsafe { libc::bind(socket.as_raw_fd(), (&raw const address).cast(), length) };
        if done < 0 { Err(OpenError::last("binding to the interface", self.capabilities)) } else { Ok(()) }
    }

    /// Makes the interface accept all frames, as long as the socket is open.
    pub(crate) fn take_all(self, socket: &OwnedFd) -> Result<(), OpenError> {
        // SAFETY: a structure of numbers, for which zeros are valid.
        let mut request: libc::packet_mreq = unsafe { zeroed() };
        request.mr_ifindex = self.index;
        request.mr_type = u16::try_from(libc::PACKET_MR_PROMISC).unwrap_or(1);
        set_option(socket, libc::SOL_PACKET, libc::PACKET_ADD_MEMBERSHIP, &request)
            .map_err(|error| OpenError::of("promiscuous mode", self.capabilities, &error))
    }
}

/// Sets an option of a socket. `T` is the structure of numbers that the option expects.
pub(crate) fn set_option<T: Copy>(socket: &OwnedFd, level: i32, name: i32, value: &T) -> std::io::Result<()> {
    let length = u32::try_from(size_of::<T>()).unwrap_or(0);
    let value: *const T = value;
    // SAFETY: the kernel reads as many bytes as is said, which are there.
    let done = unsafe { libc::setsockopt(socket.as_raw_fd(), level, name, value.cast(), length) };
    if done < 0 { Err(std::io::Error::last_os_error()) } else { Ok(()) }
}

/// Reads an option of a socket into the option's structure of numbers.
pub(crate) fn option<T: Copy>(socket: &OwnedFd, level: i32, name: i32, mut value: T) -> std::io::Result<T> {
    let mut length = u32::try_from(size_of::<T>()).unwrap_or(0);
    let place: *mut T = &raw mut value;
    // SAFETY: the kernel writes at most as many bytes as is said, all of which belong to the value.
    let done = unsafe { libc::getsockopt(socket.as_raw_fd(), level, name, place.cast(), &raw mut length) };
    if done < 0 { Err(std::io::Error::last_os_error()) } else { Ok(value) }
}
