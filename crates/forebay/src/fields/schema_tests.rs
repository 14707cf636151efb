//! Tests that the JSON Schema accepts every scenario of the repository, and rejects mistakes that the readers reject.

use super::json_schema::of_type_for_tests;
use super::tests::scenarios;
use super::{SCENARIOS, TABLES, json_schema};
use crate::document::Node;
use crate::question::Question;
use crate::{Changes, demo};
use jsonschema::Validator;
use std::path::{Path, PathBuf};

fn validator() -> Validator {
    jsonschema::draft7::new(&json_schema()).expect("a schema")
}

/// The schema's errors for a text.
fn complaints(validator: &Validator, text: &str) -> Vec<String> {
    let document = Node::parse("scenario", text).expect("TOML").to_json();
    validator.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// Files in TOML of the repository, most of them scenarios.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    ["experiments", "docs/studies", "testdata", "crates/forebay/demo", "crates/forebay/attack"]
        .iter()
        .for_each(|folder| scenarios(&root.join(folder), &mut found));
    found
}

#[test]
fn the_schema_accepts_every_scenario_of_the_repository() {
    let validator = validator();
    let mut accepted = 0;
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        // Traces, published numbers, recipes and settings are files of their own.
        let document = Node::parse("scenario", &text).expect("TOML").to_json();
        if SCENARIOS.iter().all(|kind| document.get(kind.top.within[0].name).is_none()) {
            continue;
        }
        let complaints = complaints(&validator, &text);
        assert!(complaints.is_empty(), "{}: {complaints:#?}", path.display());
        accepted += 1;
    }
    assert!(accepted > 70, "only {accepted} scenarios were found");
}

#[test]
fn the_schema_for_editors_is_this_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/scenario.schema.json");
    let known: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(known == json_schema(), "write it anew: forebay schema > editors/scenario.schema.json");
}

#[test]
fn examples_are_values_that_their_field_takes() {
    let schema = json_schema();
    for table in TABLES {
        for field in table.fields {
            let value = of_type_for_tests(&field.takes, &schema);
            let validator = jsonschema::draft7::new(&value).expect("a schema");
            let line = format!("value = {}", field.example);
            let example =
                Node::parse("example", &line).unwrap_or_else(|error| panic!("{}: {error}", table.name)).to_json();
            let complaints: Vec<String> =
                validator.iter_errors(&example["value"]).map(|error| error.to_string()).collect();
            assert!(complaints.is_empty(), "{} {line}: {complaints:?}", table.name);
        }
    }
}

const PORT: &str = r#"seed = 1
repetitions = 3
until = "1 s"
port = { rate = "1 Gbps", buffer = "80 packets" }
[traffic]
arrivals = "poisson"
load = 0.9
packets = 100
rank = { distribution = "uniform", min = 0, max = 100 }
classes = { 46 = 0.5, 0 = 0.5 }
ecn = true
[[policy]]
rank = { name = "stfq", weights = { 46 = 3 } }
queue = { name = "sp-pifo", queues = 8 }
rank_unit = 10
"#;

const ATTACK: &str = r#"repetitions = 2
[processor]
buffer = "100 packets"
servers = 2
estimate = { sigma = 0.5 }
[innocent]
rate = "1 Gbps"
packets = 1000
size_bytes = 1250
job_ns = 1000
[attack]
rate = { from = "10 Mbps", to = "1 Gbps", steps = 3, spacing = "log" }
max_job = "10 us"
[[policy]]
rank = "arrival"
queue = "fifo"
"#;

const NETWORK: &str = r#"[network]
topology = { name = "leaf-spine", leaves = 2, spines = 2 }
duration = "1 ms"
size_classes = ["100 KB"]
[[workload]]
sizes = "web-search"
load = [0.4, 0.6]
pattern = "all-to-all"
class = 7
[[failure]]
link = "leaf0-spine0"
at = "1 ms"
down = true
[[state]]
at = "leaf*"
key = "flow"
capacity = "20 %"
policy = "lru-seer"
seer = { relay = true, per_gap = 2 }
[[policy]]
transport = { name = "newreno", ecn = true, min_rto = "1 ms" }
port = { rank = "arrival", queue = "fifo", buffer = "80 packets", mark = "threshold" }
"#;

const CACHE: &str = r#"baseline = "lru"
[cache]
trace = { name = "zipf", objects = 300, requests = 2000, skew = [0.7, 0.9] }
capacity = [16, "5%"]
latency = { distribution = "lognormal", mean = 50, sigma = 0.5 }
model = "delayed"
[[policy]]
name = "lru"
[[policy]]
name = "lru-mad"
sample = [4, 16]
"#;

const CURVE: &str = r#"repetitions = 2
[curve]
trace = { mixture = [{ name = "zipf", requests = 2000 }, { name = "scans", requests = 1000, share = 0.3 }] }
latency = { origins = [40, { latency = 90, weight = 2 }] }
points = 3
sample = "50%"
[[policy]]
name = "arc"
"#;

