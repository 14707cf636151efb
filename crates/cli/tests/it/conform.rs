//! `forebay conform`: datapaths act like the reference engine, wrong ones are found, and bad input gets one line.

use crate::support::Folder;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

const FIFO: &str = "q = Queue(9 pkts);\nout = Port(100);\n";

pub(crate) fn policy(name: &str) -> String {
    format!("{}/../../policies/{name}.oq", env!("CARGO_MANIFEST_DIR"))
}

/// The result of a target, and the reason.
pub(crate) fn target<'a>(report: &'a Value, name: &str) -> (&'a str, &'a str) {
    let targets = report["targets"].as_array().unwrap();
    let line = targets.iter().find(|line| line["target"] == name).unwrap_or_else(|| panic!("no {name}"));
    (line["result"].as_str().unwrap(), line["why"].as_str().unwrap())
}

/// The JSON output of a comparison, and its status. Programs are searched in `path` first.
pub(crate) fn compared(folder: &Folder, path: &str, arguments: &[&str]) -> (Value, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_forebay"))
        .args(["conform", "--format", "json"])
        .args(arguments)
        .env("PATH", path)
        // DPDK's programs are built fast rather than made fast.
        .env("CFLAGS", "-Og")
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"));
    (report, output.status.code().unwrap())
}

pub(crate) fn path() -> String {
    std::env::var("PATH").unwrap()
}

