//! Bad input: one line with the place and the fix, and exit status 2.

use crate::support::{Folder, UNIFORM};

const POLICY: &str = "\n[[policy]]\nrank = \"packet-rank\"\nqueue = \"fifo\"\n";

/// Replaces `from` by `to` in a good scenario and returns the error.
#[track_caller]
fn spoiled(from: &str, to: &str) -> String {
    let good = format!("{UNIFORM}{POLICY}");
    assert!(good.contains(from), "{from}");
    let folder = Folder::new();
    folder.write("s.toml", good.replace(from, to));
    folder.run(&["run", "s.toml"]).refused()
}

/// The line of a text in the good scenario.
fn line_of(text: &str) -> usize {
    let first = text.lines().next().unwrap();
    format!("{UNIFORM}{POLICY}").lines().position(|line| line.contains(first)).unwrap() + 1
}

#[test]
fn every_mistake_in_a_scenario_names_line_and_fix() {
    for (from, to, advice) in [
        ("rate = \"10 Gbps\"", "rate = \"0 Gbps\"", "a rate must be at least 1 bps"),
        ("rate = \"10 Gbps\"", "rate = \"-5 Gbps\"", "cannot be negative"),
        ("rate = \"10 Gbps\"", "rate = 10", "for example `10 Gbps`"),
        ("rate = \"10 Gbps\"", "rate = \"10 GB\"", "use bps, kbps, Mbps"),
        ("rate = \"10 Gbps\"", "", "[port] has no `rate`"),
        ("rate = \"10 Gbps\"", "rato = \"10 Gbps\"", "s.toml:3: unknown field `rato` in [port]; did you mean `rate`?"),
        ("buffer = \"80 packets\"", "buffer = \"0 packets\"", "must hold something"),
        ("buffer = \"80 packets\"", "buffer = \"80 packet s\"", "use packets, B, KB"),
        ("buffer = \"80 packets\"", "buffer = \"99999999999 packets\"", "is more than"),
        ("load = 0.9", "load = -1", "a number above 0"),
        ("load = 0.9", "load = 0", "a number above 0"),
        ("load = 0.9", "load = inf", "not a finite number"),
        ("load = 0.9", "lode = 0.9", "needs a `load`"),
        ("load = 0.9", "load = 0.9\nrate = \"1 Gbps\"", "not both"),
        ("packets = 100_000", "packets = 0", "a whole number from 1"),
        ("flows = 20", "flows = 99999999999", "from 1 to 1048576"),
        ("flows = 20", "flwos = 20", "did you mean `flows`"),
        ("arrivals = \"poisson\"", "arrivals = \"poison\"", "did you mean `poisson`"),
        ("arrivals = \"poisson\"", "arrivals = \"on-off\"", "no `on`"),
        ("arrivals = \"poisson\"", "arrivals = \"constant\"\non = \"1 ms\"", "is for arrivals = \"on-off\""),
        ("classes = { 46 = 0.3, 0 = 0.7 }", "classes = { EF = 1 }", "a class is a number"),
        ("distribution = \"uniform\"", "distribution = \"uniforn\"", "did you mean `uniform`"),
        ("max = 100 }", "max = -1 }", "a whole number from"),
        ("min = 0, max = 100", "min = 7, max = 3", "at least `min`"),
        ("rank = \"packet-rank\"", "rank = \"packet-ran\"", "did you mean `packet-rank`"),
        ("rank = \"packet-rank\"", "rank = \"value\"", "needs packets with value"),
        ("rank = \"packet-rank\"", "rank = \"job-ratio-inordr\"", "did you mean `job-ratio-inorder`"),
        ("rank = \"packet-rank\"\nqueue = \"fifo\"", "rank = \"wsjf-inorder\"\nqueue = \"pifo\"", "processing_ns"),
        ("rank = \"packet-rank\"", "rank = { name = \"stfq\", weights = \"x\" }", "a table with a class"),
        ("queue = \"fifo\"", "queue = \"fifa\"", "did you mean `fifo`"),
        ("queue = \"fifo\"", "queue = { name = \"sp-pifo\", queues = 0 }", "from 1 to 1024"),
        ("queue = \"fifo\"", "queue = { name = \"sp-pifo\", quees = 8 }", "did you mean `queues`"),
        ("queue = \"fifo\"", "queue = { name = \"hffs\", ranks = 99999999999 }", "from 1 to 16777216"),
        ("queue = \"fifo\"", "queue = { name = \"gradient\", steps = \"oen\" }", "did you mean `one`"),
        ("queue = \"fifo\"", "queue = 5", "must be a name"),
        ("queue = \"fifo\"", "queue = \"fifo\"\ndrop = \"worst-first\"", "cannot give up its worst packet"),
        ("queue = \"fifo\"", "queue = \"fifo\"\npace = { name = \"delay\", time = \"1 us\" }", "use queue = \"pieo\""),
        ("queue = \"fifo\"", "queue = \"pieo\"\npace = \"token-bucket\"", "such as rate = \"1 Gbps\""),
        ("queue = \"fifo\"", "queue = \"pieo\"\npace = \"token-buckets\"", "did you mean `token-bucket`?"),
        (
            "queue = \"fifo\"",
            "queue = \"pieo\"\npace = { name = \"token-bucket\", rate = \"1 Gbps\", of = \"flows\" }",
            "`of` must be \"flow\", \"class\" or \"all\"",
        ),
        ("queue = \"fifo\"", "queue = \"pieo\"\npace = { name = \"delay\", time = 5 }", "`time`"),
        (
            "rank = \"packet-rank\"\nqueue = \"fifo\"",
            "pace = { name = \"delay\", time = \"1 us\" }\ntree = { rank = \"arrival\" }\nqueue = \"pifo\"",
            "give `pace` to children of the root",
        ),
        ("queue = \"fifo\"", "queue = \"fifo\"\nbuffer = \"-1 KB\"", "cannot be negative"),
        ("queue = \"fifo\"", "queue = \"fifo\"\nrank_unit = 0", "a whole number from 1"),
        ("queue = \"fifo\"", "queue = \"fifo\"\nrank_unit = { steps_per_doubling = 3 }", "such as 4"),
        ("queue = \"fifo\"", "queue = \"fifo\"\nrank_unit = { mantissa = 3 }", "no `steps_per_doubling`"),
        ("queue = \"fifo\"", "queue = \"fifo\"\nname = \"\"", "1 to 40 characters"),
        ("queue = \"fifo\"", "queue = \"fifo\"\nname = \"a\\nb\"", "no control characters"),
        (
            "rank = \"packet-rank\"\nqueue = \"fifo\"",
            "rank = \"strict\"\nqueue = { name = \"hffs\", ranks = 64 }",
            "rank_unit = 4",
        ),
        ("load = 0.9", "trace = \"a.pcap\"\nload = 0.9", "either a `trace` or `arrivals`"),
        ("packets = 100_000", "duration = \"0 s\"", "must be above 0"),
        ("flows = 20", "flows = 1", "class 46 gets no flow"),
        ("min = 0, max = 100", "min = 0", "no `max`"),
        ("[[policy]]", "[policy]", "two brackets"),
        ("[port]", "[port", "not TOML"),
    ] {
        let error = spoiled(from, to);
        assert!(error.contains(advice), "{to}: {error}");
        assert!(error.starts_with("s.toml:"), "{to}: {error}");
        let line: usize = error.split(':').nth(1).unwrap().parse().unwrap();
        let first = line_of(from);
        // At the field, at the one added below it, or at the table that lacks a field.
        assert!((first.saturating_sub(12)..=first + 1).contains(&line), "{to}: line {line}, not {first}: {error}");
    }
}

