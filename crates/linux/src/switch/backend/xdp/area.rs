//! The memory that an AF_XDP socket shares with the kernel for frames (UMEM): half of it for those that come.
#![expect(unsafe_code, reason = "memory that is shared with the kernel")]

use crate::switch::OpenError;
use std::ptr::NonNull;

/// Places for frames, all of one size.
pub(super) struct Area {
    memory: NonNull<u8>,
}

impl Area {
    pub(super) const FRAME_BYTES: usize = 4_096;
    /// What of them a frame that comes can have: the kernel keeps the first 256 for programs.
    pub(super) const RECEIVED_BYTES: usize = Self::FRAME_BYTES - 256;
    /// Frames for each direction.
    pub(super) const FRAMES: u32 = 2_048;
    pub(super) const BYTES: usize = 2 * Self::FRAMES as usize * Self::FRAME_BYTES;

    pub(super) fn new() -> Result<Self, OpenError> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping at a place that the kernel chooses.
        let memory = unsafe { libc::mmap(std::ptr::null_mut(), Self::BYTES, access, kind, -1, 0) };
        match NonNull::new(memory.cast::<u8>()) {
            Some(memory) if memory.as_ptr().cast() != libc::MAP_FAILED => Ok(Self { memory }),
            _ => Err(OpenError::last("memory for frames", super::CAPABILITIES)),
        }
    }

    /// Where it is.
    pub(super) fn address(&self) -> u64 {
        self.memory.as_ptr() as u64
    }

    /// The place of a frame that came, if it is within the memory.
    pub(super) fn frame(&self, at: u64, length: u32) -> Option<&[u8]> {
        let (at, length) = (usize::try_from(at).ok()?, length as usize);
        if at.checked_add(length)? > Self::BYTES {
            return None;
        }
        // SAFETY: within the mapping, which lives as long as `self`; the kernel does not write into a frame that it has
        // handed over, and we write only into the half for those that leave.
        Some(unsafe { std::slice::from_raw_parts(self.memory.as_ptr().add(at), length) })
    }

    /// Puts a frame into a place of the half for those that leave.
    pub(super) fn put(&mut self, at: u64, frame: &[u8]) {
        let Ok(at) = usize::try_from(at) else { return };
        assert!(at >= Self::BYTES / 2 && frame.len() <= Self::FRAME_BYTES && at + Self::FRAME_BYTES <= Self::BYTES);
        // SAFETY: within the mapping, as was just asserted, and no slice of this half was given out.
        unsafe { std::ptr::copy_nonoverlapping(frame.as_ptr(), self.memory.as_ptr().add(at), frame.len()) };
    }
}

impl Drop for Area {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, whole, and not used after this; the kernel holds its pages itself while it needs them.
        unsafe { libc::munmap(self.memory.as_ptr().cast(), Self::BYTES) };
    }
}
