//! OpenQueue policies on the command line.

use crate::support::Folder;
use serde_json::Value;

const UNTIDY: &str = "q1=Queue( B ) // one\n";
const TIDY: &str = "q1 = Queue(B); // one\n";
const WHOLE: &str = "param B = 8 pkts;\nq1 = Queue(B);\nout = Port(100);\n";
const BROKEN: &str = "q1=Queue(8)\nt(q) = q.a = 1, dorp(1)\n";

#[test]
fn files_are_formatted_in_place() {
    let folder = Folder::new();
    folder.write("a.oq", UNTIDY).write("b.oq", TIDY);
    assert_eq!(folder.run(&["fmt", "a.oq", "b.oq"]).ok(), "");
    assert_eq!((folder.read("a.oq"), folder.read("b.oq")), (TIDY.to_owned(), TIDY.to_owned()));
}

#[test]
fn files_that_differ_are_listed() {
    let folder = Folder::new();
    folder.write("a.oq", UNTIDY).write("b.oq", TIDY);
    let output = folder.run(&["fmt", "--check", "a.oq", "b.oq"]);
    assert_eq!((output.status, output.stdout.as_str(), output.stderr.as_str()), (1, "a.oq\n", ""));
    assert_eq!(folder.read("a.oq"), UNTIDY);
    assert_eq!(folder.run(&["fmt", "--check", "b.oq"]).ok(), "");
}

#[test]
fn standard_input_is_formatted_to_standard_output() {
    let folder = Folder::new();
    folder.write("a.oq", UNTIDY);
    let input = std::fs::File::open(folder.path("a.oq")).unwrap();
    assert_eq!(folder.run_on(input, &["fmt", "-"]).ok(), TIDY);
}

#[test]
fn formatting_leaves_what_is_broken_and_says_so() {
    let folder = Folder::new();
    folder.write("a.oq", BROKEN);
    let output = folder.run(&["fmt", "a.oq"]);
    assert_eq!((output.status, output.stdout.as_str()), (2, ""));
    assert!(output.stderr.contains("error[unknown-action]") && output.stderr.contains("a.oq:2:17"), "{output:?}");
    assert_eq!(folder.read("a.oq"), "q1 = Queue(8);\nt(q) = q.a = 1, dorp(1)\n");
}

#[test]
fn files_are_checked() {
    let folder = Folder::new();
    folder.write("a.oq", WHOLE).write("b.oq", BROKEN);
    assert_eq!(folder.run(&["check", "a.oq"]).ok(), "1 file can be used\n");
    assert_eq!(folder.run(&["check", "a.oq", "--param", "B=64 KiB"]).ok(), "1 file can be used\n");
    let output = folder.run(&["check", "a.oq", "--param", "C=1"]);
    assert!(output.status == 2 && output.stderr.contains("`C`"), "{output:?}");
    let output = folder.run(&["check", "a.oq", "--param", "B=8 pkt"]);
    assert!(output.status == 2 && output.stderr.contains("did you mean `pkts`"), "{output:?}");
    let output = folder.run(&["check", "a.oq", "b.oq"]);
    assert_eq!((output.status, output.stdout.as_str()), (2, "1 of 2 files cannot be used\n"));
    let expected = "\
error[wrong-equals]: `=` gives a value; two things are compared with `==`
 --> b.oq:2:12
  |
2 | t(q) = q.a = 1, dorp(1)
  |            ^
  |
  = help: write `==`

error[unknown-action]: there is no action `dorp`
 --> b.oq:2:17
  |
2 | t(q) = q.a = 1, dorp(1)
  |                 ^^^^
  |
  = help: did you mean `drop`?

";
    assert_eq!(output.stderr, expected);
}

#[test]
fn diagnostics_are_data() {
    let folder = Folder::new();
    folder.write("a.oq", "// б\nx = (1\n").write("b.oq", WHOLE);
    assert_eq!(folder.run(&["check", "b.oq", "--format", "json"]).ok().trim(), "[]");
    let output = folder.run(&["check", "a.oq", "--format", "json"]);
    assert_eq!((output.status, output.stderr.as_str()), (2, ""));
    let found: Value = serde_json::from_str(&output.stdout).unwrap();
    let [mistake] = &found.as_array().unwrap()[..] else { panic!("{found}") };
    assert_eq!((mistake["file"].as_str(), mistake["code"].as_str()), (Some("a.oq"), Some("unclosed")));
    assert_eq!(mistake["start"], serde_json::json!({ "line": 2, "column": 7, "offset": 12 }));
    assert_eq!(mistake["labels"][0]["start"]["column"], 5);
    assert_eq!(mistake["fix"]["text"], ")");
}

