//! The result folder of a network: what it holds, and how a command goes on with it.

use crate::network::means;
use crate::support::{Folder, NETWORK};
use serde_json::Value;
use std::path::PathBuf;

/// What is in a folder, in order.
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
    assert!(!run(&[]).contains("there already"));
    let first = folder.read("out/result.json");
    let kept = || {
        let files = files(&folder, "out/runs").into_iter().filter(|path| path.extension().unwrap() == "json");
        files.collect::<Vec<_>>()
    };
    assert_eq!(kept().len(), 8);
    for kind in ["flows", "ports", "series"] {
        assert_eq!(files(&folder, &format!("out/{kind}")).len(), 8, "{kind}");
    }
    std::fs::remove_file(&kept()[3]).unwrap();
    // What was cut short is not taken for a run.
    std::fs::write(&kept()[4], "{").unwrap();
    assert!(run(&["--threads", "1"]).contains("6 of 8 runs were there already"));
    assert_eq!(folder.read("out/result.json"), first);
    assert!(run(&[]).contains("8 of 8 runs were there already"));
    assert_eq!(folder.read("out/result.json"), first);
    // Other values are other runs; those that are as before are there.
    assert!(run(&["--set", "workload.small.load=[0.6, 0.7]"]).contains("4 of 8 runs were there already"));
    assert!(!run(&["--seed", "9"]).contains("there already"));
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
    assert!(run().stderr.contains("4 of 4 runs"));
    folder.write("flows.csv", "start_ns,src,dst,size_bytes\n3000000,h0,h1,5000\n");
    let second = run();
    assert!(!second.stderr.contains("there already"), "{}", second.stderr);
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
    let all = files(&folder, "out/flows");
    let first = std::fs::read_to_string(&all[0]).unwrap();
    std::fs::write(folder.path("out/flows/mine.csv"), "mine").unwrap();
    // Fewer repetitions, and no series: the others stay in `runs` alone.
    run(&["--set", "repetitions=1"]);
    assert_eq!(files(&folder, "out/flows").len(), 4 + 1);
    assert_eq!(folder.read("out/flows/mine.csv"), "mine");
    std::fs::remove_file(folder.path("out/flows/mine.csv")).unwrap();
    // So do pictures.
    let one_load = ["--set", "workload.small.load=0.3"];
    assert!(folder.path("out/fct-by-load.svg").exists() && folder.path("out/fct-by-load.data.csv").exists());
    run(&one_load);
    assert!(!folder.path("out/fct-by-load.svg").exists() && folder.path("out/slowdown.svg").exists());
    // What was deleted is there again, without a run.
    std::fs::remove_dir_all(folder.path("out/flows")).unwrap();
    assert!(run(&[]).contains("8 of 8 runs were there already"));
    assert_eq!(files(&folder, "out/flows"), all);
    assert_eq!(std::fs::read_to_string(&all[0]).unwrap(), first);
    assert!(first.lines().nth(1).unwrap().contains(",h"), "hosts by name: {first}");
    // What a person has changed stays a table of theirs until the next command.
    std::fs::write(&all[0], "x").unwrap();
    run(&[]);
    assert_eq!(std::fs::read_to_string(&all[0]).unwrap(), first);
    // Without its table a run is none.
    let kept = files(&folder, "out/runs").into_iter().find(|path| path.display().to_string().ends_with("-flows.csv"));
    std::fs::remove_file(kept.unwrap()).unwrap();
    assert!(run(&[]).contains("7 of 8 runs were there already"));
    assert_eq!(files(&folder, "out/flows"), all);
}

#[test]
fn the_flows_of_a_run_can_be_replayed() {
    let folder = Folder::new();
    folder.write("s.toml", NETWORK);
    folder.run(&["run", "s.toml", "--out", "out", "--set", "repetitions=1"]).ok();
    let flows = files(&folder, "out/flows").swap_remove(0);
    let name = flows.strip_prefix(folder.path("")).unwrap().display().to_string();
    let again = NETWORK.replace("sizes = \"uniform\"\nload = [0.3, 0.6]", &format!("replay = \"{name}\""));
    let report = folder.json(&again, &["--out", "again", "--set", "repetitions=1"]);
    assert_eq!(report["results"][0]["policy"], "NewReno");
    assert_eq!(
        std::fs::read_to_string(flows).unwrap(),
        std::fs::read_to_string(&files(&folder, "again/flows")[0]).unwrap()
    );
}
