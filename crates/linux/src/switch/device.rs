//! The kind of a device and the device that contains it, from rtnetlink(7).

use nix::errno::Errno;
use nix::sys::socket::{
    AddressFamily, MsgFlags, NetlinkAddr, SockFlag, SockProtocol, SockType, bind, recv, sendto, socket,
};
use std::fmt;
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};

const GET_LINK: u16 = 18;
const NEW_LINK: u16 = 16;
const REQUEST: u16 = 1;
/// The netlink group for changes of devices.
const CHANGES_OF_LINKS: u32 = 1;
/// The size of the headers of a message and of its description of a link.
const HEADS: usize = 16 + 16;
/// Attributes of a link.
const NAME: u16 = 3;
const MASTER: u16 = 10;
const INFORMATION: u16 = 18;
/// Attributes of the information about a link.
const KIND: u16 = 1;
const KIND_OF_PART: u16 = 4;

/// A device of the kernel.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Device {
    name: String,
    /// The device's kind, such as `bond`; empty for cards.
    pub(crate) kind: String,
    /// The number and the kind of the device that contains this one.
    part_of: Option<(i32, String)>,
}

/// The device that receives the frames of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Master {
    /// The device's name.
    pub name: String,
    /// The device's kind, such as `bridge` or `bond`.
    pub kind: String,
}

impl fmt::Display for Master {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.kind)
    }
}

