//! `forebay attack` on studies whose jobs an application makes.

use crate::support::{Folder, RECORDING};
use serde_json::Value;

/// TCP reassembly that is over soon.
const TCP: &str = r#"
repetitions = 2

[processor]
buffer = "1000 packets"

[innocent]
rate = "10 Gbps"
packets = 20_000
application = "tcp-reassembly"

[attack]
rate = ["300 Mbps"]

[[policy]]
name = "FCFS"
rank = "arrival"
queue = "fifo"

[[policy]]
name = "SJF"
rank = "job-size"
queue = "pifo"
drop = "worst-first"

[[policy]]
name = "WSJF"
rank = "job-ratio"
queue = "pifo"
drop = "worst-first"
"#;

const MATCHER: &str = "innocent={ rate='0.9 Gbps', packets=20000, application='two-stage-matcher' }";
const OWN_ATTACK: &str = "attack.strategy=application";

fn run(folder: &Folder, sets: &[&str]) -> Value {
    folder.write("s.toml", TCP);
    let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
    let printed = folder.run(&[&["attack", "s.toml", "--format", "json"], &sets[..]].concat()).ok();
    serde_json::from_str(&printed).unwrap()
}

/// The only row of a policy.
fn row<'a>(report: &'a Value, policy: &str) -> &'a Value {
    report["results"].as_array().unwrap().iter().find(|row| row["policy"] == policy).unwrap()
}

fn number(row: &Value, field: &str) -> f64 {
    row[field].as_f64().unwrap_or_else(|| panic!("{field} in {row}"))
}

fn harm(report: &Value, policy: &str) -> f64 {
    number(row(report, policy), "displacement")
}

#[test]
fn reassembly_is_studied_like_drawn_jobs() {
    let report = run(&Folder::new(), &[]);
    let study = &report["attack"];
    assert_eq!(
        [&study["application"], &study["gaps"], &study["estimate"], &study["flows"]],
        [&Value::from("tcp-reassembly"), &"back-to-back".into(), &"told".into(), &1_000.into()]
    );
    assert!((number(study, "capacity_gbps") - 12.0).abs() < 0.15, "{study}");
    // 8,192 nodes of 4 ns, and 677 ns besides: the attacker's `max_job` where nothing is said.
    assert!((number(study, "max_job_ns") - 33_445.0).abs() < 1e-6);
    assert_eq!(report["warnings"], Value::Array(Vec::new()));
    let fcfs = row(&report, "FCFS");
    assert!((number(fcfs, "displacement") / number(fcfs, "predicted") - 1.0).abs() < 0.1, "{fcfs}");
    for (policy, least) in [("SJF", 1.0), ("WSJF", 0.3)] {
        let row = row(&report, policy);
        assert!(number(row, "displacement") > least && number(row, "displacement") < number(row, "bound"), "{row}");
    }
}

#[test]
fn parameters_change_the_application() {
    let folder = Folder::new();
    let study = |parameters: &str| {
        let application = format!("innocent.application={{ name='tcp-reassembly', {parameters} }}");
        run(&folder, &[&application, "innocent.packets=100"])["attack"].clone()
    };
    let costs = study("fixed='1 us', traversal='10 ns', window_bytes=2000");
    assert!((number(&costs, "max_job_ns") - 11_000.0).abs() < 1e-6, "{costs}");
    let dear = study("lost=0.2, overtaken=0.2, flows=7");
    assert!(number(&dear, "mean_job_ns") > 680.0 && dear["flows"] == 7, "{dear}");
    let small = study("flow_bytes={ min=100, max=100, shape=1 }, acknowledgements=0");
    // One segment of 154 B after each SYN of 64 B.
    assert!((number(&small, "mean_packet_bytes") - 109.0).abs() < 0.5, "{small}");
    let matcher = |parameters: &str| {
        let innocent = format!(
            "innocent={{ rate='1 Gbps', packets=100, application={{ name='two-stage-matcher', {parameters} }} }}"
        );
        run(&folder, &[&innocent, "innocent.packets=100", "attack.max_job=1 ms"])["attack"].clone()
    };
    let filter = matcher("rules=1, candidates=0, filter='500 ns', size_bytes=700, flows=3");
    assert!((number(&filter, "mean_job_ns") - 500.0).abs() < 1e-6 && filter["flows"] == 3, "{filter}");
    let all =
        matcher("rules=2, candidates=2, decades=0, matches=0, spread=0, ns_per_byte=2, filter='0 ns', size_bytes=500");
    assert!((number(&all, "mean_job_ns") - 2_000.0).abs() < 1e-3, "two rules of 2 ns on 500 B: {all}");
}

