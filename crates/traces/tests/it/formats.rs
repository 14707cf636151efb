//! What is read of each format, and how it is recognised.

use crate::support::{pcap, read, reader, refused, requests, samples, written};
use forebay_core::Clock;
use forebay_traces::requests::{FORMATS, Facts, Recipe, Spec};

/// XXH64 with seed 0 of `abc`.
const ABC: u64 = 0x44bc_2cf5_ad77_0999;

#[test]
fn every_format_is_recognised() {
    let samples = samples();
    assert_eq!(samples.len(), FORMATS.len());
    for (format, file) in samples {
        // Nothing but their names tells binary keys.
        let name = match format {
            "u32be" => "a.trace",
            "u64be" => "a.u64be",
            "u64le" => "a.u64le",
            _ => "trace",
        };
        // Other formats look like this one.
        let said = (format == "webcachesim").then_some(format);
        let (facts, requests) = read(&file, name, said).unwrap();
        assert_eq!(facts.format, format);
        assert_eq!(requests.len(), if format == "pcap" { 100 } else { 200 }, "{format}");
        assert!(facts.clock == Clock::Slots || requests[0].time == 0, "{format}");
    }
}

#[test]
fn slots_are_lines() {
    let expected = [(1, 7, 1), (2, 7, 1), (4, ABC, 1)];
    assert_eq!(requests(b"\n5;7\n9;7\n\n0;abc\n\n", None), expected);
    assert_eq!(requests(b"\r\n5;7\r\n9;7\r\n\r\n0;abc", None), expected);
    assert_eq!(requests(b"\n7\n7\n\nabc", None), expected);
    let mut unfinished = reader(b"1;2\n3;4", "trace", None).unwrap();
    unfinished.fill(&mut Vec::new(), 10).unwrap();
    assert!(unfinished.warnings()[0].contains("the last line has no end"));
}

#[test]
fn big_endian_keys_are_known_by_name() {
    let file: Vec<u8> = [1_u32, 0xf000_0001, 1].iter().flat_map(|key| key.to_be_bytes()).collect();
    assert_eq!(requests(&file, Some("u32be")), [(0, 1, 1), (1, 0xf000_0001, 1), (2, 1, 1)]);
    let wild: Vec<u8> = (0..300_u32).flat_map(|n| n.wrapping_mul(0x9e37_79b9).to_be_bytes()).collect();
    let (_, message) = refused(&wild, None);
    assert!(message.contains("--format-in u32be"), "{message}");
    for name in ["a.trace", "a.U32BE", "a.trace.xz"] {
        assert_eq!(read(&wild, name, None).unwrap().1.len(), 300, "{name}");
    }
    assert_eq!(requests(&wild, Some("u32be")).len(), 300);
}

#[test]
fn oracle_general_has_times_and_sizes() {
    let record = |seconds: u32, object: u64, bytes: u32, next: i64| {
        [&seconds.to_le_bytes()[..], &object.to_le_bytes(), &bytes.to_le_bytes(), &next.to_le_bytes()].concat()
    };
    let file = [record(100, 1 << 40, 5, 2), record(100, 7, 0, -1), record(103, 1 << 40, 5, -1)].concat();
    assert_eq!(requests(&file, None), [(0, 1 << 40, 5), (0, 7, 1), (3_000_000_000, 1 << 40, 5)]);
    let mut read = reader(&file, "trace", None).unwrap();
    read.fill(&mut Vec::new(), 10).unwrap();
    assert_eq!(read.warnings(), ["one request has size 0; it is taken as 1 byte"]);
    let back = [record(100, 1, 1, -1), record(99, 2, 1, -1)].concat();
    let (_, message) = refused(&back, Some("oracleGeneral"));
    assert_eq!(message, "request 2 (byte 24): it is earlier than the request before; sort the trace by time");
}

