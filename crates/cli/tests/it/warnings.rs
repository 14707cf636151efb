//! Implausible results cause warnings: a scenario that warns, and a similar one that does not.

use crate::support::Folder;
use serde_json::Value;

/// The warnings on standard error and in JSON, which are the same.
fn warnings(scenario: &str, set: &[&str]) -> Vec<String> {
    let folder = Folder::new();
    folder.write("s.toml", scenario);
    let set: Vec<&str> = set.iter().flat_map(|value| ["--set", value]).collect();
    let (json, said) = folder.run(&[&["run", "s.toml", "--format", "json"], &set[..]].concat()).ok_with_warnings();
    let result: Value = serde_json::from_str(&json).unwrap();
    let warnings = result["warnings"].as_array().unwrap();
    let warnings: Vec<String> = warnings.iter().map(|warning| warning.as_str().unwrap().to_owned()).collect();
    let lines: Vec<String> = warnings.iter().map(|warning| format!("warning: {warning}")).collect();
    assert_eq!(said.lines().collect::<Vec<_>>(), lines);
    warnings
}

const PORT: &str = r#"
port = { rate = "10 Gbps", buffer = "100 packets" }
traffic = { arrivals = "poisson", load = 0.8, packets = 100_000 }
policy = [{ rank = "arrival", queue = "fifo" }]
"#;

#[test]
fn a_run_at_a_port_that_has_settled_says_nothing() {
    for set in [&[][..], &["traffic.load=1.1", "traffic.packets=400000"], &["traffic.load=[0.5, 0.9]"]] {
        assert_eq!(warnings(PORT, set), Vec::<String>::new(), "{set:?}");
    }
}

#[test]
fn a_queue_that_grows_all_the_time_is_no_steady_state() {
    let growing = warnings(PORT, &["traffic.load=1.1", "port.buffer=\"1000000 packets\"", "traffic.packets=20000"]);
    assert_eq!(growing.len(), 1, "{growing:?}");
    assert!(
        growing[0].starts_with("the run is too short under arrival fifo: the queue had not settled in its first half"),
        "{growing:?}"
    );
}

#[test]
fn a_short_run_counts_the_time_in_which_its_buffer_fills() {
    let early = warnings(PORT, &["traffic.load=2.0", "traffic.packets=2000"]);
    assert!(
        !early.is_empty()
            && early[0].starts_with("counted from 0 s, but under arrival fifo the queue had settled only at "),
        "{early:?}"
    );
}

#[test]
fn a_sweep_must_begin_below_saturation() {
    let said = warnings(PORT, &["traffic.load=[1.2, 1.5]"]);
    assert!(
        said.len() == 1 && said[0].starts_with("at the lowest load of the sweep, 1.2, a link sends for "),
        "{said:?}"
    );
    assert!(warnings(PORT, &["traffic.load=[0.9, 1.5]"]).iter().all(|warning| !warning.contains("sweep")));
}

#[test]
fn a_port_that_sends_long_after_the_last_packet_says_so() {
    let set = ["traffic.load=1.5", "port.buffer=\"1000000 packets\"", "traffic.packets=20000"];
    let said = warnings(PORT, &set);
    let of_load = said.iter().find(|warning| warning.starts_with("the offered load is ")).unwrap();
    assert!(of_load.contains("but the scenario says 1.500: the link sends for "), "{said:?}");
    assert!(warnings(PORT, &["traffic.load=1.5"]).iter().all(|warning| !warning.contains("offered load")));
}

const NETWORK: &str = r#"
[network]
topology = { name = "star", hosts = 8, rate = "1 Gbps" }
duration = "200 ms"
warmup = "20 ms"

[[workload]]
sizes = { name = "uniform", min_bytes = 1000, max_bytes = 100_000 }
load = 0.5

[[policy]]
name = "pFabric"
transport = "pfabric"
port = { rank = "remaining-bytes", queue = "earliest-of-flow", drop = "worst-first", buffer = "24 packets" }
"#;

#[test]
fn a_load_far_from_the_one_asked_for_is_said_with_its_reason() {
    assert_eq!(warnings(NETWORK, &[]), Vec::<String>::new());
    // Some ten flows of web search, half of whose bytes are in one flow of a hundred.
    let said =
        warnings(NETWORK, &["workload.uniform.sizes=web-search", "network.duration=40 ms", "network.warmup=0 s"]);
    let of_load = said.iter().find(|warning| warning.starts_with("the offered load is ")).unwrap();
    assert!(of_load.contains("but the scenario says 0.500: the run is too short; with "), "{said:?}");
}

