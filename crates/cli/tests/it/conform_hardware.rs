//! `forebay conform --target sv`: hardware, simulated by Verilator, does what the reference engine does.

use crate::support::{Folder, long};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of Verilator's package, as `make rtl-tools` fetches it; says so if the folder is missing.
fn verilator() -> Option<PathBuf> {
    let lib = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/rtl/venv/lib");
    let versions = lib.read_dir().into_iter().flatten().flatten();
    let found = versions.map(|version| version.path().join("site-packages/verilator")).find(|root| root.is_dir());
    if found.is_none() {
        // The test harness shows it with --nocapture.
        println!("skipped: there is no Verilator; `make rtl-tools` fetches it");
    }
    found.and_then(|root| root.canonicalize().ok())
}

/// The result for a policy and its reason, and the whole report.
fn compared(folder: &Folder, root: &Path, arguments: &[&str]) -> (String, String, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_forebay"))
        .args(["conform", "--format", "json", "--target", "sv"])
        .args(arguments)
        .env("VERILATOR_ROOT", root)
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"));
    let text = |what: &str| report["targets"][0][what].as_str().unwrap().to_owned();
    (text("result"), text("why"), report)
}

#[test]
fn hardware_does_what_the_reference_engine_does() {
    let Some(fetched) = verilator() else { return };
    let folder = Folder::new();
    // By a relative path, as people may name it.
    std::os::unix::fs::symlink(fetched, folder.path("verilator")).unwrap();
    let root = PathBuf::from("verilator");
    let policies =
        [("srpt", &[][..]), ("lqd", &["--param", "ports=8"]), ("strict-priority", &[]), ("fifo", &[]), ("wsjf", &[])];
    // Each is compiled by Verilator and g++, which takes a minute or two. All are tried with `FOREBAY_LONG` set, as `make test-long` does.
    let tried = if long() { policies.len() } else { 1 };
    for (name, more) in policies.into_iter().take(tried) {
        let policy = format!("{}/../../policies/{name}.oq", env!("CARGO_MANIFEST_DIR"));
        let (result, why, report) = compared(&folder, &root, &[&[&policy, "--packets=10000"], more].concat());
        assert_eq!((&*result, &*why), ("equal", ""), "{name}");
        let number = |what: &str| report[what].as_u64().unwrap();
        assert!(number("departures") > 3_000 && number("drops") > 1_000, "{name}: {report:#}");
        let said = report["targets"][0]["said"].as_str().unwrap_or_default();
        assert!(said.contains("pulls of 1 to 1 cycles; stated: up to "), "{name}: {said}");
    }
}

/// Sums of work over sums of bytes, multiplied crosswise.
#[test]
fn in_order_work_per_byte_is_that_of_the_reference_engine() {
    let Some(root) = verilator() else { return };
    let policy = format!("{}/../../policies/wsjf-inorder.oq", env!("CARGO_MANIFEST_DIR"));
    let queues = if long() { "k=16" } else { "k=4" };
    // So narrow that the sum of all that wait in a queue is a number.
    let arguments = [&policy, "--packets=6000", "--bits=processing=30", "--param", queues];
    let (result, why, report) = compared(&Folder::new(), &root, &arguments);
    assert_eq!((&*result, &*why), ("equal", ""));
    let number = |what: &str| report[what].as_u64().unwrap();
    assert!(number("departures") > 2_000 && number("drops") > 500, "{report:#}");
}

#[test]
fn live_parameters_change_in_its_registers() {
    let Some(root) = verilator().filter(|_| long()) else { return };
    let folder = Folder::new();
    let text = "param K = 6 pkts\nparam W = 1\nq[1..2] = Queue(20 pkts)\nout = Port(100)\n\
                classify(p) = (p.class >= 3 * W, enter(q1)).(true, enter(q2))\n\
                q[1..2].congestion(q) = (q.currSize > 2 * K, drop(1)).(q.currSize > K, drop(.5), notify)\n\
                out.schedPrio(a, b) = (a.schedState + a.currSize / 1 pkts < b.schedState + b.currSize / 1 pkts)\n\
                out.postSchedAct(p) = let q = p.getCurrQueue() in (W < 2, modify(q.schedState := q.schedState + W))\n";
    folder.write("live.oq", text);
    let arguments = ["live.oq", "--packets=4000", "--live=K", "--live=W", "--seed=9", "--write-ops=live.ops"];
    let (result, why, _) = compared(&folder, &root, &arguments);
    assert_eq!((&*result, &*why), ("equal", ""));
    let settings = folder.read("live.ops").lines().filter(|line| line.starts_with("set ")).count();
    assert!(settings > 50, "only {settings} changes");
}

#[test]
fn two_policies_replace_each_other_without_losing_a_packet() {
    let Some(root) = verilator().filter(|_| long()) else { return };
    let folder = Folder::new();
    let policy = |name: &str| format!("{}/../../testdata/replace/{name}.oq", env!("CARGO_MANIFEST_DIR"));
    let (first, second) = (policy("bytes"), policy("counts"));
    let arguments = [&first, "--replace-by", &second, "--live=W", "--packets=6000", "--replace-every=20"];
    let (result, why, report) = compared(&folder, &root, &arguments);
    assert_eq!((&*result, &*why), ("equal", ""));
    let number = |what: &str| report[what].as_u64().unwrap();
    assert!(number("replacements") > 40 && number("refused_replacements") > 40, "{report:#}");
    assert!(number("departures") > 1_000 && number("drops") > 1_000, "{report:#}");
}

