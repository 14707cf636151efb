//! What it costs to read a request of each kind of format, and a packet of a recording.
//!
//! `cargo bench -p forebay-traces`. Instructions are the difference between N and 2N requests under callgrind; making the file is not
//! counted.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use forebay_bench::Bench;
use forebay_core::{Rate, Request};
use forebay_traces::requests::{OpenOptions, RequestReader, Spec, open};
use forebay_traces::{Content, IpHeader, ReadOptions, read};
use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Cursor;
use std::process::Command;
use std::time::Instant;

/// Prints and keeps the numbers of this benchmark.
const BENCH: Bench = Bench { package: env!("CARGO_PKG_NAME"), name: "reading" };
const REQUESTS: u64 = 100_000;
const ROUNDS: usize = 5;
/// Requests that a cache asks for at once.
const CHUNK: usize = 1 << 16;
const OBJECTS: u64 = 9_973;

/// A format, and a file of so many requests.
type Case = (&'static str, fn(u64) -> Vec<u8>);

const CASES: &[Case] = &[
    ("u32be", |count| records(count, |n| u32::try_from(object(n)).unwrap_or(0).to_be_bytes().to_vec())),
    ("oracle-general", |count| {
        let (size, next) = (700_u32.to_le_bytes(), (-1_i64).to_le_bytes());
        records(count, |n| [&seconds(n).to_le_bytes()[..], &object(n).to_le_bytes(), &size, &next].concat())
    }),
    ("vscsi", |count| {
        let record = |n: u64| {
            let (kind, size) = ([0x28, 0, 3, 2], 4_096_u32.to_le_bytes());
            let (block, time) = (object(n).to_le_bytes(), (n * 10).to_le_bytes());
            [&kind[..], &[0; 4], &size, &[0; 4], &block, &time, &[7, 0, 0, 0, 0, 0, 0, 0]].concat()
        };
        records(count, record)
    }),
    ("keys", |count| lines(count, |text, n| writeln!(text, "k{}", object(n)))),
    ("libcachesim-csv", |count| {
        lines(count, |text, n| writeln!(text, "{}.{:03},{},700", seconds(n), n % 1_000, object(n)))
    }),
    ("msr", |count| {
        let time = |n: u64| 128_166_372_003_061_629 + n * 100;
        lines(count, |text, n| writeln!(text, "{},src1,1,Read,{},4096,1000", time(n), object(n) * 4_096))
    }),
    ("twitter-csv", |count| lines(count, |text, n| writeln!(text, "{},key{},8,700,12,get,0", seconds(n), object(n)))),
    ("json-lines", |count| {
        let line = |text: &mut String, n| {
            writeln!(text, "{{\"time\": {}.5, \"key\": \"k{}\", \"size\": 700}}", seconds(n), object(n))
        };
        lines(count, line)
    }),
    ("access-log", |count| {
        let line = |text: &mut String, n: u64| {
            let (time, object) = (n / 40 % 60, object(n));
            writeln!(
                text,
                "192.0.2.1 - - [10/Oct/2024:13:{time:02}:{:02} +0000] \"GET /o{object} HTTP/1.1\" 200 700",
                n % 40
            )
        };
        lines(count, line)
    }),
    ("squid", |count| {
        let line = |text: &mut String, n| {
            let (time, object) = (1_728_568_536 + u64::from(seconds(n)), object(n));
            writeln!(
                text,
                "{time}.123    180 192.0.2.1 TCP_MISS/200 411 GET http://a/o{object} - HIER_DIRECT/192.0.2.2 text/html"
            )
        };
        lines(count, line)
    }),
    #[cfg(feature = "columnar")]
    ("parquet", parquet),
];

fn object(n: u64) -> u64 {
    n.wrapping_mul(0x9e37_79b9_7f4a_7c15) % OBJECTS
}

fn seconds(n: u64) -> u32 {
    u32::try_from(n / 100).unwrap_or(u32::MAX)
}

fn records(count: u64, record: impl Fn(u64) -> Vec<u8>) -> Vec<u8> {
    (0..count).flat_map(record).collect()
}

fn lines(count: u64, mut line: impl FnMut(&mut String, u64) -> std::fmt::Result) -> Vec<u8> {
    let mut text = String::new();
    (0..count).for_each(|n| line(&mut text, n).expect("memory"));
    text.into_bytes()
}

#[cfg(feature = "columnar")]
fn parquet(count: u64) -> Vec<u8> {
    use arrow_array::{ArrayRef, Float64Array, RecordBatch, UInt64Array};
    use std::sync::Arc;
    let times: Float64Array = (0..count).map(|n| Some(f64::from(seconds(n)))).collect();
    let [keys, sizes]: [UInt64Array; 2] =
        [(0..count).map(|n| Some(object(n))).collect(), (0..count).map(|_| Some(700)).collect()];
    let columns: [(&str, ArrayRef); 3] =
        [("time", Arc::new(times)), ("key", Arc::new(keys)), ("size", Arc::new(sizes))];
    let batch = RecordBatch::try_from_iter(columns).expect("a batch");
    let mut writer = parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), None).expect("a file");
    writer.write(&batch).expect("memory");
    writer.into_inner().expect("memory")
}

