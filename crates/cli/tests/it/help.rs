//! Help, lists, completions and the manual come from the same definitions.

use crate::support::{Folder, UNIFORM};

#[test]
fn every_listed_name_is_explained() {
    let folder = Folder::new();
    let list: serde_json::Value = serde_json::from_str(&folder.run(&["list", "--format", "json"]).ok()).unwrap();
    let entries = list.as_array().unwrap();
    assert!(entries.len() >= 20);
    let table = folder.run(&["list"]).ok();
    for entry in entries {
        let name = entry["name"].as_str().unwrap();
        let text = folder.run(&["explain", name]).ok();
        assert!(text.starts_with(&format!("{name} (")), "{text}");
        assert!(text.contains("source") && text.contains("cost"), "{text}");
        assert!(table.contains(&format!("  {name} ")), "{table}");
    }
}

#[test]
fn names_that_people_know_lead_to_their_entry() {
    let folder = Folder::new();
    for (name, entry) in [
        ("lstf", "edf"),
        ("srpt", "remaining-bytes"),
        ("pfabric", "pfabric"),
        ("wsjf", "job-ratio"),
        ("sjf", "job-size"),
        ("wsjf-inorder", "job-ratio-inorder"),
        ("wsjf-hoq", "job-ratio-head"),
        ("fq", "job-fair"),
        ("fifo+", "fifo-plus"),
        ("pgps", "wfq"),
        ("pias", "pias"),
        ("fifo", "fifo"),
    ] {
        let text = folder.run(&["explain", name]).ok();
        assert!(text.starts_with(&format!("{entry} (")), "{name}: {text}");
    }
    // A transport, a drop rule, and a rank function by another name.
    assert!(folder.run(&["explain", "pfabric"]).ok().contains("\nremaining-bytes ("));
    let flows = "flow_bytes = { distribution = \"uniform\", min = 1000, max = 9000 }\n";
    let scenario = format!("{UNIFORM}{flows}\n[[policy]]\nrank = \"srpt\"\nqueue = \"pifo\"\n");
    let report = folder.json(&scenario, &["--set", "traffic.packets=1000"]);
    assert_eq!(report["results"][0]["policy"], "srpt pifo", "as the scenario calls it");
    assert_eq!(report["results"][0]["rank"], "remaining-bytes", "as the registry calls it");
}

#[test]
fn sp_pifo_is_explained_with_its_parameters() {
    let text = Folder::new().run(&["explain", "sp-pifo"]).ok();
    for word in ["approximate", "strict-priority", "NSDI'20", "queues", "from 1 to 1024, by default 8"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn completions_and_manual_name_every_subcommand() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.run(&["completions", shell]).ok();
        assert!(script.contains("explain") && script.contains("demo"), "{shell}");
    }
    let manual = folder.run(&["man"]).ok();
    for word in [".TH", "run", "explain", "KEY=VALUE"] {
        assert!(manual.contains(word), "{word}");
    }
}
