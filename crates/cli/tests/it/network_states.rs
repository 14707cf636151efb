//! States in switches, as a scenario has them.

use crate::support::{Folder, NETWORK};
use serde_json::Value;

/// [`NETWORK`] with a `[[state]]` that has these fields besides.
fn with_states(fields: &str) -> String {
    let state = format!("[[state]]\nat = \"switch\"\nkey = \"flow\"\npolicy = \"lru\"\n{fields}\n\n[[policy]]");
    NETWORK.replace("load = [0.3, 0.6]", "load = 0.6").replacen("[[policy]]", &state, 1)
}

fn means(report: &Value, quantity: &str) -> Vec<f64> {
    let results = report["results"].as_array().unwrap();
    let of = |result: &Value| result["states"][0]["quantities"][quantity]["mean"].as_f64().unwrap();
    results.iter().map(of).collect()
}

#[test]
fn what_holds_all_states_misses_each_once() {
    let folder = Folder::new();
    let fields = "capacity = \"100 %\"\nways = \"full\"\noptimum = true";
    // Everything is counted, to the last packet.
    let text = with_states(fields).replace("duration = \"20 ms\"\nwarmup = \"2 ms\"\n", "");
    let report = folder.json(&text.replace("load = 0.6", "load = 0.6\nflows = 100"), &[]);
    let [states, misses, fetches] = ["states", "misses", "fetches"].map(|name| means(&report, name));
    assert!(states == [200.0; 2] && misses == states && fetches == states, "{states:?} {misses:?}");
    assert_eq!(means(&report, "entries"), states);
    assert_eq!(means(&report, "optimum_misses"), states);
    let sum: Vec<f64> = ["hits", "delayed_hits", "misses"].map(|name| means(&report, name)[0]).to_vec();
    assert!((sum.iter().sum::<f64>() - means(&report, "accesses")[0]).abs() < 1e-6);
}

#[test]
fn a_share_of_the_states_that_are_alive_does_not_grow_with_the_run() {
    let folder = Folder::new();
    let entries = |of: &str, duration: &str| {
        let text = with_states(&format!("capacity = \"50 %\"\nof = \"{of}\"\nways = 1"));
        let text = text.replace("sizes = \"uniform\"", "sizes = { name = \"fixed\", bytes = 3000 }");
        means(
            &folder.json(&text.replace("duration = \"20 ms\"", &format!("duration = \"{duration}\"")), &[]),
            "entries",
        )[0]
    };
    let [short, long] = ["20 ms", "40 ms"].map(|duration| entries("alive", duration));
    assert!(short <= long && long < 1.5 * short, "{short} {long}");
    let [all_short, all_long] = ["20 ms", "40 ms"].map(|duration| entries("node", duration));
    assert!(short < 0.5 * all_short && all_long > 1.7 * all_short, "{short} {all_short} {all_long}");
    // Flows that all start at once are all alive then.
    let text = with_states("capacity = \"50 %\"\nof = [\"node\", \"alive\"]\nways = 1");
    let text = text.replace("load = 0.6", "every = \"1 ns\"\nflows = 40\narrivals = \"constant\"");
    assert_eq!(means(&folder.json(&text, &[]), "entries"), [40.0; 4]);
}

#[test]
fn misses_cost_time_and_policies_compare_policies_on_the_same_flows() {
    let folder = Folder::new();
    let fields = "capacity = \"5 %\"\nlatency = \"200 us\"\nparallel = 1\nwaiting_packets = 40\noptimum = true";
    let text = with_states(fields).replace(
        "transport = \"newreno\"\n",
        "transport = \"newreno\"\nstate_policy = [\"lru\", \"random\", \"belady\"]\n",
    );
    let report = folder.json(&text, &[]);
    let results = report["results"].as_array().unwrap();
    let policies: Vec<&str> = results.iter().map(|result| result["states"][0]["policy"].as_str().unwrap()).collect();
    assert_eq!(policies, ["lru", "random", "belady", "lru"]);
    assert_eq!(results[1]["axes"][0]["name"], "state_policy");
    let of_run = |place: usize, name: &str| results[place]["quantities"][name]["mean"].as_f64().unwrap();
    assert!((0..4).all(|place| of_run(place, "flows") == of_run(0, "flows")));
    assert!(of_run(0, "all_drops_state") >= of_run(0, "switch_drops_state") && of_run(0, "switch_drops_state") > 0.0);
    let without = folder.json(&NETWORK.replace("load = [0.3, 0.6]", "load = 0.6"), &[]);
    let fct = |report: &Value| report["results"][0]["groups"][0]["quantities"]["fct_ns_mean"]["mean"].as_f64().unwrap();
    assert!(fct(&report) > 1.2 * fct(&without), "{} {}", fct(&report), fct(&without));
    assert!(without["results"][0].get("states").is_none());
    let warnings = report["warnings"].to_string();
    assert!(warnings.contains("runs twice") && warnings.matches("runs twice").count() == 1, "{warnings}");
}

