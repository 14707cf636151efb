//! Sweeps in parts: processes that share a folder, that are killed, and folders that are joined.

use crate::support::{Folder, NETWORK, long};
use forebay_core::Seed;
use rand::RngExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Starts `forebay run s.toml` and does not wait for it.
fn start(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_forebay"));
    let command = command.args(["run", "s.toml", "--threads", "1"]).args(arguments).current_dir(folder.path(""));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn all_end_well(processes: Vec<Child>) {
    for process in processes {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Everything below a folder but what differs from command to command.
fn contents(folder: &Folder, name: &str) -> Vec<(String, Vec<u8>)> {
    let root = folder.path(name);
    let mut open = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        for entry in std::fs::read_dir(&path).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if !path.ends_with("manifest.json") {
                let name = path.strip_prefix(&root).unwrap().display().to_string();
                found.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// The kept runs of a folder, without their tables.
fn runs(folder: &Folder, name: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.path(name).join("runs")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

/// A folder with a scenario of eight runs, and in `one` its result by one process.
fn with_result() -> Folder {
    let folder = Folder::new();
    folder.write("s.toml", NETWORK);
    folder.run(&["run", "s.toml", "--out", "one"]).ok();
    folder
}

#[test]
fn shares_and_a_merge_are_the_same_bytes_as_one_process() {
    let folder = with_result();
    let shares = ["0/4", "1/4", "2/4", "3/4"].map(|shard| start(&folder, &["--out", "all", "--shard", shard]));
    all_end_well(shares.into());
    assert_eq!(runs(&folder, "all").len(), 8);
    folder.run(&["merge", "all"]).ok();
    assert_eq!(contents(&folder, "all"), contents(&folder, "one"));
}

#[test]
fn folders_are_joined_and_what_is_missing_is_named() {
    let folder = with_result();
    folder.run(&["run", "s.toml", "--out", "a", "--repetitions", "0..1"]).ok();
    folder.run(&["run", "s.toml", "--out", "b", "--repetitions", "1..2", "--shard", "0/2"]).ok();
    let count = runs(&folder, "b").len();
    assert_eq!((runs(&folder, "a").len(), count), (4, 2), "half of the second repetition");
    let half = folder.run(&["merge", "c", "a", "b"]);
    assert_eq!(half.status, 1);
    assert_eq!(half.stderr.matches("this run is missing: ").count(), 2, "{}", half.stderr);
    assert!(half.stdout.ends_with("6 of 8 runs are available\n"), "{}", half.stdout);
    folder.run(&["run", "s.toml", "--out", "b", "--shard", "0/1"]).ok();
    folder.run(&["merge", "c", "a", "b"]).ok();
    assert_eq!(contents(&folder, "c"), contents(&folder, "one"));
}

#[test]
fn twelve_processes_may_share_a_folder() {
    let folder = with_result();
    all_end_well((0..12).map(|_| start(&folder, &["--out", "all"])).collect());
    assert_eq!(contents(&folder, "all"), contents(&folder, "one"));
}

#[test]
fn nothing_finished_is_lost_if_a_process_is_killed() {
    let folder = with_result();
    let mut rng = Seed(1).stream("kills");
    let asked = std::env::var("FOREBAY_KILLS").ok().and_then(|text| text.parse().ok());
    for _ in 0..asked.unwrap_or(if long() { 100 } else { 12 }) {
        let mut process = start(&folder, &["--out", "all"]);
        std::thread::sleep(Duration::from_millis(rng.random_range(0..80)));
        process.kill().unwrap();
        process.wait().unwrap();
        if !folder.path("all/runs").exists() {
            continue;
        }
        // Existing runs are complete, and stay.
        let before = runs(&folder, "all");
        let output = folder.run(&["run", "s.toml", "--out", "all", "--shard", "0/1"]);
        assert!(!output.stderr.contains("damaged"), "{}", output.stderr);
        if !before.is_empty() {
            let there = format!("{} of 8 runs were already complete", before.len());
            assert!(output.stderr.contains(&there), "{there}: {}", output.stderr);
        }
        std::fs::remove_file(&runs(&folder, "all")[rng.random_range(0..8)]).unwrap();
    }
    folder.run(&["run", "s.toml", "--out", "all"]).ok();
    assert_eq!(contents(&folder, "all"), contents(&folder, "one"), "and no unfinished file is left");
}

#[test]
fn damaged_runs_are_named_and_made_again() {
    let folder = with_result();
    let whole = contents(&folder, "one");
    let kept = runs(&folder, "one");
    // A digit is changed.
    let text = std::fs::read_to_string(&kept[0]).unwrap();
    let place = text.find("\"flows\":").unwrap() + "\"flows\":".len();
    let other = if text.as_bytes()[place] == b'1' { "2" } else { "1" };
    std::fs::write(&kept[0], format!("{}{other}{}", &text[..place], &text[place + 1..])).unwrap();
    let table = kept[1].display().to_string().replace(".json", "-flows.csv");
    std::fs::write(&table, "flow\n").unwrap();
    // A merge makes nothing, and says what it lacks.
    let merged = folder.run(&["merge", "one"]);
    assert_eq!((merged.status, merged.stderr.matches("damaged").count()), (1, 2), "{}", merged.stderr);
    let again = folder.run(&["run", "s.toml", "--out", "one"]);
    assert_eq!(again.stderr.matches("this file is damaged or missing; the run `").count(), 2, "{}", again.stderr);
    assert!(again.stderr.contains("6 of 8 runs were already complete"), "{}", again.stderr);
    assert_eq!(contents(&folder, "one"), whole);
}

/// A pipe into which nobody writes, so that a reader would wait for ever.
#[test]
fn a_pipe_or_an_endless_file_in_the_place_of_a_run_is_named() {
    let folder = with_result();
    let run = &runs(&folder, "one")[0];
    let whole = std::fs::read(run).unwrap();
    std::fs::remove_file(run).unwrap();
    assert!(Command::new("mkfifo").arg(run).status().unwrap().success());
    for arguments in [&["run", "s.toml", "--out", "one"][..], &["merge", "one"]] {
        let refused = folder.run(arguments).refused();
        assert!(refused.contains("it is a pipe or device, not a file") && refused.contains(".json"), "{refused}");
    }
    std::fs::remove_file(run).unwrap();
    // A hole of a terabyte, of which a part tells enough.
    let file = std::fs::File::create(run).unwrap();
    if file.set_len(1 << 40).is_ok() {
        let again = folder.run(&["run", "s.toml", "--out", "one"]);
        assert!(again.stderr.contains("this file is damaged or missing"), "{}", again.stderr);
        assert_eq!(std::fs::read(run).unwrap(), whole);
    }
}

#[test]
fn runs_of_other_scenarios_are_not_joined() {
    let folder = with_result();
    folder.run(&["run", "s.toml", "--out", "other", "--seed", "9", "--shard", "0/4"]).ok();
    assert!(folder.run(&["merge", "c", "one", "other"]).refused().contains("the seed differs"));
    folder.write("named.toml", NETWORK);
    folder.run(&["run", "named.toml", "--out", "named", "--shard", "0/4"]).ok();
    assert!(folder.run(&["merge", "c", "one", "named"]).refused().contains("the name of the scenario"));
    assert!(folder.run(&["merge", "nothing"]).refused().contains("there is no plan.json"));
    folder.write("one/plan.json", "{");
    assert!(folder.run(&["merge", "one"]).refused().contains("damaged"));
}

#[test]
fn a_dry_run_lists_the_cells_and_runs_nothing() {
    let folder = Folder::new();
    folder.write("s.toml", NETWORK);
    let text = folder.run(&["run", "s.toml", "--dry-run", "--out", "out"]).ok();
    assert!(text.starts_with("policy ") && text.contains("8 runs, about "), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains(" 2  ")).count(), 4, "{text}");
    assert!(!folder.path("out").exists());
    let half = folder.run(&["run", "s.toml", "--dry-run", "--out", "out", "--shard", "0/2"]).ok();
    assert!(half.contains("\n4 runs, about "), "{half}");
}

#[test]
fn a_damaged_copy_does_not_stand_in_the_way_of_a_whole_one() {
    let folder = with_result();
    folder.run(&["run", "s.toml", "--out", "two", "--shard", "0/1"]).ok();
    let table = runs(&folder, "two")[0].display().to_string().replace(".json", "-ports.csv");
    std::fs::write(&table, "x").unwrap();
    folder.run(&["merge", "all", "two", "one"]).ok();
    assert_eq!(contents(&folder, "all"), contents(&folder, "one"));
    // A copy of one run under the key of another is noticed.
    let kept = runs(&folder, "all");
    std::fs::copy(&kept[0], &kept[1]).unwrap();
    let again = folder.run(&["merge", "all"]);
    assert_eq!((again.status, again.stderr.matches("counts as missing").count()), (1, 1), "{}", again.stderr);
    assert!(again.stdout.contains("7 of 8 runs are available"), "{}", again.stdout);
}

#[test]
fn a_part_without_runs_says_so() {
    let folder = Folder::new();
    folder.write("s.toml", NETWORK);
    let none = folder.run(&["run", "s.toml", "--out", "o", "--repetitions", "5..9"]);
    assert!(none.stderr.contains("this part has no runs: the scenario has 8 runs in 2 repetitions"), "{}", none.stderr);
}

#[test]
fn json_and_toml_with_the_same_values_are_the_same_runs() {
    let folder = with_result();
    folder.write("s.json", crate::support::NETWORK_JSON);
    let same = folder.run(&["run", "s.json", "--out", "one"]);
    assert!(same.stderr.contains("8 of 8 runs were already complete"), "{}", same.stderr);
}

#[test]
fn parts_that_cannot_be_are_refused() {
    let folder = Folder::new();
    folder.write("s.toml", NETWORK);
    let refused = |arguments: &[&str]| folder.run(&[&["run", "s.toml"], arguments].concat()).refused();
    assert!(refused(&["--shard", "4/4", "--out", "o"]).contains("of four shares, the first is 0/4"));
    assert!(refused(&["--repetitions", "2..2", "--out", "o"]).contains("the first five are 0..5"));
    assert!(refused(&["--shard", "0/4"]).contains("--out"));
}
