//! Recordings as Wireshark's capinfos and tshark count them: packets, bytes, times and flows of those that are kept, and of some that are
//! cut, doubled or joined. Without these programs the tests are skipped.

use crate::recordings::{captures, packets};
use forebay_core::Seed;
use rand::RngExt as _;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// What capinfos says of a recording.
#[derive(Debug, PartialEq)]
struct Counted {
    is_ethernet: bool,
    packets: u64,
    bytes: u64,
    /// Nanoseconds between the first and the last packet.
    span_ns: Option<i128>,
}

/// Whether a program can be run.
fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        println!("skipped: {program} is not installed");
    }
    found
}

/// Nanoseconds of a number of seconds.
fn nanoseconds(text: &str) -> Option<i128> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    format!("{whole}{decimals:0<9}").parse().ok()
}

/// What capinfos says of a file.
fn counted(file: &Path) -> Counted {
    let output =
        Command::new("capinfos").args(["-M", "-T", "-E", "-c", "-d", "-a", "-e", "-S"]).arg(file).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let row = text
        .lines()
        .nth(1)
        .unwrap_or_else(|| panic!("{}: {}", file.display(), String::from_utf8_lossy(&output.stderr)));
    let [_, encapsulation, packets, bytes, first, last] = row.split('\t').collect::<Vec<_>>()[..] else {
        panic!("{row}")
    };
    Counted {
        is_ethernet: encapsulation == "ether",
        packets: packets.parse().unwrap(),
        bytes: bytes.parse().unwrap_or(0),
        span_ns: nanoseconds(last).zip(nanoseconds(first)).map(|(last, first)| last - first),
    }
}

/// Compares what is read of a recording with what capinfos says; whether there was something to compare.
fn compare(file: &[u8], expected: &Counted, name: &Path) -> bool {
    let name = name.display();
    let trace = match packets(file) {
        Ok(trace) => trace,
        // Zeros that mergecap has put into a recording have the time 0.
        Err(error) => {
            assert!(expected.packets == 0 || error.to_string().contains("213 days"), "{name}: {error}");
            return false;
        }
    };
    let account = trace.account.unwrap();
    assert_eq!(account.records, expected.packets, "{name}: {:?}", trace.warnings);
    if account.used() < account.records {
        return false;
    }
    let times = trace.packets.iter().map(|packet| i128::from(packet.arrival.as_ps()) / 1_000);
    assert_eq!(times.max(), expected.span_ns, "{name}");
    if expected.is_ethernet {
        let bytes: u64 = trace.packets.iter().map(|packet| u64::from(packet.size_bytes)).sum();
        assert_eq!(bytes, expected.bytes, "{name}");
    }
    true
}

#[test]
fn kept_recordings_are_counted_as_capinfos_does() {
    if !is_there("capinfos") {
        return;
    }
    let captures = captures();
    let compared = captures.iter().filter(|(path, file)| compare(file, &counted(path), path)).count();
    assert!(compared >= 17, "{compared}");
}

#[test]
fn flows_are_those_of_tshark() {
    if !is_there("tshark") {
        return;
    }
    let fields =
        ["ip.src", "ip.dst", "ipv6.src", "ipv6.dst", "udp.srcport", "udp.dstport", "tcp.srcport", "tcp.dstport"];
    for (path, file) in captures() {
        let trace = packets(&file).unwrap();
        if trace.account.as_ref().unwrap().used() < trace.account.unwrap().records {
            continue;
        }
        let columns = fields.iter().flat_map(|field| ["-e", field]);
        let output = Command::new("tshark").arg("-r").arg(&path).args(["-T", "fields"]).args(columns).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let expected: BTreeSet<&str> = text.lines().collect();
        let flows: BTreeSet<u32> = trace.packets.iter().map(|packet| packet.flow.0).collect();
        assert_eq!(flows.len(), expected.len(), "{}: {expected:?}", path.display());
    }
}

/// 200 recordings that are cut anywhere, whose records come twice, or that mergecap joins.
#[test]
fn cut_doubled_and_joined_recordings_are_counted_as_capinfos_does() {
    if !is_there("capinfos") || !is_there("mergecap") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let captures = captures();
    let mut rng = Seed(3).stream("changed");
    let mut paths = Vec::new();
    for number in 0..200 {
        let (path, file) = &captures[rng.random_range(0..captures.len())];
        let changed = folder.path().join(format!("{number}-{}", path.file_name().unwrap().to_string_lossy()));
        // A pcap has a header of 24 bytes. All of a pcapng can come twice, as a second section.
        let head = if path.extension().is_some_and(|end| end == "pcap") { 24 } else { 0 };
        match number % 3 {
            0 => std::fs::write(&changed, &file[..rng.random_range(head.max(200)..file.len())]).unwrap(),
            1 => std::fs::write(&changed, [file, &file[head..]].concat()).unwrap(),
            _ => {
                let other = &captures[rng.random_range(0..captures.len())].0;
                let merge = Command::new("mergecap").arg("-w").arg(&changed).args([path, other]).status().unwrap();
                assert!(merge.success());
            }
        }
        paths.push(changed);
    }
    let compared = paths.iter().filter(|path| compare(&std::fs::read(path).unwrap(), &counted(path), path)).count();
    assert!(compared > 120, "{compared}");
}
