//! Files that are no request traces, and what is said of them.

use crate::support::{pack, read, refused, requests};
use forebay_traces::pack::Packing;

/// 512 bytes that are neither text nor have a mark of their own.
fn binary(mark: &[u8], at: usize) -> Vec<u8> {
    let mut file = vec![0; 512];
    file[at..at + mark.len()].copy_from_slice(mark);
    file
}

#[test]
fn files_with_the_mark_of_another_kind_are_refused_whatever_their_name() {
    for (file, message) in [
        (binary(b"\x7fELF\x02\x01\x01", 0), "this is a program (ELF), not a trace (if"),
        (binary(b"SQLite format 3\0\x10", 0), "this is an SQLite database, not a trace"),
        (binary(b"ustar\x0000", 257), "this is a tar archive, not a trace; unpack it first, with tar xf"),
        (binary(b"PK\x03\x04\x14", 0), "this is a zip archive, not a trace; unpack it first, with unzip"),
        (binary(b"BZh91AY&SY", 0), "this is packed with bzip2, not a trace; unpack it first, with bunzip2"),
        (binary(b"\x89PNG\r\n\x1a\n", 0), "this is a PNG picture, not a trace"),
        (b"%PDF-1.7\n%abc\n".to_vec(), "this is a PDF document, not a trace"),
        (binary(b"\xff\xfe1\0", 0), "this is text in UTF-16, not a trace; make it UTF-8"),
        (pack(&pack(b"1\n2\n", Packing::Gzip), Packing::Gzip), "this is packed twice, inside with gzip"),
    ] {
        for name in ["trace", "a.trace", "a.trace.xz", "a.oracleGeneral"] {
            let error = read(&file, name, None).unwrap_err().to_string();
            assert!(error.starts_with(message) && error.ends_with("--format-in NAME)"), "{name}: {error}");
        }
    }
    assert_eq!(requests(&binary(b"\x7fELF", 0), Some("u32be")).len(), 128);
}

#[test]
fn binary_keys_are_never_guessed() {
    let wide: Vec<u8> = (0..300_u64).flat_map(|n| (n * n % 77).to_le_bytes()).collect();
    let rising: Vec<u8> = (0..300_u64).flat_map(u64::to_le_bytes).collect();
    let small: Vec<u8> = (0..300_u32).flat_map(u32::to_be_bytes).collect();
    for (file, is_short) in [(wide, false), (rising, false), (small, true)] {
        let (_, message) = refused(&file, None);
        assert!(message.starts_with("this is not a request trace of a known format: it is binary"), "{message}");
        assert!(message.contains("--format-in u32be or call it .trace"), "{message}");
        assert_eq!(read(&file, "a.U32BE", None).unwrap().0.format, "u32be");
        for name in ["orm-busy.trace.xz", "a.trace"] {
            if is_short {
                assert_eq!(read(&file, name, None).unwrap().0.format, "u32be");
            } else {
                // Keys of 64 bits would be read as twice as many of 32.
                let message = read(&file, name, None).unwrap_err().to_string();
                assert!(message.contains("say --format-in u32be or --format-in u64le"), "{message}");
            }
        }
    }
}

/// What is said of a text, and after `--format-in `.
#[track_caller]
fn advised(text: &str) -> (String, String) {
    let (_, message) = refused(text.as_bytes(), None);
    let rest = message.split("--format-in ").nth(1).unwrap_or_default();
    let options = rest.split([';', ' ']).next().unwrap_or_default().to_owned();
    (message, options)
}

