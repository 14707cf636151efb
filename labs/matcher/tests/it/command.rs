//! The command `forebay-matcher`: its JSON, and its messages about wrong input.

use crate::support::libraries;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// Two rules, one of them slow on rows of `a`.
const RULES: &str = "SecRule ARGS \"@rx (?=a)a*a*a*[cd]\" \"id:1\"\nSecRule ARGS \"@rx zzz\" \"id:2\"\n";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_forebay-matcher")).current_dir(folder).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn own_rules_and_payloads_are_measured() {
    if libraries().is_none() {
        return;
    }
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("rules")).unwrap();
    fs::write(folder.path().join("rules/own.conf"), RULES).unwrap();
    let payloads: String = (0..200).map(|number| format!("GET /{number}?q=hello HTTP/1.1\n")).collect();
    fs::write(folder.path().join("payloads.txt"), payloads).unwrap();
    let arguments = "--rules rules --payloads payloads.txt --policy wsjf-learned --policy fcfs --seeds 2 --seconds 0.01 \
                     --search 0.1 --load 0.5 --attacks found/attacks.json";
    let arguments: Vec<&str> =
        arguments.split(' ').chain(["--format", "json"]).filter(|word| !word.is_empty()).collect();
    let output = run(folder.path(), &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = document["rows"].as_array().unwrap();
    let policies: Vec<_> = rows.iter().filter(|row| row["attack"] == "worst").map(|row| &row["policy"]).collect();
    assert_eq!(policies, ["fcfs", "wsjf-learned"]);
    for row in rows {
        assert_eq!((&row["load"], &row["attack_share"], &row["seeds"]), (&0.5.into(), &0.01.into(), &2.into()));
        for measured in ["baseline_mbps", "goodput_mbps", "displacement"] {
            assert!(row[measured]["mean"].is_number() && row[measured]["ci"].is_number(), "{row}");
        }
        assert!(row["baseline_mbps"]["mean"].as_f64() > Some(0.0), "{row}");
    }
    assert!(text(&output.stderr).contains("searching for attacks"));
    let again = run(folder.path(), &arguments);
    assert!(text(&again.stderr).contains("attacks: read from found/attacks.json"), "{}", text(&again.stderr));
    // A file that is something else stays as it is.
    let lost: Vec<&str> =
        arguments.iter().map(|&word| if word == "found/attacks.json" { "rules/own.conf" } else { word }).collect();
    let refused = run(folder.path(), &lost);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("rules/own.conf: this file holds no attacks"), "{}", text(&refused.stderr));
    assert_eq!(fs::read_to_string(folder.path().join("rules/own.conf")).unwrap(), RULES);
}

#[test]
fn wrong_input_is_named() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    write("good.conf", RULES);
    write("open.conf", &format!("{RULES}SecRule ARGS \"@rx a\n"));
    write("other.conf", "SecRule ARGS \"@detectSQLi\" \"id:1\"\n");
    write("blank.txt", "\n\n");
    for (arguments, place, advice) in [
        ("--rules missing.conf", "missing.conf", "No such file"),
        ("--rules empty", "empty", "ends in .conf"),
        ("--rules good.conf open.conf", "open.conf:3", "a quote is not closed"),
        ("--rules other.conf", "", "there is no rule with @rx"),
        ("--rules good.conf --payloads missing.txt", "missing.txt", "No such file"),
        ("--rules good.conf --payloads blank.txt", "blank.txt", "write one per line"),
    ] {
        let output = run(folder.path(), &arguments.split(' ').collect::<Vec<_>>());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.starts_with(&format!("error: {place}")) && error.contains(advice), "{arguments}: {error}");
        assert_eq!((error.lines().count(), output.stdout.len()), (1, 0), "{error}");
    }
}
