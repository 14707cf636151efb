//! Mechanisms of processors, applications and policies against attacks, as a user meets them.

use crate::support::{ATTACK, Folder};
use serde_json::Value;

fn report(folder: &Folder, scenario: &str, sets: &[&str]) -> Value {
    folder.write("s.toml", scenario);
    let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
    let printed = folder.run(&[&["attack", "s.toml", "--format", "json"], &sets[..]].concat()).ok();
    serde_json::from_str(&printed).unwrap()
}

/// The row of a policy at the last attack rate and the last innocent rate.
fn last<'a>(report: &'a Value, policy: &str) -> &'a Value {
    report["results"].as_array().unwrap().iter().rfind(|row| row["policy"] == policy).unwrap()
}

fn number(row: &Value, field: &str) -> f64 {
    row[field].as_f64().unwrap_or_else(|| panic!("{field} in {row}"))
}

fn mean(row: &Value, quantity: &str) -> f64 {
    number(&row["quantities"][quantity], "mean")
}

/// One rate of each side, one repetition.
const ONE: [&str; 3] = ["innocent.rate=9 Gbps", "attack.rate=300 Mbps", "repetitions=1"];

#[test]
fn a_prediction_stands_beside_the_attack_that_it_is_about() {
    let folder = Folder::new();
    let optimal = report(&folder, ATTACK, &ONE);
    assert!(last(&optimal, "FCFS")["predicted"].is_number());
    let given = report(&folder, ATTACK, &[&ONE[..], &["attack.strategy=[{ job='10 us' }]"]].concat());
    assert_eq!(last(&given, "FCFS")["predicted"], Value::Null);
    assert_eq!(given["worst"][0]["predicted"], Value::Null);
}

#[test]
fn turns_find_out_jobs_that_look_small() {
    let folder = Folder::new();
    let fooled = "attack.strategy=[{ job='10 us', estimate='10 ns' }]";
    let harm = |set: &str| {
        let report = report(&folder, ATTACK, &[&ONE[..], &[fooled, set]].concat());
        number(last(&report, "WSJF"), "displacement")
    };
    let (whole, sliced, by_estimate) =
        (harm("repetitions=1"), harm("processor.slice=1.5 us"), harm("processor.slice=estimate"));
    // Each packet has one slice: 586,000 packets per second take 94 % of the time. By its estimate it has hardly any.
    assert!(whole > 29.0 && sliced < whole - 2.0 && by_estimate < whole / 8.0, "{whole} {sliced} {by_estimate}");
    let dear = report(&folder, ATTACK, &[&ONE[..], &["processor.slice=200 ns", "processor.switch_cost=1 us"]].concat());
    assert!(number(last(&dear, "FCFS"), "baseline_gbps") < 4.0, "each job is interrupted four times: {dear}");
    assert_eq!(last(&dear, "WSJF")["bound"], Value::Null, "nobody has proved one");
}

/// Jobs last up to 10 us, and those above 3 us go to one server of four.
#[test]
fn servers_that_are_set_aside_keep_the_others_free_of_the_attack() {
    let folder = Folder::new();
    let four = ["processor.servers=4", "innocent.rate=20 Gbps", "attack.rate=1 Gbps", "repetitions=1"];
    let with = |set: &str| report(&folder, ATTACK, &[&four[..], &[set]].concat());
    let none = with("processor.suspected={ servers=0, job='3 us' }");
    assert_eq!(last(&none, "FCFS")["quantities"]["innocent_suspected"]["mean"], Value::Null);
    assert!(last(&none, "WSJF")["bound"].is_number(), "nothing is set aside");
    // Innocent jobs are 1 us, so that none is suspected, and all of an attack with the largest ones.
    let largest = with("processor.suspected={ servers=1, job='3 us' }");
    let largest_only = report(
        &folder,
        ATTACK,
        &[&four[..], &["processor.suspected={ servers=1, job='3 us' }", "attack.strategy=[{ job='10 us' }]"]].concat(),
    );
    let row = last(&largest_only, "FCFS");
    assert_eq!([mean(row, "innocent_suspected"), mean(row, "attack_suspected")], [0.0, 1.0]);
    assert!(number(row, "displacement").abs() < 0.1 && number(last(&none, "FCFS"), "displacement") > 10.0, "{row}");
    // An attacker who knows the rule sends jobs that are just not suspected.
    let row = last(&largest, "FCFS");
    assert_eq!((&row["strategy"], &row["bound"]), (&Value::from("unsuspected"), &Value::Null));
    assert_eq!(number(row, "attack_job_ns"), 3_000.0);
    assert!(number(row, "displacement") > 5.0, "{row}");
    // The work for a flow reveals jobs that look small, but not if each flow is used once.
    let by_flow = |flows: &str| {
        let strategy = format!("attack.strategy=[{{ job='10 us', estimate='10 ns', flows={flows} }}]");
        let rule = "processor.suspected={ servers=1, flow_work='150 us', window='200 us' }";
        report(&folder, ATTACK, &[&four[..], &[rule, &strategy]].concat())
    };
    let (one, many) = (by_flow("1"), by_flow("0"));
    assert!(mean(last(&one, "FCFS"), "attack_suspected") > 0.9, "{one}");
    assert_eq!(mean(last(&many, "FCFS"), "attack_suspected"), 0.0);
    assert!(number(last(&one, "FCFS"), "goodput_gbps") > 5.0 * number(last(&many, "FCFS"), "goodput_gbps"), "{one}");
}

