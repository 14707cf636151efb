//! Policies that are trees: they run, or are rejected with the place.

use crate::support::Folder;

/// Voice and bulk in one tenant, the rest in another, each offering 60 % of the link.
const TENANTS: &str = r#"
[port]
rate = "1 Gbps"
buffer = "1 MB"

[traffic]
arrivals = "poisson"
load = 1.2
packets = 20_000
flows = 100
flow_bytes = { distribution = "uniform", min = 1000, max = 90_000 }
classes = { 46 = 0.1, 34 = 0.4, 0 = 0.5 }

[[policy]]
name = "tenants"
queue = { name = "hffs", ranks = 1_000_000 }
tree = { rank = "stfq", rank_unit = 16_384, children = [
    { classes = [46, 34], rank = "strict" },
    { classes = [0], rank = "srpt", weight = 3 },
] }
"#;

#[test]
fn a_tree_on_a_shared_queue_reports_what_one_on_pifos_does() {
    let pifos = TENANTS.split("[[policy]]").nth(1).unwrap();
    let pifos = pifos.replace("\"tenants\"", "\"pifos\"").replace("{ name = \"hffs\", ranks = 1_000_000 }", "\"pifo\"");
    let report = Folder::new().json(&format!("{TENANTS}\n[[policy]]{pifos}"), &[]);
    let mut results = report["results"].as_array().unwrap().clone();
    assert_eq!(results[0]["rank"], "stfq(strict, remaining-bytes)");
    assert_eq!((&results[0]["queue"], &results[0]["drop"]), (&"hffs".into(), &"tail".into()));
    assert!(results[0]["packets_dropped"].as_u64().unwrap() > 0);
    assert_eq!(results[0]["inversions"], 0, "ranks are compared within a leaf: {}", results[0]);
    for result in &mut results {
        result.as_object_mut().unwrap().retain(|key, _| !["policy", "queue", "parameters"].contains(&key.as_str()));
    }
    assert_eq!(results[0], results[1]);
}

#[test]
fn a_heavier_tenant_waits_less() {
    let report = Folder::new().json(TENANTS, &["--set", "traffic.load=0.98"]);
    let p50 = |class: usize| report["results"][0]["classes"][class]["delay_ns"]["p50"].as_f64().unwrap();
    assert!(p50(0) < p50(1), "class 0 weighs three times as much as 34: {} {}", p50(0), p50(1));
}

/// A line of the good scenario is replaced, and the error names that line.
#[track_caller]
fn refused(from: &str, to: &str, advice: &str) {
    assert!(TENANTS.contains(from), "{from}");
    let folder = Folder::new();
    folder.write("s.toml", TENANTS.replace(from, to));
    let error = folder.run(&["run", "s.toml"]).refused();
    assert!(error.contains(advice), "{to}: {error}");
    let line = TENANTS.lines().position(|line| line.contains(from)).unwrap() + 1;
    assert!(error.starts_with(&format!("s.toml:{line}: ")), "{to}: not line {line}: {error}");
}

#[test]
fn every_mistake_in_a_tree_names_line_and_fix() {
    let first = "{ classes = [46, 34], rank = \"strict\" }";
    let second = "{ classes = [0], rank = \"srpt\", weight = 3 }";
    refused(second, "{ classes = [0, 34], rank = \"srpt\" }", "class 34 is in two leaves");
    refused(second, "{ classes = [0], rank = \"srtp\" }", "unknown rank function `srtp`");
    refused(second, "{ classes = [0], rank = \"wsjf-inorder\" }", "ranks flows, but a tree takes ranks of packets");
    refused(second, "{ classes = [0], rank = \"edf\" }", "needs packets with slack");
    refused(second, "{ classes = [0], rank = \"srpt\", weight = 0 }", "from 1 to 1000000");
    refused(second, "{ classes = [0], rank = \"srpt\", wight = 2 }", "did you mean `weight`");
    refused(second, "{ classes = [256], rank = \"srpt\" }", "from 0 to 255");
    refused(second, "{ classes = [], rank = \"srpt\" }", "at least one class");
    refused(first, "{ classes = 46, rank = \"strict\" }", "`classes` must be a list");
    refused(first, "{ classes = [46, 34] }", "has no `rank`");
    refused(first, "{ classes = [46, 34], rank = \"wfq\" }", "only be at the root");
    refused(first, "{ classes = [46], children = [], rank = \"strict\" }", "not both");
    let root = "tree = { rank = \"stfq\", rank_unit";
    refused(root, "tree = { rank = \"srpt\", rank_unit", "ignores weights");
    refused(root, "tree = { weight = 2, rank = \"stfq\", rank_unit", "the root shares with nobody");
    let queue = "queue = { name = \"hffs\", ranks = 1_000_000 }";
    refused(queue, "queue = { name = \"hffs\", ranks = 3 }", "ranks = 4 or more");
    refused(queue, "queue = { name = \"hffs\", ranks = 100 }", "rank_unit = ");
    refused(queue, "queue = \"sp-pifa\"", "did you mean `sp-pifo`");
    refused(queue, "queue = \"aifo\"", "name it as the `queue` of leaves");
    refused(root, "tree = { queue = \"packs\", rank = \"stfq\", rank_unit", "may drop one when it holds 0");
    refused(second, "{ classes = [0], rank = \"srpt\", queue = \"sp-pfo\" }", "did you mean `sp-pifo`");
    refused(second, "{ classes = [0], rank = \"stfq\", queue = \"hffs\" }", "rise for ever");
    refused(
        second,
        "{ classes = [0], rank = \"srpt\", queue = { name = \"sp-pifo\", quues = 4 } }",
        "unknown parameter `quues`",
    );
    refused(queue, "queue = { name = \"hffs\", width = 8 }", "unknown parameter `width`");
    refused("buffer = \"1 MB\"", "buffer = \"2 GB\"", "needs 100000000 entries");
}

