//! Reads and writes traces in memory.

use forebay_core::{Request, Rng};
use forebay_traces::pack::{Packed, Packing};
use forebay_traces::requests::{Facts, OpenOptions, RequestReader, Requests, Spec, format_for, open, write};
use forebay_traces::{Content, TraceError};
use rand::RngExt as _;
use std::io::{Cursor, Write as _};

/// Opens `bytes` as a file called `name`, in this format or in the format that is found.
pub(crate) fn reader(bytes: &[u8], name: &str, format: Option<&str>) -> Result<Box<dyn RequestReader>, TraceError> {
    let options = OpenOptions { format: format.map(|format| Spec::parse(format).unwrap()) };
    open(Content::unpack(Cursor::new(bytes.to_vec()))?, name, &options)
}

/// All requests of a file.
pub(crate) fn read(bytes: &[u8], name: &str, format: Option<&str>) -> Result<(Facts, Vec<Request>), TraceError> {
    let reader = reader(bytes, name, format)?;
    let facts = reader.facts();
    Ok((facts, Requests::new(reader).collect::<Result<_, _>>()?))
}

/// Time, key and size of all requests of a good file without a telling name.
#[track_caller]
pub(crate) fn requests(bytes: &[u8], format: Option<&str>) -> Vec<(u64, u64, u64)> {
    let (_, requests) = read(bytes, "trace", format).unwrap();
    requests.into_iter().map(|Request { time, key, size }| (time, key, size)).collect()
}

/// Why a file is rejected: the line, 0 for none, and the message.
#[track_caller]
pub(crate) fn refused(bytes: &[u8], format: Option<&str>) -> (u64, String) {
    match read(bytes, "trace", format) {
        Err(TraceError::Line { line, message }) => (line, message),
        Err(TraceError::File(message)) => (0, message),
        other => panic!("{other:?}"),
    }
}

pub(crate) fn pack(bytes: &[u8], packing: Packing) -> Vec<u8> {
    let mut packed = Packed::new(Vec::new(), packing).unwrap();
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// What `reader` gives, written in the format `name`, and what was lost.
pub(crate) fn written(reader: &mut dyn RequestReader, name: &str) -> (Vec<u8>, Vec<String>) {
    let (format, _) = format_for("trace", Some(name)).unwrap();
    let mut out = Vec::new();
    let (_, lost) = write(reader, format, &mut out).unwrap();
    (out, lost)
}

/// A pcap of UDP packets: nanoseconds, and the last byte of the source's address.
pub(crate) fn pcap(packets: &[(u64, u8)]) -> Vec<u8> {
    let mut file = Vec::new();
    file.extend(0xa1b2_3c4d_u32.to_le_bytes());
    file.extend([2, 0, 4, 0]);
    file.extend([0; 8]);
    file.extend(65_535_u32.to_le_bytes());
    // Raw IP.
    file.extend(101_u32.to_le_bytes());
    for &(ns, source) in packets {
        let frame: [u8; 28] =
            [0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, source, 10, 0, 1, 1, 0, 80, 0, 90, 0, 8, 0, 0];
        file.extend(u32::try_from(ns / 1_000_000_000).unwrap().to_le_bytes());
        file.extend(u32::try_from(ns % 1_000_000_000).unwrap().to_le_bytes());
        file.extend(28_u32.to_le_bytes());
        file.extend(28_u32.to_le_bytes());
        file.extend(frame);
    }
    file
}

/// A small good file of each format.
pub(crate) fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let recipe = forebay_traces::requests::Recipe::parse("zipf:objects=20,requests=200,rate=3,size=7").unwrap();
    let mut samples: Vec<(&str, Vec<u8>)> =
        ["request-csv", "slot-csv", "libcachesim-csv", "keys", "oracle-general", "u32be", "u64be", "u64le"]
            .map(|name| (name, written(&mut *recipe.open().unwrap(), name).0))
            .into();
    let twitter: String = (0..200).map(|n| format!("{},key{},4,{},{},get,0\n", n / 9, n % 13, n, n % 3)).collect();
    samples.push(("twitter-csv", twitter.into()));
    let lirs: String = (0..200).map(|n| format!("{}\n{}", n % 13, if n % 50 == 0 { "*\n" } else { "" })).collect();
    samples.push(("lirs", lirs.into()));
    let line = |n: u32| {
        format!(
            "192.0.2.1 - - [10/Oct/2024:13:5{}:{:02} +0000] \"GET /{} HTTP/1.1\" 200 {}\n",
            n / 60,
            n % 60,
            n % 13,
            5 + n % 13
        )
    };
    samples.push(("access-log", (0..200).map(line).collect::<String>().into()));
    samples.extend(proxies());
    samples.extend(crate::named_samples::samples());
    samples.push(("pcap", pcap(&(0..100).map(|n| (n * 1_000 + 7, (n % 11) as u8)).collect::<Vec<_>>())));
    samples
}

/// A small good log of each kind of proxy and CDN.
fn proxies() -> [(&'static str, Vec<u8>); 6] {
    let log = |head: &str, line: fn(u32, String) -> String| {
        let lines = (0..200).map(|n| line(n, format!("{}:{:02}", 10 + n / 60, n % 60)));
        std::iter::once(head.to_owned()).chain(lines).collect::<String>().into_bytes()
    };
    let squid = log("", |n, _| {
        format!(
            "{}.{:03}     12 192.0.2.1 TCP_HIT/200 {} GET http://a/{} - HIER_NONE/- -\n",
            1_728_568_536 + n,
            n,
            5 + n,
            n % 13
        )
    });
    let haproxy = log("", |n, time| {
        format!(
            "[::1]:5 [10/Oct/2024:13:{time}.{n:03}] a b/c 0/0/0/1/1 200 {n} - - ---- 1/1/0/0/0 0/0 \"GET /{} HTTP/1.1\"\n",
            n % 13
        )
    });
    let cloudfront = log("#Version: 1.0\n#Fields: date time sc-bytes cs-method cs-uri-stem sc-status\n", |n, time| {
        format!("2024-10-10\t13:{time}\t{n}\tGET\t/{}\t200\n", n % 13)
    });
    let fastly = log("", |n, time| {
        format!(
            "{{\"timestamp\":\"2024-10-10T13:{time}+0000\",\"host\":\"a\",\"url\":\"/{}\",\"response_body_size\":{n}}}\n",
            n % 13
        )
    });
    let envoy = log("", |n, time| {
        format!(
            "[2024-10-10T13:{time}.{n:03}Z] \"GET /{} HTTP/2\" 200 - 0 {n} 2 1 \"-\" \"-\" \"-\" \"a\" \"-\"\n",
            n % 13
        )
    });
    let s3 = log("", |n, time| {
        format!("o b [10/Oct/2024:13:{time} +0000] - - - - - \"GET /{} HTTP/1.1\" 200 - {n} {n} 7\n", n % 13)
    });
    [
        ("s3", s3),
        ("squid", squid),
        ("haproxy", haproxy),
        ("cloudfront", cloudfront),
        ("fastly", fastly),
        ("envoy", envoy),
    ]
}

/// Flips a bit, cuts a piece out, or doubles one.
pub(crate) fn change(file: &mut Vec<u8>, rng: &mut Rng) {
    let place = rng.random_range(0..file.len());
    let end = (place + rng.random_range(1..40)).min(file.len());
    match rng.random_range(0..3) {
        0 => file[place] ^= 1 << rng.random_range(0..8),
        1 if end - place < file.len() => drop(file.drain(place..end)),
        _ => {
            let piece = file[place..end].to_vec();
            file.splice(place..place, piece);
        }
    }
}
