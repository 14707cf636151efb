//! Packets and flows as CSV: a trace or a message that names the line.

use super::FuzzTarget;
use crate::chunked_input::{Pieces, shown};
use forebay_core::Rate;
use forebay_traces::trace::Trace;
use forebay_traces::{IpHeader, ReadOptions, TraceError, read};

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "packet_csv",
    title: "Any text is a trace of packets or flows, or has a message",
    seeds: || SAMPLES.iter().map(|text| text.as_bytes().to_vec()).collect(),
    run,
    quick: 30_000,
};

const SAMPLES: &[&str] = &[
    "arrival_ps,size_bytes\n0,1500\n1000,64\n",
    "arrival_ps,size_bytes,class,flow,rank,value,work_ps\n0,1500,0,1,5,2,7\n1000,64,46,2,6,3,8\n",
    "start_ns,size_bytes,src,dst\n0,20000,1,2\n5.25,3000,2,1\n",
    "flow_id,start_ns,size_bytes\n7,0,1\n8,1e3,40000\n",
];

fn run(data: &[u8]) {
    let options = ReadOptions {
        filter: None,
        ip_header: IpHeader::Outer,
        packet_bytes: 1_500,
        access_rate: Rate::from_bits_per_second(1_000_000_000).expect("a rate"),
    };
    // A line may stand for a flow of any size.
    let is_large = data.split(|byte| !byte.is_ascii_digit()).any(|digits| digits.len() > 8);
    if is_large {
        return;
    }
    let packets = |trace: Result<Trace, TraceError>| trace.map(|trace| trace.packets).map_err(shown);
    let whole = packets(read(data, &options));
    if let Ok(packets) = &whole {
        assert!(packets.is_sorted_by_key(|packet| packet.arrival));
    }
    assert_eq!(packets(read(Pieces::new(data), &options)), whole, "in pieces");
}
