//! vscsi, lcs and the log of Tencent's photo store, by hand: their layouts are public.

use crate::support::{read, reader, refused, requests};

const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000_000_000;
const READ_10: u16 = 0x28;
const WRITE_10: u16 = 0x2a;
const SYNCHRONIZE: u16 = 0x35;

/// What a disk is asked for: command, bytes, first block, microseconds.
type Io = (u16, u32, u64, u64);

/// Records of a version of vscsiStats.
pub(crate) fn vscsi(version: u16, ios: &[Io]) -> Vec<u8> {
    let record = |(&(command, bytes, block, time), serial): (&Io, u32)| {
        let (command, version) = (command.to_le_bytes(), ((version << 8) | 3).to_le_bytes());
        let (serial, bytes, elements) = (serial.to_le_bytes(), bytes.to_le_bytes(), 1_u32.to_le_bytes());
        let (block, time) = (block.to_le_bytes(), time.to_le_bytes());
        match version[1] {
            1 => [&serial[..], &bytes, &elements, &command, &version, &block, &time].concat(),
            _ => [&command[..], &version, &serial, &bytes, &elements, &block, &time, &7_u64.to_le_bytes()].concat(),
        }
    };
    ios.iter().zip(0..).flat_map(record).collect()
}

/// A header of lcs of so many bytes, of this version, for so many requests.
fn header(bytes: usize, version: u64, requests: u64, unit: u32) -> Vec<u8> {
    let mark = 0x1234_5678_9abc_def0_u64.to_le_bytes();
    let mut header = vec![0; bytes];
    header[..8].copy_from_slice(&mark);
    header[8..16].copy_from_slice(&version.to_le_bytes());
    header[24..32].copy_from_slice(&requests.to_le_bytes());
    if bytes == 1_024 {
        header[124..128].copy_from_slice(&unit.to_le_bytes());
    }
    header[bytes - 8..].copy_from_slice(&mark);
    header
}

/// A record of a version: time, object, size, operation.
fn record(version: u64, (time, object, size, operation): (u32, u64, u64, u8)) -> Vec<u8> {
    let size = if version > 2 { size.to_le_bytes().to_vec() } else { size.to_le_bytes()[..4].to_vec() };
    let mut record = [&time.to_le_bytes()[..], &object.to_le_bytes(), &size].concat();
    if version > 1 {
        record.extend([operation, 9, 9, 9]);
    }
    if version > 2 {
        record.extend(60_u32.to_le_bytes());
    }
    record.extend((-1_i64).to_le_bytes());
    let features = [0, 0, 0, 0, 1, 2, 4, 8, 16][usize::try_from(version).unwrap()];
    record.extend((0..features * 4).map(|byte| u8::try_from(byte).unwrap()));
    record
}

/// A trace of lcs.
pub(crate) fn lcs(bytes: usize, version: u64, requests: &[(u32, u64, u64, u8)]) -> Vec<u8> {
    let records = requests.iter().flat_map(|own| record(version, *own));
    header(bytes, version, requests.len() as u64, 0).into_iter().chain(records).collect()
}

fn warnings(file: &[u8], format: Option<&str>) -> Vec<String> {
    let mut reader = reader(file, "trace", format).unwrap();
    reader.fill(&mut Vec::new(), 1_000).unwrap();
    reader.warnings()
}

#[test]
fn both_versions_of_vscsi_are_read_alike() {
    let ios = [
        (READ_10, 4_096, 100, 5_000),
        (WRITE_10, 8_192, 108, 6_000),
        (SYNCHRONIZE, 0, 0, 6_500),
        (READ_10, 512, 7, 7_000),
    ];
    for version in [1, 2] {
        let file = vscsi(version, &ios);
        assert_eq!(read(&file, "trace", None).unwrap().0.format, "vscsi");
        assert_eq!(requests(&file, None), [(0, 100, 4_096), (MS, 108, 8_192), (2 * MS, 7, 512)]);
        assert_eq!(requests(&file, Some("vscsi:operations=reads")), [(0, 100, 4_096), (2 * MS, 7, 512)]);
        assert_eq!(requests(&file, Some("cloudphysics:operations=writes")), [(0, 108, 8_192)]);
        // 4 KiB from byte 51,200 on are in two blocks of 4 KiB each.
        let blocks =
            [(0, 12, 4_096), (0, 13, 4_096), (MS, 13, 4_096), (MS, 14, 4_096), (MS, 15, 4_096), (2 * MS, 0, 4_096)];
        assert_eq!(requests(&file, Some("vscsi:blocks=4KiB")), blocks);
        assert_eq!(warnings(&file, None), ["records with other SCSI commands, such as 0x35, were left out: 1"]);
    }
}

