//! The TCP header of a frame.

use super::headers::{FlowKey, ip_header};
use super::link::Link;
use forebay_core::IpHeader;

/// Number of TCP among the protocols of IP.
const TCP: u8 = 6;

/// A frame from the view of TCP.
pub(crate) enum TcpFrame {
    /// A segment.
    Segment(TcpHeader),
    /// A part of an IP packet with TCP in it.
    Fragment,
    /// TCP, but its header is damaged or was not captured, for this reason.
    Damaged(String),
    /// Another protocol of IP.
    Other(FlowKey),
    /// No IP.
    NoIp,
}

/// The header of a segment.
pub(crate) struct TcpHeader {
    /// The segment's flow; `FlowKey::Ip`.
    pub(crate) key: FlowKey,
    /// Differentiated services code point.
    pub(crate) dscp: u8,
    /// The sequence number of the segment's first byte, or of its SYN.
    pub(crate) sequence: u32,
    /// The next byte that the segment's sender expects, if the header has it.
    pub(crate) acknowledgement: Option<u32>,
    /// Bytes of data on the wire, without headers.
    pub(crate) payload_bytes: u32,
    pub(crate) syn: bool,
    pub(crate) fin: bool,
    pub(crate) rst: bool,
}

/// Reads the TCP header of a frame, which had `original_length` bytes before the snap length cut it.
pub(crate) fn tcp_header(link: Link, header: IpHeader, frame: &[u8], original_length: u32) -> TcpFrame {
    let ip = match ip_header(link, header, frame) {
        Some(ip) if ip.protocol == TCP => ip,
        Some(ip) => return TcpFrame::Other(ip.key),
        None => return TcpFrame::NoIp,
    };
    if ip.fragmented {
        return TcpFrame::Fragment;
    }
    let &[_, _, _, _, a, b, c, d, e, f, g, h, offset, flags, ..] = ip.payload else {
        return TcpFrame::Damaged(format!(
            "its TCP header was not captured, only {} of {original_length} bytes were; record with `tcpdump -s 128`",
            frame.len()
        ));
    };
    let header_bytes = usize::from(offset >> 4) * 4;
    let before = ip.payload.as_ptr().addr() - frame.as_ptr().addr();
    let ip_bytes = ip.payload_bytes.unwrap_or((original_length as usize).saturating_sub(before));
    if header_bytes < 20 || header_bytes > ip_bytes {
        return TcpFrame::Damaged(format!(
            "its TCP header claims {header_bytes} bytes of {ip_bytes}; it is damaged; remove the packet with `editcap`"
        ));
    }
    let [fin, syn, rst, ack] = [1, 2, 4, 16].map(|bit| flags & bit != 0);
    TcpFrame::Segment(TcpHeader {
        key: ip.key,
        dscp: ip.dscp,
        sequence: u32::from_be_bytes([a, b, c, d]),
        acknowledgement: ack.then(|| u32::from_be_bytes([e, f, g, h])),
        payload_bytes: u32::try_from(ip_bytes - header_bytes).expect("a captured length has 32 bits, one of IP has 16"),
        syn,
        fin,
        rst,
    })
}