#[test]
fn an_application_says_what_it_expects() {
    let folder = Folder::new();
    // Many late segments and dear lists, so that an estimate is often too high, and by much.
    let late = "innocent.application={ name='tcp-reassembly', lost=0.3, traversal='500 ns' }";
    let rate = "attack.rate=['3 Gbps']";
    let truth = run(&folder, &[late, rate]);
    let estimated = run(&folder, &[late, rate, "processor.estimate=application"]);
    assert_eq!(estimated["attack"]["estimate"], "application");
    assert_eq!(row(&truth, "FCFS"), row(&estimated, "FCFS"), "FCFS does not ask");
    assert!(harm(&truth, "WSJF") < harm(&estimated, "WSJF"), "{} {}", harm(&truth, "WSJF"), harm(&estimated, "WSJF"));
    let roughly = run(&folder, &[late, rate, "processor.estimate={ sigma=1 }"]);
    assert_ne!(row(&truth, "WSJF"), row(&roughly, "WSJF"));
}

#[test]
fn attack_flows_are_worked_on_like_innocent_ones() {
    let folder = Folder::new();
    let best = run(&folder, &[]);
    let own = run(&folder, &[OWN_ATTACK, "innocent.packets=100_000"]);
    assert_eq!(
        (&own["attack"]["strategy"], &own["attack"]["estimate"]),
        (&"application".into(), &"application".into())
    );
    let fcfs = row(&own, "FCFS");
    assert_eq!(
        (&fcfs["strategy"], &fcfs["attack_packet_bytes"], &fcfs["predicted"]),
        (&"longest-flows".into(), &64.into(), &Value::Null)
    );
    // A list grows by a node with each packet, so that packets make half the largest job on average.
    assert!((number(fcfs, "attack_job_ns") / 17_060.0 - 1.0).abs() < 1e-3, "{fcfs}");
    assert!(harm(&own, "FCFS") > 15.0 && harm(&own, "FCFS") < harm(&best, "FCFS"), "{}", harm(&own, "FCFS"));
    let wsjf = row(&own, "WSJF");
    assert!(wsjf["strategy"].as_str().unwrap().starts_with("flows-against-"), "{wsjf}");
    assert!(number(wsjf, "displacement") > 0.2 && number(wsjf, "displacement") < number(wsjf, "bound"), "{wsjf}");
    // Without an attack both kinds of study see the same jobs.
    assert_eq!(
        row(&own, "FCFS")["baseline_gbps"],
        row(&run(&folder, &["innocent.packets=100_000"]), "FCFS")["baseline_gbps"]
    );
}

#[test]
fn given_flows_are_played() {
    let folder = Folder::new();
    let flows = |parameters: &str| {
        let strategy = format!("attack.strategy={{ name='application', {parameters} }}");
        let report = run(&folder, &[&strategy, "policy=[{ name='FCFS', rank='arrival', queue='fifo' }]"]);
        let row = row(&report, "FCFS").clone();
        assert_eq!(row["strategy"], if parameters.contains("out_of_order") { "given" } else { "longest-flows" });
        row
    };
    let [short, long, repeated] =
        ["out_of_order=10", "out_of_order=1000", "out_of_order=1000, repeats=100000"].map(flows);
    let harms = [&short, &long, &repeated].map(|row| number(row, "displacement"));
    assert!(harms.is_sorted() && harms[0] < 3.0 && harms[1] > 5.0 && harms[2] > harms[1] + 1.0, "{harms:?}");
    assert!(number(&repeated, "attack_job_ns") > 4_600.0, "nearly all make the largest job: {repeated}");
    let many = flows("flows=20");
    assert!(number(&many, "displacement") < 15.0, "their lists grow more slowly: {many}");
}

#[test]
fn flows_longer_than_the_study_are_warned_of() {
    let folder = Folder::new();
    folder.write("s.toml", TCP);
    let slow = ["--set", "attack.rate=['100 Mbps']", "--set", OWN_ATTACK];
    let output = folder.run(&[&["attack", "s.toml"], &slow[..]].concat());
    // 8,193 packets of 64 B at 100 Mbps, and 20,000 of some 1,019 B at 10 Gbps.
    let warning = "warning: at an attack of 100 Mbps, the attack needs 41.9 ms to reach its full work, but only 16.3 ms are counted";
    assert!(output.stderr.contains(warning), "{}", output.stderr);
    let enough = folder.run(&["attack", "s.toml", "--set", OWN_ATTACK]);
    assert!(!enough.stderr.contains("warning"), "{}", enough.stderr);
    assert!(output.ok().contains("longest-flows"));
}

