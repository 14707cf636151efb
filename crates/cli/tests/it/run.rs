//! `forebay run`: what the numbers must satisfy.

use crate::support::{Folder, UNIFORM};
use serde_json::Value;
use std::time::Duration;

fn policies(parts: &[(&str, &str)]) -> String {
    let policy = |(name, parts): &(&str, &str)| format!("[[policy]]\nname = \"{name}\"\n{parts}\n");
    UNIFORM.to_owned() + &parts.iter().map(policy).collect::<String>()
}

fn number(result: &Value, key: &str) -> u64 {
    result[key].as_u64().unwrap_or_else(|| panic!("{key} in {result}"))
}

const ALL_QUEUES: [(&str, &str); 5] = [
    ("fifo", "rank = \"packet-rank\"\nqueue = \"fifo\""),
    ("pifo", "rank = \"packet-rank\"\nqueue = \"pifo\"\ndrop = \"worst-first\""),
    ("hffs", "rank = \"packet-rank\"\nqueue = { name = \"hffs\", ranks = 101 }\ndrop = \"worst-first\""),
    ("sp-pifo 8", "rank = \"packet-rank\"\nqueue = { name = \"sp-pifo\", queue_packets = 80 }"),
    ("sp-pifo 32", "rank = \"packet-rank\"\nqueue = { name = \"sp-pifo\", queues = 32, queue_packets = 80 }"),
];

#[test]
fn the_report_has_what_tools_are_built_on() {
    let report = Folder::new().json(&policies(&ALL_QUEUES), &["--seed", "7"]);
    assert_eq!(report["seed"], 7);
    let results = report["results"].as_array().unwrap();
    let names: Vec<_> = results.iter().map(|result| result["policy"].as_str().unwrap()).collect();
    assert_eq!(names, ["fifo", "pifo", "hffs", "sp-pifo 8", "sp-pifo 32"]);
    for result in results {
        let classes = result["classes"].as_array().unwrap();
        assert_eq!(classes.iter().map(|class| number(class, "class")).collect::<Vec<_>>(), [0, 46]);
        for counts in classes.iter().chain([result]) {
            let sum = ["packets_out", "packets_dropped", "packets_queued"].map(|key| number(counts, key));
            assert_eq!(number(counts, "packets_in"), sum.iter().sum::<u64>(), "{counts}");
            let delay = &counts["delay_ns"];
            let [mean, p50, p99, max] = ["mean", "p50", "p99", "max"].map(|key| delay[key].as_f64().unwrap());
            assert!(p50 <= p99 && p99 <= max.ceil() && mean <= max && p50 >= 1_200.0, "{delay}");
        }
        for key in ["packets_in", "packets_out", "packets_dropped", "bytes_out", "inversions", "overtaken"] {
            assert_eq!(number(result, key), classes.iter().map(|class| number(class, key)).sum::<u64>(), "{key}");
        }
        assert_eq!(number(result, "packets_in"), 100_000, "every policy sees the same packets");
        assert_eq!(result["complete"], true);
    }
}

#[test]
fn exact_queues_have_no_inversions_and_more_queues_have_fewer() {
    let report = Folder::new().json(&policies(&ALL_QUEUES), &[]);
    let inversions: Vec<u64> =
        report["results"].as_array().unwrap().iter().map(|result| number(result, "inversions")).collect();
    let [fifo, pifo, hffs, sp_pifo_8, sp_pifo_32] = inversions[..] else { panic!("{inversions:?}") };
    assert_eq!((pifo, hffs), (0, 0));
    assert!(fifo > sp_pifo_8 && sp_pifo_8 > sp_pifo_32 && sp_pifo_32 > 0, "{inversions:?}");
}

/// Weighted throughput, the objective of OpenQueue's section II-C.
#[test]
fn values_that_are_sent_and_dropped_add_up() {
    let parts = [
        ("tail", "rank = \"arrival\"\nqueue = \"pifo\""),
        ("push-out", "rank = \"value\"\nqueue = \"pifo\"\ndrop = \"worst-first\""),
    ];
    let scenario = policies(&parts);
    let value = "traffic.value={ distribution='uniform', min=1, max=9 }";
    let report = Folder::new().json(&scenario, &["--set", value, "--set", "traffic.load=1.2"]);
    let results = report["results"].as_array().unwrap();
    for result in results {
        let [came, left, dropped] = ["value_in", "value_out", "value_dropped"].map(|key| number(result, key));
        assert_eq!(came, left + dropped, "all have left or were dropped");
        let of_classes = result["classes"].as_array().unwrap().iter().map(|class| number(class, "value_out"));
        assert_eq!(of_classes.sum::<u64>(), left);
        let share = result["quantities"]["value_share"]["mean"].as_f64().unwrap();
        assert!((share - left as f64 / came as f64).abs() < 1e-9, "{share}");
        assert!((came as f64 / number(result, "packets_in") as f64 - 5.0).abs() < 0.05);
    }
    let [tail, push_out] = [0, 1].map(|policy| number(&results[policy], "value_out"));
    assert!(push_out as f64 > 1.1 * tail as f64, "{tail} and {push_out}");
    let without = Folder::new().json(&policies(&parts[..1]), &[]);
    assert!(without["results"][0]["quantities"].get("value_out").is_none_or(|value| value["mean"].is_null()));
}