#[test]
fn columns_of_libcachesim_are_found_or_chosen() {
    let expected = [(0, 7, 10), (1_500_000_000, ABC, 20)];
    assert_eq!(requests(b"3,7,10\n4.5,abc,20,x\n", None), expected);
    assert_eq!(requests(b"time,obj_id,obj_size\n3,7,10\n4.5,abc,20\n", None), expected);
    assert_eq!(requests(b"obj_size, obj_id, next, timestamp\n10,7,-1,3\n20,abc,-1,4.5\n", None), expected);
    let chosen = "libcachesim-csv:time=4,key=2,size=1,unit=ms,delimiter=semicolon,header=no";
    assert_eq!(requests(b"10;7;x;3000\n20;abc;;4500\n", Some(chosen)), expected);
    assert_eq!(requests(b"7\n\nabc\n", Some("libcachesim-csv:time=0,key=1,size=0")), [(0, 7, 1), (2, ABC, 1)]);
    for (file, line, message) in [
        ("1,2,3\n1,2\n", 2, "2 columns, but 3 are needed"),
        ("1,2,3\n1,2,x\n", 2, "the size must be a whole number of bytes, not `x`"),
        ("1,2,3\n0,2,3\n", 2, "earlier than the request before"),
        ("1,2,3\n-1,2,3\n", 2, "the time must be a number, zero or above, not `-1`"),
        ("1,2,3\n2,,3\n", 2, "there is no key"),
    ] {
        let refused = refused(file.as_bytes(), None);
        assert!(refused.0 == line && refused.1.contains(message), "{file}: {refused:?}");
    }
    for format in [None, Some("libcachesim-csv")] {
        let (_, message) = refused(b"1,2,3\r2,3,4\r", format);
        assert!(message.contains("lines end with carriage returns alone"), "{message}");
    }
    let format = FORMATS.iter().find(|format| format.about.name == "libcachesim-csv").unwrap();
    let spec = Spec::parse("libcachesim-csv:unit=h").unwrap();
    let error = spec.params(format.about.params).unwrap_err().to_string();
    assert!(error.ends_with("\"ns\", \"100ns\", \"filetime\" or \"iso8601\", not \"h\""), "{error}");
}

/// Blocks that come again in no regular order.
#[test]
fn keys_of_64_bits_are_not_taken_for_records() {
    let keys: Vec<u64> = (0..1_998_u64).map(|n| (n * n * 7_919 % 121) % (1 + n % 30) * 4_096).collect();
    let file: Vec<u8> = keys.iter().flat_map(|key| key.to_be_bytes()).collect();
    for name in ["blocks.u64be", "blocks"] {
        match read(&file, name, None) {
            Ok((facts, read)) => assert_eq!((facts.format, read.len()), ("u64be", keys.len()), "{name}"),
            Err(error) => assert!(error.to_string().contains("--format-in u64be"), "{name}: {error}"),
        }
    }
    // A part of a trace has the numbers of the whole.
    let (mut records, mut next) = (Vec::new(), std::collections::HashMap::new());
    for (place, key) in keys.iter().enumerate().rev() {
        let then = next.insert(key, place).map_or(5_000 + place, |then| then + 1_000);
        records.splice(
            0..0,
            [&[1, 0, 0, 0][..], &key.to_le_bytes(), &[9, 0, 0, 0], &(then as u64).to_le_bytes()].concat(),
        );
    }
    assert_eq!(read(&records, "part", None).unwrap().0.format, "oracle-general");
    records[24 * 3 + 16] ^= 1;
    assert!(read(&records, "part", None).is_err(), "a next request that is none");
}