#[test]
fn what_is_no_text_is_refused() {
    let folder = Folder::new();
    folder.write("a.oq", b"x = 1\n\xff\n");
    for command in ["check", "fmt"] {
        assert!(folder.run(&[command, "a.oq"]).refused().starts_with("a.oq:2: byte 6 is not UTF-8"));
        assert!(folder.run(&[command, "none.oq"]).refused().contains("there is no such file"));
        assert!(folder.run(&[command, "."]).refused().contains("this is a folder"));
    }
}

#[test]
fn a_policy_becomes_a_program() {
    let folder = Folder::new();
    folder.write("a.oq", WHOLE).write("broken.oq", BROKEN);
    folder.write("two.oq", "q[1..2] = Queue(4 pkts);\nout = Port(100);\n");
    // Nothing but the sum of a queue reads it.
    folder.write("sums.oq", "q = Queue(4 pkts);\nout = Port(100);\nq.congestion(q) = q.currProcessing > 9, drop(1);\n");
    let made =
        folder.run(&["compile", "a.oq", "-o", "program", "--field", "value=udp[8:4]", "--field", "slack=7"]).ok();
    assert_eq!(made.lines().count(), 22, "{made}");
    let fields = folder.read("program/oq_fields.h");
    assert!(fields.contains("/* value=udp[8:4] */") && fields.contains("fields->slack = (oq_u64)7ull;"), "{fields}");
    assert!(folder.read("program/oq_sizes.h").contains("#define OQ_CAPACITY 9u"));
    assert!(folder.read("program/main.c").contains("#include \"oq_core.h\""));
    let dpdk = folder.run(&["compile", "two.oq", "--target", "dpdk", "-o", "dpdk", "--field", "queue=dscp>>3"]).ok();
    assert!(dpdk.contains("dpdk/Makefile") && dpdk.contains("dpdk/main.c"), "{dpdk}");
    for (arguments, expected) in [
        (vec!["a.oq", "--target", "d"], "--target: unknown target `d`"),
        (vec!["a.oq", "--slots", "8"], "a.oq:2: queue q1: has room for 8 packets, more than 8 slots"),
        (vec!["a.oq", "--target", "p4", "--slots", "8"], "--slots: is for target"),
        (vec!["broken.oq"], "broken.oq: cannot be used"),
        (vec!["a.oq", "--field", "value=dcsp"], "`dcsp` is not a source of a field"),
        (vec!["two.oq", "--target", "dpdk"], "no header implies it; name a source, such as --field queue=dscp>>3"),
        (vec!["sums.oq", "--target", "bpf"], "the policy reads `processing` of packets, and no header implies it"),
        (vec!["a.oq", "--field", "worth=dscp"], "`worth` is not a field that headers can give"),
    ] {
        let output = folder.run(&[&["compile", "-o", "other"], &arguments[..]].concat());
        assert_eq!(output.status, 2, "{}", output.stderr);
        assert!(output.stderr.contains(expected), "{}", output.stderr);
    }
}

const RANKED: &str = "q = Queue(80 pkts);\nout = Port(100);\nq.procPrio(p1, p2) = (p1.rank < p2.rank);\n";

#[test]
fn a_policy_becomes_a_program_for_a_switch() {
    let folder = Folder::new();
    folder.write("a.oq", RANKED);
    let arguments = ["compile", "a.oq", "--target", "p4", "-o", "s", "--field", "rank=udp[8:4]"];
    let made = folder.run(&[&arguments[..], &["--queues", "4"]].concat()).ok();
    assert_eq!(made, "s/policy.p4\ns/policy.spec\ns/main.c\ns/Makefile\n");
    assert!(folder.read("s/policy.p4").contains("bound_3.read(bound, port);"));
    assert!(!folder.read("s/policy.p4").contains("bound_4"));
    folder.run(&[&arguments[..], &["--resubmit", "--rank-bits", "40"]].concat()).ok();
    assert!(folder.read("s/policy.p4").contains("@field_list(1) bit<40> cost;"));
    for (wrong, expected) in [
        (["--queues", "33"], "`33` is not a whole number from 1 to 32"),
        (["--rank-bits", "64"], "`64` is not a whole number from 1 to 63"),
        (["--rank-bits", "7"], "the switch: has bounds of 8 to 63 bits; give --rank-bits in this range"),
        (["--field", "rank=mark"], "is known to a host's kernel, but not to a switch"),
        (
            ["--field", "rank=tcp[4:4]"],
            "`rank=udp[8:4]` and `rank=tcp[4:4]` set the same value twice; give only one of them",
        ),
    ] {
        let without = if wrong[1] == "rank=mark" { 6 } else { arguments.len() };
        let output = folder.run(&[&arguments[..without], &wrong[..]].concat());
        assert_eq!(output.status, 2);
        assert!(output.stderr.contains(expected), "{}", output.stderr);
    }
}