#[test]
fn exact_queues_agree_in_everything() {
    let report = Folder::new().json(&policies(&ALL_QUEUES), &[]);
    let (mut pifo, mut hffs) = (report["results"][1].clone(), report["results"][2].clone());
    for result in [&mut pifo, &mut hffs] {
        let fields = result.as_object_mut().unwrap();
        fields.remove("policy");
        fields.remove("queue");
        fields.remove("parameters");
    }
    assert_eq!(pifo, hffs);
}

#[test]
fn exact_queues_have_no_inversions_with_any_rank_function() {
    let traffic = UNIFORM.to_owned()
        + "flow_bytes = { distribution = \"exponential\", min = 1500, max = 100_000 }\n\
           value = { distribution = \"uniform\", min = 1, max = 10 }\n\
           slack_ns = { distribution = \"uniform\", min = 0, max = 100_000 }\n\
           processing_ns = { distribution = \"uniform\", min = 100, max = 2000 }\n";
    let ranks = [
        "arrival",
        "packet-rank",
        "strict",
        "value",
        "remaining-bytes",
        "job-size",
        "job-ratio",
        "job-fair",
        "job-clock",
        "job-finish",
        "drfq",
        "stfq",
        "wfq",
        "edf",
        "fifo-plus",
        "pias",
        "arrival-rate",
    ];
    let policies: String = ranks
        .iter()
        .flat_map(|rank| ["tail", "worst-first"].map(|drop| (rank, drop)))
        .map(|(rank, drop)| {
            format!("[[policy]]\nname = \"{rank} {drop}\"\nrank = \"{rank}\"\nqueue = \"pifo\"\ndrop = \"{drop}\"\n")
        })
        .collect();
    let report = Folder::new().json(&(traffic + &policies), &["--set", "traffic.load=1.1"]);
    for result in report["results"].as_array().unwrap() {
        assert_eq!((number(result, "inversions"), number(result, "overtaken")), (0, 0), "{}", result["policy"]);
        assert!(number(result, "packets_dropped") > 0, "{}", result["policy"]);
    }
}

#[test]
fn the_result_file_is_the_same_on_any_number_of_threads() {
    let folder = Folder::new();
    folder.write("s.toml", policies(&ALL_QUEUES));
    for threads in ["1", "2", "5"] {
        folder.run(&["run", "s.toml", "--out", threads, "--threads", threads]).ok();
    }
    assert_eq!(folder.read("1/result.json"), folder.read("2/result.json"));
    assert_eq!(folder.read("1/result.json"), folder.read("5/result.json"));
    assert!(folder.read("1/delays.svg").starts_with("<svg"));
    let manifest: Value = serde_json::from_str(&folder.read("2/manifest.json")).unwrap();
    assert_eq!(manifest["seed"], 1);
    assert_eq!(manifest["scenario_sha256"].as_str().unwrap().len(), 64);
    folder.run(&["run", "s.toml", "--out", "other", "--seed", "2"]).ok();
    assert_ne!(folder.read("1/result.json"), folder.read("other/result.json"));
}

#[test]
fn what_json_prints_is_what_the_file_holds() {
    let folder = Folder::new();
    folder.write("s.toml", policies(&ALL_QUEUES[..2]));
    let printed = folder.run(&["run", "s.toml", "--format", "json", "--out", "out"]).ok();
    assert_eq!(printed, folder.read("out/result.json"));
}

#[test]
fn packets_that_wait_at_the_end_are_counted() {
    let report = Folder::new().json(&policies(&ALL_QUEUES[..1]), &["--set", "until=1ms", "--set", "traffic.load=50"]);
    let result = &report["results"][0];
    assert_eq!(number(result, "packets_queued"), 81, "80 wait and one is being sent");
    assert_eq!(result["end_ns"], 1e6);
    assert_eq!(
        result["queue_length"]["max_packets"].as_array().unwrap().iter().max_by_key(|n| n.as_u64()).unwrap(),
        80
    );
}

