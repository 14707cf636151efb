//! Requests per second of CPU time through cache policies, beside a public cache simulator.
//!
//! `cargo bench -p forebay --bench caches`. The simulator is libCacheSim, from PyPI, in a
//! virtual environment under `target/`; where that cannot be made, its column is empty. Both read the
//! same file of 10 million Zipf requests (100,000 objects, skew 1) in turn, several rounds, one thread; the fastest round
//! counts. libCacheSim's hash table has twice, eight or 32 times as many places as entries, and the fastest counts: with
//! its default of 2^24 places, a small cache is slow. The model with delayed hits stands below.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and stops at what it did not expect")]

use cpu_time::ProcessTime;
use forebay_bench::Bench;
use forebay_cache::{Choice, Latency, Model, Service, Setup};
use forebay_core::{Request, Seed};
use forebay_traces::Content;
use forebay_traces::requests::{self, OpenOptions, Recipe, RequestReader, format_for};
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Prints and keeps the numbers of this benchmark.
const BENCH: Bench = Bench { package: env!("CARGO_PKG_NAME"), name: "caches" };
const REQUESTS: f64 = 10_000_000.0;
const RECIPE: &str = "zipf:requests=10000000,objects=100000,skew=1";
/// 1 % and 10 % of the objects, so that a cache stays in the processor's nearest cache or does not.
const ENTRIES: [u64; 2] = [1_000, 10_000];
/// Places of libCacheSim's hash table for each entry: 2^1, 2^3, 2^5.
const PLACES: [u32; 3] = [1, 3, 5];
const ROUNDS: usize = 3;
const CHUNK: usize = 1 << 16;

/// Ours, and what libCacheSim calls it.
const POLICIES: [(&str, &str); 12] = [
    ("fifo", "FIFO"),
    ("lru", "LRU"),
    ("clock", "Clock"),
    ("sieve", "Sieve"),
    ("s3-fifo", "S3FIFO"),
    ("arc", "ARC"),
    ("lfu", "LFU"),
    ("lirs", "LIRS"),
    ("lhd", "LHD"),
    ("gdsf", "GDSF"),
    ("w-tinylfu", "WTinyLFU"),
    ("lecar", "LeCaR"),
];

/// With delayed hits: policy, entries, latency in slots.
const DELAYED: [(&str, u64, u64); 7] = [
    ("lru", 512, 1_000),
    ("lru", 20_000, 1_000),
    ("lru-mad", 512, 1_000),
    ("lru-mad", 20_000, 1_000),
    ("lru-mad(sample=16)", 512, 1_000),
    ("lru-mad(sample=16)", 20_000, 1_000),
    ("lru-mad(sample=16)", 50_000, 1_000),
];

/// Plays a file with libCacheSim and prints CPU seconds and miss ratio.
const SCRIPT: &str = "
import sys, time, libcachesim as lcs
path, name, entries, places = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
params = lcs.ReaderInitParam(ignore_obj_size=True)
reader = lcs.TraceReader(trace=path, trace_type=lcs.TraceType.ORACLE_GENERAL_TRACE, reader_init_params=params)
cache = getattr(lcs, name)(entries, hashpower=places)
start = time.process_time()
miss_ratio = cache.process_trace(reader)[0]
print(time.process_time() - start, miss_ratio)
";

fn main() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let trace = folder.join("zipf-100000.oracleGeneral");
    write_trace(&trace);
    let python = libcachesim(folder);
    for entries in ENTRIES {
        println!("classical model, 10 million Zipf requests read from a file, {entries} entries\n");
        println!("policy        forebay M/s   libCacheSim M/s   ratio   misses   its misses");
        for (ours, theirs) in POLICIES {
            compare(ours, theirs, entries, &trace, python.as_deref());
        }
        println!();
    }
    println!("model with delayed hits, the same requests\n");
    println!("policy              entries  latency   M/s   misses");
    for (name, entries, latency) in DELAYED {
        let Ok(choice) = name.parse::<Choice>() else { continue };
        let rounds = (0..ROUNDS).map(|_| play(&choice, &trace, Model::DelayedHits, entries, latency));
        let (seconds, misses) = rounds.reduce(|best, next| if next.0 < best.0 { next } else { best }).unwrap();
        println!("{name:20}{entries:7}{latency:9}{:6.2}{:8.2} %", REQUESTS / seconds / 1e6, misses * 100.0);
    }
}

