//! Recordings: the account of bytes and packets balances, pieces do not matter, and a copy of a recording reads as the recording.

use super::FuzzTarget;
use crate::chunked_input::{Pieces, shown};
use crate::seed_files::files;
use forebay_core::{Packet, Rate};
use forebay_traces::trace::Trace;
use forebay_traces::{Content, IpHeader, ReadOptions, TraceError, cut, read, read_tcp_segments};

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "recordings",
    title: "The account of a recording balances, however it is damaged and in whatever pieces it comes",
    seeds: || files("testdata", &[".pcap", ".pcapng"]),
    run,
    quick: 15_000,
};

fn trace(data: &[u8], in_pieces: bool, ip_header: IpHeader) -> Result<Trace, TraceError> {
    let options = ReadOptions {
        filter: None,
        ip_header,
        packet_bytes: 1_500,
        access_rate: Rate::from_bits_per_second(1_000_000_000).expect("a rate"),
    };
    if in_pieces { read(Pieces::new(data), &options) } else { read(data, &options) }
}

fn run(data: &[u8]) {
    let whole = trace(data, false, IpHeader::Outer);
    let in_pieces = trace(data, true, IpHeader::Outer);
    let trace = match (whole, in_pieces) {
        (Ok(trace), Ok(other)) => {
            assert_eq!(trace.packets, other.packets);
            assert_eq!(trace.account, other.account);
            trace
        }
        (Err(error), Err(other)) => {
            return assert_eq!(shown(error), shown(other));
        }
        (whole, in_pieces) => panic!("whole: {whole:?}\nin pieces: {in_pieces:?}"),
    };
    let Some(account) = &trace.account else { return };
    let inner = self::trace(data, false, IpHeader::Inner).expect("the recording was read");
    assert_eq!(inner.packets.len(), trace.packets.len());
    for (inner, outer) in inner.packets.iter().zip(&trace.packets) {
        let (class, flow, remaining_bytes) = (outer.class, outer.flow, outer.remaining_bytes);
        assert_eq!(Packet { class, flow, remaining_bytes, ..*inner }, *outer, "inner headers give class and flow only");
    }
    assert_eq!(account.used(), trace.packets.len() as u64);
    let is_packed = [&[0x1f, 0x8b][..], b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd"].iter().any(|mark| data.starts_with(mark));
    if !is_packed {
        assert_eq!(account.bytes + account.bytes_left_out, data.len() as u64, "{account:?}");
    }
    let content = |data: &[u8]| Content::unpack(std::io::Cursor::new(data.to_vec()));
    let mut copy = Vec::new();
    if content(data).is_ok_and(|content| cut(content, None, IpHeader::Outer, &mut copy).is_ok()) {
        let copied = self::trace(&copy, false, IpHeader::Outer).expect("the copy of a recording is one");
        assert_eq!(copied.packets, trace.packets, "the copy has other packets");
    }
    if let Ok(content) = content(data) {
        match read_tcp_segments(content) {
            Ok(segments) => assert!(segments.segments.len() <= trace.packets.len()),
            Err(error) => {
                shown(error);
            }
        }
    }
}
