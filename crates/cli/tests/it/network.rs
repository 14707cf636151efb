//! Networks as a user runs them.

use crate::support::{Folder, NETWORK};
use serde_json::Value;

/// The mean of a quantity of each entry.
pub(crate) fn means(report: &Value, quantity: &str) -> Vec<f64> {
    let results = report["results"].as_array().unwrap();
    results.iter().map(|entry| entry["quantities"][quantity]["mean"].as_f64().unwrap()).collect()
}

#[test]
fn schemes_are_compared_on_the_same_flows() {
    let report = Folder::new().json(NETWORK, &[]);
    let results = report["results"].as_array().unwrap();
    let names: Vec<&str> = results.iter().map(|entry| entry["policy"].as_str().unwrap()).collect();
    assert_eq!(names, ["NewReno", "pFabric", "NewReno", "pFabric"]);
    let loads: Vec<f64> = results.iter().map(|entry| entry["axes"][0]["number"].as_f64().unwrap()).collect();
    assert_eq!(loads, [0.3, 0.3, 0.6, 0.6]);
    assert_eq!(results[0]["axes"][0]["name"], "load");
    let flows = means(&report, "flows");
    assert!(flows[0] > 2.0 && flows[0] == flows[1] && flows[2] == flows[3] && flows[2] > flows[0], "{flows:?}");
    let offered = means(&report, "offered_load");
    assert!(offered.iter().all(|load| (0.05..1.5).contains(load)), "{offered:?}");
    assert_eq!(means(&report, "completed"), flows);
    assert_eq!(report["network"]["runs"], 8);
}

#[test]
fn adding_a_policy_changes_no_other() {
    let folder = Folder::new();
    let two = folder.json(NETWORK, &[]);
    let one = folder.json(NETWORK.split("[[policy]]\nname = \"pFabric\"").next().unwrap(), &[]);
    assert_eq!(one["results"][0], two["results"][0]);
    assert_eq!(one["results"][1], two["results"][2]);
}

#[test]
fn the_same_bytes_on_any_number_of_threads_and_others_with_another_seed() {
    let folder = Folder::new();
    folder.write("s.toml", NETWORK);
    let run = |arguments: &[&str]| folder.run(&[&["run", "s.toml", "--format", "json"], arguments].concat()).ok();
    let one = run(&["--threads", "1"]);
    assert_eq!(one, run(&["--threads", "2"]));
    assert_ne!(one, run(&["--seed", "2"]));
    assert_eq!(run(&["--seed", "2"]), run(&["--set", "seed=2"]));
}

#[test]
fn lists_are_axes_with_short_names() {
    let folder = Folder::new();
    let sets = [
        "--set",
        "repetitions=1",
        "--set",
        "network.topology.hosts=[2, 3]",
        "--set",
        "workload.small.load=[0.3]",
        "--set",
        "policy.NewReno.port.buffer=[\"10 packets\", \"20 packets\"]",
    ];
    let report = folder.json(NETWORK, &sets);
    let axes: Vec<String> = report["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let axes = entry["axes"].as_array().unwrap().iter();
            let axes =
                axes.map(|axis| format!("{}={}", axis["name"].as_str().unwrap(), axis["text"].as_str().unwrap()));
            format!("{}: {}", entry["policy"].as_str().unwrap(), axes.collect::<Vec<_>>().join(" "))
        })
        .collect();
    let expected = [
        "NewReno: hosts=2 load=0.3 buffer=10 packets",
        "NewReno: hosts=2 load=0.3 buffer=20 packets",
        "pFabric: hosts=2 load=0.3",
        "NewReno: hosts=3 load=0.3 buffer=10 packets",
        "NewReno: hosts=3 load=0.3 buffer=20 packets",
        "pFabric: hosts=3 load=0.3",
    ];
    assert_eq!(axes, expected);
}