impl Device {
    /// Returns the device of this number.
    pub(crate) fn ask(index: i32) -> io::Result<Self> {
        let kernel = NetlinkAddr::new(0, 0);
        let socket = of_routes()?;
        sendto(socket.as_raw_fd(), &request(index), &kernel, MsgFlags::empty())?;
        // The kernel has answered before `sendto` returns, in one message.
        let mut answer = vec![0; 1 << 16];
        let length = recv(socket.as_raw_fd(), &mut answer, MsgFlags::MSG_DONTWAIT)?;
        Self::read(&answer[..length]).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Returns the device that first receives this device's frames, if that device forwards frames. A device in a VRF keeps its frames: a
    /// VRF has routes, and no frames.
    pub(crate) fn master(&self) -> Option<Master> {
        let (index, kind) = self.part_of.as_ref()?;
        if kind == "vrf" {
            return None;
        }
        let name = Self::ask(*index).map_or_else(|_| format!("of number {index}"), |device| device.name);
        Some(Master { name, kind: kind.clone() })
    }

    /// Returns the device that first receives the frames of device `index`. The outer [`None`] means that the kernel does not say.
    pub(crate) fn master_of(index: u32) -> Option<Option<Master>> {
        Some(Self::ask(i32::try_from(index).ok()?).ok()?.master())
    }

    fn read(message: &[u8]) -> Option<Self> {
        let kind = u16::from_ne_bytes(message.get(4..6)?.try_into().ok()?);
        if kind != NEW_LINK {
            return None;
        }
        let mut device = Self::default();
        let (mut master, mut kind_of_part) = (None, String::new());
        for (name, value) in Attributes(message.get(HEADS..)?) {
            match name {
                NAME => device.name = text(value),
                MASTER => master = value.try_into().ok().map(i32::from_ne_bytes),
                INFORMATION => {
                    for (name, value) in Attributes(value) {
                        match name {
                            KIND => device.kind = text(value),
                            KIND_OF_PART => kind_of_part = text(value),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        device.part_of = master.map(|index| (index, kind_of_part));
        Some(device)
    }
}

/// The kernel's notifications of changes of devices. A query for a device waits while the kernel changes any device, which may take long.
/// Reading notifications does not wait.
pub(crate) struct Changes(OwnedFd);

impl Changes {
    pub(crate) fn follow() -> io::Result<Self> {
        let socket = of_routes()?;
        bind(socket.as_raw_fd(), &NetlinkAddr::new(0, CHANGES_OF_LINKS))?;
        Ok(Self(socket))
    }

    /// Whether device `index` may have changed since the last call.
    pub(crate) fn concern(&self, index: u32) -> bool {
        let mut concerned = false;
        // The rest of a message is cut off.
        let mut message = [0; HEADS];
        loop {
            match recv(self.0.as_raw_fd(), &mut message, MsgFlags::MSG_DONTWAIT) {
                Ok(_) => concerned |= message[20..24] == index.to_ne_bytes(),
                // There were too many, and some are lost.
                Err(Errno::ENOBUFS) => concerned = true,
                Err(Errno::EINTR) => {}
                Err(_) => return concerned,
            }
        }
    }
}

/// Opens a socket of rtnetlink(7).
fn of_routes() -> nix::Result<OwnedFd> {
    socket(AddressFamily::Netlink, SockType::Raw, SockFlag::SOCK_CLOEXEC, SockProtocol::NetlinkRoute)
}

/// Returns the message that asks for a device.
fn request(index: i32) -> Vec<u8> {
    let length = u32::try_from(HEADS).unwrap_or(0);
    let mut message = Vec::with_capacity(HEADS);
    message.extend(length.to_ne_bytes());
    message.extend([GET_LINK, REQUEST].map(u16::to_ne_bytes).concat());
    // Of any number and port; of any family and type.
    message.extend([0; 12]);
    message.extend(index.to_ne_bytes());
    message.resize(HEADS, 0);
    message
}

/// Returns a text that ends with a zero byte.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// Attributes: length and name of two bytes each, then the value, padded to a multiple of four bytes.
struct Attributes<'a>(&'a [u8]);

impl<'a> Iterator for Attributes<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let number = |at: usize| Some(u16::from_ne_bytes(self.0.get(at..at + 2)?.try_into().ok()?));
        let (length, name) = (usize::from(number(0)?), number(2)?);
        let value = self.0.get(4..length)?;
        self.0 = self.0.get(length.next_multiple_of(4)..).unwrap_or(&[]);
        // The upper bits say how the value is written.
        Some((name & 0x3fff, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(name: u16, value: &[u8]) -> Vec<u8> {
        let length = u16::try_from(4 + value.len()).unwrap();
        let mut bytes = [length, name].map(u16::to_ne_bytes).concat();
        bytes.extend(value);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    }

    /// Returns the message of a port of a bridge whose number is 7.
    fn port() -> Vec<u8> {
        let mut message = vec![0; HEADS];
        message[4..6].copy_from_slice(&NEW_LINK.to_ne_bytes());
        let kinds = [attribute(KIND, b"veth\0"), attribute(KIND_OF_PART, b"bridge\0")].concat();
        message.extend(attribute(NAME, b"pa\0"));
        message.extend(attribute(MASTER, &7_i32.to_ne_bytes()));
        message.extend(attribute(INFORMATION | 0x8000, &kinds));
        message
    }

    #[test]
    fn a_device_has_a_kind_and_may_be_a_part() {
        let expected =
            Device { name: "pa".to_owned(), kind: "veth".to_owned(), part_of: Some((7, "bridge".to_owned())) };
        assert_eq!(Device::read(&port()), Some(expected));
        let mut error = port();
        error[4] = 2;
        assert_eq!(Device::read(&error), None, "the kernel says that there is none");
    }

    #[test]
    fn a_message_that_is_cut_off_or_wrong_is_read_as_far_as_it_goes() {
        let whole = port();
        for length in 0..whole.len() {
            let _ = Device::read(&whole[..length]);
            let mut wrong = whole.clone();
            for byte in [0, 1, 3, 255] {
                wrong[length] = byte;
                let _ = Device::read(&wrong);
            }
        }
    }

    #[test]
    fn the_loopback_device_is_no_part_of_anything() {
        let device = Device::ask(1).unwrap();
        assert_eq!((&*device.name, device.master()), ("lo", None));
    }
}