#[test]
fn the_table_has_a_line_per_policy_and_one_per_class_table() {
    let folder = Folder::new();
    folder.write("s.toml", policies(&ALL_QUEUES));
    let table = folder.run(&["run", "s.toml"]).ok();
    assert_eq!(table.lines().filter(|line| line.starts_with("sp-pifo 32 ")).count(), 2, "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 120), "{table}");
    assert!(table.contains("EF") && table.contains("dropped, %"), "{table}");
}

#[test]
fn csv_has_a_line_for_each_number() {
    let folder = Folder::new();
    folder.write("s.toml", policies(&ALL_QUEUES[..2]));
    let csv = folder.run(&["run", "s.toml", "--format", "csv"]).ok();
    assert!(
        csv.starts_with("policy,subject,item,metric,unit,repetition,value\nfifo,all,,packets_in,packets,0,100000\n"),
        "{csv}"
    );
    for subject in ["fifo,all,", "fifo,class,0", "fifo,class,46", "pifo,all,", "pifo,class,0", "pifo,class,46"] {
        assert_eq!(csv.matches(&format!("\n{subject},delay:p99,s,0,")).count(), 1, "{subject}: {csv}");
    }
    assert!(csv.lines().all(|line| line.split(',').count() == 7), "{csv}");
}

#[test]
fn ranks_beyond_a_queue_are_clamped_and_counted() {
    let scenario = policies(&[("small", "rank = \"packet-rank\"\nqueue = { name = \"hffs\", ranks = 50 }")]);
    let folder = Folder::new();
    let report = folder.json(&scenario, &[]);
    let result = &report["results"][0];
    let clamped = number(&result["counters"], "ranks_clamped") as f64 / 100_000.0;
    assert!((clamped - 51.0 / 101.0).abs() < 0.01, "{clamped}");
    assert!(number(result, "inversions") > 0, "what clamping costs is seen");
    let report = folder.json(&scenario, &["--set", "policy.small.rank_unit=3"]);
    assert_eq!(report["results"][0]["counters"], serde_json::json!({}), "ranks 0 to 100 in units of 3 fit");
}

#[test]
fn a_byte_buffer_holds_its_bytes() {
    let scenario = policies(&[("fifo", "rank = \"arrival\"\nqueue = \"fifo\"")]);
    let report = Folder::new().json(&scenario, &["--set", "port.buffer=15KB", "--set", "traffic.load=3"]);
    let longest =
        report["results"][0]["queue_length"]["max_packets"].as_array().unwrap().iter().filter_map(Value::as_u64).max();
    assert_eq!(longest, Some(10), "ten packets of 1500 B");
}

#[test]
fn an_interrupted_run_reports_what_it_has() {
    let folder = Folder::new();
    folder.write("s.toml", policies(&ALL_QUEUES[..1]).replace("packets = 100_000", "packets = 1_000_000_000"));
    let output = folder.interrupt(&["run", "s.toml", "--format", "json"], Duration::from_millis(300));
    assert_eq!(output.status, 130);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    let result = &report["results"][0];
    assert_eq!(result["complete"], false);
    let sum = ["packets_out", "packets_dropped", "packets_queued"].map(|key| number(result, key));
    assert_eq!(number(result, "packets_in"), sum.iter().sum::<u64>());
    assert!(folder.path("out/result.json").exists());
}

#[test]
fn delays_are_those_of_queueing_theory() {
    // M/D/1: mean wait = load x service / (2 (1 - load)), plus the service itself.
    let service_ns = 1_200.0;
    for (load, tolerance) in [(0.5, 0.01), (0.8, 0.02)] {
        let scenario = policies(&ALL_QUEUES[..2]).replace("80 packets", "100_000 packets");
        let set = [format!("traffic.load={load}"), "traffic.packets=1_000_000".to_owned()];
        let report = Folder::new().json(&scenario, &["--set", &set[0], "--set", &set[1]]);
        let expected = service_ns + load * service_ns / (2.0 * (1.0 - load));
        for result in report["results"].as_array().unwrap() {
            // The mean wait is the same in any order of service that looks at ranks
            // drawn independently of sizes.
            let mean = result["delay_ns"]["mean"].as_f64().unwrap();
            assert!((mean / expected - 1.0).abs() < tolerance, "load {load}: {mean} instead of {expected}");
            assert_eq!(number(result, "packets_dropped"), 0);
        }
    }
}

#[test]
fn even_arrivals_never_wait_and_bursts_of_flows_do() {
    let folder = Folder::new();
    let scenario = policies(&ALL_QUEUES[..1]);
    let constant = scenario.replace("\"poisson\"", "\"constant\"");
    let delay = |scenario: &str| folder.json(scenario, &[])["results"][0]["delay_ns"]["max"].as_f64().unwrap();
    assert_eq!(delay(&constant), 1_200.0, "the transmission alone");
    // Flows of ten packets at four times the port's rate: the last waits for at least three quarters of the others.
    let flows = scenario.replace("\"poisson\"", "\"flows\"\nflow_packets = 10\naccess = 4").replace("flows = 20\n", "");
    assert!(delay(&flows) >= 7.0 * 1_200.0);
    let classes = folder.json(&flows, &[])["results"][0]["classes"].clone();
    assert!((number(&classes[1], "packets_in") as f64 / 100_000.0 - 0.3).abs() < 0.001, "{classes}");
}
