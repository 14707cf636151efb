//! Tests that results of all kinds match the schema, and damaged ones do not.

use super::result_schema;
use crate::attack::AttackScenario;
use crate::attack::search::{self, Budget};
use crate::demo::{Embedded, SCENARIO};
use crate::document::Node;
use crate::observer::Silent;
use crate::{Changes, Question, Session};
use jsonschema::Validator;
use serde_json::{Value, json};

const PORTS: &str = r#"
repetitions = 2
port = { rate = "1 Gbps", buffer = "20 packets" }
[traffic]
arrivals = "poisson"
load = [0.5, 0.9]
packets = 500
rank = { distribution = "uniform", min = 0, max = 100 }
[[policy]]
rank = "packet-rank"
queue = "fifo"
[[policy]]
rank = "packet-rank"
queue = { name = "sp-pifo", queues = 8 }
"#;

const NETWORK: &str = r#"
repetitions = 2
network = { topology = { name = "star", hosts = 4 }, duration = "1 ms", size_classes = ["10 KB"], inversions = ["switch>h0"] }
workload = [{ sizes = { name = "fixed", bytes = 20000 }, load = [0.3, 0.6] }]
state = [{ at = "switch*", key = "flow", capacity = 64, policy = "lru" }]
policy = [{ transport = "newreno", port = { rank = "arrival", queue = "fifo", buffer = "100 packets" } }]
"#;

const ATTACK: &str = include_str!("../../attack/example.toml");

const CACHE: &str = r#"
repetitions = 2
cache = { trace = "zipf:objects=100,requests=2e3,skew=0.9", capacity = [8, 16], latency = 10, bound_seconds = 0.01 }
policy = [{ name = "lru" }, { name = "lru-mad" }, { name = "belady" }]
"#;

const CURVE: &str = r#"
curve = { trace = "zipf:objects=100,requests=2e3,skew=0.9", latency = [10, 100], points = 3 }
policy = [{ name = "lru" }]
"#;

const BOUND: &str = r#"
bound = { trace = "zipf:objects=100,requests=2e3,skew=0.9", capacity = 8, latency = 10, iterations = 10 }
"#;

fn result(scenario: &str) -> Value {
    let set = if scenario == ATTACK { vec!["innocent.packets=500".to_owned()] } else { Vec::new() };
    let question = Question::parse("scenario", scenario, &Embedded, &Changes { set, ..Changes::default() });
    let question = question.unwrap_or_else(|error| panic!("{error}: {scenario}"));
    let answer = question.run(&Session::default()).unwrap();
    serde_json::from_str(&answer.json().unwrap()).unwrap()
}

fn complaints(validator: &Validator, result: &Value) -> Vec<String> {
    let complaint = |error: jsonschema::ValidationError<'_>| format!("{}: {error:.300}", error.instance_path());
    validator.iter_errors(result).map(complaint).collect()
}

fn validator() -> Validator {
    jsonschema::draft7::new(&result_schema()).expect("a schema")
}

#[test]
fn results_of_all_kinds_are_as_the_schema_says() {
    let validator = validator();
    for (scenario, kind) in [
        (SCENARIO, "port"),
        (PORTS, "port"),
        (NETWORK, "network"),
        (ATTACK, "attack"),
        (CACHE, "cache"),
        (CURVE, "curve"),
        (BOUND, "bound"),
    ] {
        let result = result(scenario);
        assert_eq!((&result["schema_version"], &result["kind"]), (&json!(super::SCHEMA_VERSION), &json!(kind)));
        let complaints = complaints(&validator, &result);
        assert!(complaints.is_empty(), "{kind}: {complaints:#?}");
    }
}

#[test]
fn searches_for_attacks_are_as_the_schema_says() {
    let mut document = Node::parse("attack", ATTACK).unwrap();
    for set in [
        "innocent.packets=500",
        "search.packets=100",
        "attack.rate='100 Mbps'",
        "innocent.rate='5 Gbps'",
        "policy=[{ rank='arrival', queue='fifo' }]",
    ] {
        document.set(set).unwrap();
    }
    let scenario = AttackScenario::read(&document, "attack", None, &Embedded).unwrap();
    let budget = Budget::Generations(1);
    let report = search::run(&scenario, budget, &|| std::time::Duration::ZERO, &Silent).unwrap();
    let complaints = complaints(&validator(), &serde_json::to_value(&report).unwrap());
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn damaged_results_are_refused() {
    let validator = validator();
    let results = [PORTS, NETWORK, CACHE, BOUND, ATTACK].map(result);
    let [port, network, cache, bound, attack] = &results;
    let damages: [(&Value, &str, Option<Value>); 27] = [
        (port, "/schema_version", Some(json!(2))),
        (port, "/schema_version", None),
        (port, "/kind", Some(json!("ports"))),
        (port, "/kind", Some(json!("network"))),
        (port, "/seed", Some(json!("1"))),
        (port, "/warnings", Some(json!("none"))),
        (port, "/port/rate_bps", None),
        (port, "/port/rate_bps", Some(json!(-1))),
        (port, "/results/0/policy", None),
        (port, "/results/0/quantities/delay_ns_p99/mean", Some(json!("5 us"))),
        (port, "/results/0/quantities/delay_ns_p99/ci95", None),
        (port, "/results/0/quantities/delay_ms", Some(json!({ "mean": 1, "ci95": null, "values": [1] }))),
        (port, "/results/0/axes/0/text", None),
        (network, "/results/0/ended/0", Some(json!("crashed"))),
        (network, "/results/0/groups/0/quantities", None),
        (network, "/results/0/groups/0/sizes", Some(json!("all"))),
        (network, "/network/completion", Some(json!("sent"))),
        (cache, "/results/0/hits", Some(json!("many"))),
        (cache, "/results/0/model", Some(json!("slow"))),
        (cache, "/traces/0/latency_unit", Some(json!("ms"))),
        (attack, "/attack/servers", Some(json!("2"))),
        (attack, "/worst/0/holds", Some(json!("yes"))),
        (attack, "/worst/0/strategy", Some(json!("worst"))),
        (attack, "/results/0/displacement", None),
        (attack, "/results/0/quantities/displaced", Some(json!({ "mean": 1, "ci95": null, "values": [1] }))),
        (bound, "/results/0/lower", None),
        (bound, "/results/0/gap", Some(json!(null))),
    ];
    for (whole, path, damage) in damages {
        let mut result = whole.clone();
        let (parent, name) = path.rsplit_once('/').unwrap();
        let parent = result.pointer_mut(parent).unwrap_or_else(|| panic!("{path}"));
        match damage {
            Some(value) if parent.is_array() => parent[name.parse::<usize>().unwrap()] = value,
            Some(value) => parent[name] = value,
            None => assert!(parent.as_object_mut().unwrap().remove(name).is_some(), "{path}"),
        }
        assert!(
            !complaints(&validator, &result).is_empty(),
            "{path}: {}",
            result.pointer(path).unwrap_or(&Value::Null)
        );
    }
}

#[test]
fn the_schema_for_programs_is_this_one() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/result.schema.json");
    let known: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(known == result_schema(), "write it anew: forebay schema --results > editors/result.schema.json");
}
