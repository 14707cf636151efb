//! The result folder of a network: what it holds, and how a command goes on with it.

use crate::network::means;
use crate::support::{Folder, NETWORK};
use serde_json::Value;
use std::path::PathBuf;

/// The names in a folder, in order.
fn files(folder: &Folder, name: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder.path(name)).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn finished_runs_are_taken_from_the_folder() {
    let folder = Folder::new();
    folder.write("s.toml", NETWORK);
    let run = |arguments: &[&str]| {
        let output = folder.run(&[&["run", "s.toml", "--out", "out"], arguments].concat());
        assert_eq!(output.status, 0, "{}", output.stderr);
        output.stderr
    };
    assert!(!run(&[]).contains("already complete"));
    let first = folder.read("out/result.json");
    let kept = || {
        let files = files(&folder, "out/runs").into_iter().filter(|path| path.extension().unwrap() == "json");
        files.collect::<Vec<_>>()
    };
    assert_eq!(kept().len(), 8);
    std::fs::remove_file(&kept()[3]).unwrap();
    // A truncated file does not count as a run.
    std::fs::write(&kept()[4], "{").unwrap();
    assert!(run(&["--threads", "1"]).contains("6 of 8 runs were already complete"));
    assert_eq!(folder.read("out/result.json"), first);
    assert!(run(&[]).contains("8 of 8 runs were already complete"));
    assert_eq!(folder.read("out/result.json"), first);
    // Other values are other runs; those that are as before are there.
    assert!(run(&["--set", "workload.small.load=[0.6, 0.7]"]).contains("4 of 8 runs were already complete"));
    assert!(!run(&["--seed", "9"]).contains("already complete"));
}

#[test]
fn files_that_changed_make_other_runs() {
    let folder = Folder::new();
    folder.write(
        "flows.csv",
        "start_ns,src,dst,size_bytes\n3000000,h0,h1,5000\n3000009,h2,h1,700\n99999999999,h0,h1,1\n",
    );
    let text = NETWORK.replace("sizes = \"uniform\"\nload = [0.3, 0.6]\n", "replay = \"flows.csv\"\n");
    folder.write("s.toml", text);
    let run = || folder.run(&["run", "s.toml", "--out", "out", "--format", "json"]);
    let first = run();
    let report: Value = serde_json::from_str(&first.stdout).unwrap();
    assert_eq!(means(&report, "flows"), [2.0, 2.0], "the third starts too late");
    let late = "workload `small`: 1 of 3 flows of its file start after `duration` and are left out";
    assert!(first.stderr.contains(late), "{}", first.stderr);
    assert!(run().stderr.contains("4 of 4 runs"));
    folder.write("flows.csv", "start_ns,src,dst,size_bytes\n3000000,h0,h1,5000\n");
    let second = run();
    assert!(!second.stderr.contains("already complete"), "{}", second.stderr);
    assert_eq!(means(&serde_json::from_str(&second.stdout).unwrap(), "flows"), [1.0, 1.0]);
}

#[test]
fn tables_are_those_of_the_last_command() {
    let folder = Folder::new();
    folder.write("s.toml", NETWORK);
    let run = |arguments: &[&str]| {
        let output = folder.run(&[&["run", "s.toml", "--out", "out"], arguments].concat());
        assert_eq!(output.status, 0, "{}", output.stderr);
        output.stderr
    };
    run(&[]);
    let first = folder.read("out/flows.csv");
    assert!(first.lines().nth(1).unwrap().contains(",h"), "hosts by name: {first}");
    assert!(first.contains("\n0.3,NewReno,1,") && folder.path("out/series.parquet").exists());
    // Fewer repetitions, and no series: the others stay in `runs` alone.
    folder.write("s.toml", NETWORK.replace("series = ", "# "));
    run(&["--set", "repetitions=1"]);
    assert!(!folder.read("out/flows.csv").contains("\n0.3,NewReno,1,"));
    assert!(!folder.path("out/series.csv").exists() && !folder.path("out/series.parquet").exists());
    folder.write("s.toml", NETWORK);
    // So do pictures.
    let one_load = ["--set", "workload.small.load=0.3"];
    run(&["--set", "repetitions=1"]);
    assert!(folder.path("out/fct-by-load.svg").exists() && folder.path("out/fct-by-load.data.csv").exists());
    run(&one_load);
    assert!(!folder.path("out/fct-by-load.svg").exists() && folder.path("out/slowdown.svg").exists());
    // Deleted files are written again, without a run.
    std::fs::remove_file(folder.path("out/flows.csv")).unwrap();
    assert!(run(&[]).contains("8 of 8 runs were already complete"));
    assert_eq!(folder.read("out/flows.csv"), first);
    // Without its rows a run is none.
    let fresh = || folder.run(&["run", "s.toml", "--out", "fresh"]).stderr;
    fresh();
    let kept = files(&folder, "fresh/runs").into_iter().find(|path| path.display().to_string().ends_with("-flows.csv"));
    std::fs::remove_file(kept.unwrap()).unwrap();
    assert!(fresh().contains("7 of 8 runs were already complete"));
    assert_eq!(folder.read("fresh/flows.csv"), first);
}

#[test]
fn the_flows_of_a_run_can_be_replayed() {
    let folder = Folder::new();
    folder.write("s.toml", NETWORK);
    folder.run(&["run", "s.toml", "--out", "out", "--set", "repetitions=1"]).ok();
    let again = NETWORK.replace("sizes = \"uniform\"\nload = [0.3, 0.6]", "replay = \"some.csv\"");
    let flows = folder.read("out/flows.csv");
    folder.write("some.csv", &flows);
    folder.write("again.toml", &again);
    assert!(folder.run(&["run", "again.toml"]).refused().contains("keep the lines of one policy"));
    let is_kept = |line: &&str| line.starts_with("load,") || line.starts_with("0.6,NewReno,");
    let of_one: Vec<&str> = flows.lines().filter(is_kept).collect();
    folder.write("some.csv", of_one.join("\n"));
    let report = folder.json(&again, &["--out", "again", "--set", "repetitions=1"]);
    assert_eq!(report["results"][0]["policy"], "NewReno");
    let replayed = folder.read("again/flows.csv");
    let replayed = replayed.lines().filter(|line| line.starts_with("NewReno,"));
    // The load is no axis any more.
    let expected = of_one[1..].iter().map(|line| line.strip_prefix("0.6,").unwrap());
    assert!(replayed.eq(expected));
}

#[test]
fn a_file_that_the_scenario_reads_is_not_written_over() {
    let folder = Folder::new();
    folder.write("s.toml", NETWORK);
    folder.run(&["run", "s.toml", "--out", "out", "--set", "repetitions=1", "--set", "workload.0.load=0.3"]).ok();
    let flows = folder.read("out/flows.csv");
    let is_kept = |line: &&str| line.starts_with("policy,") || line.starts_with("NewReno,");
    let of_one: Vec<&str> = flows.lines().filter(is_kept).collect();
    folder.write("out/flows.csv", of_one.join("\n"));
    let before = folder.read("out/flows.csv");
    let again = NETWORK.replace("sizes = \"uniform\"\nload = [0.3, 0.6]", "replay = \"out/flows.csv\"");
    folder.write("again.toml", &again);
    let refused = folder.run(&["run", "again.toml", "--out", "out"]).refused();
    assert!(refused.starts_with("out/flows.csv: the scenario reads this file"), "{refused}");
    assert_eq!(folder.read("out/flows.csv"), before);
    folder.run(&["run", "again.toml", "--out", "elsewhere", "--set", "repetitions=1"]).ok();
}