#[test]
fn every_cache_has_a_line_and_tables_name_states_and_policies() {
    let folder = Folder::new();
    folder.write("s.toml", with_states("capacity = 16"));
    let table = folder.run(&["run", "s.toml", "--out", "out"]).ok();
    assert!(table.contains("flow at switch") && table.contains("misses"), "{table}");
    let csv = folder.read("out/states.csv");
    let lines: Vec<&str> = csv.lines().collect();
    let header = "policy,repetition,state,node,key,state_policy,states,entries,accesses,";
    assert!(lines[0].starts_with(header) && lines.len() == 1 + 4, "{csv}");
    assert!(lines[1].starts_with("NewReno,0,flow at switch,switch,flow,lru,"), "{csv}");
    let csv = folder.run(&["run", "s.toml", "--format", "csv"]).ok();
    assert!(csv.contains("NewReno,state,flow at switch,miss_share,1,1,"), "{csv}");
}

/// [`with_states`] on links that queue, with these policies in its one policy.
fn told(policies: &str, seer: &str) -> String {
    let text = with_states("capacity = \"10 %\"\nlatency = \"2 us\"\noptimum = true");
    let text = &text[..text.find("[[policy]]\nname = \"pFabric\"").unwrap()];
    text.replace("transport = \"newreno\"\n", &format!("transport = \"newreno\"\nstate_policy = {policies}\n{seer}\n"))
}

#[test]
fn who_is_told_what_comes_waits_less() {
    let folder = Folder::new();
    let text = told("[\"lru\", \"lru-seer\"]", "").replace("optimum = true", "acknowledgements = false");
    let report = folder.json(&text, &[]);
    let results = report["results"].as_array().unwrap();
    let policies: Vec<&str> = results.iter().map(|result| result["states"][0]["policy"].as_str().unwrap()).collect();
    assert_eq!(policies, ["lru", "lru-seer"]);
    let [misses, fetches, waits] = ["misses", "fetches", "mean_wait_ns"].map(|name| means(&report, name));
    assert!(misses[1] < 0.7 * misses[0] && waits[1] < 0.8 * waits[0], "{misses:?} {waits:?}");
    let of_told = |name: &str| results[1]["states"][0]["quantities"][name]["mean"].as_f64().unwrap();
    assert!((fetches[1] - misses[1] - of_told("prefetches")).abs() < 1e-6 && (fetches[0] - misses[0]).abs() < 1e-6);
    assert!(of_told("fpms_used") > 100.0 && of_told("fpms_made") > 100.0, "{results:?}");
    assert_eq!([of_told("mistimed"), of_told("fpms_dropped"), of_told("fpms_lost")], [0.0; 3]);
    assert!(of_told("mean_lead_ns") > 1_000.0 && of_told("mean_known") >= 1.0 && of_told("fpm_bps") > 0.0);
    assert!(results[0]["states"][0]["quantities"]["prefetches"]["mean"].is_null());
}

#[test]
fn what_is_told_and_how_can_be_chosen() {
    let folder = Folder::new();
    let silent = "state_seer = { idle = \"after\", per_gap = 0, threshold = \"never\" }";
    let report = folder.json(&told("\"seer\"", silent), &[]);
    // Nothing is ever sent.
    assert!(means(&report, "fpms_made")[0] > 0.0 && means(&report, "fpms_sent") == [0.0]);
    assert_eq!(means(&report, "prefetches"), [0.0]);
    let control = "state_seer = { per_gap = 0, threshold = 0, interval = \"0 ns\", per_control = 6, control_bytes = 84, \
                   queue = 500, list = 500, iteration = \"20 ns\", after_failure = [\"block\", \"next\", \"stop\"], to_x = \
                   \"next-iteration\", admit = \"always\", horizon = \"20 us\", patience = \"1 ms\", from = \"h*\" }";
    let report = folder.json(&told("\"arc-seer\"", control), &[]);
    let shares = means(&report, "control_share");
    assert!(shares.len() == 3 && shares.iter().all(|share| *share > 0.0 && *share < 0.1), "{shares:?}");
    assert_eq!(report["results"][0]["axes"][0]["name"], "after_failure");
}

