//! Writes whole frames as a pcap recording with times in nanoseconds, in their order.

use crate::error::TraceError;
use std::io::Write;

/// pcap with nanosecond timestamps.
const MAGIC: u32 = 0xa1b2_3c4d;
const LINK_ETHERNET: u32 = 1;
/// The longest frame that is kept whole: the limit of other tools.
const MOST_BYTES: u32 = 262_144;
const NS_PER_SECOND: u64 = 1_000_000_000;

/// A recording of Ethernet frames that is being written.
pub struct FrameWriter<W> {
    out: W,
}

impl<W: Write> FrameWriter<W> {
    /// Begins a recording.
    ///
    /// # Errors
    /// If writing fails.
    pub fn new(mut out: W) -> Result<Self, TraceError> {
        write_file_header(&mut out, MOST_BYTES)?;
        Ok(Self { out })
    }

    /// Adds a frame; its time is in nanoseconds, since 1970 if others should read it as a date.
    ///
    /// # Errors
    /// If writing fails, the time is after 2106, or the frame's length does not fit into 32 bits.
    pub fn write(&mut self, ns: u64, frame: &[u8]) -> Result<(), TraceError> {
        let length = u32::try_from(frame.len()).map_err(|_| {
            TraceError::File(format!(
                "a frame of {} bytes is too large for a recording, whose lengths have 32 bits",
                frame.len()
            ))
        })?;
        let kept = &frame[..frame.len().min(MOST_BYTES as usize)];
        write_packet_header(&mut self.out, ns, length.min(MOST_BYTES), length)?;
        Ok(self.out.write_all(kept)?)
    }

    /// Writes all buffered bytes.
    ///
    /// # Errors
    /// If writing fails.
    pub fn flush(&mut self) -> Result<(), TraceError> {
        Ok(self.out.flush()?)
    }
}

/// Writes the header of a recording of Ethernet frames, of which at most `most_bytes` bytes are kept.
pub(crate) fn write_file_header(out: &mut impl Write, most_bytes: u32) -> Result<(), TraceError> {
    let version = 2_u32 | 4 << 16;
    for field in [MAGIC, version, 0, 0, most_bytes, LINK_ETHERNET] {
        out.write_all(&field.to_le_bytes())?;
    }
    Ok(())
}

/// Writes the header before the bytes of a packet.
pub(crate) fn write_packet_header(
    out: &mut impl Write,
    ns: u64,
    captured: u32,
    original: u32,
) -> Result<(), TraceError> {
    let too_late = |_| TraceError::File("pcap timestamps end after 136 years".to_owned());
    let seconds = u32::try_from(ns / NS_PER_SECOND).map_err(too_late)?;
    let fraction = u32::try_from(ns % NS_PER_SECOND).map_err(too_late)?;
    for field in [seconds, fraction, captured, original] {
        out.write_all(&field.to_le_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_written_whole_with_its_time() {
        let mut bytes = Vec::new();
        let mut writer = FrameWriter::new(&mut bytes).unwrap();
        writer.write(3_000_000_007, &[0xab; 60]).unwrap();
        writer.flush().unwrap();
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!([word(0), word(16), word(20)], [MAGIC, MOST_BYTES, LINK_ETHERNET]);
        assert_eq!([word(24), word(28), word(32), word(36)], [3, 7, 60, 60]);
        assert_eq!(bytes[40..], [0xab; 60]);
    }
}
