//! OpenQueue policies in scenarios.

use crate::support::Folder;
use serde_json::Value;
use std::path::Path;

const TRAFFIC: &str = "[port]\nrate = \"10 Gbps\"\nbuffer = \"60 packets\"\n[traffic]\narrivals = \"poisson\"\n\
    load = 1.2\npackets = 20_000\nsize_bytes = { distribution = \"uniform\", min = 64, max = 1500 }\n\
    rank = { distribution = \"uniform\", min = 0, max = 40 }\nvalue = { distribution = \"uniform\", min = 0, max = 9 }\n\
    processing_ns = { distribution = \"uniform\", min = 1, max = 50 }\n\
    slack_ns = { distribution = \"uniform\", min = 0, max = 9000 }\n\
    flow_bytes = { distribution = \"exponential\", min = 100, max = 100_000 }\n\
    queue = { distribution = \"uniform\", min = 0, max = 3 }\nclasses = { 46 = 0.2, 26 = 0.3, 0 = 0.5 }\n";

/// A folder with a policy of the repository's library, and others.
fn folder(policies: &[&str]) -> Folder {
    let folder = Folder::new();
    for name in policies {
        let file = format!("{name}.oq");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../policies").join(&file);
        folder.write(&file, std::fs::read(path).unwrap());
    }
    folder
}

fn results(folder: &Folder, policies: &str) -> Vec<Value> {
    let report = folder.json(&format!("{TRAFFIC}{policies}"), &[]);
    report["results"].as_array().unwrap().clone()
}

/// The text and the parts that are built in.
#[test]
fn policies_depart_as_their_built_in_equals_do() {
    let pairs = [
        ("fifo", "rank = \"arrival\"\nqueue = \"fifo\""),
        ("pifo", "rank = \"packet-rank\"\nqueue = \"pifo\"\ndrop = \"worst-first\""),
        ("srpt", "rank = \"job-size\"\nqueue = \"pifo\"\ndrop = \"worst-first\""),
        ("pfabric", "rank = \"remaining-bytes\"\nqueue = \"pifo\"\ndrop = \"worst-first\""),
        ("most-valuable-first", "rank = \"value\"\nqueue = \"pifo\"\ndrop = \"worst-first\""),
    ];
    for (name, parts) in pairs {
        let folder = folder(&[name]);
        let size = if name == "pfabric" { "40 KB" } else { "60 pkts" };
        let buffer = if name == "pfabric" { "buffer = \"40 KB\"\n" } else { "" };
        let policies = format!(
            "[[policy]]\npolicy = \"{name}.oq\"\nparams = {{ B = \"{size}\" }}\n[[policy]]\nname = \"reference\"\n\
             policy = \"{name}.oq\"\nengine = \"reference\"\nparams = {{ B = \"{size}\" }}\n[[policy]]\n\
             name = \"parts\"\n{buffer}{parts}\n"
        );
        let results = results(&folder, &policies);
        assert!(results[0]["packets_dropped"].as_u64().unwrap() > 1_000, "{name}");
        for other in &results[1..] {
            assert_eq!(results[0]["departures"], other["departures"], "{name} and {}", other["policy"]);
            assert_eq!(results[0]["packets_dropped"], other["packets_dropped"], "{name} and {}", other["policy"]);
        }
    }
}

#[test]
fn strict_queues_depart_as_strict_ranks_do() {
    let folder = Folder::new();
    folder.write(
        "strict.oq",
        "q[1..3] = Queue(1000 pkts); out = Port(100, q[1..3])\nfor i in 1..3 { q[i].schedState = i; }\n\
         first(a, b) = (a.schedState < b.schedState); out.schedPrio = first\n\
         classify(p) = (p.class == 46, enter(q1)).(p.class == 26, enter(q2)).(true, enter(q3))\n",
    );
    // Below its capacity, so that nothing is dropped: separate queues drop otherwise than a shared one.
    let policies = "[[policy]]\npolicy = \"strict.oq\"\n[[policy]]\nrank = \"strict\"\nqueue = \"pifo\"\n";
    let report = folder
        .json(&format!("{TRAFFIC}{policies}"), &["--set", "traffic.load=0.9", "--set", "port.buffer=3000 packets"]);
    let results = report["results"].as_array().unwrap();
    assert_eq!(results[0]["departures"], results[1]["departures"]);
}

#[test]
fn ports_of_a_policy_are_links() {
    let folder = folder(&["lqd"]);
    let policies = "[[policy]]\npolicy = \"lqd.oq\"\n";
    folder.write("scenario.toml", format!("{TRAFFIC}{policies}"));
    let four = &results(&folder, policies)[0];
    assert_eq!((four["openqueue"]["links"].as_u64(), four["packets_dropped"].as_u64()), (Some(4), Some(0)));
    let shown = folder.run(&["run", "scenario.toml"]).ok();
    assert!(shown.contains("lqd"), "{shown}");
}

