//! Recordings that are changed at random: the account of what they hold balances, and nothing panics or hangs.

use crate::support::change;
use forebay_core::{Rate, Seed};
use forebay_traces::{Content, IpHeader, ReadOptions, Trace, TraceError, cut, read};
use rand::RngExt as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Changed files of each recording.
const CHANGED: usize = 5_500;

pub(crate) fn captures() -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/captures");
    let mut found = Vec::new();
    for kind in std::fs::read_dir(folder).unwrap() {
        for file in std::fs::read_dir(kind.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            found.push((path, bytes));
        }
    }
    found.sort();
    assert!(found.len() >= 19, "{found:?}");
    found
}

pub(crate) fn packets(file: &[u8]) -> Result<Trace, TraceError> {
    let access_rate = Rate::from_bits_per_second(1_000_000_000).unwrap();
    read(file, &ReadOptions { filter: None, ip_header: IpHeader::Outer, packet_bytes: 1_500, access_rate })
}

/// Whether all bytes and all packets of a recording are used or left out, and nothing is counted twice.
fn check(trace: &Trace, file: &[u8], name: &Path) {
    let account = trace.account.as_ref().expect("a recording has an account");
    assert_eq!(account.bytes + account.bytes_left_out, file.len() as u64, "{}", name.display());
    let left_out: u64 = account.left_out.values().sum();
    assert_eq!(account.records, trace.packets.len() as u64 + left_out, "{}", name.display());
    if account.bytes_left_out > 0 {
        assert!(!trace.warnings.is_empty(), "{}: what is left out is said", name.display());
    }
}

/// 100,000 changes of recordings: bytes flipped, cut and doubled.
#[test]
fn the_account_of_a_changed_recording_balances() {
    let (mut read, mut refused) = (0, 0);
    for (path, file) in captures() {
        check(&packets(&file).unwrap(), &file, &path);
        let mut rng = Seed(9).stream(&path.file_name().unwrap().to_string_lossy());
        for _ in 0..CHANGED {
            let mut changed = file.clone();
            for _ in 0..rng.random_range(1..4) {
                change(&mut changed, &mut rng);
            }
            match packets(&changed) {
                Ok(trace) => {
                    check(&trace, &changed, &path);
                    read += 1;
                }
                Err(error) => {
                    let message = error.to_string();
                    assert!(!message.is_empty() && !message.contains('\n'), "{message}");
                    refused += 1;
                }
            }
        }
    }
    assert!(read + refused >= 100_000 && read > 50_000, "{read} read, {refused} refused");
}

/// Records of a pcap in little-endian, counted from header to header, and whether the file ends behind one.
fn counted(file: &[u8]) -> (u64, bool) {
    let (mut at, mut records) = (24, 0);
    while let Some(header) = file.get(at..at + 16) {
        let length = u32::from_le_bytes([header[8], header[9], header[10], header[11]]);
        at += 16 + usize::try_from(length).unwrap();
        if at > file.len() {
            return (records, false);
        }
        records += 1;
    }
    (records, at == file.len())
}

/// Wherever a packed file is cut, what comes before is used, as of one that is not packed.
#[test]
fn packed_recordings_that_are_cut_off_are_used_up_to_there() {
    for (path, file) in captures() {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(&file).unwrap();
        let packed = packer.finish().unwrap();
        // Its last packet may be gone with the rest.
        if let (Ok(trace), Ok(whole)) = (packets(&packed[..packed.len() - 12]), packets(&file)) {
            assert!(
                trace.warnings.iter().any(|warning| warning.contains("gzip data are cut off")),
                "{}",
                path.display()
            );
            assert!(trace.packets.len() + 3 > whole.packets.len(), "{}", path.display());
        } else {
            assert!(packets(&file).is_err() || file.len() < 1_000, "{}", path.display());
        }
    }
}

#[test]
fn nanoseconds_where_microseconds_should_be_are_noticed() {
    let file = |magic: [u8; 4], fraction: u32| {
        let header = [&magic[..], &[2, 0, 4, 0], &[0; 8], &[0, 0, 1, 0], &[1, 0, 0, 0]].concat();
        let record = |fraction: u32| {
            let lengths = [60_u32.to_le_bytes(); 2].concat();
            [&1_u32.to_le_bytes()[..], &fraction.to_le_bytes(), &lengths, &[0; 12], &[8, 0, 0x45], &[0; 45]].concat()
        };
        [header, record(0), record(fraction)].concat()
    };
    let said = |magic, fraction| packets(&file(magic, fraction)).unwrap().warnings;
    let micro = [0xd4, 0xc3, 0xb2, 0xa1];
    assert!(said(micro, 1_000_000)[0].starts_with("times of a million microseconds or more beside their seconds"));
    assert_eq!(said(micro, 999_999), [""; 0]);
    assert_eq!(said([0x4d, 0x3c, 0xb2, 0xa1], 999_999_999), [""; 0]);
    let wrong = packets(&file([0xa1, 0xb2, 0xcd, 0x34], 0)).unwrap_err().to_string();
    assert!(wrong.contains("editcap -F pcapng IN OUT"), "{wrong}");
}

#[test]
fn cuts_and_doubled_records_are_counted_as_by_hand() {
    let (path, file) = captures().into_iter().find(|(path, _)| path.ends_with("directions/both.pcap")).unwrap();
    let mut rng = Seed(3).stream("records");
    let mut starts = vec![24];
    while let Some(header) = file.get(starts[starts.len() - 1]..).filter(|rest| rest.len() >= 16) {
        let length = u32::from_le_bytes([header[8], header[9], header[10], header[11]]);
        starts.push(starts[starts.len() - 1] + 16 + usize::try_from(length).unwrap());
    }
    for number in 0..2_000 {
        let mut changed = file.clone();
        if number % 2 == 0 {
            let record = rng.random_range(0..starts.len() - 1);
            let record = file[starts[record]..starts[record + 1]].to_vec();
            let place = starts[rng.random_range(0..starts.len())];
            changed.splice(place..place, record);
        }
        if number % 3 > 0 {
            changed.truncate(rng.random_range(200..=changed.len()));
        }
        let (records, is_whole) = counted(&changed);
        let trace = packets(&changed).unwrap();
        check(&trace, &changed, &path);
        assert_eq!(trace.account.as_ref().unwrap().records, records);
        assert_eq!(trace.account.as_ref().unwrap().bytes_left_out == 0, is_whole);
        let mut out = Vec::new();
        let cut = cut(Content::unpack(&changed[..]).unwrap(), None, IpHeader::Outer, &mut out).unwrap();
        assert_eq!((cut.packets, counted(&out)), (records, (records, true)), "what is cut out is whole");
    }
}