#[test]
fn ports_of_strict_priorities_tell_when_packets_come() {
    let folder = Folder::new();
    let text = told("\"lru-seer\"", "")
        .replace(
            "port = { rank = \"arrival\", queue = \"fifo\", ",
            "port = { rank = { name = \"strict\", order = [2, 7] }, queue = \"pifo\", mark = \"threshold\", ",
        )
        .replace(
            "load = 0.6",
            "load = 0.3\n\n[[workload]]\nname = \"urgent\"\nsizes = \"uniform\"\nload = 0.3\nclass = 2",
        );
    let report = folder.json(&text, &[]);
    assert!(means(&report, "fpms_used")[0] > 1_000.0 && means(&report, "mistimed") == [0.0]);
    let table = folder.write("s.toml", &text).run(&["run", "s.toml", "--out", "out"]).ok();
    assert!(table.contains("lru-seer") && table.contains("ns before"), "{table}");
    let csv = folder.read("out/states.csv");
    let lines: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert!(lines == [2 + 42; 3] && csv.contains(",mean_known\n"), "{csv}");
}

#[test]
fn what_goes_wrong_with_notifications_is_seen() {
    let folder = Folder::new();
    let seer = |fields: &str| told("\"lru-seer\"", &format!("state_seer = {{ {fields} }}"));
    let plain = folder.json(&told("\"lru\"", ""), &[]);
    // A cache without notifications acts like its policy. It learns nothing of losses either, except of control
    // packets.
    for fields in ["taking_part = 0", "loss = 1, threshold = \"never\""] {
        let report = folder.json(&seer(fields), &[]);
        for name in ["accesses", "hits", "delayed_hits", "misses", "mean_wait_ns", "evictions", "refused"] {
            assert_eq!(means(&report, name), means(&plain, name), "{fields} {name}");
        }
    }
    let report = folder.json(&seer("loss = [0, 0.1, 0.5]"), &[]);
    let [lost, sent, misses] = ["fpms_lost", "fpms_sent", "misses"].map(|name| means(&report, name));
    assert!(lost[0] == 0.0 && (lost[2] / sent[2] - 0.5).abs() < 0.05, "{lost:?} {sent:?}");
    assert!(misses.is_sorted() && misses[0] < misses[2], "{misses:?}");
    let table = folder.write("s.toml", seer("loss = [0, 0.1]")).run(&["run", "s.toml"]).ok();
    assert!(table.contains("of told, %") && table.contains("timed, %"), "{table}");
    for fields in ["jitter = \"1 us\"", "clock_rate = 1.5", "clock_error = \"1 us\"", "clock_step = \"3 us\""] {
        let report = folder.json(&seer(fields), &[]);
        let [mistimed, mean, most] = ["mistimed", "mean_error_ns", "max_error_ns"].map(|name| means(&report, name)[0]);
        assert!(mistimed > 1_000.0 && mean > 100.0 && most >= mean, "{fields}: {mistimed} {mean} {most}");
    }
    let report = folder.json(&seer("taking_part = [0.5, 1], after_eviction = [\"keep\", \"refetch\"]"), &[]);
    let made = means(&report, "fpms_made");
    assert!(made[0] < 0.8 * made[1] && means(&report, "mistimed") == [0.0; 4], "{made:?}");
}

#[test]
fn neighbours_pass_on_what_they_are_told() {
    let folder = Folder::new();
    let text = told("\"lru-seer\"", "state_seer = { relay = [false, true] }")
        .replace(
            "name = \"star\", hosts = 6, rate = \"1 Gbps\"",
            "name = \"leaf-spine\", leaves = 2, spines = 2, hosts_per_leaf = 3, access_rate = \"1 Gbps\"",
        )
        .replace("at = \"switch\"", "at = \"spine*\"")
        .replace("switch>h1", "leaf0>h1");
    let report = folder.json(&text, &[]);
    let [forecasts, replaced, ended, lead] =
        ["forecasts", "forecasts_replaced", "fpms_ended", "mean_lead_ns"].map(|name| means(&report, name));
    assert!(forecasts[0] == 0.0 && ended[0] == 0.0 && forecasts[1] > 1_000.0, "{forecasts:?}");
    assert!(replaced[1] > 0.8 * forecasts[1] && ended[1] > forecasts[1], "{replaced:?} {ended:?}");
    assert!(lead[1] > 1.2 * lead[0], "{lead:?}");
}
