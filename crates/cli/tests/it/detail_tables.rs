//! Detail tables: one file for a whole sweep, with a row for each flow, packet or request.

use crate::support::{Folder, NETWORK};
use std::collections::BTreeMap;

/// Packets at a port, in two loads and two repetitions.
const PORT: &str = r#"
record = ["packets"]
repetitions = 2
port = { rate = "10 Gbps", buffer = "20 packets" }
traffic = { arrivals = "poisson", load = [0.9, 1.3], packets = 3000, rank = { distribution = "uniform", min = 0, max = 9 } }
[[policy]]
name = "FIFO"
rank = "arrival"
queue = "fifo"
[[policy]]
name = "push \"out\", sorted"
rank = "packet-rank"
queue = "pifo"
drop = "worst-first"
"#;

/// Requests of caches, one of which knows the future.
const CACHE: &str = r#"
record = ["requests"]
cache = { trace = "zipf:objects=300,requests=4000,skew=0.9", capacity = [16, 32], latency = 50, attribute = ["lru", "lru-mad"] }
policy = [{ name = "lru" }, { name = "lru-mad" }, { name = "belady" }]
"#;

/// Rows of a table as maps from the name of a column.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

/// Number of rows with these values.
fn count(rows: &[BTreeMap<String, String>], wanted: &[(&str, &str)]) -> usize {
    rows.iter().filter(|row| wanted.iter().all(|(name, value)| row[*name] == *value)).count()
}

/// The files of a detail table.
fn files(folder: &Folder, out: &str, table: &str) -> [Vec<u8>; 2] {
    ["csv", "parquet"].map(|ending| std::fs::read(folder.path(&format!("{out}/{table}.{ending}"))).unwrap())
}

#[test]
fn every_packet_is_a_row_whose_numbers_add_up_to_the_result() {
    let folder = Folder::new();
    let report = folder.json(PORT, &["--out", "out"]);
    let packets = rows(&folder.read("out/packets.csv"));
    assert_eq!(packets.len(), 2 * 2 * 2 * 3_000);
    let header = "load,policy,repetition,packet,flow,class,rank,size,arrival,start,end,fate,marked,queue\n";
    assert!(folder.read("out/packets.csv").starts_with(header));
    let mut pushed_out = 0;
    for cell in report["results"].as_array().unwrap() {
        let (load, policy) = (cell["axes"][0]["text"].as_str().unwrap(), cell["policy"].as_str().unwrap());
        for (place, repetition) in ["0", "1"].into_iter().enumerate() {
            let cell_of = [("load", load), ("policy", policy), ("repetition", repetition)];
            let with = |fate| count(&packets, &[&cell_of[..], &[("fate", fate)]].concat()) as f64;
            let value = |name: &str| cell["quantities"][name]["values"][place].as_f64().unwrap();
            assert_eq!(with("sent"), value("packets_out"), "{policy}");
            assert_eq!(with("dropped") + with("pushed-out"), value("packets_dropped"), "{policy}");
            assert_eq!(with("waiting"), 0.0);
            pushed_out += count(&packets, &[&cell_of[..], &[("fate", "pushed-out")]].concat());
            let of_cell = packets.iter().filter(|row| cell_of.iter().all(|(name, value)| row[*name] == *value));
            let sent: Vec<_> = of_cell.filter(|row| row["fate"] == "sent").collect();
            let seconds = |row: &BTreeMap<String, String>, name: &str| row[name].parse::<f64>().unwrap();
            let delays = sent.iter().map(|row| seconds(row, "end") - seconds(row, "arrival"));
            let mean = delays.sum::<f64>() / sent.len() as f64;
            assert!((mean * 1e9 / value("delay_ns_mean") - 1.0).abs() < 1e-6, "{policy}: {mean}");
            assert!(sent.iter().all(|row| seconds(row, "start") >= seconds(row, "arrival")));
        }
    }
    assert!(pushed_out > 0);
}