#[test]
fn what_is_sent_again_and_was_not_lost_is_said() {
    // Queues of a thousand packets hold them for 12 ms: longer than the first timeout, and no packet is lost.
    let of = |timeout: &str| {
        let transport = format!("policy.pFabric.transport={{ name = \"newreno\", min_rto = \"{timeout}\" }}");
        let port = "policy.pFabric.port={ rank = \"arrival\", queue = \"fifo\", buffer = \"1000 packets\" }";
        warnings(NETWORK, &[&transport, port])
    };
    let said = of("200 us");
    let needless = said.iter().find(|warning| warning.contains("were needless")).unwrap_or_else(|| panic!("{said:?}"));
    assert!(needless.contains("and 0 packets were lost; at least 3 % of all segments sent were needless"), "{said:?}");
    let said = of("10 ms");
    assert!(said.iter().all(|warning| !warning.contains("needless")), "{said:?}");
}

/// A recording of UDP packets between two hosts: one byte for each packet, 1 for there and 2 for back.
fn recording(directions: &[u8]) -> Vec<u8> {
    let mut file = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 1, 0, 0, 0];
    for (second, direction) in (0_u32..).zip(directions) {
        let (from, to) = (*direction, 3 - *direction);
        let ethernet = [2, 0, 0, 0, 0, to, 2, 0, 0, 0, 0, from, 8, 0];
        let ip = [0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, from, 10, 0, 0, to];
        let udp = [0, 9, 0, 9, 0, 8, 0, 0];
        let frame = [&ethernet[..], &ip, &udp].concat();
        let length = u32::try_from(frame.len()).unwrap().to_le_bytes();
        file.extend([second.to_le_bytes(), 0_u32.to_le_bytes(), length, length].concat());
        file.extend(frame);
    }
    file
}

#[test]
fn a_recording_of_both_directions_is_no_traffic_of_one_port() {
    let folder = Folder::new();
    folder.write(
        "s.toml",
        "port = { rate = \"10 Mbps\", buffer = \"9 packets\" }\ntraffic = { trace = \"t.pcap\" }\npolicy = [{ rank = \"arrival\", queue = \"fifo\" }]\n",
    );
    folder.write("t.pcap", recording(&[1, 2, 1, 1, 2, 1]));
    let (table, said) = folder.run(&["run", "s.toml"]).ok_with_warnings();
    assert!(
        said.contains("t.pcap: 2 of 6 packets travel in the opposite direction between the same addresses"),
        "{said}"
    );
    assert!(!table.contains("one repetition"), "nothing is random: {table}");
    folder.write("t.pcap", recording(&[1, 1, 1, 1]));
    let said = folder.run(&["run", "s.toml"]).ok_with_warnings().1;
    assert!(said.lines().count() == 1 && said.contains("their senders do not react"), "{said}");
}

#[test]
fn too_few_repetitions_say_how_many_it_would_take() {
    let folder = Folder::new();
    // Two queues that are nearly alike.
    folder.write(
        "s.toml",
        "port = { rate = \"10 Gbps\", buffer = \"40 packets\" }\n\
         traffic = { arrivals = \"poisson\", load = 0.9, packets = 2000, rank = { distribution = \"uniform\", min = 0, max = 99 } }\n\
         policy = [{ name = \"A\", rank = \"packet-rank\", queue = { name = \"sp-pifo\", queues = 8 } }, { name = \"B\", rank = \
         \"packet-rank\", queue = { name = \"sp-pifo\", queues = 9 } }]\n",
    );
    let table = folder.run(&["run", "s.toml"]).ok();
    assert!(table.ends_with("\none repetition: no confidence intervals; `repetitions = 5` gives them\n"), "{table}");
    for arguments in [&["--set", "repetitions=3"][..], &["--set", "repetitions=3", "--baseline", "A"]] {
        let command = [&["run", "s.toml"], arguments].concat();
        let table = folder.run(&command).ok();
        let last = table.lines().last().unwrap();
        let json: Value =
            serde_json::from_str(&folder.run(&[&command[..], &["--format", "json"]].concat()).ok()).unwrap();
        let differences = json["comparison"]["differences"].as_array().unwrap();
        let main = differences.iter().find(|own| own["metric"] == "delay:p99").unwrap();
        let needed = main["repetitions_needed"].as_u64().unwrap_or_else(|| panic!("choose others: {main}"));
        assert!(last.starts_with("the interval of the difference in delay, p99 between "), "{table}");
        let number = if needed > 1000 { "more than 1000".to_owned() } else { format!("about {needed}") };
        assert!(last.ends_with(&format!(" includes 0; {number} repetitions would likely tell them apart")), "{table}");
        assert_eq!(json["comparison"]["notes"][0], last);
    }
}