/// ../../../testdata/orders: weight over bytes that are left, with weights of 32 bits and up to 3 MB.
#[test]
fn an_order_of_ratios_is_one_also_where_products_are_beyond_2_to_the_47() {
    let folder = Folder::new();
    let of_testdata = |name| format!("{}/../../testdata/orders/{name}", env!("CARGO_MANIFEST_DIR"));
    let wrong = std::fs::read_to_string(of_testdata("ratio.oq")).unwrap();
    folder.write("wrong.oq", &wrong);
    let checked = folder.run(&["check", "wrong.oq"]);
    assert_eq!((checked.status, &*checked.stdout), (2, "1 of 1 file cannot be used\n"));
    let message = checked.stderr;
    for part in ["p2.value = 0, p2.remaining = 0", "p2 ties with p1", "a.value * max(b.remaining, 1)"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    folder.write(
        "ratio.oq",
        wrong.replace("c.remaining", "max(c.remaining, 1)").replace("a.remaining", "max(a.remaining, 1)"),
    );
    let operations = format!("--ops={}", of_testdata("ratio.ops"));
    let targets = ["fast", "c", "switch"].map(|target| format!("--target={target}"));
    let arguments: Vec<&str> =
        ["ratio.oq", &operations].into_iter().chain(targets.iter().map(String::as_str)).collect();
    let (report, status) = compared(&folder, &path(), &arguments);
    assert_eq!(status, 0, "{report}");
    for name in ["fast", "c", "switch"] {
        assert_eq!(target(&report, name).0, "equal", "{report}");
    }
}

#[test]
fn live_parameters_change_everywhere() {
    let folder = Folder::new();
    let text = "param K = 6 pkts\nparam W = 1\nq[1..2] = Queue(20 pkts)\nout = Port(100)\n\
                classify(p) = (p.class >= 3 * W, enter(q1)).(true, enter(q2))\n\
                q[1..2].congestion(q) = (q.currSize > 2 * K, drop(1)).(q.currSize > K, drop(.5), notify)\n\
                out.schedPrio(a, b) = (a.schedState + W * a.currSize / 1 pkts < b.schedState + W * b.currSize / 1 pkts)\n";
    folder.write("live.oq", text);
    let targets = ["fast", "c", "switch", "dpdk", "p4"].map(|target| format!("--target={target}"));
    let live = ["live.oq", "--packets=3000", "--live=K", "--live=W", "--write-ops=live.ops"];
    let arguments: Vec<&str> = targets.iter().map(String::as_str).chain(live).collect();
    let (report, status) = compared(&folder, &path(), &arguments);
    assert_eq!(status, 3, "p4 has constants only: {report:#}");
    for (name, missing) in [("fast", ""), ("switch", ""), ("c", "install gcc"), ("dpdk", "install libdpdk-dev")] {
        match target(&report, name) {
            ("equal", "") => {}
            ("skipped", why) if !missing.is_empty() && why.contains(missing) => println!("skipped: {why}"),
            other => panic!("{name}: {other:?}"),
        }
    }
    let (result, why) = target(&report, "p4");
    assert!(result == "skipped" && why.contains("param K: is live"), "{result}: {why}");
    let written = std::fs::read_to_string(folder.path("live.ops")).unwrap();
    let settings = written.lines().filter(|line| line.starts_with("set ")).count();
    assert!(settings > 50, "only {settings} changes");
    // Without the names there is nothing to set.
    let refused = folder.run(&["conform", "live.oq", "--ops", "live.ops", "--target", "fast"]);
    assert!(refused.status == 2 && refused.stderr.contains("there is no live parameter"), "{}", refused.stderr);
}

#[test]
fn datapaths_do_what_the_reference_engine_does() {
    let folder = Folder::new();
    for (name, skipped) in [
        ("fifo", [None, None]),
        ("srpt", [None, Some("cannot push out")]),
        ("crr", [None, Some("postSchedAct")]),
        ("red", [None, Some("never at random")]),
        ("lqd", [None, Some("share no buffer")]),
    ] {
        let targets = ["fast", "c", "switch", "dpdk", "p4"].map(|target| format!("--target={target}"));
        let arguments: Vec<&str> = targets.iter().map(String::as_str).collect();
        let (report, status) =
            compared(&folder, &path(), &[&arguments[..], &["--packets=2000", &policy(name)]].concat());
        let skipped_one = report["targets"].as_array().unwrap().iter().any(|line| line["result"] == "skipped");
        assert_eq!(status, if skipped_one { 3 } else { 0 }, "{report:#}");
        assert_eq!(target(&report, "fast"), ("equal", ""));
        for (program, missing) in [("c", "install gcc"), ("dpdk", "install libdpdk-dev")] {
            match target(&report, program) {
                ("equal", "") => {}
                ("skipped", why) if why.contains(missing) => println!("skipped: {why}"),
                other => panic!("{name}, {program}: {other:?}"),
            }
        }
        for (target_name, skipped) in ["switch", "p4"].into_iter().zip(skipped) {
            let (result, why) = target(&report, target_name);
            match skipped {
                None => assert_eq!((result, why), ("equal", ""), "{name}, {target_name}"),
                Some(part) => assert!(result == "skipped" && why.contains(part), "{name}, {target_name}: {why}"),
            }
        }
        let number = |what: &str| report[what].as_u64().unwrap();
        assert_eq!(number("arrivals"), 2_000);
        assert!(number("departures") > 500 && number("drops") > 100, "{report:#}");
    }
}

/// Also where ports share a memory, and packets are pushed out of it.
#[test]
fn the_switch_does_what_the_reference_engine_does_with_many_packets() {
    let folder = Folder::new();
    for name in ["srpt", "crr", "pfabric-fifo", "red", "lqd", "lwd", "dynamic-thresholds"] {
        let arguments = ["--target=switch", "--packets=20000", &policy(name)];
        let (report, status) = compared(&folder, &path(), &arguments);
        assert_eq!((target(&report, "switch"), status), (("equal", ""), 0), "{name}");
        let number = |what: &str| report[what].as_u64().unwrap();
        assert_eq!(number("arrivals"), 20_000);
        assert!(number("departures") > 5_000 && number("drops") > 1_000, "{name}: {report:#}");
    }
}

#[test]
fn programs_in_p4_choose_queues_as_sp_pifo_does_or_as_the_policy_says() {
    let folder = Folder::new();
    let equal = |policy: &str| {
        let (report, _) = compared(&folder, &path(), &["--target=p4", "--packets=3000", policy]);
        assert_eq!(target(&report, "p4"), ("equal", ""), "{policy}");
        assert!(report["departures"].as_u64().unwrap() > 500, "{report:#}");
    };
    for rest in [
        "q.procPrio(p1, p2) = (p1.remaining < p2.remaining);",
        "q.procPrio(p1, p2) = (p1.value > p2.value);",
        "q.procPrio(p1, p2) = (p1.class > p2.class || p1.class == p2.class && p1.rank < p2.rank);",
        "q.procPrio(p1, p2) = (p1.slack + p1.arrival < p2.slack + p2.arrival);",
        "q.procPrio(p1, p2) = (p1.size < p2.size);\nclassify(p) = (p.class > 20, enter(q));",
    ] {
        folder.write("p.oq", format!("q = Queue(64 pkts);\nout = Port(100);\n{rest}\n"));
        equal("p.oq");
    }
    folder.write("bytes.oq", "q = Queue(40 KB);\nout = Port(100);\nq.procPrio(p1, p2) = (p1.rank < p2.rank);\n");
    equal("bytes.oq");
    equal(&policy("strict-priority"));
}

/// A folder with a compiler, and where programs are then looked for.
pub(crate) fn compiler(folder: &Folder, script: &str) -> String {
    folder.write("cc", format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(folder.path("cc"), std::fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:{}", folder.path("").display(), path())
}

#[test]
fn a_wrong_datapath_is_found() {
    let folder = Folder::new();
    folder.write("p.oq", FIFO).write("s.ops", "enqueue 1 0 100 0 0 0 0 0 0 0 0 7\ndequeue 2 0\n");
    let arguments = ["p.oq", "--ops", "s.ops", "--target", "c"];
    let writes = |lines: &str| format!("printf '#!/bin/sh\\ncat > /dev/null\\n{lines}' > $3\nchmod +x $3");
    for (script, result, part) in [
        (writes("echo queued\\necho sent 7:0:0\\n"), "equal", ""),
        (
            writes("echo queued\\necho sent 8:0:0\\n"),
            "different",
            "operation 2 (`dequeue 2 0`): expected: sent 7:0:0; here: sent 8:0:0",
        ),
        (
            writes("echo refused queue\\necho nothing\\n"),
            "different",
            "operation 1 (`enqueue 1 0 100 0 0 0 0 0 0 0 0 7`): expected: queued; here: refused queue",
        ),
        (writes("echo queued\\n"), "different", "expected: sent 7:0:0; here: no answer"),
        (writes("echo queued\\necho sent 7:0:0\\necho nothing\\n"), "different", "operation 3 (`after the last`)"),
        (writes("echo hello\\n"), "failed", "the program: `hello` is not an answer"),
        (writes("echo error: broken >&2\\nexit 1\\n"), "failed", "the program: error: broken"),
        ("echo 'main.c:1: error: no such thing' >&2; exit 1".to_owned(), "failed", "cannot be built: main.c:1: error"),
    ] {
        let (report, status) = compared(&folder, &compiler(&folder, &script), &arguments);
        let (found, why) = target(&report, "c");
        assert_eq!(found, result, "{why}");
        assert!(why.contains(part), "{why}");
        assert_eq!(status, i32::from(result != "equal"), "{result}");
    }
    let (report, status) = compared(&folder, "/nowhere", &arguments);
    assert_eq!((target(&report, "c"), status), (("skipped", "there is no C compiler; install gcc"), 3));
}

#[test]
fn an_interrupted_one_leaves_nothing_behind() {
    let folder = Folder::new();
    folder.write("p.oq", FIFO);
    std::fs::create_dir(folder.path("temporary")).unwrap();
    let entries = || std::fs::read_dir(folder.path("temporary")).unwrap().count();
    for signal in ["-INT", "-TERM"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_forebay"))
            .args(["conform", "p.oq", "--target", "c"])
            .env("PATH", compiler(&folder, "sleep 5"))
            .env("TMPDIR", folder.path("temporary"))
            .current_dir(folder.path("."))
            .spawn()
            .unwrap();
        while entries() == 0 {
            assert_eq!(child.try_wait().unwrap(), None, "it runs");
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        assert_eq!((child.wait().unwrap().code(), entries()), (Some(130), 0));
    }
}

#[test]
fn what_a_switch_has_recorded_is_played() {
    let folder = Folder::new();
    folder
        .write("p.oq", FIFO)
        .write("recorded.ops", "enqueue 1 0 100 0 0 0 0 0 0 0 0 1 queued\ndequeue 2 0 sent 1:0:0\n");
    let (report, status) = compared(&folder, &path(), &["p.oq", "--ops", "recorded.ops", "--target", "fast"]);
    assert_eq!((target(&report, "fast"), status), (("equal", ""), 0));
    assert_eq!((&report["arrivals"], &report["departures"]), (&1.into(), &1.into()));
}

#[test]
fn what_a_datapath_cannot_play_is_skipped_with_the_reason() {
    let folder = Folder::new();
    folder.write("p.oq", FIFO).write("cycle.ops", "cycle 1 0\n");
    folder.write("small.ops", "dequeue 1 0\nenqueue 2 0 96 0 0 0 0 0 0 0 0 1\n");
    for name in ["switch", "p4"] {
        let skipped = |ops: &str| {
            let (report, status) = compared(&folder, &path(), &["p.oq", "--ops", ops, "--target", name]);
            assert_eq!((target(&report, name).0, status), ("skipped", 3));
            target(&report, name).1.to_owned()
        };
        assert!(skipped("cycle.ops").contains("the stream contains `cycle`"));
        assert_eq!(skipped("small.ops"), "no frame is the packet of operation 2, of 96 bytes; frames have 97 to 1518");
    }
}

#[test]
fn a_stream_is_written_and_played_again() {
    let folder = Folder::new();
    folder.write("p.oq", FIFO);
    let conform = |arguments: &[&str]| folder.run(&[&["conform", "p.oq", "--target", "fast"], arguments].concat());
    let first = conform(&["--packets", "500", "--write-ops", "s.ops"]).ok();
    assert_eq!(first, conform(&["--ops", "s.ops"]).ok());
    assert_eq!(first, conform(&["--ops", "s.ops", "--write-ops", "again.ops"]).ok());
    assert_eq!(folder.read("s.ops"), folder.read("again.ops"));
    assert_eq!(conform(&["--ops", "s.ops", "--answers", "answers"]).ok(), "");
    assert_eq!(folder.read("answers").lines().count(), folder.read("s.ops").lines().count());
    // Text is aligned as text.
    assert!(first.contains("\n target  what it is") || first.contains("\ntarget  what it is"), "{first}");
    assert!(first.lines().any(|line| line.starts_with("fast") && line.ends_with("equal")), "{first}");
}

#[test]
fn bad_input_gets_one_line() {
    let folder = Folder::new();
    folder.write("p.oq", FIFO).write("empty.ops", "# nothing\n").write("port.ops", "dequeue 1 0\n\ndequeue 1 1\n");
    folder.write("broken.ops", "dequeue 1 0\ndequeue x 0\n").write("back.ops", "dequeue 2 0\ndequeue 1 0\n");
    folder.write("binary.ops", [0xff, 0xfe, 0]).write("cut.ops", "dequeue 1");
    std::fs::create_dir(folder.path("built")).unwrap();
    for (arguments, part) in [
        (vec!["--target", "d"], "--target: unknown datapath `d`; there are fast, c, bpf, bpf-vm, switch, dpdk, p4, sv"),
        (vec!["--ops", "none.ops"], "none.ops: cannot be read: there is no such file or folder"),
        (vec!["--ops", "empty.ops"], "empty.ops: has no operations"),
        (
            vec!["--ops", "broken.ops"],
            "broken.ops:2: `dequeue x 0`: NOW is a whole number from 0 to 18446744073709551, not `x`",
        ),
        (vec!["--ops", "cut.ops"], "cut.ops:1: `dequeue 1`: not an operation; write `enqueue NOW"),
        (vec!["--ops", "back.ops"], "back.ops:2: `dequeue 1 0`: the time is before that of the operation above"),
        (vec!["--ops", "port.ops"], "port.ops:3: `dequeue 1 1`: there is no port 1; the policy has 1, counted from 0"),
        (vec!["--ops", "binary.ops"], "binary.ops:1: byte 0 is not UTF-8; operations are a text"),
        (vec!["--answers", "a", "--target", "fast", "--target", "c"], "--answers: takes the answers of one target"),
        (vec!["--answers", "a"], "--answers: takes the answers of one target; give one --target"),
        (vec!["--answers", "none/a", "--target", "fast"], "none/a: cannot be written"),
        (vec!["--write-ops", "none/o"], "none/o: cannot be written"),
        (vec!["--built", "built", "--target", "bpf"], "--built: built/qdisc.bpf.o"),
        (vec!["--built", "nowhere"], "--built: nowhere/qdisc.bpf.o"),
        (vec!["--packets", "0"], "--packets"),
    ] {
        let said = folder.run(&[&["conform", "p.oq"], &arguments[..]].concat()).refused();
        assert!(said.contains(part), "{arguments:?}: {said}");
    }
    assert!(folder.run(&["conform", "none.oq"]).refused().contains("none.oq"));
}