/// Plays a policy in both programs in turn, and prints the speeds.
fn compare(ours: &str, theirs: &str, entries: u64, trace: &Path, python: Option<&Path>) {
    let choice: Choice = ours.parse().unwrap();
    let (mut own, mut other) = (f64::INFINITY, f64::INFINITY);
    let (mut own_misses, mut other_misses) = (0.0, f64::NAN);
    let fitting = entries.next_power_of_two().trailing_zeros();
    for _ in 0..ROUNDS {
        let (seconds, misses) = play(&choice, trace, Model::Classical, entries, 1);
        own = own.min(seconds);
        own_misses = misses;
        for places in PLACES {
            let played = python.and_then(|python| play_libcachesim(python, trace, theirs, entries, fitting + places));
            if let Some((seconds, misses)) = played {
                other = other.min(seconds);
                other_misses = misses;
            }
        }
    }
    let speed = |seconds: f64| REQUESTS / seconds / 1e6;
    println!(
        "{ours:14}{:11.2}{:18.2}{:>8}{:8.2} %{:11.2} %",
        speed(own),
        speed(other),
        BENCH.ratio(&format!("{ours}, {entries} entries, speed over libCacheSim"), other / own),
        own_misses * 100.0,
        other_misses * 100.0
    );
}

fn write_trace(path: &Path) {
    if path.exists() {
        return;
    }
    let mut reader = Recipe::parse(RECIPE).unwrap().open().unwrap();
    let (format, _) = format_for(&path.to_string_lossy(), None).unwrap();
    let partial = path.with_extension("partial");
    requests::write(&mut *reader, format, &mut BufWriter::new(File::create(&partial).unwrap())).unwrap();
    std::fs::rename(partial, path).unwrap();
}

fn open(path: &Path) -> Box<dyn RequestReader> {
    let content = Content::unpack(File::open(path).unwrap()).unwrap();
    requests::open(content, &path.to_string_lossy(), &OpenOptions::default()).unwrap()
}

/// CPU seconds, reading included, and the share of misses.
fn play(choice: &Choice, trace: &Path, model: Model, capacity: u64, latency: u64) -> (f64, f64) {
    // The file has whole seconds; the model with delayed hits wants one slot for each request.
    let slots = model == Model::DelayedHits;
    let setup = Setup {
        model,
        capacity,
        entries: usize::try_from(capacity).unwrap(),
        size_change: None,
        service: Service::default(),
        ways: None,
        latency: Latency::Constant(latency),
        warmup: 0,
        seed: Seed(1),
        observer: None,
    };
    let mut simulation = choice.simulation(setup).unwrap();
    let start = ProcessTime::now();
    let mut reader = open(trace);
    let mut chunk: Vec<Request> = Vec::with_capacity(CHUNK);
    let (mut more, mut slot) = (true, 0);
    while more {
        chunk.clear();
        more = reader.fill(&mut chunk, CHUNK).unwrap();
        for request in &mut chunk {
            request.size = 1;
            if slots {
                request.time = slot;
                slot += 1;
            }
        }
        simulation.feed(&chunk, &[]);
    }
    let seconds = start.elapsed().as_secs_f64();
    let counts = simulation.counts();
    (seconds, counts.misses as f64 / counts.requests as f64)
}

/// The Python that has libCacheSim.
fn libcachesim(folder: &Path) -> Option<PathBuf> {
    let home = folder.join("libcachesim");
    let python = home.join("bin/python");
    let run = |program: &Path, arguments: &[&str]| {
        Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
    };
    if !run(&python, &["-c", "import libcachesim"]) {
        run(Path::new("python3"), &["-m", "venv", &home.to_string_lossy()]);
        run(&python, &["-m", "pip", "install", "--quiet", "libcachesim==0.3.5"]);
    }
    let there = run(&python, &["-c", "import libcachesim"]);
    if !there {
        println!("libCacheSim cannot be installed (python3 with venv and pip, PyPI): its columns are empty\n");
    }
    there.then_some(python)
}

/// CPU seconds, and the share of misses.
fn play_libcachesim(python: &Path, trace: &Path, name: &str, entries: u64, places: u32) -> Option<(f64, f64)> {
    let mut command = Command::new(python);
    command.args(["-c", SCRIPT]).arg(trace).args([name, &entries.to_string(), &places.to_string()]);
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut numbers = text.split_whitespace().rev().map(str::parse::<f64>);
    let misses = numbers.next()?.ok()?;
    Some((numbers.next()?.ok()?, misses))
}