#[test]
fn a_whole_part_that_is_missing_is_named_with_an_example() {
    let folder = Folder::new();
    for (text, missing) in [
        ("policy = []\n", "no `port`"),
        ("[port]\nrate = \"1 Gbps\"\nbuffer = \"1 MB\"\n", "no `traffic`"),
        (UNIFORM, "no `policy`"),
        (
            "policy = []\n[port]\nrate = \"1 Gbps\"\nbuffer = \"1 MB\"\n[traffic]\narrivals = \"poisson\"\nload = 1\n",
            "no policies",
        ),
    ] {
        folder.write("s.toml", text);
        let error = folder.run(&["run", "s.toml"]).refused();
        assert!(error.contains(missing) && error.contains(" = "), "{error}");
    }
}

#[test]
fn two_policies_of_one_name_are_refused() {
    let error = spoiled("queue = \"fifo\"\n", &format!("queue = \"fifo\"\n{POLICY}"));
    assert!(error.contains("two policies called `packet-rank fifo`"), "{error}");
}

#[test]
fn rising_ranks_do_not_go_into_a_queue_of_bounded_ranks() {
    let folder = Folder::new();
    folder.write("s.toml", format!("{UNIFORM}\n[[policy]]\nrank = \"stfq\"\nqueue = \"hffs\"\n"));
    let error = folder.run(&["run", "s.toml"]).refused();
    assert!(error.contains("rise for ever") && error.contains("queue = \"pifo\""), "{error}");
}

