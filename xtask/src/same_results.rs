//! `cargo xtask same-bytes keep FOLDER PROGRAM` and `against FOLDER PROGRAM`: does another build of the program give the same bytes?
//!
//! `keep` runs the program on one thread. Its inputs are every scenario, study and policy of the repository, two
//! request traces, and quick published figures, which take at most five seconds. `against` does the same on two threads
//! and names each file that differs. Runs are shortened, so that all of them take a few minutes. Figures that measure
//! the time of the machine are left out.

use crate::files::{ChoreResult, all, read, root};
use crate::same_bytes::{Files, compare, read_all};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What scenarios have, the command that runs them, and what shortens them.
const KINDS: [(&str, &str, &[&str]); 4] = [
    ("[network]", "run", &["network.duration=2ms", "network.warmup=200us", "repetitions=1"]),
    ("rank = \"packet-rank\"", "run", &["traffic.packets=20000", "repetitions=2"]),
    ("[attack]", "run", &["innocent.packets=20000", "repetitions=1"]),
    ("[port]", "run", &[]),
];

/// Where scenarios are; those of `experiments/` are run as figures.
const FOLDERS: [&str; 3] = ["docs/studies/", "testdata/networks/", "crates/"];

/// Their counts depend on the machine, so they differ from run to run.
const MEASURE_TIME: [&str; 5] = ["operational-cost", "attacked-queue", "kernel-line", "dpdk-cost", "prototype"];

const TARGETS: [&str; 5] = ["c", "bpf", "dpdk", "p4", "sv"];

const CACHES: [&[&str]; 3] = [
    &[
        "cache",
        "zipf:objects=2e3,requests=5e4,skew=0.9",
        "--policy",
        "lru,lru-mad,arc,arc-mad,lhd,belady",
        "--capacity",
        "64,5%",
        "--latency",
        "10,1000",
        "--bound",
    ],
    &["curve", "zipf:objects=1e3,requests=2e4,skew=0.8", "--policy", "lru,lru-mad", "--latency", "100"],
    &["bound", "zipf:objects=500,requests=1e4,skew=0.8", "--capacity", "20", "--latency", "50", "--iterations", "40"],
];

/// Keeps the results of a program in a folder.
pub(crate) fn keep(folder: &Path, program: &Path) -> ChoreResult<String> {
    let commands = make(folder, program, "1")?;
    Ok(format!("{commands} commands; their results are in {}", folder.display()))
}

/// Compares the results of a program with those in a folder.
pub(crate) fn against(folder: &Path, program: &Path) -> ChoreResult<String> {
    let other = root().join("target/same-results");
    let commands = make(&other, program, "2")?;
    let [mut kept, mut made] = [Files::new(), Files::new()];
    for (from, files) in [(folder, &mut kept), (&other, &mut made)] {
        read_all(from, from, files).map_err(|error| vec![format!("{}: {error}", from.display())])?;
    }
    compare(&kept, &made, &format!("{}, on 2 threads", program.display()))?;
    Ok(format!("{commands} commands, {} files: the same bytes", kept.len()))
}

/// Runs every command; the number of commands.
fn make(folder: &Path, program: &Path, threads: &str) -> ChoreResult<usize> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| vec![format!("{}: {error}", folder.display())])?;
    }
    let commands = commands(threads)?;
    for (number, (name, arguments)) in commands.iter().enumerate() {
        eprintln!("{} of {}: {name}", number + 1, commands.len());
        let place = folder.join(name);
        run(program, arguments, &place).map_err(|error| vec![format!("{name}: {error}")])?;
    }
    Ok(commands.len())
}

/// Runs one command; standard output and exit status are files beside the command's own.
fn run(program: &Path, arguments: &[String], place: &Path) -> std::io::Result<()> {
    fs::create_dir_all(place)?;
    let out = place.join("out");
    let arguments = arguments.iter().map(|word| word.replace("OUT", &out.display().to_string()));
    let output = Command::new(program).args(arguments).current_dir(root()).output()?;
    // Neither the names of the folder and the program nor the time that it took is a result.
    let text = String::from_utf8_lossy(&output.stdout)
        .replace(&place.display().to_string(), "PLACE")
        .replace(&program.display().to_string(), "PROGRAM");
    let text: Vec<&str> = text.lines().filter(|line| !line.contains("\"cpu_seconds\"")).collect();
    fs::write(place.join("stdout"), text.join("\n"))?;
    fs::write(place.join("status"), format!("{}\n", output.status))
}

/// Every command by a name that can be a folder's.
fn commands(threads: &str) -> ChoreResult<Vec<(String, Vec<String>)>> {
    let mut commands = Vec::new();
    let mut add = |name: String, words: Vec<&str>| {
        commands.push((name, words.into_iter().map(str::to_owned).collect()));
    };
    let files = all()?;
    let scenarios = files.iter().filter(|file| {
        file.ends_with(".toml")
            && !file.ends_with("Cargo.toml")
            && FOLDERS.iter().any(|folder| file.starts_with(folder))
    });
    for file in scenarios {
        let text = read(file)?;
        let Some((_, command, short)) = KINDS.iter().find(|(section, ..)| text.contains(&format!("{section}\n")))
        else {
            continue;
        };
        // The recording of the demonstration is part of the program.
        if text.contains("mixed.pcap") {
            continue;
        }
        let mut words = vec![*command, file, "--threads", threads, "--format", "json", "--out", "OUT"];
        words.extend(short.iter().flat_map(|value| ["--set", value]));
        add(file.replace('/', "+"), words);
    }
    add("demo".to_owned(), vec!["demo", "--out", "OUT"]);
    for policy in files.iter().filter(|file| file.starts_with("policies/") && file.ends_with(".oq")) {
        let name = policy.replace('/', "+");
        add(format!("{name}+explain"), vec!["explain", policy]);
        add(
            format!("{name}+fast"),
            vec!["conform", policy, "--target", "fast", "--packets", "500", "--write-ops", "OUT"],
        );
        for target in TARGETS {
            add(format!("{name}+{target}"), vec!["compile", policy, "--target", target, "-o", "OUT"]);
        }
    }
    for words in CACHES {
        add(words[0].to_owned(), [words, &["--format", "json"]].concat());
    }
    for file in files.iter().filter(|file| file.starts_with("experiments/") && file.ends_with("experiment.toml")) {
        let text = read(file)?;
        let measures = |measure: &&str| text.contains(&format!("measure = \"{measure}\""));
        if MEASURE_TIME.iter().any(measures) || text.contains("long = true") {
            continue;
        }
        let name = file.trim_start_matches("experiments/").trim_end_matches("/experiment.toml");
        add(format!("repro+{}", name.replace('/', "+")), vec!["repro", name, "--format", "json", "--out", "OUT"]);
    }
    Ok(commands)
}