#[test]
fn a_policy_becomes_hardware() {
    let folder = Folder::new();
    folder.write("a.oq", RANKED).write("p.oq", format!("{RANKED}q.admPrio(p1, p2) = (p1.value < p2.value);\n"));
    let arguments = ["compile", "a.oq", "--target", "sv", "-o", "h"];
    let made = folder.run(&[&arguments[..], &["--bits", "rank=3", "--id-bits", "7"]].concat()).ok();
    let listed = folder.read("h/policy.f");
    for name in listed.lines().filter(|line| line.ends_with(".sv")) {
        assert!(made.lines().any(|path| path == format!("h/{name}")), "{name} is not among\n{made}");
    }
    assert!(listed.lines().count() > 10, "{listed}");
    // The engine's answers stand beside its operations: at least every packet that arrived.
    let lines = |name: &str| folder.read(name).lines().count();
    assert!(lines("h/operations.ops") > 3_000 && lines("h/answers.txt") > 3_000);
    let operations = folder.read("h/operations.ops");
    let ranks =
        operations.lines().filter(|line| line.starts_with("enqueue")).map(|line| line.split(' ').nth(10).unwrap());
    assert_eq!(ranks.max(), Some("7"), "ranks take the 3 bits that they were given, and no more");
    for (command, wrong, expected) in [
        ("compile", &["a.oq", "--bits", "size=40"][..], "--bits: `size` can have 1 to 20 bits, not `40`"),
        ("compile", &["a.oq", "--bits", "tos=4"], "--bits: no field `tos` has a width"),
        (
            "compile",
            &["a.oq", "--bits", "rank=4", "--bits", "rank=5"],
            "--bits: `rank=4` and `rank=5` set the same value twice",
        ),
        (
            "compile",
            &["a.oq", "--queue", "heap"],
            "--queue: there is no queue block `heap`; there are auto, bbq, bbq-front, pifo",
        ),
        ("compile", &["a.oq", "--id-bits", "33"], "--id-bits: `33` is not a whole number from 1 to 32"),
        ("compile", &["a.oq", "--id-bits", "5"], "--id-bits: are 5, too few for different ids of up to 81 packets"),
        ("check", &["a.oq", "--resubmit"], "--resubmit: is for target p4, and `sv` does not use it; leave it out"),
        ("compile", &["a.oq", "--field", "rank=dscp"], "--field: is for target bpf, c, dpdk, p4, and `sv`"),
        ("compile", &["p.oq"], "p.oq:4: queue q, admPrio: is the reverse neither of the order of arrival"),
    ] {
        let more: &[&str] = if command == "check" { &[] } else { &["-o", "other"] };
        let said = folder.run(&[&[command, "--target", "sv"], wrong, more].concat()).refused();
        assert!(said.contains(expected), "{said}");
    }
    let refused = folder.run(&["check", "p.oq", "--target", "sv"]);
    assert_eq!((refused.status, refused.stdout.as_str()), (2, "1 of 1 file cannot be used\n"));
    assert!(refused.stderr.contains("a queue block gives only the two ends of its order"), "{}", refused.stderr);
    // Two things that are refused are two lines, and objects have their names.
    folder.write(
        "two.oq",
        "a = Queue(9 pkts);\nb = Queue(9 pkts);\nout = Port(100, a, b);\n\
                            a.admPrio(p1, p2) = (p1.value < p2.value);\n\
                            b.congestion(q) = (a.findHigh().value > 3, drop(1));\n\
                            out.schedPrio(q1, q2) = (q1.currSize < q2.currSize);\n",
    );
    let refused = folder.run(&["compile", "two.oq", "--target", "sv", "-o", "other"]);
    let lines: Vec<&str> = refused.stderr.lines().collect();
    assert_eq!((refused.status, lines.len()), (2, 2), "{}", refused.stderr);
    assert!(refused.stderr.contains("error: two.oq:4: queue a, admPrio: is the reverse neither"), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("error: two.oq:5: queue b, congestion: reads `a.findHigh().value`"),
        "{}",
        refused.stderr
    );
    let without = folder.run(&["check", "a.oq", "--bits", "rank=9"]).refused();
    assert_eq!(without, "--bits: is for target sv; name one with --target, or leave it out");
    let other = folder.run(&["compile", "a.oq", "--bits", "rank=9", "-o", "other"]).refused();
    assert!(other.contains("--bits: is for target sv, and `c` does not use it; leave it out"), "{other}");
    assert!(!folder.path("other").exists());
}

