//! Mistakes in a scenario with axes and repetitions: one line with the place and the fix, exit status 2.

use crate::support::{Folder, STUDY};

/// Replaces `from` by `to` in a good scenario and returns the error.
#[track_caller]
fn spoiled(from: &str, to: &str) -> String {
    assert!(STUDY.contains(from), "{from}");
    let folder = Folder::new();
    let spoiled = STUDY.replacen(from, to, 1);
    // Other arrivals say otherwise how many flows there are.
    let spoiled = if to.contains("flows") || to.contains("on-off") {
        spoiled.replacen("\nflows = 1\n", "\n", 1)
    } else {
        spoiled
    };
    folder.write("s.toml", spoiled);
    folder.run(&["run", "s.toml"]).refused()
}

#[test]
fn every_mistake_names_line_and_fix() {
    for (from, to, advice) in [
        ("buffer = \"80 packets\"", "", "has no `buffer`"),
        ("buffer = \"80 packets\"", "buffer = 80", "for example `80 packets`"),
        ("buffer = \"80 packets\"", "bufer = \"80 packets\"", "did you mean `buffer`?"),
        ("buffer = \"80 packets\"", "", "has no `buffer`"),
        ("load = [0.8, 1.1]", "", "needs a `load`"),
        ("load = [0.8, 1.1]", "load = []", "an empty list"),
        ("load = [0.8, 1.1]", "load = [0.8, 0]", "a number above 0"),
        ("load = [0.8, 1.1]", "load = [0.8, 0.8]", "0.8 twice"),
        ("load = [0.8, 1.1]", "loads = [1.1]", "did you mean `load`"),
        ("repetitions = 3", "repetitions = 0", "from 1 to 100000"),
        ("repetitions = 3", "repetitons = 3", "did you mean `repetitions`"),
        ("packets = 20_000", "packets = 0", "a whole number from 1"),
        ("arrivals = \"poisson\"", "arrivals = \"flow\"", "did you mean `flows`"),
        ("arrivals = \"poisson\"", "arrivals = \"flows\"", "has no `flow_packets`"),
        ("arrivals = \"poisson\"", "arrivals = \"flows\"\nflow_packets = 0", "a whole number from 1"),
        ("arrivals = \"poisson\"", "arrivals = \"flows\"\nflow_packets = 9\naccess = 0", "a number above 0"),
        ("arrivals = \"poisson\"", "arrivals = \"on-off\"\non = \"1 ms\"", "no `off`"),
        ("arrivals = \"poisson\"", "arrivals = \"poisson\"\naccess = 2", "is for arrivals = \"flows\""),
        ("arrivals = \"poisson\"", "arrivals = \"poisson\"\nrate = 5", "not both"),
        (
            "arrivals = \"poisson\"",
            "arrivals = \"on-off\"\non = \"1 ns\"\noff = \"1 ns\"\nflows = 100_000",
            "make `on` longer",
        ),
        ("baseline = \"FIFO\"", "baseline = \"FIFA\"", "did you mean `FIFO`"),
        ("distribution = \"uniform\"", "distribution = \"uniforn\"", "did you mean `uniform`"),
        ("min = 0, max = 100 }", "min = 0 }", "no `max`"),
        ("min = 0, max = 100 }", "min = 0, max = 100, skale = 1 }", "unknown parameter `skale`"),
        ("distribution = \"uniform\"", "order = \"list\"", "has no `file`"),
        ("distribution = \"uniform\"", "order = \"ramp\", length = 9", "did you mean `ramps`"),
        ("distribution = \"uniform\"", "order = \"ramps\"", "has no `length`"),
        ("distribution = \"uniform\"", "order = \"ramps\", length = 0", "from 1 to 67108864"),
        ("distribution = \"uniform\"", "order = \"ramps\", length = 9, lenght = 9", "unknown field `lenght`"),
        ("distribution = \"uniform\"", "distribution = \"uniform\", order = \"ramps\"", "not both"),
        ("distribution = \"uniform\", min = 0", "order = \"ramps\", length = 9, min = 101", "at least `min`"),
        (
            "distribution = \"uniform\", min = 0, max = 100",
            "order = \"list\", file = \"no.csv\"",
            "no.csv: cannot be opened: there is no such file",
        ),
        ("name = \"wide\", ", "", "has uniform twice; give one a `name`"),
        ("name = \"wide\", ", "name = \"\", ", "1 to 40 characters"),
        ("name = \"FIFO\"\n", "name = \"pifo\"\n", "two policies called `pifo`"),
        ("queue = \"fifo\"", "queue = \"fifa\"", "did you mean `fifo`"),
        ("queue = \"fifo\"", "queue = \"fifo\"\ndrop = \"worst-first\"", "cannot give up its worst packet"),
        ("queues = 8", "queues = 0", "from 1 to 1024"),
        ("queue = \"fifo\"", "queue = { name = \"fixed-bounds\", bounds = \"optimum\" }", "did you mean `optimal`"),
        ("queue = \"fifo\"", "queue = { name = \"fixed-bounds\", bounds = \"optimal\", queues = 0 }", "from 1 to 1024"),
    ] {
        let error = spoiled(from, to);
        assert!(error.contains(advice), "{to}: {error}");
        assert!(error.starts_with("s.toml:"), "{to}: {error}");
        let line: usize = error.split(':').nth(1).unwrap().parse().unwrap();
        let first = STUDY.lines().position(|line| line.contains(from.lines().next().unwrap())).unwrap() + 1;
        // At the field, at one added below it, or at the table that lacks a field.
        assert!((first.saturating_sub(9)..=first + 5).contains(&line), "{to}: line {line}, not {first}: {error}");
    }
}

