//! `forebay run --record-ops`: another queue gives the recorded answers.

use crate::support::{Folder, STUDY, UNIFORM};
use forebay_core::Params;
use forebay_core::ops::{Answer, Op, OpStream, Replay};
use forebay_core::params::ParamValue;
use forebay_sched::queues::replay::Replayed;
use forebay_sched::queues::{QUEUES, QueueSize, Reference};

const POLICIES: &str = r#"
[[policy]]
name = "worst first"
rank = "packet-rank"
queue = "pifo"
drop = "worst-first"

[[policy]]
name = "Worst/First"
rank = "packet-rank"
queue = { name = "hffs", ranks = 16 }
rank_unit = 8

[[policy]]
name = "wfq"
rank = "wfq"
queue = "pifo"

[[policy]]
name = "sp-pifo"
rank = "packet-rank"
queue = "sp-pifo"
"#;

/// Reads a stream and replays it on the reference and on `queue`.
#[track_caller]
fn replayed(text: &str, queue: &str) -> OpStream {
    let stream = OpStream::parse(text).unwrap();
    let done = Ok(Replay::Done { inversions: 0 });
    assert_eq!(stream.check_exact(&mut Reference::new(stream.capacity, stream.ranks)), done);
    let entry = QUEUES.iter().find(|entry| entry.about.name == queue).unwrap();
    let ranks = ParamValue::Integer(i64::try_from(stream.ranks).unwrap());
    let given = entry.about.params.iter().filter(|param| param.name == "ranks");
    let params = Params::check(entry.about.params, given.map(|param| (param.name.to_owned(), ranks.clone())).collect());
    let built = (entry.build)(QueueSize { packets: stream.capacity }, &params.unwrap()).unwrap();
    assert_eq!(stream.check_exact(&mut Replayed::without_removal(built)), done);
    stream
}

fn count(stream: &OpStream, wanted: impl Fn(Op, Answer) -> bool) -> u64 {
    stream.steps.iter().filter(|step| wanted(step.op, step.answer)).count() as u64
}

#[test]
fn what_is_recorded_is_what_other_exact_queues_do() {
    let folder = Folder::new();
    folder.write("s.toml", UNIFORM.to_owned() + POLICIES);
    let arguments =
        ["run", "s.toml", "--format", "json", "--set", "traffic.load=1.2", "--set", "traffic.packets=30000"];
    let output = folder.run(&[&arguments[..], &["--record-ops", "ops", "--threads", "2"]].concat());
    let warnings: Vec<&str> = output.stderr.lines().collect();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert_eq!(
        warnings[0],
        "warning: `sp-pifo` is not recorded: the queue `sp-pifo` does not keep the order of ranks; only policies with a \
         rank and one of the exact queues (pifo, hffs, shift-register, pieo, bmw-tree, pheap, fibonacci-heap, fibonacci-pair) are \
         recorded"
    );
    assert!(warnings[1].starts_with("warning: the ranks of `wfq` go up to "), "{}", warnings[1]);
    let recorded = output.stdout;
    assert_eq!(recorded, folder.run(&arguments).ok(), "recording changes no result");

    let report: serde_json::Value = serde_json::from_str(&recorded).unwrap();
    for (number, file, queue) in
        [(0, "worst-first", "hffs"), (1, "Worst-First-2", "pifo"), (1, "Worst-First-2", "hffs"), (2, "wfq", "pheap")]
    {
        let stream = replayed(&folder.read(&format!("ops/{file}.ops")), queue);
        let result = &report["results"][number];
        let pushed = count(&stream, |op, answer| matches!((op, answer), (Op::Push { .. }, Answer::Done)));
        let popped = count(&stream, |op, answer| matches!((op, answer), (Op::Pop, Answer::Item { .. })));
        let evicted = count(&stream, |op, answer| matches!((op, answer), (Op::PopMax, Answer::Item { .. })));
        assert_eq!(popped, result["packets_out"], "{file}");
        assert_eq!(pushed, popped + evicted, "{file}");
        assert_eq!(evicted > 0, number == 0, "{file}");
        assert_eq!(stream.capacity, 80, "it was full");
        assert_eq!(stream.ranks, [101, 13, stream.ranks][number], "{file}: ranks are those of the queue");
    }
    assert!(!folder.path("ops/sp-pifo.ops").exists());
}