#[test]
fn the_policy_below_the_watermark_takes_over_under_attack() {
    let folder = Folder::new();
    let below = "below = { goodput = \"8 Gbps\", window = \"20 us\", rank = \"job-ratio\", queue = \"pifo\", \
                 drop = \"worst-first\" }";
    let watched = ATTACK.replacen("name = \"FQ\"", &format!("name = \"FQ\"\n{below}"), 1);
    let harm = |scenario: &str| number(last(&report(&folder, scenario, &ONE), "FQ"), "displacement");
    let (plain, watched) = (harm(ATTACK), harm(&watched));
    assert!(plain > 15.0 && watched < plain / 2.0, "{plain} {watched}");
}

/// TCP reassembly that an attacker works on, with late segments, so that flows need nodes.
fn reassembly(parameters: &str) -> String {
    format!(
        "repetitions = 1\n[processor]\nbuffer = \"1000 packets\"\n[innocent]\nrate = \"10 Gbps\"\npackets = 60_000\n\
         application = {{ name = \"tcp-reassembly\", {parameters} }}\n[attack]\nrate = \"100 Mbps\"\n\
         strategy = \"application\"\n[[policy]]\nname = \"FCFS\"\nrank = \"arrival\"\nqueue = \"fifo\"\n"
    )
}

#[test]
fn patches_of_reassembly_cost_innocent_flows() {
    let folder = Folder::new();
    let row = |parameters: &str| last(&report(&folder, &reassembly(parameters), &[]), "FCFS").clone();
    let [list, capped, tree, buffer, scarce] = [
        "lost = 0.02",
        "lost = 0.02, max_nodes = 4",
        "lost = 0.02, structure = \"tree\"",
        "lost = 0.02, structure = \"buffer\"",
        "lost = 0.02, structure = \"buffer\", memory = \"8 MB\"",
    ]
    .map(row);
    let harm = |row: &Value| number(row, "displacement");
    assert!(harm(&list) > 20.0 && [&capped, &tree, &buffer].iter().all(|row| harm(row) < harm(&list) / 10.0), "{list}");
    let reset = |row: &Value| mean(row, "innocent_flows_reset_baseline");
    assert!(reset(&capped) > 100.0 && reset(&list) < reset(&capped) / 2.0, "{} {}", reset(&capped), reset(&list));
    // Of a thousand innocent flows nearly all have a buffer of 16 KiB.
    let bytes = |row: &Value| mean(row, "application_bytes");
    assert!(bytes(&buffer) > 14e6 && bytes(&tree) < bytes(&buffer) / 10.0, "{buffer} {tree}");
    assert!(mean(&scarce, "application_bytes") <= 8e6 && mean(&scarce, "innocent_flows_reset") > 1_000.0, "{scarce}");
    let printed = folder.run(&["attack", "s.toml"]).ok();
    assert!(["flows reset", "without attack", "memory"].iter().all(|title| printed.contains(title)), "{printed}");
}