#[test]
fn what_was_written_otherwise_is_refused_with_the_way_to_write_it() {
    let folder = Folder::new();
    folder.write("s.toml", "[queue_study]\nload = 1\n[[queue]]\nqueue = \"fifo\"\n");
    assert!(folder.run(&["run", "s.toml"]).refused().contains("write `buffer` and `rate` in [port]"));
    folder.write("s.toml", STUDY);
    let error = folder.run(&["trace", "gen", "s.toml", "out.csv"]).refused();
    assert!(error.contains("several values of `load`; give one"), "{error}");
    folder.write("s.toml", STUDY.split("[[policy]]").next().unwrap());
    assert!(folder.run(&["run", "s.toml"]).refused().contains("no `policy`"));
}

#[test]
fn zipped_lists_go_together() {
    let folder = Folder::new();
    let zipped = STUDY.replace("repetitions = 3", "repetitions = 1\nzip = [\"load\", \"rank\"]");
    let report = folder.json(&zipped, &["--set", "traffic.packets=200"]);
    assert_eq!(report["results"].as_array().unwrap().len(), 6);
    folder.write("s.toml", zipped.replace("[0.8, 1.1]", "[0.8, 0.9, 1.1]"));
    let error = folder.run(&["run", "s.toml"]).refused();
    assert!(
        error.contains("2 values and `traffic.load` has 3") || error.contains("3 values and `traffic.rank` has 2"),
        "{error}"
    );
    folder.write("s.toml", zipped.replace("\"rank\"]", "\"ranks\"]"));
    assert!(folder.run(&["run", "s.toml"]).refused().contains("no field `ranks` has a list of values"));
}

#[test]
fn optimal_bounds_of_too_many_ranks_are_refused() {
    let folder = Folder::new();
    folder.write("s.toml", STUDY.replace("max = 999", "max = 999_999"));
    let queue = "policy.1.queue={name='fixed-bounds', queues=100, bounds='optimal'}";
    let error = folder.run(&["run", "s.toml", "--set", queue]).refused();
    assert!(error.contains("at most 16777216 queues x ranks, not 100 x 1000000"), "{error}");
}

#[test]
fn values_can_be_replaced_on_the_command_line() {
    let folder = Folder::new();
    let set = ["--set", "policy.2.drop=tail", "--set", "policy.SP-PIFO 8.queue.queues=2", "--set", "port.rate=1Gbps"];
    let report = folder.json(STUDY, &set);
    assert_eq!(report["port"]["rate_bps"], 1_000_000_000);
    assert_eq!(report["results"][2]["drop"], "tail");
    let error = folder.run(&["run", "s.toml", "--set", "policy.2.queue=pifa"]).refused();
    assert!(error.starts_with("--set policy.2.queue=pifa: ") && error.contains("did you mean `pifo`"), "{error}");
}