/// A recording of UDP datagrams in Ethernet.
fn recording(count: u64) -> Vec<u8> {
    let mut file = [0xa1b2_3c4d_u32, 0x0004_0002, 0, 0, 65_535, 1].map(u32::to_le_bytes).concat();
    for n in 0..count {
        let mut frame = [0; 60];
        frame[12..14].copy_from_slice(&[8, 0]);
        frame[14..34].copy_from_slice(&[0x45, 0, 0, 46, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
        frame[36..38].copy_from_slice(&u16::try_from(object(n)).unwrap_or(0).to_be_bytes());
        let below = u32::try_from(n % 100).unwrap_or(0) * 10_000_000;
        file.extend([seconds(n), below, 60, 60].map(u32::to_le_bytes).concat());
        file.extend(frame);
    }
    file
}

#[inline(never)]
fn bench_requests(format: &str, file: Vec<u8>) {
    let options = OpenOptions { format: Spec::parse(format).ok() };
    let content = Content::unpack(Cursor::new(file)).expect("a file");
    let mut reader: Box<dyn RequestReader> = open(content, "trace", &options).expect("a trace");
    let mut chunk: Vec<Request> = Vec::with_capacity(CHUNK);
    while reader.fill(&mut chunk, CHUNK).expect("requests") {
        black_box(&chunk);
        chunk.clear();
    }
    black_box(&chunk);
}

#[inline(never)]
fn bench_packets(file: Vec<u8>) {
    let access_rate = Rate::from_bits_per_second(1_000_000_000).expect("a rate");
    let options = ReadOptions { filter: None, ip_header: IpHeader::Outer, packet_bytes: 1_500, access_rate };
    black_box(read(Cursor::new(file), &options).expect("a recording"));
}

fn run(case: usize, count: u64) -> f64 {
    let file = CASES.get(case).map_or_else(|| recording(count), |(_, make)| make(count));
    let start = Instant::now();
    match CASES.get(case) {
        Some((format, _)) => bench_requests(format, file),
        None => bench_packets(file),
    }
    start.elapsed().as_secs_f64()
}

fn instructions(case: usize) -> Option<f64> {
    let count = |requests: u64| -> Option<u64> {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*::bench_*"])
            .arg(std::env::current_exe().ok()?)
            .args(["--count", &case.to_string(), &requests.to_string()])
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        text.lines().find_map(|line| line.split_once("Collected : "))?.1.trim().parse().ok()
    };
    Some((count(2 * REQUESTS)? - count(REQUESTS)?) as f64 / REQUESTS as f64)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--count") {
        let number = |offset: usize| arguments[at + offset].parse::<u64>().expect("a number");
        run(usize::try_from(number(1)).expect("a small number"), number(2));
        return;
    }
    println!("{:20}{:>26}{:>22}", "format", "instructions per request", "million per second");
    let names = CASES.iter().map(|(name, _)| *name).chain(["pcap, per packet"]);
    for (case, name) in names.enumerate() {
        let least = (0..ROUNDS).map(|_| run(case, 10 * REQUESTS)).fold(f64::INFINITY, f64::min);
        let counted = BENCH.instructions(name, instructions(case));
        println!("{name:20}{counted:>26}{:>22.1}", 10.0 * REQUESTS as f64 / least / 1e6);
    }
}