#[test]
fn applications_of_the_registry_are_listed_explained_and_attacked() {
    let folder = Folder::new();
    let listed = folder.run(&["list", "applications"]).ok();
    let names = ["tcp-reassembly", "two-stage-matcher", "tuple-space-search", "hash-table", "decompression"];
    assert!(names.iter().all(|name| listed.contains(name)), "{listed}");
    let explained = folder.run(&["explain", "hash-table"]).ok();
    assert!(
        explained.contains("universal") && explained.contains("keys") && explained.contains("entries"),
        "{explained}"
    );
    let attacked = |application: &str, strategy: &str| {
        let scenario = ATTACK.split_once("gaps =").unwrap().0.to_owned()
            + &format!(
                "application = {application}\n[attack]\nrate = \"30 Mbps\"\nstrategy = {strategy}\n\n[[policy]]"
            )
            + ATTACK.split_once("[[policy]]").unwrap().1;
        report(
            &folder,
            &scenario,
            &["innocent.rate=20 Gbps", "repetitions=1", "innocent.packets=50_000", "innocent.warmup=20_000"],
        )
    };
    let public = attacked("\"hash-table\"", "\"application\"");
    let fcfs = last(&public, "FCFS");
    assert_eq!((&public["attack"]["application"], &fcfs["strategy"]), (&"hash-table".into(), &"worst-case".into()));
    let universal = attacked("{ name = \"hash-table\", hash = \"universal\" }", "\"application\"");
    assert!(number(fcfs, "displacement") > 20.0 && number(last(&universal, "FCFS"), "displacement") < 3.0, "{fcfs}");
    let few = attacked("\"hash-table\"", "{ name = \"application\", keys = 50 }");
    assert_eq!(last(&few, "FCFS")["strategy"], "given");
    assert!(number(last(&few, "FCFS"), "displacement") < number(fcfs, "displacement") / 3.0);
    let classifier = attacked("\"tuple-space-search\"", "\"application\"");
    assert!(number(last(&classifier, "FCFS"), "displacement") > 20.0, "{classifier}");
}

#[test]
fn a_recording_of_jobs_is_replayed_with_its_times_and_flows() {
    let folder = Folder::new();
    let mut trace = "time_ns,flow,size_bytes,job_ns\n".to_owned();
    for number in 0..100 {
        // Bursts of ten packets of one flow.
        let time = number / 10 * 20_000 + number % 10;
        trace.push_str(&format!("{time},flow-{},1250,1000\n", number / 10));
    }
    folder.write("trace.csv", trace);
    let before = ATTACK.split_once("gaps =").unwrap().0.to_owned();
    let after = ATTACK.split_once("[attack]").unwrap().1;
    let scenario = before + "replay = \"trace.csv\"\n[attack]" + after;
    let report = report(&folder, &scenario, &["innocent.rate=5 Gbps", "attack.rate=10 Mbps", "repetitions=1"]);
    let asked = &report["attack"];
    assert_eq!((&asked["gaps"], &asked["flows"]), (&"recorded".into(), &10.into()));
    assert!((number(asked, "capacity_gbps") - 10.0).abs() < 1e-9);
    let fcfs = last(&report, "FCFS");
    assert!((number(fcfs, "baseline_gbps") - 5.0).abs() < 0.1, "{fcfs}");
    // Without an attack, packets of a burst wait for those before them, 0 to 9 us. The recording is played again 2 us after its end, so
    // that those of the first burst also wait for 8 us of the last one.
    let wait_ns = mean(fcfs, "innocent_wait_ns_mean") / mean(fcfs, "wait_factor");
    assert!((wait_ns - 5_300.0).abs() < 50.0, "{fcfs}");
}

#[test]
fn a_link_lets_through_what_fits() {
    let folder = Folder::new();
    let fits = report(&folder, ATTACK, &[&ONE[..], &["processor.link=9.3 Gbps"]].concat());
    assert_eq!(fits["results"].as_array().unwrap().len(), 4);
}

#[test]
fn the_studies_of_the_documentation_run() {
    let folder = Folder::new();
    folder.write("replay.csv", include_str!("../../../../docs/studies/replay.csv"));
    for study in [
        include_str!("../../../../docs/studies/applications.toml"),
        include_str!("../../../../docs/studies/reassembly-patches.toml"),
        include_str!("../../../../docs/studies/preemption.toml"),
        include_str!("../../../../docs/studies/replay.toml"),
        include_str!("../../../../docs/studies/watermark.toml"),
        include_str!("../../../../docs/studies/drfq.toml"),
        include_str!("../../../../docs/studies/suspected.toml"),
    ] {
        let short = report(&folder, study, &["innocent.packets=2000", "repetitions=1"]);
        assert!(short["worst"].as_array().unwrap().len() >= 3, "{short}");
    }
}
