//! Filter expressions: a filter or a message; a filter tells the packets of a recording into those that fit and those that do not.

use super::FuzzTarget;
use crate::chunked_input::shown;
use forebay_traces::Filter;
use forebay_traces::IpHeader;
use forebay_traces::pcap_reader::read_pcap;

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "filters",
    title: "Any text is a filter or a message, and a filter leaves out what does not fit",
    seeds: || EXPRESSIONS.iter().map(|text| text.as_bytes().to_vec()).collect(),
    run,
    quick: 100_000,
};

const EXPRESSIONS: &[&str] = &[
    "tcp and dst port 443",
    "udp or not (src host 10.0.0.1 and dst net 10.0.0.0/8)",
    "ip6 and host 2001:db8::1",
    "time 0s..10s and inbound",
    "less 100 or greater 1000",
    "ether src 02:00:00:00:00:01",
    "interface eth0",
    "port 80 or portrange 1000-2000",
    "src net 10.0.0.0 mask 255.0.0.0 && !tcp",
    "proto 17 || vlan",
];

const RECORDING: &[u8] = include_bytes!("../../../../testdata/captures/directions/both.pcap");

fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let filter = match Filter::parse(&text) {
        Ok(filter) => filter,
        // It repeats the text, which may have several lines.
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let again = Filter::parse(&filter.to_string()).expect("a filter is written as it is read");
    assert_eq!(again, filter);
    match read_pcap(RECORDING, Some(filter), IpHeader::Outer) {
        Ok(trace) => {
            let account = trace.account.expect("a recording has an account");
            assert_eq!(account.used(), trace.packets.len() as u64);
        }
        Err(error) => {
            shown(error);
        }
    }
}