#[test]
fn the_dearest_payload_of_a_matcher_is_sent() {
    let folder = Folder::new();
    let report = run(&folder, &[MATCHER, OWN_ATTACK]);
    let fcfs = row(&report, "FCFS");
    assert_eq!(fcfs["strategy"], "dearest-payload");
    assert_eq!(fcfs["attack_job_ns"], report["attack"]["max_job_ns"], "the largest job where nothing is said");
    assert!(harm(&report, "FCFS") > 1.5 && harm(&report, "WSJF").abs() < 0.05, "{fcfs} {}", row(&report, "WSJF"));
    let of_few = run(&folder, &[MATCHER, "attack.strategy={ name='application', searched=100 }"]);
    assert!(number(row(&of_few, "FCFS"), "attack_job_ns") < number(fcfs, "attack_job_ns"));
    // As jobs, and told what the matcher has learnt.
    let jobs = run(&folder, &[MATCHER, "attack.max_job=81 us", "processor.estimate=application"]);
    assert!(harm(&jobs, "WSJF") < number(row(&jobs, "WSJF"), "bound") && harm(&jobs, "FCFS") > 2.0);
}

#[test]
fn a_recording_is_played_from_another_place_with_each_seed() {
    let folder = Folder::new();
    folder.write("mixed.pcap", RECORDING).write("s.toml", TCP);
    let pcap = "innocent.application={ name='tcp-reassembly', pcap='mixed.pcap' }";
    let report = run(&folder, &[pcap, "innocent.rate=5 Gbps"]);
    let study = &report["attack"];
    assert_eq!((&study["gaps"], &study["flows"]), (&"recorded".into(), &188.into()));
    assert_eq!(
        report["warnings"],
        serde_json::json!(["mixed.pcap: 6100 of 20500 packets are not TCP and were left out"])
    );
    let fcfs = row(&report, "FCFS");
    let values = fcfs["displacement_values"].as_array().unwrap();
    assert!(values[0] != values[1] && harm(&report, "FCFS") > 10.0, "{fcfs}");
    let printed =
        |threads| folder.run(&["attack", "s.toml", "--set", pcap, "--format", "csv", "--threads", threads]).ok();
    assert_eq!(printed("1"), printed("4"));
}

#[test]
fn a_search_attacks_an_application_and_leaves_a_scenario() {
    let folder = Folder::new();
    folder.write("mixed.pcap", RECORDING).write("s.toml", TCP);
    let sets = [
        "innocent={ rate='5 Gbps', packets=20000, application={ name='tcp-reassembly', pcap='mixed.pcap' } }",
        "policy=[{ name='FCFS', rank='arrival', queue='fifo' }]",
        "search={ packets=300 }",
        OWN_ATTACK,
    ];
    let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
    let arguments = ["attack", "s.toml", "--search", "--generations", "2", "--format", "json", "--out", "found"];
    let found: Value = serde_json::from_str(&folder.run(&[&arguments[..], &sets].concat()).ok()).unwrap();
    assert_eq!(found["attack"]["estimate"], "told", "a search tries jobs, and not the application's own attack");
    let again = folder.run(&["attack", "found/attack-FCFS-5.toml", "--format", "json"]).ok();
    let again: Value = serde_json::from_str(&again).unwrap();
    let (found, again) = (&found["results"][0], &again["results"][0]);
    assert!((number(found, "displacement") / number(again, "displacement") - 1.0).abs() < 0.05, "{found} {again}");
}

#[test]
fn the_studies_of_the_documentation_run() {
    let folder = Folder::new();
    for (study, policies) in [
        (include_str!("../../../../docs/studies/tcp-reassembly.toml"), 5),
        (include_str!("../../../../docs/studies/two-stage-matcher.toml"), 4),
    ] {
        folder.write("d.toml", study);
        for more in [&[][..], &["--set", OWN_ATTACK]] {
            let few =
                ["attack", "d.toml", "--format", "json", "--set", "innocent.packets=2000", "--set", "repetitions=1"];
            let report: Value = serde_json::from_str(&folder.run(&[&few[..], more].concat()).ok()).unwrap();
            assert_eq!(report["worst"].as_array().unwrap().len(), 2 * policies);
            let attacker = &report["attack"];
            for row in report["results"].as_array().unwrap() {
                assert!(number(row, "attack_job_ns") <= number(attacker, "max_job_ns") + 0.001, "{row}");
                assert!(number(row, "attack_packet_bytes") >= number(attacker, "min_packet_bytes"), "{row}");
            }
        }
    }
}
