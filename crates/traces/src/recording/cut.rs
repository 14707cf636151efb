//! Copies the packets of a recording that match a filter: blocks and records are copied unchanged, including parts that forebay does not
//! read.

use super::{Account, CutOff, Recording};
use crate::error::TraceError;
use crate::filter::Filter;
use crate::frame::IpHeader;
use crate::unpack::Content;
use std::io::{self, Write};

/// The destination of the copied blocks.
pub(super) struct Copy<'a> {
    out: Box<dyn Write + Send + 'a>,
    /// The first error of writing.
    failed: io::Result<()>,
}

impl Copy<'_> {
    pub(super) fn write(&mut self, block: &[u8]) {
        if self.failed.is_ok() {
            self.failed = self.out.write_all(block);
        }
    }
}

/// The result of a cut.
#[derive(Debug, Clone)]
pub struct Cut {
    /// The number of packets that were copied.
    pub packets: u64,
    /// The account of the recording.
    pub account: Account,
    /// Warnings for people.
    pub warnings: Vec<String>,
}

/// Copies the packets of a recording that match `filter` by this IP header, and all blocks that hold no packet, to `out`, in the same
/// format. Packets that forebay does not read, such as those of an unknown link type, are left out, and counted.
///
/// # Errors If the input is no pcap or pcapng file or has no packet, or if the output cannot be written.
pub fn cut<'a>(
    content: Content<'a>,
    filter: Option<Filter>,
    header: IpHeader,
    out: impl Write + Send + 'a,
) -> Result<Cut, TraceError> {
    let mut recording = Recording::of_content(content)?.filtered(filter).with_header(header);
    recording.copy = Some(Copy { out: Box::new(out), failed: Ok(()) });
    let mut packets = 0;
    while recording.next_packet(|_| ()).is_some() {
        packets += 1;
        if recording.copy.as_ref().is_some_and(|copy| copy.failed.is_err()) {
            break;
        }
    }
    if let Some(Copy { mut out, failed }) = recording.copy.take() {
        failed.and_then(|()| out.flush()).map_err(TraceError::Io)?;
    }
    let account = recording.account().clone();
    if packets == 0 {
        return Err(recording.nothing_to_use());
    }
    let mut warnings = account.warnings();
    if let Some(CutOff { why, .. }) = recording.cut_off() {
        warnings.push(format!("{why}; what comes before that is copied"));
    }
    Ok(Cut { packets, account, warnings })
}