#[test]
fn what_belongs_to_no_leaf_or_not_to_a_tree_is_refused() {
    let folder = Folder::new();
    let error = |from: &str, to: &str| {
        folder.write("s.toml", TENANTS.replace(from, to));
        folder.run(&["run", "s.toml"]).refused()
    };
    let missing = error("classes = [46, 34], rank", "classes = [46], rank");
    assert!(missing.contains("class 34 (AF41) of this traffic is in no leaf"), "{missing}");
    assert!(error("name = \"tenants\"", "rank = \"strict\"").contains("its own `rank`"));
    assert!(error("name = \"tenants\"", "drop = \"worst-frist\"").contains("did you mean `worst-first`"));
}

/// The tenant that offers more than its share loses its own packets, and no longer the other's.
#[test]
fn a_tree_pushes_out_what_would_leave_last() {
    let tree =
        "tree = { rank = \"stfq\", children = [{ classes = [46], rank = \"arrival\" }, { rank = \"arrival\" }] }";
    let text =
        TENANTS.split("[[policy]]").next().unwrap().replace("1 MB", "100 packets").replace("load = 1.2", "load = 2");
    let text = format!("{text}\n[[policy]]\nqueue = \"pifo\"\ndrop = [\"tail\", \"worst-first\"]\n{tree}\n");
    let report = Folder::new().json(&text, &[]);
    let results = report["results"].as_array().unwrap();
    assert_eq!([&results[0]["drop"], &results[1]["drop"]], [&"tail".into(), &serde_json::Value::from("worst-first")]);
    let dropped = |result: &serde_json::Value| {
        let classes = result["classes"].as_array().unwrap();
        let of = |class: u64| {
            classes.iter().find(|report| report["class"] == class).unwrap()["packets_dropped"].as_u64().unwrap()
        };
        [of(46), of(34) + of(0)]
    };
    let [tail, worst] = [dropped(&results[0]), dropped(&results[1])];
    assert!(tail[0] > 500 && worst[0] == 0 && worst[1] > 8_000, "{tail:?} {worst:?}");

    let folder = Folder::new();
    let refused = |from: &str, to: &str, said: &str| {
        folder.write("s.toml", text.replace("[\"tail\", \"worst-first\"]", "\"worst-first\"").replace(from, to));
        let error = folder.run(&["run", "s.toml"]).refused();
        assert!(error.contains(said), "{error}");
    };
    let paced = "{ classes = [46], rank = \"arrival\", pace = { name = \"delay\", time = \"1 us\" } }";
    refused("{ classes = [46], rank = \"arrival\" }", paced, "leave `pace` out, or use drop = \"tail\"");
    refused("queue = \"pifo\"", "queue = \"sp-pifo\"", "`sp-pifo` cannot give up its worst packet");
}

#[test]
fn a_node_shares_worst_case_fairly_on_a_queue_that_holds_back() {
    let fair = "{ rank = \"wf2q\", queue = \"pieo\", children = [{ classes = [46], rank = \"arrival\" }, \
                { classes = [34], rank = \"arrival\", weight = 2 }] }";
    let tree = format!(
        "tree = {{ rank = \"wf2q\", queue = \"pieo\", children = [{fair}, {{ classes = [0], rank = \"strict\" }}] }}"
    );
    let text = TENANTS.split("[[policy]]").next().unwrap().to_owned() + "[[policy]]\nqueue = \"pifo\"\n" + &tree;
    let report = Folder::new().json(&text, &[]);
    assert_eq!(report["results"][0]["rank"], "wf2q(wf2q(arrival, arrival), strict)");
    assert!(report["results"][0]["packets_out"].as_u64().unwrap() > 10_000, "{report}");
    let folder = Folder::new();
    folder.write("s.toml", text.replacen("queue = \"pieo\", children = [{ classes", "children = [{ classes", 1));
    let error = folder.run(&["run", "s.toml"]).refused();
    assert!(
        error.contains("`pifo` cannot hold packets back, which rank = \"wf2q\" needs; give this node queue = \"pieo\""),
        "{error}"
    );
}