#[test]
fn check_says_what_a_target_cannot_express_and_what_it_loses() {
    let folder = Folder::new();
    folder.write("a.oq", RANKED).write("p.oq", format!("{RANKED}q.admPrio(p1, p2) = (p1.rank > p2.rank);\n"));
    let arguments = ["--target", "p4", "--field", "rank=udp[8:8]"];
    let good = folder.run(&[&["check", "a.oq"], &arguments[..]].concat());
    assert_eq!((good.status, good.stdout.as_str()), (0, "1 file can be used\n"));
    let lost = "note: a.oq:3: queue q, procPrio q.procPrio: the key `lowest p.rank` is quantised in steps of 2^16";
    assert!(good.stderr.contains(lost), "{}", good.stderr);
    let broken = folder.run(&[&["check", "a.oq", "p.oq"], &arguments[..]].concat());
    assert_eq!((broken.status, broken.stdout.as_str()), (2, "1 of 2 files cannot be used\n"));
    let reason = "error: p.oq:4: queue q, admPrio q.admPrio: a switch's queue cannot push out a packet that waits";
    assert!(broken.stderr.contains(reason), "{}", broken.stderr);
    let json = folder.run(&[&["check", "p.oq", "--format", "json"], &arguments[..]].concat());
    assert_eq!(json.status, 2);
    assert!(json.stdout.contains("\"code\": \"target\""), "{}", json.stdout);
    for target in ["c", "p4"] {
        let output = folder.run(&["check", "a.oq", "--target", target]);
        assert_eq!(output.status, if target == "c" { 0 } else { 2 }, "{}", output.stderr);
    }
    assert!(folder.run(&["check", "a.oq", "--target", "d"]).refused().contains("unknown target `d`"));
    let said = folder.run(&["check", "a.oq", "--target", "switch"]).refused();
    assert!(said.contains("`forebay switch` takes every policy that `check` takes without --target"), "{said}");
    assert!(
        folder
            .run(&["run", "a.oq"])
            .refused()
            .contains("it is a policy: give it to `forebay check` or `forebay explain`")
    );
    std::fs::create_dir_all(folder.path("policies")).unwrap();
    folder.write("policies/lqd.oq", "q = Queue(9 pkts)\nout = Port(100)\n");
    assert!(folder.run(&["explain", "lqd"]).refused().contains("unknown name `lqd`; the policy is policies/lqd.oq"));
}

#[test]
fn what_a_target_refuses_has_its_line() {
    let folder = Folder::new();
    folder.write(
        "p.oq",
        "param k = 3\nq[1..k] = Queue(9 pkts)\nlast = Queue(9 pkts)\nout = Port(100)\n\
         for i in 1..k {\n    q[i].admPrio(a, b) = (a.value < b.value)\n}\n\
         q2.admPrio(a, b) = (a.size < b.size)\n\
         last.procPrio(a, b) = (a.value * b.size < b.value * a.size)\n\
         last.congestion(q) = (q.findHigh().size > 9, drop(1))\n",
    );
    let said = folder.run(&["check", "p.oq", "--target", "sv"]);
    for expected in [
        "error: p.oq:6: queue q1, admPrio: is the reverse neither",
        "error: p.oq:8: queue q2, admPrio: is the reverse neither",
        "error: p.oq:9: queue last, procPrio: is no list of keys",
        "error: p.oq:10: queue last, congestion: reads `q.findHigh().size`",
        // Nothing is said of its order, which is then that of what waits.
        "error: p.oq:4: port out, schedPrio: depends on the next packets of queues",
    ] {
        assert!(said.stderr.contains(expected), "{expected}\n{}", said.stderr);
    }
    let json = folder.run(&["check", "p.oq", "--target", "sv", "--format", "json"]).stdout;
    assert!(json.contains("\"line\": 9"), "{json}");
}
