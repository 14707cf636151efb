//! Policies that rank flows instead of packets, and ranks counted as floats.

use crate::support::Folder;

const JOBS: &str = r#"
[port]
rate = "1 Gbps"
buffer = "40 packets"

[traffic]
arrivals = "poisson"
load = 1.3
packets = 20_000
flows = 20
processing_ns = { distribution = "uniform", min = 100, max = 100_000 }
"#;

fn policy(name: &str, rest: &str) -> String {
    format!("\n[[policy]]\nname = \"{name}\"\ndrop = \"worst-first\"\n{rest}\n")
}

#[test]
fn flows_are_ranked_on_each_queue_that_can_order_them() {
    let mut scenario = JOBS.to_owned();
    for rank in ["job-ratio-inorder", "job-size-inorder", "job-ratio-head"] {
        scenario += &policy(&format!("{rank} pifo"), &format!("rank = \"{rank}\"\nqueue = \"pifo\""));
        let unit = "rank_unit = { steps_per_doubling = 256 }";
        scenario += &policy(&format!("{rank} hffs"), &format!("rank = \"{rank}\"\nqueue = \"hffs\"\n{unit}"));
    }
    let report = Folder::new().json(&scenario, &[]);
    let results = report["results"].as_array().unwrap();
    for pair in results.chunks(2) {
        assert_eq!(pair[0]["rank"], pair[1]["rank"]);
        assert_eq!(pair[1]["counters"], serde_json::json!({}), "all ranks fit in floats");
        let out = pair[0]["packets_out"].as_u64().unwrap();
        assert!((15_000..16_000).contains(&out), "1 / 1.3 of 20,000: {out}");
        let mean = |result: &serde_json::Value| result["delay_ns"]["mean"].as_f64().unwrap();
        assert!((mean(&pair[0]) - mean(&pair[1])).abs() < 0.1 * mean(&pair[0]), "{} {}", pair[0], pair[1]);
    }
}

#[test]
fn floats_keep_the_order_of_ratios_within_their_steps() {
    let exact = policy("exact", "rank = \"job-ratio\"\nqueue = \"pifo\"");
    let float = policy("float", "rank = \"job-ratio\"\nqueue = \"hffs\"\nrank_unit = { steps_per_doubling = 256 }");
    let coarse = policy("coarse", "rank = \"job-ratio\"\nqueue = \"hffs\"\nrank_unit = { steps_per_doubling = 1 }");
    let clamped = policy("clamped", "rank = \"job-ratio\"\nqueue = \"hffs\"");
    let report = Folder::new().json(&format!("{JOBS}{exact}{float}{coarse}{clamped}"), &[]);
    let inversions = |at: usize| report["results"][at]["inversions"].as_u64().unwrap();
    let order: Vec<u64> = (0..4).map(inversions).collect();
    assert!(order[0] == 0 && order[1] * 10 < order[2].min(order[3]), "{order:?}");
}

#[test]
fn what_orders_flows_is_not_recorded_and_not_in_every_queue() {
    let folder = Folder::new();
    folder.write("s.toml", format!("{JOBS}{}", policy("a", "rank = \"wsjf-inorder\"\nqueue = \"pifo\"")));
    let error = folder.run(&["run", "s.toml", "--record-ops", "ops"]).refused();
    assert!(error.contains("`job-ratio-inorder` orders flows"), "{error}");
    folder.write("s.toml", format!("{JOBS}{}", policy("a", "rank = \"wsjf-inorder\"\nqueue = \"sp-pifo\"")));
    let error = folder.run(&["run", "s.toml"]).refused();
    assert!(error.starts_with("s.toml:17: ") && error.contains("use queue = \"pifo\" or \"hffs\""), "{error}");
}