#[test]
fn reads_of_twitter_are_requests_and_other_operations_on_demand() {
    let file = b"5,abc,3,7,1,get,0\n6,x,3,7,1,set,9\n7,a,b,c,0,0,1,gets,0\n";
    assert_eq!(requests(file, None)[0], (0, ABC, 10));
    assert_eq!(requests(file, None).len(), 2);
    assert_eq!(requests(file, None)[1].0, 2_000_000_000);
    assert_eq!(requests(file, Some("twitter:operations=all")).len(), 3);
    let mut reader = reader(file, "trace", Some("twitter")).unwrap();
    reader.fill(&mut Vec::new(), 100).unwrap();
    assert_eq!(
        reader.warnings()[1..],
        ["lines with other operations, such as `set`, were left out: 1 (operations=all takes them)"]
    );
    let (line, message) = refused(b"5,abc,3,7,1,get,0\n6,abc,3,7,1,fetch,0\n", None);
    assert!(line == 2 && message.starts_with("unknown operation `fetch`; known are get,"), "{message}");
}

#[test]
fn packets_ask_for_their_flow_in_order_of_time() {
    let file = pcap(&[(5_000_000_007, 1), (5_000_000_107, 2), (5_000_000_057, 1)]);
    let by_flow = requests(&file, None);
    assert_eq!(by_flow.iter().map(|request| (request.0, request.2)).collect::<Vec<_>>(), [(0, 1), (50, 1), (100, 1)]);
    assert!(by_flow[0].1 == by_flow[1].1 && by_flow[0].1 != by_flow[2].1);
    let by_destination = requests(&file, Some("pcap:key=destination"));
    assert!(by_destination.iter().all(|request| request.1 == by_destination[0].1));
    let mut sorted = reader(&file, "trace", None).unwrap();
    sorted.fill(&mut Vec::new(), 10).unwrap();
    assert_eq!(sorted.warnings(), ["1 packets were earlier than a packet before them; sorted by time"]);

    let mut late: Vec<_> = (0..3_000).map(|n| (1_000_000 + n, 1)).collect();
    late.push((0, 1));
    let (_, message) = refused(&pcap(&late), None);
    assert!(message.starts_with("packet 3001 is earlier than 1024 packets before it"), "{message}");
}

#[test]
fn a_recording_that_is_cut_off_is_used_on_demand() {
    let file = pcap(&[(1, 1), (2, 2), (3, 3)]);
    let cut = &file[..file.len() - 3];
    let (_, message) = refused(cut, None);
    assert!(message.ends_with("to use the packets before that: --format-in pcap:cut-off=use"), "{message}");
    assert_eq!(requests(cut, Some("pcap:cut-off=use")).len(), 2);
}

#[test]
fn our_own_csv_keeps_everything() {
    for recipe in ["zipf:objects=9,requests=99", "zipf:objects=9,requests=99,rate=1e6,sizes=uniform"] {
        let recipe = Recipe::parse(recipe).unwrap();
        let (file, lost) = written(&mut *recipe.open().unwrap(), "request-csv");
        assert!(lost.is_empty());
        let (facts, again) = read(&file, "trace", None).unwrap();
        let made = forebay_traces::requests::Requests::new(recipe.open().unwrap()).map(Result::unwrap);
        assert!(made.eq(again));
        assert_eq!(Facts { format: "zipf", ..facts }, recipe.open().unwrap().facts());
    }
    for (file, line, message) in [
        ("slot,key\n3,1\n3,2\n", 3, "its slot already has a request"),
        ("slot,key\n3\n", 2, "there is no key"),
        ("slot,key\n3,4,5\n", 2, "more columns than the first line"),
        ("time_ns,key,size_bytes\n3,4\n", 2, "there is no size_bytes"),
        ("time_ns,key\n3.5,4\n", 2, "`time_ns` must be a whole number"),
        ("slot,key\n", 0, "the trace has no requests"),
    ] {
        let refused = refused(file.as_bytes(), None);
        assert!(refused.0 == line && refused.1.contains(message), "{file}: {refused:?}");
    }
    assert_eq!(refused(b"a,b\n", Some("request-csv")).0, 1);
}

