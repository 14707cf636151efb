//! Attacks as scenarios: what `forebay attack` writes shorter, swept, kept and made in parts.

use crate::support::{ATTACK, Folder};
use serde_json::Value;

/// [`ATTACK`] with fewer packets and an axis more.
fn swept() -> String {
    ATTACK
        .replace("packets = 10_000\nwarmup = 2_000", "packets = 1_000\nwarmup = [0, 500]")
        .replace("buffer = \"1000 packets\"", "buffer = \"1000 packets\"\nservers = [1, 2]")
        .replace("repetitions = 3", "repetitions = 2\nzip = [\"servers\", \"warmup\"]")
}

#[test]
fn the_command_is_the_scenario_that_it_prints() {
    let folder = Folder::new();
    let below = "below = { goodput = \"5 Gbps\", policy = \"b.oq\" }";
    folder
        .write("s.toml", ATTACK)
        .write("below.toml", ATTACK.replacen("name = \"FQ\"", &format!("name = \"FQ\"\n{below}"), 1))
        .write("b.oq", "q = Queue(20 pkts);\nout = Port(100, q);\nq.procPrio(p1, p2) = (p1.processing < p2.processing);\nclassify(p) = (true, enter(q));\n")
        .write("jobs.csv", "size_bytes,job_ns\n1000,800\n");
    std::fs::create_dir(folder.path("sub")).unwrap();
    for arguments in [
        &["attack", "--set", "innocent.packets=300"][..],
        &["attack", "s.toml", "--seed", "7", "--set", "innocent.packets=300"],
        &["attack", "s.toml", "--set", "innocent={ rate='5 Gbps', packets=300, jobs='jobs.csv' }"],
        &["attack", "below.toml", "--set", "innocent.packets=300"],
    ] {
        folder.write("sub/p.toml", folder.run(&[arguments, &["--print-scenario"]].concat()).ok());
        for format in ["table", "json", "csv"] {
            let own = folder.run(&[arguments, &["--format", format]].concat()).ok();
            assert_eq!(folder.run(&["run", "sub/p.toml", "--format", format]).ok(), own, "{arguments:?}");
        }
    }
}

#[test]
fn any_field_is_an_axis() {
    let folder = Folder::new();
    folder.write("s.toml", swept());
    let report: Value = serde_json::from_str(&folder.run(&["run", "s.toml", "--format", "json"]).ok()).unwrap();
    let results = report["results"].as_array().unwrap();
    assert_eq!((results.len(), report["worst"].as_array().unwrap().len()), (2 * 2 * 3 * 4, 2 * 2 * 4));
    let axes: Vec<&str> =
        results[0]["axes"].as_array().unwrap().iter().map(|axis| axis["name"].as_str().unwrap()).collect();
    assert_eq!(axes, ["attack.rate", "innocent.rate", "warmup", "servers"]);
    // Two servers are loaded half as much.
    let load = |row: &Value, servers: &str| {
        let has =
            row["axes"].as_array().unwrap().iter().any(|axis| axis["name"] == "servers" && axis["text"] == servers);
        has.then(|| row["load"].as_f64().unwrap())
    };
    let worst = report["worst"].as_array().unwrap();
    let loads = |servers: &str| worst.iter().filter_map(|row| load(row, servers)).fold(0.0, f64::max);
    assert!((loads("1") / loads("2") - 2.0).abs() < 1e-9);
    let displacement = &results[0]["quantities"]["displacement"];
    assert_eq!(
        (displacement["mean"].clone(), 2),
        (results[0]["displacement"].clone(), displacement["values"].as_array().unwrap().len())
    );
    let table = folder.run(&["run", "s.toml"]).ok();
    assert!(table.contains("servers") && table.contains("2 repetitions"), "{table}");
}

#[test]
fn parts_are_joined_to_what_one_process_makes() {
    let folder = Folder::new();
    folder.write("s.toml", swept());
    let whole = folder.run(&["run", "s.toml", "--baseline", "FCFS", "--format", "json", "--out", "whole"]).ok();
    for part in ["0/3", "1/3", "2/3"] {
        folder.run(&["run", "s.toml", "--shard", part, "--out", "parts"]).ok();
    }
    assert_eq!(folder.run(&["merge", "parts", "--baseline", "FCFS", "--format", "json"]).ok(), whole);
    for file in ["result.json", "result.csv", "attack-by-attack.rate.svg"] {
        assert_eq!(folder.read(&format!("parts/{file}")), folder.read(&format!("whole/{file}")), "{file}");
    }
    assert!(folder.read("parts/summary.csv").lines().next().unwrap().ends_with(",difference,difference_ci95,ratio"));
    let again = folder.run(&["attack", "s.toml", "--baseline", "FCFS", "--format", "json", "--out", "whole"]);
    assert!(again.stderr.contains("96 of 96 runs were already complete"), "{}", again.stderr);
    assert_eq!(again.ok(), whole);
    assert!(folder.run(&["run", "s.toml", "--dry-run"]).ok().contains("96 runs, about "));
}