#[test]
fn packets_that_wait_at_the_end_are_rows_too() {
    let folder = Folder::new();
    folder.json(PORT, &["--out", "out", "--set", "until=200us", "--set", "traffic.load=1.3"]);
    let packets = rows(&folder.read("out/packets.csv"));
    let waiting = packets.iter().filter(|row| row["fate"] == "waiting").collect::<Vec<_>>();
    assert!(waiting.len() > 4 && waiting.iter().all(|row| row["end"].is_empty()), "{}", waiting.len());
}

#[test]
fn every_request_is_a_row_whose_numbers_add_up_to_the_result() {
    let folder = Folder::new();
    let report = folder.json(CACHE, &["--out", "out"]);
    let requests = rows(&folder.read("out/requests.csv"));
    assert_eq!(requests.len(), 2 * 3 * 4_000);
    for cell in report["results"].as_array().unwrap() {
        let (policy, capacity) = (cell["policy"].as_str().unwrap(), cell["capacity"].to_string());
        let of_cell = [("policy", policy), ("capacity", capacity.as_str())];
        for (outcome, field) in [("hit", "hits"), ("delayed-hit", "delayed_hits"), ("miss", "misses")] {
            let found = count(&requests, &[&of_cell[..], &[("outcome", outcome)]].concat());
            assert_eq!(Some(found as u64), cell[field].as_u64(), "{policy} {capacity} {field}");
        }
        let own = requests.iter().filter(|row| of_cell.iter().all(|(name, value)| row[*name] == *value));
        let latency: u64 = own.map(|row| row["latency"].parse::<u64>().unwrap()).sum();
        assert_eq!(Some(latency), cell["total_latency"].as_u64(), "{policy} {capacity}");
    }
    let objects = rows(&folder.read("out/objects.csv"));
    let total = |policy: &str| {
        let own = objects.iter().filter(|row| row["policy"] == policy && row["capacity"] == "16");
        own.map(|row| row["total_latency"].parse::<u64>().unwrap()).sum::<u64>()
    };
    let attribution = &report["attributions"][0];
    assert_eq!(Some(total("lru")), attribution["total_before"].as_u64());
    assert_eq!(Some(total("lru-mad")), attribution["total_after"].as_u64());
    assert_eq!(count(&objects, &[("policy", "belady")]), 0);
}

#[test]
fn the_command_for_caches_records_requests() {
    let folder = Folder::new();
    let arguments =
        ["cache", "zipf:objects=100,requests=500", "--policy", "lru", "--capacity", "8", "--latency", "1ms"];
    let needs_out = folder.run(&[&arguments[..], &["--record", "requests"]].concat());
    assert!(needs_out.refused().contains("--out"));
    let all = [&arguments[..], &["--record", "requests", "--out", "out"]].concat();
    let slots = folder.run(&all);
    // A recipe has slots, so a latency in milliseconds is refused as ever.
    assert!(slots.refused().contains("slots"));
    let all: Vec<&str> = all.iter().map(|word| if *word == "1ms" { "10" } else { word }).collect();
    folder.run(&all).ok();
    assert_eq!(rows(&folder.read("out/requests.csv")).len(), 500);
    let printed = folder.run(&[&all[..], &["--print-scenario"]].concat()).ok();
    assert!(printed.contains("record = [\"requests\"]"), "{printed}");
}

#[test]
fn bytes_do_not_depend_on_threads_interrupts_or_shards() {
    for (scenario, tables) in
        [(NETWORK, &["flows", "ports", "series"][..]), (PORT, &["packets"]), (CACHE, &["requests", "objects"])]
    {
        let folder = Folder::new();
        folder.write("s.toml", scenario);
        let run = |arguments: &[&str]| folder.run(&[&["run", "s.toml"], arguments].concat()).ok();
        run(&["--out", "one", "--threads", "1"]);
        run(&["--out", "four", "--threads", "4"]);
        // A part is there when the whole is asked for, as after an interrupt.
        run(&["--out", "resumed", "--shard", "1/3"]);
        assert!(!folder.path(&format!("resumed/{}.csv", tables[0])).exists(), "a part has no result");
        run(&["--out", "resumed"]);
        for shard in ["0/4", "1/4", "2/4", "3/4"] {
            run(&["--out", &shard[..1], "--shard", shard]);
        }
        folder.run(&["merge", "merged", "0", "1", "2", "3"]).ok();
        for table in tables {
            let expected = files(&folder, "one", table);
            for other in ["four", "resumed", "merged"] {
                assert!(files(&folder, other, table) == expected, "{table} of {other}");
            }
        }
    }
}

