//! `forebay advise`: from a recording to an answer.

use crate::support::{Folder, RECORDING};
use serde_json::Value;
use std::process::Command;

const LINK: [&str; 4] = ["--rate", "20Mbps", "--buffer", "1000packets"];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("mixed.pcap", RECORDING);
    folder
}

fn advise<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["advise", "mixed.pcap"], &LINK[..], arguments].concat()
}

/// The words of a line for a shell, without its quotes.
fn words(line: &str) -> Vec<String> {
    let parts = line.trim().split('\'').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

#[test]
fn the_page_shows_what_is_printed() {
    let (text, warnings) = folder().run(&advise(&[])).ok_with_warnings();
    for part in [
        "packets of UDP, whose senders do not react to drops are left out: 6100",
        "188 of 188 TCP connections are recorded in one direction only",
    ] {
        assert!(warnings.contains(part), "{warnings}");
    }
    assert!(!warnings.contains("DSCP"), "classes are told apart: {warnings}");
    let page = include_str!("../../../../docs/advise.md");
    let shown: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("    ")).filter(|line| line.contains(": ")).collect();
    assert_eq!(shown.len(), 4);
    for line in shown {
        assert!(text.lines().any(|own| own == line), "{line}: {text}");
    }
}

#[test]
fn classes_and_hosts_are_named() {
    let text = folder().run(&advise(&["--policy", "sfq", "--repetitions", "2"])).ok();
    // One line of each policy for sizes, and one for classes; three classes of hosts.
    let starts = |begin: &str| text.lines().filter(|line| line.starts_with(begin)).count();
    assert_eq!((starts("sfq: 184 flows"), starts("sfq, by class: 97 flows")), (1, 1), "{text}");
    let mut flows = 0_u64;
    for class in ["DSCP 0 (BE)", "DSCP 8 (CS1)", "DSCP 18 (AF21)"] {
        let line = text.lines().find(|line| line.starts_with(&format!("{class}: ")));
        let line = line.unwrap_or_else(|| panic!("{class}: {text}"));
        assert!(line.contains(" to ") && line.contains(" bytes)"), "{line}");
        let with = text.lines().find(|line| line.trim_start().starts_with(class) && line.contains(" fifo "));
        let words: Vec<&str> =
            with.unwrap_or_else(|| panic!("{class}: {text}"))[class.len()..].split_whitespace().collect();
        flows += words[1].parse::<u64>().unwrap();
    }
    assert_eq!(flows, 188, "each flow is of one class: {text}");
}

#[test]
fn a_recording_comes_from_standard_input() {
    let folder = folder();
    let arguments = [&["advise", "-"], &LINK[..], &["--policy", "sfq", "--repetitions", "2"]].concat();
    let input = || std::fs::File::open(folder.path("mixed.pcap")).unwrap();
    let from_file = folder.run(&advise(&["--policy", "sfq", "--repetitions", "2"])).ok();
    let from_input = folder.run_on(input(), &arguments).ok();
    assert_eq!(from_input.replace("standard input", "mixed.pcap"), from_file);
    // A folder keeps it, so that its scenario can be run.
    let kept = [&arguments[..], &["--out", "out", "--format", "csv"]].concat();
    let csv = folder.run_on(input(), &kept).ok();
    assert_eq!(std::fs::read(folder.path("out/recording.pcap")).unwrap(), RECORDING);
    assert_eq!(folder.run(&["run", "out/scenario.toml", "--format", "csv"]).ok(), csv);
    let refused = folder.run_on(input(), &[&arguments[..], &["--print-scenario"]].concat()).refused();
    assert!(refused.contains("--print-scenario: ") && refused.contains("--out DIR"), "{refused}");
    let refused = folder.run(&arguments).refused();
    assert!(refused.contains("standard input: this is not a recording"), "{refused}");
}

#[test]
fn the_printed_scenario_gives_the_same_result() {
    let folder = folder();
    let arguments = ["--policy", "sfq", "--repetitions", "2", "--seed", "7", "--out", "out"];
    let csv = folder.run(&advise(&[&arguments[..], &["--format", "csv"]].concat())).ok();
    assert!(csv.lines().count() > 100);
    assert_eq!(folder.run(&["run", "out/scenario.toml", "--format", "csv"]).ok(), csv);
    let scenario = folder.run(&advise(&[&arguments[..], &["--print-scenario"]].concat())).ok();
    assert_eq!(scenario, folder.read("out/scenario.toml"));
    for file in ["summary.csv", "result.json", "policies/fifo.oq", "policies/sfq.oq"] {
        assert!(folder.path("out").join(file).exists(), "{file}");
    }
}

#[test]
fn json_has_differences_to_fifo() {
    let json = folder().run(&advise(&["--policy", "sfq,pfabric", "--repetitions", "2", "--format", "json"])).ok();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["kind"], &json["comparison"]["baseline"]), (&"network".into(), &"fifo".into()));
    let differences = json["comparison"]["differences"].as_array().unwrap();
    let mean = differences.iter().find(|own| own["policy"] == "sfq" && own["metric"] == "fct:mean").unwrap();
    assert!(mean["difference"].as_f64().unwrap() < 0.0);
}