#[test]
fn hardware_is_as_it_is_asked_for() {
    let Some(root) = verilator() else { return };
    let folder = Folder::new();
    folder.write("a.oq", "q = Queue(30 pkts);\nout = Port(100);\nq.procPrio(a, b) = (a.rank < b.rank);\n");
    let arguments = ["a.oq", "--packets=3000", "--queue=pifo", "--bits=rank=4", "--write-ops=a.ops"];
    let (result, why, report) = compared(&folder, &root, &arguments);
    assert_eq!((&*result, &*why), ("equal", ""));
    let operations = folder.read("a.ops");
    let arrivals = operations.lines().filter(|line| line.starts_with("enqueue"));
    let ranks = arrivals.map(|line| line.split(' ').nth(10).unwrap().parse::<u32>().unwrap());
    assert!(ranks.max() <= Some(15), "ranks fit the bits that they were given");
    // A PIFO answers after 4 cycles.
    let said = report["targets"][0]["said"].as_str().unwrap();
    assert!(said.contains("pulls are answered after up to 6 cycles; stated: 6"), "{said}");
    if long() {
        // One order of two ranks each.
        let (result, why, _) = compared(&folder, &root, &["a.oq", "--packets=3000", "--rank-bits=2"]);
        assert_eq!((&*result, &*why), ("equal", ""));
    }
    let (result, why, _) = compared(&folder, &root, &["a.oq", "--ops=a.ops", "--bits=rank=2"]);
    assert!(result == "skipped" && why.starts_with("`rank` is up to 1"), "{result}: {why}");
    assert!(why.ends_with("and it can have 2"), "{why}");
    let other = folder.run(&["conform", "a.oq", "--target", "c", "--queue", "pifo"]).refused();
    assert_eq!(other, "--queue: is for hardware here; add --target sv, or leave it out");
}

#[test]
fn policies_that_cannot_be_together_are_refused() {
    let folder = Folder::new();
    folder.write("one.oq", "param K = 9 pkts;\nq = Queue(K);\nout = Port(100);\n");
    folder.write("two.oq", "q = Queue(9 pkts);\nexit = Port(100);\n");
    folder.write("version.oq", "q = Queue(9 pkts);\nout = Port(100);\nq.procPrio(a, b) = (a.policyId < b.policyId);\n");
    folder.write("other.oq", "q = Queue(9 pkts);\nout = Port(100);\nq.admPrio(a, b) = (a.value < b.value);\n");
    let said = |arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_forebay")).args(arguments).current_dir(folder.path(".")).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let ports = "one.oq: ports: are out in one policy and exit in the other; the hardware's ports are the same for \
                 both policies";
    for (arguments, expected) in [
        (&["check", "one.oq", "--target=sv", "--replace-by=two.oq"][..], ports),
        (&["compile", "one.oq", "--target=sv", "--replace-by=two.oq", "-o", "made"], ports),
        (
            &["check", "one.oq", "--target=sv", "--replace-by=version.oq"],
            "one.oq: the replacement's reads of `policyId`: changes with each replacement",
        ),
        (
            &["check", "one.oq", "--target=sv", "--replace-by=other.oq"],
            "one.oq: the replacement's queue q, admPrio: is the reverse neither of the order of arrival",
        ),
        (
            &["conform", "one.oq", "--target=sv", "--replace-by=two.oq"],
            "two.oq: its ports are exit, and those of one.oq are out; give both the same ports in the same order",
        ),
        (
            &["check", "one.oq", "--replace-by=one.oq"],
            "--replace-by: is for target sv; name one with --target, or leave it out",
        ),
        (
            &["compile", "one.oq", "--target=c", "--replace-by=one.oq", "-o", "made"],
            "--replace-by: is for target sv, and `c`",
        ),
        // A constant is that of whichever has it.
        (
            &["check", "two.oq", "--target=sv", "--replace-by=one.oq", "--param=K=3"],
            "two.oq: ports: are exit in one policy",
        ),
        (
            &["check", "one.oq", "--target=sv", "--replace-by=two.oq", "--param=L=3"],
            "there is no param `L` to give a value to",
        ),
    ] {
        let message = said(arguments);
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn what_hardware_cannot_play_is_skipped_with_the_reason() {
    let folder = Folder::new();
    let nowhere = Path::new("/nowhere");
    let missing = "Verilator is missing; fetch it with `make rtl-tools` in forebay's folder";
    folder.write("p.oq", "q = Queue(9 pkts);\nout = Port(100);\n").write("cycle.ops", "cycle 1 0\n");
    folder.write("long.ops", "enqueue 1 0 97 0 0 0 0 0 0 0 0 4294967296\n");
    folder.write("late.ops", "dequeue 70368744177664 0\n");
    for (arguments, expected) in [
        (&["p.oq", "--ops", "cycle.ops"][..], "it serves whole packets, and the stream contains `cycle`"),
        (&["p.oq", "--ops", "long.ops"], "numbers of packets have up to 32 bits in hardware, and one is 4294967296"),
        (&["p.oq", "--ops", "late.ops"], "`time` is up to 70368744177664, which needs 47 bits, and it can have 46"),
    ] {
        let (result, why, _) = compared(&folder, nowhere, arguments);
        assert_eq!((&*result, &*why), ("skipped", expected));
    }
    folder.write("other.oq", "q = Queue(9 pkts);\nout = Port(100);\nq.admPrio(a, b) = (a.value < b.value);\n");
    let (result, why, _) = compared(&folder, nowhere, &["p.oq", "--packets=9"]);
    assert!(result == "skipped" && why.starts_with(missing), "{result}: {why}");
    let Some(root) = verilator() else { return };
    let (result, why, _) = compared(&folder, &root, &["other.oq", "--packets=9"]);
    assert!(result == "skipped" && why.starts_with("queue q, admPrio: is the reverse neither"), "{result}: {why}");
}