#[test]
fn table_and_csv_name_policies_and_axes() {
    let folder = Folder::new();
    folder.write("s.toml", NETWORK);
    let table = folder.run(&["run", "s.toml"]).ok();
    for word in ["NewReno", "pFabric", "0.3", "0.6", "10 KB"] {
        assert!(table.contains(word), "{word}: {table}");
    }
    let csv = folder.run(&["run", "s.toml", "--format", "csv"]).ok();
    assert!(csv.starts_with("load,policy,subject,item,metric,unit,repetition,value\n"), "{csv}");
    assert!(csv.lines().any(|line| line.starts_with("0.6,pFabric,all,,flows,flows,1,")), "{csv}");
    assert!(csv.lines().any(|line| line.starts_with("0.6,pFabric,size_class,10 KB to 100 KB,fct:p99,s,1,")), "{csv}");
}

#[test]
fn an_interrupted_sweep_keeps_what_is_finished() {
    let folder = Folder::new();
    let long =
        NETWORK.replace("duration = \"20 ms\"", "duration = \"2 s\"").replace("repetitions = 2", "repetitions = 500");
    folder.write("s.toml", long);
    let output = folder.interrupt_after(1, &["run", "s.toml", "--format", "json"]);
    assert_eq!(output.status, 130, "{}", output.stderr);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    let results = report["results"].as_array().unwrap();
    assert!(results.iter().all(|entry| entry["complete"] == false));
    let finished: usize = results.iter().map(|entry| entry["repetitions"].as_array().unwrap().len()).sum();
    assert!(finished > 0);
    assert_eq!(folder.kept_runs(), finished);
}

#[test]
fn failures_lose_packets_and_flows_find_other_ways() {
    let failure = |happens: &str| {
        let topology = "topology = { name = \"leaf-spine\", leaves = 2, spines = 2, hosts_per_leaf = 2 }";
        let text = NETWORK.replace("topology = { name = \"star\", hosts = 6, rate = \"1 Gbps\" }", topology);
        let text = text
            .replace("links = [\"switch>h1\"]", "links = [\"leaf0>h1\"]")
            .replace("load = [0.3, 0.6]", "load = 0.3");
        format!("{text}\n[[failure]]\nlink = \"leaf0-spine1\"\nat = \"1 ms\"\n{happens}\n")
    };
    let folder = Folder::new();
    for happens in ["down = true", "loss = 0.2"] {
        let report = folder.json(&failure(happens), &[]);
        let lost = means(&report, "all_drops_on_link").iter().all(|&lost| lost > 0.0);
        assert!(lost || happens != "loss = 0.2");
        assert_eq!(means(&report, "completed"), means(&report, "flows"), "{happens}");
    }
    let slow = folder.json(&failure("rate = \"10 Mbps\""), &["--set", "network.until=30 ms"]);
    assert!(means(&slow, "unfinished").iter().all(|&unfinished| unfinished > 0.0));
}

#[test]
fn openqueue_and_topology_files_and_marks_are_taken() {
    let folder = Folder::new();
    folder.write(
        "net.txt",
        "host,a\nhost,b\nhost,c\nswitch,s\nlink,a,s,1 Gbps,1 us\nlink,b,s,1 Gbps,1 us\nlink,s,c,500 Mbps,1 us\n",
    );
    folder.write("tail.oq", include_str!("../../../../policies/fifo.oq"));
    let text = r#"
[network]
topology = { file = "net.txt" }
until = "20 ms"
series = { every = "100 us", links = ["s>c"], flows = [0, 1] }
[[workload]]
sizes = "endless"
pattern = { name = "pairs", pairs = ["a>c", "b>c"], starts = "all" }
arrivals = "constant"
every = "1 ms"
flows = 2
[[policy]]
name = "DCTCP"
transport = "dctcp"
port = { rank = "arrival", queue = "fifo", buffer = "200 packets", mark = { name = "threshold", packets = 20 } }
[[policy]]
name = "policy"
transport = "newreno"
port = { policy = "tail.oq" }
"#;
    let report = folder.json(text, &[]);
    assert_eq!(means(&report, "endless"), [2.0, 2.0]);
    let marks = means(&report, "marks");
    assert!(marks[0] > 0.0 && marks[1] == 0.0, "{marks:?}");
}