#[test]
fn lines_of_deploy_are_programs_for_the_kernel() {
    let folder = folder();
    let text = folder.run(&advise(&["--repetitions", "1", "--out", "out"])).ok();
    let lines: Vec<Vec<String>> = text.lines().filter(|line| line.starts_with("  forebay deploy")).map(words).collect();
    assert_eq!(lines.len(), 5);
    for line in lines {
        // `forebay deploy` compiles the policy in this way before it touches a device.
        let mut compile = vec!["compile", &line[2], "--target", "bpf", "-o", "program"];
        let is_of_device = |word: &&String| ["--dev", "--rate"].contains(&word.as_str());
        let mut rest = line[3..].iter();
        while let Some(word) = rest.next() {
            if is_of_device(&word) {
                rest.next();
            } else {
                compile.push(word);
            }
        }
        let _ = std::fs::remove_dir_all(folder.path("program"));
        folder.run(&compile).ok();
    }
}

#[test]
fn lines_of_tc_are_taken_by_the_kernel() {
    let name = format!("fbadv{}", std::process::id());
    let works = |program: &str, words: &[&str]| {
        Command::new(program).args(words).output().is_ok_and(|output| output.status.success())
    };
    let is_there = works("ip", &["netns", "add", &name])
        && works("ip", &["-n", &name, "link", "add", "eth1", "type", "veth", "peer", "name", "eth2"]);
    if !is_there {
        works("ip", &["netns", "del", &name]);
        println!("skipped: network namespaces with veth cannot be made here");
        return;
    }
    let text = folder().run(&advise(&["--repetitions", "1", "--policy", "sfq"])).ok();
    let lines: Vec<Vec<String>> = text.lines().filter(|line| line.starts_with("  tc ")).map(words).collect();
    let taken: Vec<bool> = lines
        .iter()
        .map(|line| {
            let line: Vec<&str> = line.iter().map(String::as_str).collect();
            works("ip", &[&["netns", "exec", &name], &line[..]].concat())
        })
        .collect();
    let shown =
        Command::new("ip").args(["netns", "exec", &name, "tc", "qdisc", "show", "dev", "eth1"]).output().unwrap();
    works("ip", &["netns", "del", &name]);
    assert_eq!(taken, [true, true], "{lines:?}");
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("tbf 1: root") && shown.contains("rate 20Mbit") && shown.contains("limit 1000p"), "{shown}");
}

#[test]
fn what_cannot_be_advised_on_is_one_line_with_the_fix() {
    let folder = folder();
    folder.write("empty.pcap", "").write("text.pcap", "hello\n");
    let refused = |recording: &str, arguments: &[&str]| {
        folder.run(&[&["advise", recording], &LINK[..], arguments].concat()).refused()
    };
    for (recording, word) in [
        ("empty.pcap", "empty.pcap: this is not a recording"),
        ("text.pcap", "text.pcap: this is not a recording"),
        ("none.pcap", "none.pcap: cannot be opened"),
        (".", "this is a folder"),
    ] {
        assert!(refused(recording, &[]).contains(word), "{recording}: {}", refused(recording, &[]));
    }
    for (arguments, word) in [
        (&["--filter", "udp"][..], "no TCP connection; its 6100 packets are: UDP"),
        (&["--direction", "other"], "mixed.pcap has no TCP connection with data in this direction"),
        (&["--policy", "sqf"], "did you mean `sfq`?"),
        (&["--policy", "fifo"], "name a policy to compare with fifo"),
        (&["--transport", "udp"], "leave codel-marking out"),
        (&["--transport", "cubik"], "did you mean `cubic`?"),
        (&["--transport", "{ name ="], "--transport: "),
        (&["--jitter", "2s"], "at most 1 s"),
        (&["--round-trip", "0s"], "must be above 0"),
        (&["--duration", "0s"], "must be above 0"),
    ] {
        let error = refused("mixed.pcap", arguments);
        assert!(error.contains(word), "{arguments:?}: {error}");
    }
    for (rate, buffer, word) in [
        ("20", "10packets", "has no unit"),
        ("0bps", "10packets", "at least 1 bps"),
        ("20Mbps", "0packets", "must hold something"),
        ("20Mbps", "1000001packets", "1 to 1000000 packets"),
    ] {
        let error = folder.run(&["advise", "mixed.pcap", "--rate", rate, "--buffer", buffer]).refused();
        assert!(error.contains(word), "{rate} {buffer}: {error}");
    }
}

#[test]
fn nothing_is_claimed_without_an_interval() {
    let folder = folder();
    let text = folder.run(&advise(&["--policy", "sfq", "--repetitions", "1"])).ok();
    assert!(text.contains("sfq: one repetition shows no difference that might not be chance"), "{text}");
    let (text, warnings) =
        folder.run(&["advise", "mixed.pcap", "--rate", "1bps", "--buffer", "9packets"]).ok_with_warnings();
    assert!(text.contains("sfq: no times that can be compared"), "{text}");
    assert!(warnings.contains("flows are unfinished"), "{warnings}");
}
