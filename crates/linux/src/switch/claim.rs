//! One switch at a time forwards at an interface: two would each forward every frame.

use crate::switch::OpenError;
use std::io::ErrorKind;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// The claim of this switch on an interface. A name in the network namespace marks it, and disappears with the program.
#[derive(Debug)]
pub(crate) struct Claim {
    _name: UnixDatagram,
}

impl Claim {
    /// Claims the interface of this index.
    pub(crate) fn of(index: i32) -> Result<Self, OpenError> {
        let named = SocketAddr::from_abstract_name(format!("forebay switch {index}"));
        match named.and_then(|name| UnixDatagram::bind_addr(&name)) {
            Ok(name) => Ok(Self { _name: name }),
            Err(error) if error.kind() == ErrorKind::AddrInUse => Err(OpenError::Taken),
            Err(error) => Err(OpenError::Kernel("claiming the interface", error.to_string(), "")),
        }
    }
}
