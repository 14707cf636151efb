//! `forebay repro`: published beside measured.

use crate::support::Folder;
use serde_json::Value;
use std::time::Duration;

#[test]
fn without_a_name_all_experiments_are_listed() {
    let folder = Folder::new();
    let text = folder.run(&["repro"]).ok();
    assert!(text.lines().any(|line| line.starts_with("sp-pifo/figure-4 ")), "{text}");
    let json: Value = serde_json::from_str(&folder.run(&["repro", "--format", "json"]).ok()).unwrap();
    assert!(json.as_array().unwrap().iter().any(|it| it["name"] == "sp-pifo/figure-4"));
}

#[test]
fn every_row_says_published_measured_tolerance_and_whether_it_holds() {
    let folder = Folder::new();
    let text = folder.run(&["repro", "sp-pifo/figure-4", "--format", "json", "--out", "out"]).ok();
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["name"], "sp-pifo/figure-4");
    let rows = json["rows"].as_array().unwrap();
    let published: Vec<f64> = rows.iter().map(|row| row["published"].as_f64().unwrap()).collect();
    assert_eq!(published[..3], [9.0, 25.0, 8.0]);
    for row in rows {
        assert_eq!(row["measured"], row["published"]);
        assert_eq!((&row["tolerance"], &row["holds"]), (&"exact".into(), &true.into()));
        assert!(row["quantity"].is_string());
    }
    assert_eq!(folder.read("out/sp-pifo/figure-4/result.json"), text);
}

#[test]
fn the_name_of_a_folder_means_all_below_it() {
    // The only experiment of its folder is still one of a list.
    let json: Value = serde_json::from_str(&Folder::new().run(&["repro", "bbq/", "--format", "json"]).ok()).unwrap();
    assert_eq!(json[0]["name"], "bbq/figure-18");
    let csv = Folder::new().run(&["repro", "bbq", "--seed", "7", "--format", "csv"]).ok();
    assert!(
        csv.starts_with("name,quantity,published,basis,measured,ratio,tolerance,holds,standing\nbbq/figure-18,"),
        "{csv}"
    );
}

#[test]
fn tables_of_openqueue_are_as_stated() {
    let folder = Folder::new();
    for experiment in ["theorem-2", "table-2"] {
        let output = folder.run(&["repro", &format!("openqueue/{experiment}"), "--out", "out"]);
        assert_eq!(output.status, 0, "{}{}", output.stdout, output.stderr);
    }
    let ratios = folder.read("out/openqueue/table-2/ratios.csv");
    assert!(ratios.contains("\nmqf,filled again,64,1,127,64,1.984375,\n"), "{ratios}");
}

#[test]
fn more_value_is_sent_by_algorithms_that_know_priorities() {
    let folder = Folder::new();
    let text = folder.run(&["repro", "openqueue/experiment-1", "--format", "json", "--out", "out"]);
    let json: Value = serde_json::from_str(&text.stdout).unwrap();
    // Measurements that depend on the clock are left to the optimised program.
    let rows =
        json["rows"].as_array().unwrap().iter().filter(|row| row["quantity"].as_str().unwrap().contains("10 GbE, "));
    let rows: Vec<&Value> = rows.collect();
    assert_eq!(rows.len(), 14);
    for row in rows {
        assert_eq!(row["holds"] == true, row["standing"] == "holds" || row["standing"] == "certain", "{row}");
    }
    let link = folder.read("out/openqueue/experiment-1/link.csv");
    assert_eq!(link.lines().count(), 1 + 3 * 2 * 8, "{link}");
    assert!(folder.read("out/openqueue/experiment-1/thread-weighted.svg").starts_with("<svg"));
}

#[test]
fn worked_examples_of_seer_are_as_stated() {
    for (figure, rows) in [("figure-1", 6), ("figure-3", 10), ("figure-4", 9)] {
        let text = Folder::new().run(&["repro", &format!("seer/{figure}"), "--format", "json"]).ok();
        let json: Value = serde_json::from_str(&text).unwrap();
        let held = json["rows"].as_array().unwrap().iter().filter(|row| row["holds"] == true);
        assert_eq!(held.count(), rows, "{text}");
    }
}