#[test]
fn changes_are_made_and_reported() {
    let folder = folder(&["mqf", "crr"]);
    folder.write("gone.oq", "x = Queue(9 pkts); out = Port(100)");
    let policies = "[[policy]]\npolicy = \"mqf.oq\"\nparams = { k = 50 }\nchanges = [\n\
        { at = \"1 ms\", policy = \"crr.oq\", params = { k = 50 } },\n\
        { at = \"2 ms\", params = { B = \"8 pkts\" }, transition = \"rerank\" },\n\
        { at = \"3 ms\", policy = \"gone.oq\", transition = \"rerank\" },\n\
        { at = \"90 s\", policy = \"mqf.oq\" },\n]\n";
    let scenario = format!("{TRAFFIC}{policies}");
    folder.write("scenario.toml", &scenario);
    let report = folder.json(&scenario, &[]);
    let changes = report["results"][0]["openqueue"]["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 4);
    assert_eq!((changes[0]["version"].as_u64(), changes[1]["version"].as_u64()), (Some(2), Some(3)));
    assert!(changes[0]["packets_waiting"].as_u64().unwrap() > 0 && changes[0]["last_left_ns"].as_f64().unwrap() > 1e6);
    assert!(changes[2]["refused"].as_str().unwrap().contains("change with drain"), "{}", changes[2]);
    assert!(changes[3]["version"].is_null() && changes[3]["refused"].is_null());
    let shown = folder.run(&["run", "scenario.toml"]).ok();
    for line in ["at 1 ms: version 2, ", "the change to", "was rejected: ", "did not happen: the run ended before it"] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
}

#[test]
fn values_are_replaced_by_the_name_of_the_file() {
    let folder = folder(&["pifo"]);
    folder.write("scenario.toml", format!("{TRAFFIC}[[policy]]\npolicy = \"pifo.oq\"\n"));
    let set = ["run", "scenario.toml", "--format", "json", "--set", "policy.pifo.params.B=7 pkts"];
    let report: Value = serde_json::from_str(&folder.run(&set).ok()).unwrap();
    assert_eq!(report["results"][0]["openqueue"]["params"][0]["value"], "7 pkts");
}

#[test]
fn a_sweep_takes_policies_too() {
    let folder = folder(&["pifo"]);
    folder.write(
        "sweep.toml",
        "repetitions = 2\n[port]\nrate = \"10 Gbps\"\nbuffer = \"80 packets\"\n[traffic]\narrivals = \"poisson\"\nload = 1.2\n\
         packets = 5_000\nrank = { distribution = \"uniform\", min = 0, max = 100 }\n[[policy]]\npolicy = \"pifo.oq\"\n\
         [[policy]]\nname = \"parts\"\nrank = \"packet-rank\"\nqueue = \"pifo\"\ndrop = \"worst-first\"\n",
    );
    let report: Value = serde_json::from_str(&folder.run(&["run", "sweep.toml", "--format", "json"]).ok()).unwrap();
    let results = report["results"].as_array().unwrap();
    assert_eq!(results[0]["quantities"]["drop_share"], results[1]["quantities"]["drop_share"]);
    let first = &results[0];
    assert_eq!((first["queue"].as_str(), first["parameters"]["B"].as_str()), (Some("openqueue"), Some("80 pkts")));
    assert_eq!(first["parameters"]["policy"], "pifo.oq");
}

#[test]
fn what_does_not_fit_is_refused_with_advice() {
    let traffic = "[port]\nrate = \"1 Gbps\"\n[traffic]\narrivals = \"poisson\"\nload = 1\npackets = 10\n";
    let cases = [
        ("policy = \"none.oq\"", "there is no such file"),
        ("policy = \"srpt.oq\"", "srpt.oq reads `processing`, which the packets of this traffic do not have"),
        (
            "policy = \"wsjf-inorder.oq\"",
            "wsjf-inorder.oq reads `processing`, which the packets of this traffic do not have",
        ),
        ("policy = \"lqd.oq\"", "lqd.oq has 4 queues, but neither the policy nor the traffic says"),
        ("policy = \"fifo.oq\"\nqueue = \"pifo\"", "a policy in OpenQueue defines `queue` itself"),
        ("policy = \"fifo.oq\"\nparams = { C = 1 }", "`C`"),
        ("policy = \"fifo.oq\"\nparams = { B = \"1 pkt\" }", "did you mean `pkts`"),
        ("policy = \"fifo.oq\"\nengine = \"slow\"", "must be \"fast\" or \"reference\""),
        ("policy = \"fifo.oq\"\nchanges = [{ params = { B = 1 } }]", "at = \"1 ms\""),
        ("policy = \"fifo.oq\"\nchanges = [{ at = \"1 ms\", transition = \"now\" }]", "must be \"drain\""),
        ("policy = \"fifo.oq\"\nchanges = [{ at = \"2 ms\" }, { at = \"1 ms\" }]", "in order of time"),
        ("policy = \"fifo.oq\"\nchanges = [{ at = \"2 ms\", policy = \"lqd.oq\" }]", "lqd.oq has 4 queues"),
        ("policy = \"fifo.oq\"\nchanges = [{ at = \"2 ms\", policy = \"two.oq\" }]", "keep the ports' names"),
        ("rank = \"arrival\"\nqueue = \"fifo\"", "[port] has no `buffer`"),
    ];
    for (policy, word) in cases {
        let folder = folder(&["fifo", "srpt", "lqd", "wsjf-inorder"]);
        folder.write("two.oq", "q = Queue(9 pkts); other = Port(100)");
        folder.write("scenario.toml", format!("{traffic}[[policy]]\n{policy}\n"));
        let output = folder.run(&["run", "scenario.toml"]);
        assert!(output.status == 2 && output.stderr.contains(word), "{policy}\n{output:?}");
        assert!(output.stderr.starts_with("error: scenario.toml:"), "{output:?}");
    }
}
