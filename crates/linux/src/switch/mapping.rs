//! Memory that is shared with the kernel, or with its side in a test.
//!
//! Every offset is checked against the length of the mapping here, so that a ring needs no arithmetic on pointers of its own.
#![expect(unsafe_code, reason = "mmap is not in safe libraries")]

use crate::switch::OpenError;
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::AtomicU32;

/// A mapping, which is removed when this value is dropped.
pub(crate) struct Mapping {
    memory: NonNull<u8>,
    bytes: usize,
}

impl Mapping {
    /// Maps the memory of a socket at offset `place`.
    pub(crate) fn of_socket(socket: &OwnedFd, place: i64, bytes: usize) -> io::Result<Self> {
        Self::new(bytes, libc::MAP_SHARED | libc::MAP_POPULATE, socket.as_raw_fd(), place)
    }

    /// Maps memory of this process, filled with zeros.
    pub(crate) fn anonymous(bytes: usize) -> io::Result<Self> {
        Self::new(bytes, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0)
    }

    fn new(bytes: usize, kind: i32, socket: i32, place: i64) -> io::Result<Self> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at a place that the kernel chooses.
        let memory = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, kind, socket, place) };
        match NonNull::new(memory.cast::<u8>()) {
            Some(memory) if memory.as_ptr().cast() != libc::MAP_FAILED => Ok(Self { memory, bytes }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Returns the mapping's address, for the kernel.
    pub(crate) fn address(&self) -> u64 {
        self.memory.as_ptr().expose_provenance() as u64
    }

    /// Returns a pointer to `length` bytes at `at`, aligned as `T` is.
    ///
    /// # Panics
    /// If the bytes are not within the mapping, or not aligned.
    pub(crate) fn place<T>(&self, at: usize, length: usize) -> NonNull<T> {
        let is_within = at.checked_add(length).is_some_and(|end| end <= self.bytes);
        assert!(
            is_within && at.is_multiple_of(align_of::<T>()),
            "{length} bytes at {at} are not in a mapping of {}",
            self.bytes
        );
        // SAFETY: within the mapping, as was just asserted.
        unsafe { self.memory.add(at) }.cast()
    }

    /// Returns a number that both sides access as an atomic.
    ///
    /// # Panics
    /// If the number is not within the mapping, or not aligned.
    pub(crate) fn atomic(&self, at: usize) -> &AtomicU32 {
        // SAFETY: within the mapping and aligned; both sides access it as an atomic alone, and it lives as long as `self`.
        unsafe { self.place::<AtomicU32>(at, size_of::<AtomicU32>()).as_ref() }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, whole, and not used after this; the kernel holds its pages itself while it needs them.
        unsafe { libc::munmap(self.memory.as_ptr().cast(), self.bytes) };
    }
}

impl OpenError {
    /// Returns a function that converts the system's error into the reason why memory cannot be mapped.
    pub(crate) fn of_mapping(what: &'static str, capabilities: &'static str) -> impl Fn(io::Error) -> Self {
        move |error| Self::of(what, capabilities, &error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn places_are_within_it_and_aligned() {
        let mapping = Mapping::anonymous(64).expect("memory");
        mapping.atomic(60).store(7, Ordering::Relaxed);
        assert_eq!(mapping.atomic(60).load(Ordering::Relaxed), 7);
        assert_eq!(mapping.atomic(0).load(Ordering::Relaxed), 0);
        for (at, length) in [(61, 4), (64, 1), (0, 65), (usize::MAX, 2), (2, 4)] {
            let place = || mapping.place::<u32>(at, length);
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(place)).is_err(), "{length} at {at}");
        }
    }
}