#[test]
fn what_is_no_vscsi_is_refused() {
    let file = vscsi(2, &[(READ_10, 512, 1, 9), (READ_10, 512, 1, 4), (READ_10, 512, 1, 9)]);
    assert_eq!(requests(&file, None).len(), 3);
    assert_eq!(warnings(&file, None), ["1 requests were earlier than a request before them; sorted by time"]);
    let (_, message) = refused(&file[..100], Some("vscsi"));
    assert!(message.starts_with("request 3 (byte 80): the last record has only 20 of 40 bytes"), "{message}");
    let (_, message) = refused(&vscsi(3, &[(READ_10, 512, 1, 9); 3]), Some("vscsi"));
    assert!(message.contains("neither version 1 (32 bytes each) nor version 2 (40)"), "{message}");
    let mixed = [vscsi(1, &[(READ_10, 512, 1, 9); 4]), vscsi(4, &[(READ_10, 512, 1, 9)])].concat();
    let (_, message) = refused(&mixed, Some("vscsi"));
    assert!(message.contains("request 5 (byte 128)") && message.contains("the version of the first one"), "{message}");
    let (_, message) = refused(&vscsi(1, &[(SYNCHRONIZE, 0, 0, 0); 3]), Some("vscsi"));
    assert_eq!(message, "records with other SCSI commands, such as 0x35, were left out: 3; no request is left");
}

#[test]
fn every_version_of_lcs_is_read() {
    let given = [(5, 1 << 40, 700, 1), (5, 3, 0, 3), (9, 1 << 40, 700, 12)];
    let all = [(0, 1 << 40, 700), (0, 3, 1), (4 * SECOND, 1 << 40, 700)];
    for (bytes, versions) in [(1_024, 1..=2), (8_192, 1..=8)] {
        for version in versions {
            let file = lcs(bytes, version, &given);
            assert_eq!(read(&file, "trace", None).unwrap().0.format, "lcs");
            assert_eq!(requests(&file, None), all, "{bytes} {version}");
            let reads = requests(&file, Some("lcs:operations=reads"));
            assert_eq!(reads, if version == 1 { all.to_vec() } else { vec![all[0], all[2]] }, "{bytes} {version}");
        }
    }
    let ms = [header(1_024, 1, 2, 2), record(1, (1_000, 1, 1, 0)), record(1, (1_001, 1, 1, 0))].concat();
    assert_eq!(requests(&ms, None), [(0, 1, 1), (MS, 1, 1)]);
}

#[test]
fn a_header_of_lcs_that_is_damaged_or_differs_is_told() {
    let file = lcs(8_192, 3, &[(5, 1, 9, 1), (6, 1, 9, 1)]);
    let cut = &file[..file.len() - 36];
    assert_eq!(warnings(cut, None), ["the header says 2 requests, but 1 were read; the file may be cut off"]);
    let (_, message) = refused(&file[..file.len() - 1], None);
    assert!(message.starts_with("request 2 (byte 8228): the last record has only 35 of 36 bytes"), "{message}");
    for (place, wanted) in [(8_191, "does not begin and end with the mark"), (8, "version 2")] {
        let mut damaged = file.clone();
        damaged[place] ^= 1;
        // Version 2 has records of 28 bytes.
        let refusal = if place == 8 { "it is earlier" } else { wanted };
        let (_, message) = refused(&damaged, None);
        assert!(message.contains(refusal) || message.contains("of 28 bytes"), "{message}");
    }
    let (_, message) = refused(&lcs(8_192, 0, &[]), None);
    assert_eq!(message, "version 0 of lcs is unknown; known are 1 to 8");
    assert_eq!(refused(&file[..500], None).1, "the file ends in its header; it is cut off, or not lcs");
    let (_, message) = refused(&[header(1_024, 1, 1, 7), record(1, (0, 1, 1, 0))].concat(), None);
    assert_eq!(message, "the header has the unit of time 7; known are 0 to 4");
}

/// A line of the log of photos.
pub(crate) fn photo(second: u32, photo: u32, hit: u8) -> String {
    format!("201602011646{second:02} {photo:040x} 5 m {} {hit} PHONE {}", 900 + photo, u32::from(hit == 0) * 30)
}

#[test]
fn the_log_of_photos_says_what_its_cache_did() {
    let lines = [
        photo(4, 1, 0),
        photo(4, 1, 1),
        photo(5, 2, 0),
        photo(5, 2, 0).replace(" 5 m ", " 7 m "),
        photo(7, 1, 1).replace(" m ", " l "),
    ];
    let file = lines.join("\n") + "\n";
    let given = requests(file.as_bytes(), None);
    assert_eq!(
        given.iter().map(|own| (own.0, own.2)).collect::<Vec<_>>(),
        [(0, 901), (0, 901), (SECOND, 902), (3 * SECOND, 901)]
    );
    // The class of the size is a part of the key.
    assert!(given[0].1 == given[1].1 && given[0].1 != given[3].1);
    let told = warnings(file.as_bytes(), None).join("; ");
    let expected = "lines with an error, such as a status of 400 or more (`status=all` takes them) were left out: 1; the log says: \
                    50.0 % hits (2 of 4 requests with a cache status); the others took 30.0 ms on average";
    assert_eq!(told, expected);
    assert_eq!(requests(file.as_bytes(), Some("qqphoto:status=all")).len(), 5);
}
