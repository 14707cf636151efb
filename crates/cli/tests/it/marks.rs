//! Policies that mark packets (ECN).

use crate::support::Folder;
use serde_json::Value;

const TRAFFIC: &str = r#"
[port]
rate = "1 Gbps"
buffer = "100 packets"

[traffic]
arrivals = "poisson"
load = 1.2
packets = 20_000
classes = { 46 = 0.2, 0 = 0.8 }
"#;

fn scenario(ecn: &str, policies: &[(&str, &str)]) -> String {
    let policy = |(name, mark): &(&str, &str)| {
        format!("\n[[policy]]\nname = \"{name}\"\nrank = \"arrival\"\nqueue = \"pifo\"\n{mark}\n")
    };
    format!("{TRAFFIC}{ecn}\n{}", policies.iter().map(policy).collect::<String>())
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap()
}

#[test]
fn packets_are_marked_and_counted_by_class() {
    let policies = [
        ("plain", ""),
        ("threshold", "mark = { name = \"threshold\", bytes = 14_600 }"),
        ("red", "mark = { name = \"red\", min = \"20 packets\", max = \"60 packets\", weight = 0.1 }"),
        ("tcn", "mark = \"tcn\""),
    ];
    let report = Folder::new().json(&scenario("ecn = true", &policies), &[]);
    let results = report["results"].as_array().unwrap();
    assert_eq!((number(&results[0], "packets_marked"), &results[0]["mark"]), (0, &Value::Null));
    for result in &results[1..] {
        let marked = number(result, "packets_marked");
        assert_eq!(number(&result["counters"], "packets_marked"), marked, "all that were marked were sent");
        let classes = result["classes"].as_array().unwrap();
        assert_eq!(classes.iter().map(|class| number(class, "packets_marked")).sum::<u64>(), marked);
        assert!(marked > 1_000 && classes.iter().all(|class| number(class, "packets_marked") > 100), "{result}");
        assert_eq!(result["counters"].get("dropped_unmarked"), None);
        assert_eq!(result["departures"], results[0]["departures"], "a mark moves no packet");
    }
    assert_eq!(results[1]["mark"], "threshold");
}

#[test]
fn packets_that_are_not_capable_have_no_marks_and_red_drops_them() {
    let policies =
        [("threshold", "mark = \"threshold\""), ("red", "mark = { name = \"red\", weight = 1 }"), ("plain", "")];
    let report = Folder::new().json(&scenario("", &policies), &[]);
    let results = report["results"].as_array().unwrap();
    assert!(results.iter().all(|result| number(result, "packets_marked") == 0));
    assert_eq!(results[0]["departures"], results[2]["departures"]);
    let dropped = number(&results[1], "packets_dropped");
    assert!(dropped > 0 && number(&results[1]["counters"], "dropped_unmarked") == dropped, "{}", results[1]);
}

#[test]
fn trees_and_flows_mark_as_well() {
    let tree = "\n[[policy]]\nname = \"tree\"\nqueue = \"pifo\"\nmark = \"threshold\"\ntree = { rank = \"stfq\", children = [\
                { classes = [46], rank = \"arrival\" }, { rank = \"arrival\" }] }\n";
    let flows = "\n[[policy]]\nname = \"flows\"\nrank = \"wsjf-inorder\"\nqueue = \"pifo\"\nmark = \"threshold\"\n";
    let ecn = "ecn = true\nprocessing_ns = 100\n";
    let report = Folder::new().json(&format!("{TRAFFIC}{ecn}{tree}{flows}"), &[]);
    for result in report["results"].as_array().unwrap() {
        assert!(number(result, "packets_marked") > 1_000, "{result}");
    }
}

/// pFabric's queue: no flow is reordered, and little of what a PIFO gains is lost.
#[test]
fn the_earliest_packet_of_the_best_flow_goes() {
    let traffic = TRAFFIC.replace("classes = { 46 = 0.2, 0 = 0.8 }", "flow_bytes = 30_000\nflows = 20");
    let policy = |queue: &str| {
        format!("\n[[policy]]\nname = \"{queue}\"\nrank = \"pfabric\"\nqueue = \"{queue}\"\ndrop = \"worst-first\"\n")
    };
    let report = Folder::new().json(&format!("{traffic}{}{}", policy("pifo"), policy("earliest-of-flow")), &[]);
    let results = report["results"].as_array().unwrap();
    assert_eq!(number(&results[0], "inversions"), 0);
    assert!(number(&results[1], "inversions") > 0, "the packet sent is not that of lowest rank");
    assert_ne!(results[0]["departures"], results[1]["departures"]);
}

#[test]
fn mistakes_are_named_where_they_stand() {
    let folder = Folder::new();
    for (mark, word) in [
        ("mark = \"treshold\"", "did you mean `threshold`?"),
        ("mark = { name = \"threshold\", bytes = 1, packets = 1 }", "not in both"),
        ("mark = 3", "`mark` must be a name"),
    ] {
        folder.write("s.toml", scenario("ecn = true", &[("a", mark)]));
        let error = folder.run(&["run", "s.toml"]).refused();
        assert!(error.starts_with("s.toml:17: ") && error.contains(word), "{error}");
    }
    folder.write("s.toml", scenario("ecn = 1", &[("a", "")]));
    let error = folder.run(&["run", "s.toml"]).refused();
    assert!(error.contains("`ecn` must be true or false, not 1"), "{error}");
    folder.write("p.oq", "");
    folder.write("s.toml", format!("{TRAFFIC}\n[[policy]]\npolicy = \"p.oq\"\nmark = \"red\"\n"));
    let error = folder.run(&["run", "s.toml"]).refused();
    assert!(error.contains("`notify`"), "{error}");
}
