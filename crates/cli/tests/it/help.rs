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
        let head = format!("{name} ({})\n", entry["kind"].as_str().unwrap());
        assert!(text.starts_with(&head) || text.contains(&format!("\n{head}")), "{text}");
        assert!(text.contains("source") && text.contains("cost"), "{text}");
        assert!(table.contains(&format!("  {name} ")), "{table}");
    }
}

#[test]
fn one_kind_is_listed_and_an_unknown_kind_is_named() {
    let folder = Folder::new();
    let queues = folder.run(&["list", "queues"]).ok();
    assert!(queues.starts_with("queues\n") && queues.contains("  sp-pifo ") && !queues.contains("rank functions"));
    for (kind, name) in [
        ("targets", "bpf"),
        ("datapath", "p4"),
        ("measures", "worked-example"),
        ("metrics", "fct"),
        ("cache-policies", "lru"),
        #[cfg(target_os = "linux")]
        ("back-ends", "af-packet"),
    ] {
        assert!(folder.run(&["list", kind]).ok().contains(&format!("  {name} ")), "{kind}");
    }
    assert_eq!(folder.run(&["list", "quees"]).refused(), "unknown kind `quees`; did you mean `queues`?");
}

#[test]
fn metrics_say_which_way_is_better_and_are_found_by_all_their_names() {
    let folder = Folder::new();
    let metrics = folder.run(&["list", "metrics"]).ok();
    let line = |name: &str| metrics.lines().find(|line| line.starts_with(&format!("  {name} "))).unwrap();
    assert!(line("fct").ends_with(" [ns, lower is better]"), "{metrics}");
    assert!(line("hit_ratio").ends_with(" [share, higher is better]"), "{metrics}");
    assert!(line("flows").ends_with(" [flows]"), "{metrics}");
    let fct = folder.run(&["explain", "fct"]).ok();
    assert!(fct.starts_with("fct (metric)\n  Flow completion time: "), "{fct}");
    assert!(fct.contains("  source    Dukkipati and McKeown") && fct.contains("fct:p99 (fct_ns_p99 in JSON)"), "{fct}");
    for name in ["fct:p99", "fct_ns_p99"] {
        assert_eq!(folder.run(&["explain", name]).ok(), fct);
    }
    let json: serde_json::Value =
        serde_json::from_str(&folder.run(&["list", "metrics", "--format", "json"]).ok()).unwrap();
    let displacement = json.as_array().unwrap().iter().find(|entry| entry["name"] == "displacement").unwrap();
    assert_eq!((&displacement["unit"], &displacement["better"]), (&"ratio".into(), &"lower".into()));
}

#[test]
fn scenarios_and_what_policies_run_on_are_explained() {
    let folder = Folder::new();
    let bpf = folder.run(&["explain", "bpf"]).ok();
    assert!(bpf.starts_with("bpf (target)\n"), "{bpf}");
    assert!(folder.run(&["explain", "traffic"]).ok().starts_with("[traffic]: "));
    let rate = folder.run(&["explain", "port.rate"]).ok();
    assert!(rate.starts_with("rate (field of [port])\n") && rate.contains("use       rate = \"10 Gbps\""), "{rate}");
    for kind in ["scenario", "attacks", "network"] {
        assert!(folder.run(&["explain", kind]).ok().contains("]: "), "{kind}");
    }
    assert_eq!(
        folder.run(&["explain", "zzzzzzzzzz"]).refused(),
        "unknown name `zzzzzzzzzz`; `forebay list` prints all names"
    );
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
        ("virtual-clock", "job-clock"),
        ("scfq", "job-finish"),
        ("fifo+", "fifo-plus"),
        ("pgps", "wfq"),
        ("pias", "pias"),
        ("fdpa", "arrival-rate"),
        ("worst-case-fair", "wf2q"),
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
fn help_is_grouped_by_job_and_has_examples() {
    let folder = Folder::new();
    let help = folder.run(&["--help"]).ok();
    assert!(help.contains("\nReal datapaths:\n  compile ") && !help.contains("Commands:"), "{help}");
    assert!(folder.run(&["run", "--help"]).ok().contains("\nExamples:\n  forebay run "));
    assert!(folder.run(&["man"]).ok().contains("forebay list queues"));
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

#[test]
fn each_command_has_a_manual_page_of_its_own() {
    let folder = Folder::new();
    assert!(folder.run(&["man", "--out", "pages"]).ok().contains(" pages"));
    let page = |name: &str| std::fs::read_to_string(folder.path("pages").join(name)).unwrap();
    let run = page("forebay-run.1");
    for part in [".TH forebay-run 1", "forebay 0.", ".SH EXAMPLES\n", "KEY=VALUE"] {
        assert!(run.contains(part), "{part}: {run}");
    }
    for name in ["forebay.1", "forebay-ctl-stats.1", "forebay-trace-info.1"] {
        assert!(page(name).contains(&format!(".TH {}", name.trim_end_matches(".1"))), "{name}");
    }
    assert!(!folder.path("pages").join("forebay-help.1").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_said() {
    for words in [["--help"], ["--version"], ["list"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output =
            std::process::Command::new(env!("CARGO_BIN_EXE_forebay")).args(words).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.starts_with("error: the result cannot be written: No space left"), "{words:?}: {said}");
    }
}