#[test]
fn mixed_up_and_foreign_files_are_refused_with_their_line() {
    for (file, line, message) in [
        (&b""[..], 0, "the file is empty"),
        (b"\n\n\n", 0, "this is not a request trace"),
        (b"hello world\n", 0, "this is not a request trace of a known format"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0", 0, "this is a PNG picture"),
        (b"1;2\n2;3\n5,abc,3,7,1,get,0\n", 3, "a line must be empty or like `timestamp;object`"),
        (b"1\n2\n3;4\n", 3, "a key with a space, comma or semicolon"),
        (b"1000000000\n2000000000\n\x00000000000\n", 3, "the key is not UTF-8 text"),
        (b"1,2,3\n1;2\n", 2, "the line has 1 columns, but 3 are needed"),
        (b"arrival_ps,size_bytes\n0,5\n", 0, "forebay trace convert FILE FILE.pcap"),
    ] {
        let refused = refused(file, None);
        assert!(refused.0 == line && refused.1.contains(message), "{:?}: {refused:?}", String::from_utf8_lossy(file));
    }
    let (_, message) = refused(b"1\n", Some("u23be"));
    assert_eq!(message, "unknown format `u23be`; did you mean `u32be`?");
}

#[test]
fn what_a_format_has_no_place_for_is_said() {
    let recipe = |text: &str| Recipe::parse(text).unwrap().open().unwrap();
    let timed = "zipf:objects=9,requests=99,rate=1e3,size=7";
    let slots = "zipf:objects=9,requests=99,occupancy=0.5";
    for (text, format, lost) in [
        (
            timed,
            "slot-csv",
            &["times are left out: each request has the slot after the one before", "sizes are left out"][..],
        ),
        (timed, "oracle-general", &["times are cut to whole seconds"]),
        (timed, "libcachesim-csv", &[]),
        (slots, "u32be", &["this format leaves slots without a request out"]),
        (slots, "libcachesim-csv", &["slots are written as seconds"]),
        (slots, "keys", &[]),
        ("zipf:objects=9,requests=99,occupancy=1", "u32be", &[]),
    ] {
        assert_eq!(written(&mut *recipe(text), format).1, lost, "{text} {format}");
    }
}

#[test]
fn slots_survive_formats_with_slots() {
    let recipe = Recipe::parse("zipf:objects=9,requests=99,occupancy=0.5").unwrap();
    let made: Vec<_> = forebay_traces::requests::Requests::new(recipe.open().unwrap()).map(Result::unwrap).collect();
    for format in ["slot-csv", "keys", "request-csv"] {
        let (file, _) = written(&mut *recipe.open().unwrap(), format);
        assert_eq!(read(&file, "trace", Some(format)).unwrap().1, made, "{format}");
    }
}

#[test]
fn times_and_sizes_survive_libcachesim_csv() {
    let recipe = Recipe::parse("zipf:objects=9,requests=99,rate=1e3,sizes=uniform").unwrap();
    let made: Vec<_> = forebay_traces::requests::Requests::new(recipe.open().unwrap()).map(Result::unwrap).collect();
    let (file, lost) = written(&mut *recipe.open().unwrap(), "libcachesim-csv");
    let again = read(&file, "trace", None).unwrap().1;
    // The clock begins at the first request.
    assert!(lost.is_empty() && again.len() == made.len());
    for (made_one, again) in made.iter().zip(&again) {
        assert_eq!((made_one.time - made[0].time, made_one.key, made_one.size), (again.time, again.key, again.size));
    }
    let source = b"time_ns,key,size_bytes\n0,1,2\n500000000,1,2\n2000000000,1,2\n2000000001,1,2\n";
    let (file, _) = written(&mut *reader(source, "trace", None).unwrap(), "libcachesim-csv");
    assert_eq!(file, b"time,obj_id,obj_size\n0,1,2\n0.5,1,2\n2,1,2\n2.000000001,1,2\n");
}