#[test]
fn files_that_are_not_there_or_not_readable_are_named() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["run", "no.toml"]).refused(), "no.toml: cannot be read: there is no such file or folder");
    assert!(folder.run(&["run", "."]).refused().contains("a folder, not a file"));
    assert!(folder.run(&["trace", "info", "."]).refused().contains("a folder, not a file"));
    folder.write("binary.toml", [0xff, 0xfe, 0x00]);
    assert!(folder.run(&["run", "binary.toml"]).refused().contains("binary.toml:1: byte 0 is not UTF-8; a scenario"));
    let error = spoiled("arrivals = \"poisson\"\nload = 0.9", "trace = \"no.pcap\"");
    assert!(error.starts_with("s.toml:7: ") && error.contains("no.pcap") && error.contains("no such file"), "{error}");
    folder.write("s.toml", format!("{UNIFORM}{POLICY}")).write("file", "");
    assert!(folder.run(&["run", "s.toml", "--out", "file/x"]).refused().contains("cannot be created"));
}

#[test]
fn wrong_arguments_are_refused_with_status_2() {
    let folder = Folder::new();
    folder.write("s.toml", format!("{UNIFORM}{POLICY}"));
    let refused = |arguments: &[&str]| folder.run(arguments).refused();
    assert!(refused(&["rum"]).contains("'run'"));
    assert!(refused(&["run", "s.toml", "--seed", "-1"]).contains("--seed"));
    assert!(refused(&["run", "s.toml", "--format", "xml"]).contains("json"));
    assert!(refused(&["run", "s.toml", "--threads", "0"]).contains("--threads"));
    assert!(refused(&["run", "s.toml", "--set", "port"]).contains("KEY=VALUE"));
    assert!(refused(&["run", "s.toml", "--set", "port.rat=1Gbps"]).contains("did you mean `rate`"));
    assert!(refused(&["run", "s.toml", "--set", "port.rate=0Gbps"]).starts_with("--set port.rate=0Gbps: "));
    assert!(refused(&["run", "s.toml", "--set", "policy.3.queue=pifo"]).contains("from 0 to 0"));
    assert!(refused(&["explain", "sppifo"]).contains("did you mean `sp-pifo`"));
    assert!(refused(&["trace", "info", "no.pcap"]).contains("no such file"));
    assert!(refused(&["trace", "gen", "s.toml", "out.txt"]).contains(".csv"));
}

/// Arguments that the parser rejects get one line as well, with the possible values and a pointer to the help.
#[test]
fn wrong_uses_are_refused_in_one_line() {
    let folder = Folder::new();
    for (arguments, parts) in [
        (&["rum"][..], &["'rum'", "; tip: ", "'run'", "`forebay --help`"][..]),
        (&["run", "s.toml", "--threds", "1"], &["'--threds'", "'--threads'", "`forebay run --help`"]),
        (&["trace", "gen", "--nothing"], &["'--nothing'", "`forebay trace gen --help`"]),
        (&["switch"], &["--port <INTERFACE>", "--policy <POLICY>", "`forebay switch --help`"]),
        (&["switch", "--policy", "a.oq", "--port", "a", "--rate", "-5Mbps"], &["'-5'", "`forebay switch --help`"]),
        (&["switch", "--policy", "a.oq", "--port", "a", "--ageing", "-1s"], &["'-1'", "`forebay switch --help`"]),
        (&["compile", "a.oq", "-o", ""], &["a value is required for '--output <FOLDER>'", "`forebay compile --help`"]),
        (&["stats", "--dev", "-x"], &["'-x'", "`forebay stats --help`"]),
        (
            &["ctl", "policy", "a.oq", "--transition", "zz"],
            &["'zz'", "[possible values: drain, rerank]", "`forebay ctl policy --help`"],
        ),
        (&["attack", "--search", "--cpu-time", "3m", "--generations", "3"], &["cannot be used with"]),
        (&["run", "s.toml", "--format", "a\nb"], &["table, json, csv"]),
    ] {
        let said = folder.run(arguments).refused();
        assert!(parts.iter().all(|part| said.contains(part)), "{arguments:?}: {said}");
        assert!(said.ends_with(" --help` shows the usage") && !said.contains("Usage"), "{arguments:?}: {said}");
    }
    assert_eq!(
        folder.run(&["conform", "a.oq", "--packets", "-1"]).refused(),
        "--packets: `-1` is not a whole number from 1 to 10000000"
    );
    for nothing in [&[][..], &["ctl"]] {
        let output = folder.run(nothing);
        assert!(
            output.status == 2 && output.stderr.contains("Usage: forebay"),
            "who says nothing gets help: {output:?}"
        );
    }
    let output = folder.run(&["--version"]);
    assert!(output.status == 0 && output.stdout.starts_with("forebay "), "{output:?}");
}