#[test]
fn inversions_are_counted_by_rank_and_ranks_are_an_axis() {
    let folder = Folder::new();
    folder.write("net.txt", "host,a\nhost,b\nlink,a,b,1 Gbps,1 us\n");
    let text = r#"
[network]
topology = { file = "net.txt" }
duration = "10 ms"
inversions = ["a>b", "b>a"]
[[workload]]
sizes = { name = "fixed", bytes = 100_000 }
load = 0.8
rank = [
    { distribution = "uniform", min = 0, max = 20 },
    { name = "high", distribution = "uniform", min = 1_000, max = 1_100 },
    { order = "ramps", length = 5, min = 0, max = 4 },
]
[[policy]]
name = "FIFO"
transport = "newreno"
port = { rank = "packet-rank", queue = "fifo", buffer = "80 packets" }
[[policy]]
name = "PIFO"
transport = "newreno"
port = { rank = "packet-rank", queue = "pifo", buffer = "80 packets" }
"#;
    let report = folder.json(text, &["--out", "out"]);
    let results = report["results"].as_array().unwrap();
    let titles: Vec<_> =
        results.iter().map(|entry| (entry["axes"][0]["text"].clone(), entry["policy"].clone())).collect();
    let expected = ["uniform", "high", "ramps"].map(|rank| ["FIFO", "PIFO"].map(|policy| (rank.into(), policy.into())));
    assert_eq!(titles, expected.concat());
    for (place, entry) in results.iter().enumerate() {
        let of_links = entry["inversions_by_rank"].as_array().unwrap();
        let sum = |name: &str| -> f64 {
            let means = of_links.iter().flat_map(|link| link[name]["mean"].as_array().unwrap());
            means.map(|mean| mean.as_f64().unwrap()).sum()
        };
        assert_eq!(of_links.len(), 2);
        assert_eq!(sum("inversions"), means(&report, "inversions")[place]);
        assert_eq!(sum("inversions") > 0.0, entry["policy"] == "FIFO");
        assert_eq!(sum("packets_out"), means(&report, "packet_hops")[place]);
        // Acknowledgements have rank 0; the ranks of data end in bins of 1 and of 16.
        let bins = |link: &Value| (link["bin_width"].as_u64(), link["lowest_rank"].as_array().unwrap().len());
        let expected = [(Some(1), 21), (Some(16), 69), (Some(1), 5)][place / 2];
        assert!(of_links.iter().all(|link| bins(link) == expected), "{entry}");
        assert!(of_links.iter().all(|link| link["inversions"]["mean"][0] == 0.0), "nothing is below rank 0");
    }
    let by_rank = folder.read("out/inversions.svg");
    assert!([">FIFO<", "uniform<", "high<"].iter().all(|text| by_rank.contains(text)));
    let header = ",policy,repetition,link,lowest_rank,bin_width,packets_out,inversions\n";
    assert!(folder.read("out/ranks.csv").contains(header));
    folder.write("s.toml", text.replace("name = \"high\", ", ""));
    let error = folder.run(&["run", "s.toml"]).refused();
    assert!(error.contains("uniform twice; give one a `name`"), "{error}");
}

#[test]
fn the_example_runs() {
    let folder = Folder::new();
    folder.write("s.toml", include_str!("../../../../docs/studies/web-search.toml"));
    let short = ["run", "s.toml", "--set", "network.duration=10 ms", "--set", "network.warmup=1 ms"];
    let table = folder.run(&short).ok();
    for policy in ["DCTCP", "pFabric", "NewReno"] {
        assert!(table.contains(policy), "{table}");
    }
}