#[test]
fn what_is_advised_works() {
    let all = [(0, 7, 10), (1_000_000_000, 9, 20)];
    for (text, options, expected) in [
        ("timestamp,url,bytes\n3,7,10\n4,9,20\n", "time=1,key=2,size=3,header=yes", &all[..]),
        ("size,url,client,Time\n10,7,x,3\n20,9,x,4\n", "time=4,key=2,size=1,header=yes", &all),
        (
            "time_ms;key;size\n3000;7;10\n4000;9;20\n",
            "time=1,key=2,size=3,unit=ms,delimiter=semicolon,header=yes",
            &all,
        ),
        ("key,size\n7,10\n9,20\n", "time=0,key=1,size=2,header=yes", &[(0, 7, 10), (1, 9, 20)]),
        ("time,\"a, b\",url,size\n3,\"x, y\",7,10\n4,\"x, z\",9,20\n", "time=1,key=3,size=4,header=yes", &all),
        ("date,url\n2024-01-01,7\n2024-01-02,9\n", "time=0,key=2,size=0,header=yes", &[(0, 7, 1), (1, 9, 1)]),
        ("3 7 10\n4 9 20\n", "time=1,key=2,size=3,delimiter=spaces", &all),
        ("3.0   7 10\n4.0  9  20\n", "time=1,key=2,size=3,delimiter=spaces", &all),
        ("3\t7\t10\n4\t9\t20\n", "time=1,key=2,size=3,delimiter=tab", &all),
        ("3|7|10\n4|9|20\n", "time=1,key=2,size=3,delimiter=bar", &all),
        ("3;7;10\n4;9;20\n", "time=1,key=2,size=3,delimiter=semicolon", &all),
        (
            "1700000000000 7\n1700000001000 9\n",
            "time=1,key=2,size=0,unit=ms,delimiter=spaces",
            &[(0, 7, 1), (1_000_000_000, 9, 1)],
        ),
        (
            "date,url\n2024-01-01T00:00:00Z,7\n2024-01-01T00:00:01Z,9\n",
            "time=1,key=2,size=0,header=yes",
            &[(0, 7, 1), (1_000_000_000, 9, 1)],
        ),
        ("7,10\n9,20\n3,5\n", "time=0,key=1,size=2", &[(0, 7, 10), (1, 9, 20), (2, 3, 5)]),
    ] {
        let (message, advice) = advised(text);
        assert_eq!(advice, format!("libcachesim-csv:{options}"), "{message}");
        assert_eq!(requests(text.as_bytes(), Some(&advice)), expected, "{text}");
    }
}

#[test]
fn a_first_line_without_a_known_name_for_the_key_keeps_what_it_names() {
    let (message, advice) = advised("timestamp,\"a, b\",bytes\n3,7,10\n4,9,20\n");
    assert_eq!(advice, "libcachesim-csv:time=1,key=COLUMN,size=3,header=yes", "{message}");
    assert!(message.contains("by its names, with the column of the key (from 1)"), "{message}");
}

#[test]
fn the_first_line_is_shown_as_it_was_seen() {
    let log = "1286536308.779    180 192.168.0.224 200 411 GET http://a/ - DIRECT/1.2.3.4 text/html\n\
               1286536309.001     12 192.168.0.224 200 99 GET http://b/ - NONE/- text/html\n";
    let (message, options) = advised(log);
    let expected = "libcachesim-csv:time=1,key=COLUMN,size=COLUMN,delimiter=spaces,op=6,operations=GET+READ";
    assert_eq!(options, expected);
    assert!(message.contains("its first line is `1286536308.779    180 192.168.0.224 200 …`"), "{message}");
    assert!(
        message.contains("if each line is one key: --format-in keys:separators=keep (formats: pcap, "),
        "{message}"
    );
    let read = requests(log.as_bytes(), Some("libcachesim-csv:time=1,key=7,size=5,delimiter=spaces"));
    assert_eq!(read.iter().map(|request| (request.0, request.2)).collect::<Vec<_>>(), [(0, 411), (222_000_000, 99)]);
    let unsorted: String = log.lines().rev().map(|line| format!("{line}\n")).collect();
    assert_eq!(advised(&unsorted).1, expected);
    assert_eq!(requests(b"PAR1\nBZh9\n", None).len(), 2);
    let (message, options) = advised("<html>\n<body>\n");
    assert!(options == "keys" && message.contains("its first line is `<html>`"), "{message}");
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_text() {
    for text in [
        "time_ns,key,size_bytes\n0,7,10\n5,9,20\n",
        "slot,key\r\n0,7\r\n5,9\r\n",
        "1;7\n2;9\n",
        "7\n9\n",
        "time,obj_id,obj_size\n3,7,10\n4,9,20\n",
        "3,7,10\n4,9,20\n",
        "3,7,1,10,1,get,0\n4,9,1,20,1,get,0\n",
    ] {
        let marked = format!("\u{feff}{text}");
        assert_eq!(requests(marked.as_bytes(), None), requests(text.as_bytes(), None), "{text}");
    }
    // A key of 32 bits may be the same bytes.
    assert_eq!(requests(b"\xef\xbb\xbf\0\0\0\0\0", Some("u32be"))[0].1, 0xefbb_bf00);
}

#[test]
fn keys_that_look_like_a_header_are_said() {
    for (text, says) in [("URL\n/a\n", true), ("\u{feff}key\n/a\n", true), ("/a\nkey\n", false)] {
        let mut reader = crate::support::reader(text.as_bytes(), "trace", None).unwrap();
        let mut chunk = Vec::new();
        reader.fill(&mut chunk, 10).unwrap();
        assert_eq!(chunk.len(), 2);
        assert_eq!(reader.warnings().iter().any(|warning| warning.contains("if it is a header")), says, "{text}");
    }
    let (line, message) = refused(b"/a\n/a,b\n", None);
    assert!(line == 2 && message.contains("--format-in keys:separators=keep"), "{message}");
}
