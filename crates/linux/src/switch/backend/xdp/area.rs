//! The memory that an AF_XDP socket shares with the kernel for frames (UMEM). Half of it is for received frames.
#![expect(unsafe_code, reason = "memory that is shared with the kernel")]

use crate::switch::OpenError;
use crate::switch::mapping::Mapping;

/// Slots for frames, all of one size.
pub(super) struct Area {
    memory: Mapping,
}

impl Area {
    pub(super) const FRAME_BYTES: usize = 4_096;
    /// The most bytes of an arriving frame in a slot: the kernel reserves the first 256 for programs.
    pub(super) const RECEIVED_BYTES: usize = Self::FRAME_BYTES - 256;
    /// The number of slots for each direction.
    pub(super) const FRAMES: u32 = 2_048;
    pub(super) const BYTES: usize = 2 * Self::FRAMES as usize * Self::FRAME_BYTES;

    pub(super) fn new() -> Result<Self, OpenError> {
        let failed = OpenError::of_mapping("memory for frames", super::CAPABILITIES);
        Ok(Self { memory: Mapping::anonymous(Self::BYTES).map_err(failed)? })
    }

    /// Returns the address of the memory.
    pub(super) fn address(&self) -> u64 {
        self.memory.address()
    }

    /// Returns the bytes of an arrived frame, if the frame is within the memory.
    pub(super) fn frame(&self, at: u64, length: u32) -> Option<&[u8]> {
        let (at, length) = (usize::try_from(at).ok()?, length as usize);
        if at.checked_add(length)? > Self::BYTES {
            return None;
        }
        // SAFETY: within the mapping, which lives as long as `self`; the kernel does not write into a frame that it has
        // handed over, and we write only into the half for those that leave.
        Some(unsafe { std::slice::from_raw_parts(self.memory.place(at, length).as_ptr(), length) })
    }

    /// Copies a frame into a slot of the half for frames to be sent.
    pub(super) fn put(&mut self, at: u64, frame: &[u8]) {
        let Ok(at) = usize::try_from(at) else { return };
        assert!(at >= Self::BYTES / 2 && frame.len() <= Self::FRAME_BYTES && at + Self::FRAME_BYTES <= Self::BYTES);
        let place = self.memory.place::<u8>(at, frame.len());
        // SAFETY: within the mapping, and `frame` is not of it: this half is given out as no slice but to what changes it.
        unsafe { std::ptr::copy_nonoverlapping(frame.as_ptr(), place.as_ptr(), frame.len()) };
    }
}
