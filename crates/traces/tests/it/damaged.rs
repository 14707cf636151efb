//! Files that are cut off or damaged give one error or a trace; never a panic or a hang.

use crate::support::{pack, pcap, read, refused, samples};
use forebay_core::{Rate, Seed};
use forebay_traces::pack::Packing;
use forebay_traces::{IpHeader, ReadOptions, TraceError};
use rand::RngExt as _;

/// The message of an error says something, in one line.
fn check(result: Result<impl Sized, TraceError>) {
    if let Err(error) = result {
        let message = error.to_string();
        assert!(!message.is_empty() && !message.contains('\n'), "{message}");
    }
}

#[test]
fn files_cut_off_anywhere_are_refused_or_shorter() {
    for (format, file) in samples() {
        for length in (0..file.len()).step_by(7) {
            check(read(&file[..length], "trace", None));
            check(read(&file[..length], "trace", Some(format)));
        }
    }
}

#[test]
fn damaged_files_do_no_harm() {
    let mut rng = Seed(1).stream("damage");
    for (format, file) in samples() {
        for packing in [Packing::None, Packing::Gzip, Packing::Xz, Packing::Zstd] {
            let whole = pack(&file, packing);
            for _ in 0..60 {
                let mut damaged = whole.clone();
                for _ in 0..rng.random_range(1..4) {
                    let place = rng.random_range(0..damaged.len());
                    damaged[place] = rng.random();
                }
                check(read(&damaged, "trace", None));
                check(read(&damaged, "trace", Some(format)));
            }
        }
    }
}

#[test]
fn each_format_reads_the_files_of_the_others_or_refuses_them() {
    for (_, file) in samples() {
        for (format, _) in samples() {
            check(read(&file, "trace", Some(format)));
        }
    }
}

#[test]
fn packed_files_that_are_cut_off_say_so() {
    for (format, file) in samples() {
        for (packing, name) in [(Packing::Gzip, "gzip"), (Packing::Xz, "xz"), (Packing::Zstd, "zstd")] {
            let packed = pack(&file, packing);
            assert_eq!(read(&packed, "trace", Some(format)).unwrap(), read(&file, "trace", Some(format)).unwrap());
            for length in (13..packed.len()).step_by(7) {
                let (line, message) = refused(&packed[..length], Some(format));
                let header = "the header of the recording is damaged or cut off";
                let said = message.contains(&format!("{name} data are cut off")) || message == header;
                assert!(line == 0 && said, "{format}: {message}");
            }
        }
    }
}

#[test]
fn binary_files_that_are_cut_off_say_where() {
    for (format, file) in samples() {
        let wanted = match format {
            "u32be" => "request 200 (byte 796): the last record has only 3 of 4 bytes",
            "u64be" | "u64le" => "request 200 (byte 1592): the last record has only 7 of 8 bytes",
            "oracle-general" => "request 200 (byte 4776): the last record has only 23 of 24 bytes",
            "pcap" => "packet 100 (byte 4380): the file ends in the middle of a packet",
            _ => continue,
        };
        let (_, message) = refused(&file[..file.len() - 1], Some(format));
        assert!(message.starts_with(wanted), "{message}");
    }
}

#[test]
fn a_packed_recording_that_is_cut_off_is_used_up_to_the_cut() {
    let file = pcap(&(0..20_000).map(|n| (n * n % 977 + n * 1_000, (n * n % 251) as u8)).collect::<Vec<_>>());
    let options = ReadOptions {
        filter: None,
        ip_header: IpHeader::Outer,
        packet_bytes: 1_500,
        access_rate: Rate::from_bits_per_second(1_000_000_000).unwrap(),
    };
    for packing in [Packing::Gzip, Packing::Zstd] {
        let packed = pack(&file, packing);
        let cut = &packed[..packed.len() - 9];
        let trace = forebay_traces::read(cut, &options).unwrap();
        assert!(trace.packets.len() > 1_000, "{packing:?}: {}", trace.packets.len());
        assert!(trace.warnings[0].contains("data are cut off after"), "{:?}", trace.warnings);
        let (_, requests) = read(cut, "trace", Some("pcap:cut-off=use")).unwrap();
        assert_eq!(requests.len(), trace.packets.len());
    }
}

#[test]
fn what_follows_packed_data_is_said() {
    let (one, two) = (pack(b"1\n2\n", Packing::Xz), pack(b"3\n", Packing::Xz));
    for trailing in [&b"x"[..], b"hello", b"\0\0\0\0hello", b"this is much longer than the header of a stream"] {
        let (line, message) = refused(&[&one, trailing].concat(), Some("keys"));
        let said = "other data follow the end of the xz data, after 4 unpacked bytes";
        assert!(line == 0 && message.starts_with(said), "{message}");
    }
    let several = [&one[..], &two, &[0; 8], &two].concat();
    assert_eq!(read(&several, "trace", None).unwrap(), read(b"1\n2\n3\n3\n", "trace", None).unwrap());
    assert_eq!(read(&[&one[..], &[0; 4]].concat(), "trace", None).unwrap().1.len(), 2);
    for length in one.len() + 1..one.len() + two.len() {
        let (_, message) = refused(&[&one[..], &two].concat()[..length], Some("keys"));
        assert!(message.starts_with("the xz data are cut off after "), "{length}: {message}");
    }
}