#[test]
fn a_run_that_stalls_says_so_and_packets_without_a_way_are_drops() {
    let text = r#"
[network]
topology = { name = "star", hosts = 3, rate = "1 Gbps" }
[[failure]]
link = "switch>h2"
at = "1 ms"
down = true
[[workload]]
sizes = { name = "fixed", bytes = 14600 }
pattern = { name = "pairs", pairs = ["h0>h2"] }
arrivals = "constant"
every = "400 us"
flows = 5
[[policy]]
transport = "ideal"
port = { rank = "arrival", queue = "fifo", buffer = "50 packets" }
"#;
    let folder = Folder::new();
    let report = folder.json(text, &[]);
    assert_eq!(report["results"][0]["ended"][0], "stalled");
    assert_eq!((means(&report, "completed"), means(&report, "unfinished")), (vec![3.0], vec![2.0]));
    // The last two flows have ten packets each.
    for quantity in ["drops", "switch_drops_no_route", "all_drops_no_route"] {
        assert_eq!(means(&report, quantity), [20.0], "{quantity}");
    }
    let table = folder.run(&["run", "s.toml"]).ok();
    assert!(table.contains("no route 20"), "{table}");
    let csv = folder.run(&["run", "s.toml", "--format", "csv"]).ok();
    assert!(csv.contains(",all,,switch_drops_no_route,packets,0,20\n"), "{csv}");
    let finished = folder.json(&text.replace("1 ms", "1 s"), &[]);
    assert_eq!(finished["results"][0]["ended"][0], "finished");
}

#[test]
fn flows_that_never_end_are_no_load_and_workloads_have_lines_of_their_own() {
    let folder = Folder::new();
    let text = NETWORK.replace("[[policy]]\nname = \"NewReno\"", "[[workload]]\nname = \"steady\"\nsizes = \"endless\"\npattern = { name = \"fixed\", src = \"h0\", dst = \"h5\" }\ntransport = { name = \"udp\", rate = \"10 Mbps\" }\nevery = \"1 ms\"\nflows = 4\n[[policy]]\nname = \"NewReno\"");
    folder.write("s.toml", &text);
    let run = |arguments: &[&str]| folder.run(&[&["run", "s.toml"], arguments].concat());
    let table = run(&[]).ok();
    assert!(table.lines().any(|line| line.starts_with("pFabric") && line.contains("  steady ")), "{table}");
    let acknowledged = ["--set", "network.completion=acknowledged", "--format", "json"];
    let output = run(&acknowledged);
    let said = "the transport of workload `steady` sends no acknowledgements, so its flows are complete when received";
    assert!(output.stderr.contains(said), "{}", output.stderr);
    let report: Value = serde_json::from_str(&output.ok()).unwrap();
    assert!(report["warnings"][0].as_str().unwrap().contains(said));
    let gone = ["delivered", "in_network"].map(|where_to| means(&report, &format!("packets_{where_to}")));
    let causes = ["discipline", "shared_buffer", "on_link", "link_down", "no_route"];
    let drops = causes.map(|cause| means(&report, &format!("all_drops_{cause}")));
    for (place, injected) in means(&report, "packets_injected").iter().enumerate() {
        let sum: f64 = gone.iter().chain(&drops).map(|packets| packets[place]).sum();
        assert!((sum - injected).abs() < 1e-6, "{sum} {injected}");
    }
    let alone = text.replace(
        "name = \"small\"\nsizes = \"uniform\"\nload = [0.3, 0.6]",
        "name = \"other\"\nsizes = \"endless\"\nevery = \"1 ms\"\nflows = [1, 2]",
    );
    let report = folder.json(&alone, &["--out", "out"]);
    let load = &report["results"][0]["quantities"]["offered_load"]["mean"];
    assert!(load.is_null(), "{load}");
    assert!(!folder.path("out/fct-by-flows.svg").exists() && folder.path("out/queues.svg").exists());
}