#[test]
fn a_sweep_without_flows_has_a_table_without_rows() {
    let folder = Folder::new();
    folder.write("s.toml", NETWORK.replace("[0.3, 0.6]", "0.000000001"));
    folder.run(&["run", "s.toml", "--out", "out"]).ok();
    let flows = folder.read("out/flows.csv");
    assert!(flows.starts_with("policy,repetition,flow,workload,start,") && flows.lines().count() == 1, "{flows}");
    assert!(files(&folder, "out", "flows")[1].starts_with(b"PAR1"));
}

#[test]
fn an_axis_that_is_called_like_a_column_has_another_name() {
    let folder = Folder::new();
    folder.write("s.toml", PORT.replace("rank = \"packet-rank\"", "rank = [\"packet-rank\", \"arrival\"]"));
    folder.run(&["run", "s.toml", "--out", "out", "--set", "traffic.packets=50"]).ok();
    let packets = rows(&folder.read("out/packets.csv"));
    assert_eq!(count(&packets, &[("axis:rank", "packet-rank")]), 2 * 2 * 50);
    assert_eq!(count(&packets, &[("axis:rank", ""), ("policy", "FIFO")]), 2 * 2 * 50);
}

#[test]
fn tables_that_cannot_be_written_are_one_line() {
    let folder = Folder::new();
    folder.write("s.toml", PORT);
    std::fs::create_dir(folder.path("out")).unwrap();
    folder.write("out/packets.csv", "arrival_ns,size_bytes\n0,100\n");
    let message = folder.run(&["run", "s.toml", "--out", "out"]).refused();
    assert!(message.contains("out/packets.csv: the run would overwrite this file"), "{message}");
    assert_eq!(folder.read("out/packets.csv"), "arrival_ns,size_bytes\n0,100\n");
    assert!(!folder.path("out/plan.json").exists(), "it is refused before anything is run");
    std::fs::remove_file(folder.path("out/packets.csv")).unwrap();
    folder.run(&["run", "s.toml", "--out", "out"]).ok();
    std::fs::remove_file(folder.path("out/packets.csv")).unwrap();
    std::fs::create_dir(folder.path("out/packets.csv")).unwrap();
    assert!(folder.run(&["run", "s.toml", "--out", "out"]).refused().contains("out/packets.csv"));
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_one_line_and_leaves_nothing_unfinished() {
    let folder = Folder::new();
    folder.write("s.toml", PORT);
    // A limit on the size of a file stands for a disk that is full.
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$0\" run s.toml --out out --threads 1";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_forebay")]).current_dir(folder.path(""));
    let output = command.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains("-packets.csv: cannot be written: "), "{stderr}");
    let names = std::fs::read_dir(folder.path("out/runs")).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), Vec::<std::ffi::OsString>::new());
}

#[test]
fn what_cannot_be_recorded_is_refused() {
    let folder = Folder::new();
    let refused = |text: &str| {
        folder.write("s.toml", text);
        folder.run(&["run", "s.toml", "--out", "out"]).refused()
    };
    let port = PORT.replace("[\"packets\"]", "[\"requests\"]");
    assert!(
        refused(&port).contains("s.toml:2: `record` must be a list like [\"packets\", \"bounds\"], not `requests`")
    );
    let text = PORT.replace("[\"packets\"]", "\"packets\"");
    assert!(refused(&text).contains("s.toml:2: `record` must be a list like [\"packets\", \"bounds\"], not a text"));
    folder.write("s.toml", PORT);
    let lost = folder.run(&["run", "s.toml"]);
    assert!(lost.stderr.contains("`record` writes nothing here: add --out DIR"), "{}", lost.stderr);
}