#[test]
fn one_who_follows_the_advice_about_wide_ranks_has_ranks_that_fit() {
    let folder = Folder::new();
    folder.write("s.toml", UNIFORM.to_owned() + POLICIES);
    let run = |more: &[&str]| folder.run(&[&["run", "s.toml", "--record-ops", "ops"], more].concat()).stderr;
    let warning = run(&[]);
    let unit = warning.split("rank_unit = ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let unit: u64 = unit.parse().unwrap();
    assert!(run(&["--set", &format!("policy.wfq.rank_unit={}", unit / 2)]).contains("the ranks of `wfq`"));
    assert!(!run(&["--set", &format!("policy.wfq.rank_unit={unit}")]).contains("the ranks of `wfq`"));
    let stream = replayed(&folder.read("ops/wfq.ops"), "hffs");
    assert!(stream.ranks <= 1 << 20 && stream.ranks > 1 << 19, "{}", stream.ranks);
}

#[test]
fn a_sweep_records_the_first_repetition_of_every_line_of_its_exact_queues() {
    let folder = Folder::new();
    folder.write("s.toml", STUDY);
    let output = folder.run(&["run", "s.toml", "--record-ops", "ops", "--set", "traffic.packets=2000"]);
    let left_out = output.stderr.lines().filter(|line| line.contains("is not recorded")).count();
    assert_eq!((output.status, left_out), (0, 2), "once for each queue: {}", output.stderr);
    let mut files: Vec<_> =
        std::fs::read_dir(folder.path("ops")).unwrap().map(|file| file.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["pifo.0.8.uniform.ops", "pifo.0.8.wide.ops", "pifo.1.1.uniform.ops", "pifo.1.1.wide.ops"]);
    let text = folder.read("ops/pifo.1.1.wide.ops");
    assert!(text.contains("scenario \"s\", first repetition, seed 1, \"pifo.1.1.wide\""), "{text}");
    let stream = replayed(&text, "hffs");
    assert_eq!((stream.capacity, stream.ranks > 990), (80, true), "{}", stream.ranks);
    let pushed = count(&stream, |op, _| matches!(op, Op::Push { .. }));
    let left = count(&stream, |op, answer| !matches!(op, Op::Push { .. }) && answer != Answer::Empty);
    assert!(pushed == left && pushed > 1900, "{pushed} of 2,000 packets, {left}");
}

#[test]
fn every_node_of_a_tree_has_a_file() {
    let tree = r#"[[policy]]
name = "tenants"
queue = "pifo"
tree = { rank = "stfq", rank_unit = 1_000_000, children = [
    { classes = [46], rank = "packet-rank", rank_unit = 10 },
    { rank = "packet-rank" },
] }"#;
    let folder = Folder::new();
    let arguments = ["--set", "traffic.packets=20000", "--set", "traffic.load=1.2"];
    let plain = folder.json(&(UNIFORM.to_owned() + tree), &arguments);
    let report = folder.json(&(UNIFORM.to_owned() + tree), &[&arguments[..], &["--record-ops", "ops"]].concat());
    assert_eq!(plain, report, "recording changes no result");
    let streams =
        [".root", ".root.0", ".root.1"].map(|node| replayed(&folder.read(&format!("ops/tenants{node}.ops")), "pifo"));
    let popped = |stream| count(stream, |op, answer| op == Op::Pop && answer != Answer::Empty);
    let [root, first, second] = streams.each_ref().map(popped);
    assert_eq!(root, report["results"][0]["packets_out"]);
    assert!(first + second == root && first > 1000 && second > first, "{first} and {second} of {root}");
    let [root, first, second] = streams.map(|stream| stream.ranks);
    assert_eq!((first, second), (11, 101));
    assert!(root > 11 && root < 1 << 20, "{root}");
}

#[test]
fn what_cannot_be_recorded_is_refused_before_the_run() {
    let folder = Folder::new();
    folder.write("p.oq", "q = Queue(10);\nout = Port(100);\n");
    let policy = |parts: &str| UNIFORM.to_owned() + "[[policy]]\nname = \"x\"\n" + parts;
    for (parts, why) in [
        ("rank = \"arrival\"\nqueue = \"fifo\"", "the queue `fifo` does not keep the order of ranks"),
        (
            "rank = \"wfq\"\nqueue = \"rolling-hffs\"",
            "the queue `rolling-hffs` is exact only for ranks within its window",
        ),
        ("queue = \"hffs\"\ntree = { rank = \"strict\" }", "the nodes of the tree share one queue"),
        (
            "queue = \"pifo\"\ntree = { rank = \"strict\", queue = \"sp-pifo\" }",
            "a node of its tree has the queue `sp-pifo`, and not `pifo`",
        ),
        ("rank = \"wf2q\"\nqueue = \"pieo\"", "the rank function `wf2q` holds its packets back"),
        (
            "rank = { name = \"reframer\", hold = \"10 us\" }\nqueue = \"pieo\"",
            "the rank function `reframer` holds its packets back",
        ),
        ("policy = \"p.oq\"", "a policy in OpenQueue keeps its packets in structures of its engine"),
    ] {
        folder.write("s.toml", policy(parts));
        let error = folder.run(&["run", "s.toml", "--record-ops", "ops"]).refused();
        assert!(error.starts_with(&format!("--record-ops: `x` is not recorded: {why}")), "{error}");
        assert!(error.contains("exact queues (pifo, hffs, "), "{error}");
        assert!(!folder.path("ops").exists());
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = Folder::new();
    folder.write("s.toml", UNIFORM.to_owned() + "[[policy]]\nname = \"x\"\nrank = \"arrival\"\nqueue = \"pifo\"");
    folder.write("file", "");
    let error = folder.run(&["run", "s.toml", "--record-ops", "file"]).refused();
    assert!(error.starts_with("file: cannot be created as a folder"), "{error}");
    std::fs::create_dir_all(folder.path("ops/x.ops")).unwrap();
    let error = folder.run(&["run", "s.toml", "--record-ops", "ops"]).refused();
    assert_eq!(error, "ops/x.ops: cannot be written: this is a folder, not a file");
}