#[test]
fn an_unknown_name_is_refused_with_the_nearest() {
    let message = Folder::new().run(&["repro", "sp-pifo/figure-44"]).refused();
    assert!(message.contains("did you mean `sp-pifo/figure-4`?"), "{message}");
    let message = Folder::new().run(&["repro", "figure-99"]).refused();
    assert!(message.starts_with("unknown experiment `figure-99`"), "{message}");
}

#[test]
fn what_cannot_be_measured_here_says_what_to_install() {
    // Without a loader, what it needs must be installed; with one, a kernel must be fetched.
    for (figure, wanted) in [("figure-6", ["install", "fetches it"]), ("figure-7", ["install libdpdk-dev"; 2])] {
        let name = format!("openqueue/{figure}");
        let message = Folder::new().run_without_programs(&["repro", &name]).refused();
        let says_what = wanted.into_iter().any(|words| message.contains(words));
        assert!(message.starts_with(&format!("{name}: ")) && says_what, "{message}");
    }
}

#[test]
fn what_is_known_to_differ_says_why_and_is_no_failure() {
    let folder = Folder::new();
    let output = folder.run(&["repro", "sp-pifo/section-7"]);
    assert_eq!(output.status, 0, "{}", output.stderr);
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert!(lines.iter().any(|line| line.contains("  NO, tested (1)  ")), "{}", output.stdout);
    assert!(lines.iter().any(|line| line.starts_with("(1) a flow half as fast")), "{}", output.stdout);
}

#[test]
fn an_interrupted_experiment_is_left_out() {
    // It takes seconds.
    let output = Folder::new().interrupt(&["repro", "sp-pifo/figure-5", "--format", "json"], Duration::ZERO);
    assert_eq!((output.status, output.stdout.as_str()), (130, "[]\n"), "{}", output.stderr);
    assert!(output.stderr.contains("interrupted in sp-pifo/figure-5"), "{}", output.stderr);
}

#[test]
fn an_attacked_matcher_is_as_stated_and_has_a_picture() {
    let folder = Folder::new();
    let output = folder.run(&["repro", "surgeprotector/figure-3.15", "--out", "out"]);
    assert_eq!(output.status, 0, "{}{}", output.stdout, output.stderr);
    assert!(folder.read("out/surgeprotector/figure-3.15/goodput.svg").starts_with("<svg"));
    let csv = folder.read("out/surgeprotector/figure-3.15/goodput.data.csv");
    assert!(csv.starts_with("panel,line,x,y,ci95,samples,x_axis,x_unit,y_axis,y_unit\n,FCFS,0.001,"), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 4 * 7, "{csv}");
}

#[test]
fn experiments_on_disk_need_no_build() {
    let folder = Folder::new();
    let original = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/seer/figure-1");
    let figure = folder.path("experiments/seer/figure-1");
    std::fs::create_dir_all(&figure).unwrap();
    for file in std::fs::read_dir(original).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), figure.join(file.file_name())).unwrap();
    }
    let experiment = figure.join("experiment.toml");
    let text = std::fs::read_to_string(&experiment).unwrap();
    std::fs::write(&experiment, text.replacen("title = \"", "title = \"Changed: ", 1)).unwrap();
    let run = |arguments: &[&str]| folder.run(&[&["repro", "seer/figure-1"], arguments].concat());
    let found = run(&[]);
    assert!(found.stdout.starts_with("seer/figure-1: Changed: "), "{}", found.stdout);
    assert!(found.stderr.starts_with("experiments are read from /"), "{}", found.stderr);
    assert_eq!(run(&["--experiments", "experiments"]).stdout, found.stdout);
    std::fs::write(&experiment, "title = 3\n").unwrap();
    let message = run(&["--experiments", "experiments"]).refused();
    assert!(message.starts_with("experiments/seer/figure-1/experiment.toml:1: `title` must be a text"), "{message}");
    let message = run(&["--experiments", "nowhere"]).refused();
    assert!(message.starts_with("nowhere: cannot be read"), "{message}");
}