/// SP-PIFO's bounds on uniform ranks end near the equilibrium, which is spread evenly; the gradient's end where they are optimal.
#[test]
fn the_bounds_of_queues_are_rows_window_by_window() {
    let folder = Folder::new();
    let text = r#"
record = ["bounds"]
[port]
rate = "10 Gbps"
buffer = "80 packets"
[traffic]
arrivals = "poisson"
load = 1.05
flows = 1
packets = 60_000
rank = { distribution = "uniform", min = 0, max = 100 }
[[policy]]
name = "SP-PIFO"
rank = "packet-rank"
queue = { name = "sp-pifo", queue_packets = 80 }
[[policy]]
name = "tree"
tree = { rank = "arrival", children = [{ rank = "packet-rank", queue = { name = "sp-pifo", queue_packets = 80 } }] }
queue = "pifo"
[[policy]]
name = "gradient"
rank = "packet-rank"
queue = { name = "gradient", window = 500, start = "successive" }
[[policy]]
name = "PIFO"
rank = "packet-rank"
queue = "pifo"
"#;
    folder.json(text, &["--out", "out"]);
    let all = rows(&folder.read("out/bounds.csv"));
    assert!(
        folder
            .read("out/bounds.csv")
            .starts_with("policy,repetition,node,window,packets,unpifoness,queue,bound,mean_bound,equilibrium\n")
    );
    let of = |policy: &str, queue: &str| -> Vec<BTreeMap<String, String>> {
        all.iter().filter(|row| row["policy"] == policy && row["queue"] == queue).cloned().collect()
    };
    let number = |row: &BTreeMap<String, String>, name: &str| row[name].parse::<f64>().unwrap();
    for queue in 0..8_u32 {
        let windows = of("SP-PIFO", &queue.to_string());
        let mean =
            windows.iter().skip(5).map(|row| number(row, "mean_bound")).sum::<f64>() / (windows.len() - 5) as f64;
        let at_rest = number(&windows[0], "equilibrium");
        assert!((at_rest - 101.0 * f64::from(queue + 1) / 9.0).abs() < 1.5, "{queue}: {at_rest}");
        assert!((mean - at_rest).abs() < 3.0, "{queue}: {mean} and {at_rest}");
    }
    // In a tree the node's queue says the same.
    let but_names = |policy: &str, node: &str| -> Vec<BTreeMap<String, String>> {
        let mut rows: Vec<_> = all.iter().filter(|row| row["policy"] == policy).cloned().collect();
        assert!(!rows.is_empty() && rows.iter().all(|row| row["node"] == node), "{policy}");
        rows.iter_mut().for_each(|row| row.retain(|name, _| name != "policy" && name != "node"));
        rows
    };
    assert_eq!(but_names("tree", "root.0"), but_names("SP-PIFO", "root"));
    let windows = of("gradient", "7");
    assert!(windows.iter().all(|row| row["packets"] == "500" && row["equilibrium"].is_empty()));
    let [first, last] = [&windows[0], windows.last().unwrap()];
    assert_eq!((first["window"].as_str(), first["bound"].as_str()), ("0", "8"));
    assert!(number(last, "unpifoness") < 0.5 * number(first, "unpifoness"), "{first:?} {last:?}");
    assert_eq!(count(&all, &[("policy", "PIFO")]), 0);

    folder.write(
        "s.toml",
        text.split("[[policy]]\nname = \"SP-PIFO\"").next().unwrap().to_owned()
            + "[[policy]]\nrank = \"packet-rank\"\nqueue = \"pifo\"\n",
    );
    let refused = folder.run(&["run", "s.toml", "--out", "none"]).refused();
    assert!(refused.contains("s.toml:2: no policy here has a queue with bounds to record"), "{refused}");
}