#[test]
fn options_that_say_two_things_of_one_name_are_refused() {
    let folder = Folder::new();
    folder.write("a.oq", "param B = 8 pkts;\nq = Queue(B);\nout = Port(100);\n");
    for (arguments, expected) in [
        (
            &["compile", "a.oq", "-o", "out", "--field", "queue=dscp", "--field", "class=0", "--field", "queue=pcp"][..],
            "--field: `queue=dscp` and `queue=pcp` set the same value twice; give only one of them",
        ),
        (&["check", "a.oq", "--param", "B=1", "--param", " B=2"], "--param: `B=1` and ` B=2` set the same value twice"),
        (&["explain", "a.oq", "--param", "B=1", "--param", "B=1"], "--param: `B=1` and `B=1` set the same value twice"),
        (&["conform", "a.oq", "--param", "B=1", "--param", "B=2"], "--param: `B=1` and `B=2`"),
        (&["ctl", "policy", "a.oq", "--param", "B=1", "--param", "B=2"], "--param: `B=1` and `B=2`"),
    ] {
        let said = folder.run(arguments).refused();
        assert!(said.starts_with(expected), "{arguments:?}: {said}");
    }
    let once = folder.run(&["conform", "a.oq", "--packets", "9", "--target", "fast", "--target", "fast"]).ok();
    assert_eq!(once.lines().filter(|line| line.starts_with("fast")).count(), 1, "{once}");
}

#[test]
fn names_of_devices_that_can_be_none_are_refused() {
    let folder = Folder::new();
    folder.write("a.oq", "q = Queue(8 pkts);\nout = Port(100);\n");
    for (arguments, expected) in [
        (&["stats", "--dev", ""][..], "--dev: the name is empty"),
        (&["deploy", "a.oq", "--dev", ""], "--dev: the name is empty"),
        (&["undeploy", "--dev", "a/b"], "--dev: `a/b` cannot be a name"),
        (&["stats", "--dev", "a", "--netns", ""], "--netns: the name is empty"),
        (&["stats", "--dev", "a", "--netns", "../x"], "--netns: `../x` cannot be a name"),
        (&["switch", "--policy", "a.oq", "--port", "", "--port", "b"], "--port: the name is empty"),
        (&["ctl", "policy", "a.oq", "--port", "a/b"], "--port: `a/b` cannot be a name"),
    ] {
        let said = folder.run(arguments).refused();
        assert!(said.starts_with(expected), "{arguments:?}: {said}");
    }
}

/// Every option that takes a whole number names a wrong value and the allowed range, also for numbers below 0.
#[test]
fn every_option_that_wants_a_whole_number_says_which() {
    let folder = Folder::new();
    let seed = format!("0 to {}", i64::MAX);
    for (command, option, limits) in [
        (&["run", "s.toml"][..], "--seed", seed.as_str()),
        (&["run", "s.toml"], "--threads", "1 to 512"),
        (&["repro"], "--seed", &seed),
        (&["attack"], "--seed", &seed),
        (&["attack"], "--threads", "1 to 512"),
        (&["attack", "--search"], "--generations", "1 to 1000000"),
        (&["cache", "t.csv"], "--seed", &seed),
        (&["curve", "t.csv"], "--points", "2 to 1000"),
        (&["bound", "t.csv"], "--iterations", "1 to 4294967295"),
        (&["trace", "gen", "s.toml", "a.csv"], "--seed", &seed),
        (&["trace", "convert", "a.csv", "b.pcap"], "--packet-bytes", "1 to 1000000"),
        (&["conform", "p.oq"], "--packets", "1 to 10000000"),
        (&["compile", "p.oq", "-o", "out"], "--slots", "1 to 16777216"),
    ] {
        for value in ["-1", "x", "1.5", "99999999999999999999"] {
            let error = folder.run(&[command, &[option, value]].concat()).refused();
            assert_eq!(error, format!("{option}: `{value}` is not a whole number from {limits}"), "{command:?}");
        }
    }
}