const BOUND: &str = r#"[bound]
trace = "zipf:objects=100,requests=500"
capacity = 8
latency = 20
sizes = "unit"
gap = 1
iterations = 50
exact = false
certificate = "bound.cert"
"#;

const SEARCH: &str = r#"[processor]
buffer = "100 packets"
[innocent]
rate = "1 Gbps"
packets = 1000
application = { name = "tcp-reassembly" }
[attack]
rate = "10 Mbps"
max_job = "10 us"
[search]
packets = 500
period = { from = "20 us", to = "1 ms" }
[[policy]]
rank = "arrival"
queue = "fifo"
"#;

/// The scenario, a text in it, and the mistake that replaces the text.
const MISTAKES: [(&str, &str, &str); 114] = [
    (PORT, "seed = 1", "seed = \"1\""),
    (PORT, "seed = 1", "seed = -1"),
    (PORT, "seed = 1", "sead = 1"),
    (PORT, "until = \"1 s\"", "until = 1"),
    (PORT, "until = \"1 s\"", "until = \"1\""),
    (PORT, "until = \"1 s\"", "until = \"0 s\""),
    (PORT, "until = \"1 s\"", "until = \"1 minute\""),
    (PORT, "rate = \"1 Gbps\"", "rate = \"1 GB\""),
    (PORT, "rate = \"1 Gbps\"", "rate = 1000"),
    (PORT, "rate = \"1 Gbps\", ", ""),
    (PORT, "\"80 packets\"", "\"0 packets\""),
    (PORT, "\"80 packets\"", "\"80 ms\""),
    (PORT, "buffer =", "bufer ="),
    (PORT, "\"poisson\"", "\"poison\""),
    (PORT, "load = 0.9\n", ""),
    (PORT, "load = 0.9", "load = 0.9\nrate = \"1 Gbps\""),
    (PORT, "load = 0.9", "load = 0"),
    (PORT, "load = 0.9", "load = \"90 %\""),
    (PORT, "packets = 100\n", "packets = 1.5\n"),
    (PORT, "max = 100 }", "max = -1 }"),
    (PORT, "\"uniform\"", "\"uniforn\""),
    (PORT, "{ 46 = 0.5,", "{ EF = 0.5,"),
    (PORT, "{ 46 = 0.5,", "{ 256 = 0.5,"),
    (PORT, "ecn = true", "ecn = \"yes\""),
    (PORT, "\"stfq\"", "\"stfk\""),
    (PORT, "{ 46 = 3 }", "\"46:3\""),
    (PORT, "{ 46 = 3 }", "{ 46 = 0 }"),
    (PORT, "queues = 8", "queues = 0"),
    (PORT, "queues = 8", "quees = 8"),
    (PORT, "queue = { name = \"sp-pifo\", queues = 8 }\n", ""),
    (PORT, "rank_unit = 10", "rank_unit = 0"),
    (PORT, "[[policy]]", "[policy]"),
    (PORT, "load = 0.9", "load = [0.8, \"high\"]"),
    (PORT, "load = 0.9", "load = []"),
    (PORT, "repetitions = 3", "repetitions = 0"),
    (PORT, "repetitions = 3", "repetitions = [1, 2]"),
    (PORT, "repetitions = 3", "zip = \"load\""),
    (PORT, "repetitions = 3", "baseline = 1"),
    (ATTACK, "rate = \"1 Gbps\"", "rate = \"1 GHz\""),
    (ATTACK, "steps = 3", "steps = 1"),
    (ATTACK, "from = \"10 Mbps\", ", ""),
    (ATTACK, "max_job = \"10 us\"", "max_job = 10"),
    (ATTACK, "size_bytes = 1250", "size_bytes = 0"),
    (ATTACK, "packets = 1000", "packets = true"),
    (ATTACK, "[attack]", "[atack]"),
    (ATTACK, "servers = 2", "servers = 0"),
    (ATTACK, "servers = 2", "servers = \"two\""),
    (ATTACK, "servers = 2", "server = 2"),
    (ATTACK, "buffer = \"100 packets\"", "buffer = \"100 ms\""),
    (ATTACK, "{ sigma = 0.5 }", "{ sigma = 0 }"),
    (ATTACK, "{ sigma = 0.5 }", "\"trueth\""),
    (ATTACK, "spacing = \"log\"", "spacing = \"logarithmic\""),
    (ATTACK, "steps = 3, ", ""),
    (ATTACK, "size_bytes = 1250", "size_bytes = 1250\ngaps = \"poison\""),
    (ATTACK, "rate = \"1 Gbps\"\n", ""),
    (ATTACK, "max_job = \"10 us\"", "max_job = \"10 us\"\non_off = { period = \"1 ms\" }"),
    (ATTACK, "repetitions = 2", "repetitions = 2\nsearch = { kinds = 5 }"),
    (NETWORK, "\"leaf-spine\"", "\"leaf-spin\""),
    (NETWORK, "leaves = 2", "leafs = 2"),
    (NETWORK, "duration = \"1 ms\"", "duration = \"1 KB\""),
    (NETWORK, "[\"100 KB\"]", "[\"100 us\"]"),
    (NETWORK, "load = [0.4, 0.6]", "load = [0.4, 1.6]"),
    (NETWORK, "class = 7", "class = 256"),
    (NETWORK, "\"all-to-all\"", "{ name = \"all-to-all\", racks = \"ani\" }"),
    (NETWORK, "link = \"leaf0-spine0\"\n", ""),
    (NETWORK, "down = true", "down = true\nup = true"),
    (NETWORK, "key = \"flow\"", "key = \"flows\""),
    (NETWORK, "capacity = \"20 %\"", "capacity = \"20 B\""),
    (NETWORK, "policy = \"lru-seer\"", "policy = \"lruu-seer\""),
    (NETWORK, "ecn = true", "ecn = \"yes\""),
    (NETWORK, "min_rto = \"1 ms\"", "min_rto = \"1 m\""),
    (NETWORK, "mark = \"threshold\"", "mark = { name = \"threshold\", counting = \"arriving\" }"),
    (CACHE, "[cache]", "[cash]"),
    (CACHE, "name = \"zipf\"", "name = \"zip\""),
    (CACHE, "objects = 300", "object = 300"),
    (CACHE, "objects = 300", "objects = \"300\""),
    (CACHE, "requests = 2000", "requests = 0"),
    (CACHE, "skew = [0.7, 0.9]", "skew = [0.7, 9]"),
    (CACHE, "skew = [0.7, 0.9]", "skew = []"),
    (CACHE, "capacity = [16,", "capacity = [0,"),
    (CACHE, "\"5%\"", "\"5 ms\""),
    (CACHE, "distribution = \"lognormal\"", "distribution = \"normal\""),
    (CACHE, "mean = 50", "mean = \"50\""),
    (CACHE, "mean = 50", "mean = \"50 MB\""),
    (CACHE, "sigma = 0.5", "sigma = -1"),
    (CACHE, "sigma = 0.5", "deviation = 0.5"),
    (CACHE, "model = \"delayed\"", "model = \"delay\""),
    (CACHE, "model = \"delayed\"", "modell = \"delayed\""),
    (CACHE, "model = \"delayed\"", "ways = 0"),
    (CACHE, "model = \"delayed\"", "warmup = \"1 s\""),
    (CACHE, "model = \"delayed\"", "bound_seconds = -1"),
    (CACHE, "model = \"delayed\"", "bound_iterations = 0"),
    (CACHE, "model = \"delayed\"", "requests = \"all\""),
    (CACHE, "model = \"delayed\"", "attribute = [\"lru\", \"lru-mat\"]"),
    (CACHE, "latency = { distribution = \"lognormal\", mean = 50, sigma = 0.5 }\n", ""),
    (CACHE, "name = \"lru\"\n", "name = \"lruu\"\n"),
    (CACHE, "name = \"lru\"\n", ""),
    (CACHE, "sample = [4, 16]", "sample = -1"),
    (CACHE, "sample = [4, 16]", "samples = 4"),
    (CACHE, "baseline = \"lru\"", "baseline = true"),
    (CURVE, "{ name = \"scans\",", "{ name = \"scams\","),
    (CURVE, "share = 0.3", "share = 3"),
    (CURVE, "weight = 2", "weight = 0"),
    (CURVE, "latency = 90", "latency = \"90 kHz\""),
    (CURVE, "points = 3", "points = 1"),
    (CURVE, "sample = \"50%\"", "sample = 0.5"),
    (CURVE, "[[policy]]\nname = \"arc\"\n", ""),
    (BOUND, "capacity = 8\n", ""),
    (BOUND, "sizes = \"unit\"", "sizes = \"byte\""),
    (BOUND, "gap = 1", "gap = 101"),
    (BOUND, "exact = false", "exact = \"no\""),
    (SEARCH, "name = \"tcp-reassembly\"", "name = \"tcp-assembly\""),
    (SEARCH, "packets = 500", "packets = 99"),
    (SEARCH, "from = \"20 us\"", "from = \"20\""),
];

#[test]
fn the_schema_and_the_readers_reject_mistakes() {
    let validator = validator();
    let read = |text: &str| Question::parse("scenario", text, &demo::Embedded, &Changes::default());
    for text in [PORT, ATTACK, SEARCH, NETWORK, CACHE, CURVE, BOUND] {
        assert_eq!(complaints(&validator, text), [""; 0], "{text}");
        read(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    }
    for (text, from, to) in MISTAKES {
        assert!(text.contains(from), "{from}");
        let spoiled = text.replacen(from, to, 1);
        assert!(!complaints(&validator, &spoiled).is_empty(), "the schema accepts `{to}` in place of `{from}`");
        let error = read(&spoiled).err().unwrap_or_else(|| panic!("the reader accepts `{to}` in place of `{from}`"));
        assert!(error.line().is_some() && error.message().len() > 20, "{to}: {error}");
    }
}
