//! Input that `forebay cache`, `bound` and `curve` reject, in one line that says where.

use crate::support::Folder;

const RECIPE: &str = "zipf:objects=100,requests=1_000";

#[test]
fn a_scenario_whose_trace_is_lost_is_named_with_its_line() {
    let folder = Folder::new();
    let scenario = "[cache]\ntrace = \"lost.csv\"\nlatency = \"1 ms\"\n[[policy]]\nname = \"lru\"\n";
    folder.write("s.toml", scenario.as_bytes());
    let error = folder.run(&["run", "s.toml"]).refused();
    assert!(error.ends_with("s.toml:2: lost.csv: cannot be opened: there is no such file or folder"), "{error}");
}

#[test]
fn wrong_arguments_are_refused_in_one_line() {
    let folder = Folder::new();
    folder.write("times.csv", "time_ns,key\n0,1\n1000,1\n");
    let cache = ["cache", RECIPE, "--capacity", "8", "--latency", "10"];
    let cases: [(&[&str], &str); 32] = [
        (&["--policy", "lruu"], "--policy: unknown cache policy `lruu`; did you mean `lru`?"),
        (&["--policy", "lru-k(k=0)"], "--policy: `lru-k(k=0)`: `k` must be a whole number from 1 to 16, not 0"),
        (&["--policy", "lru-k(kk=2)"], "--policy: `lru-k(kk=2)`: unknown parameter `kk`; known are k"),
        (&["--policy", "lru,,arc"], "--policy: something is missing between two commas"),
        (&["--ways", "3"], "--ways: 8 is not a multiple of 3 ways; take 6"),
        (&["--ways", "0"], "--ways: `0` must be a number of entries, 1 or more"),
        (&["--ways", "-1"], "--ways: `-1` must be a number of entries, 1 or more"),
        (&["--warmup", "-1"], "--warmup: `-1` must be a number of requests, 0 or more"),
        (&["--warmup", "1000"], "--warmup: zipf:objects=100,requests=1_000: the trace has no more than 1000 requests"),
        (&["--sizes", "bytes"], "zipf:objects=100,requests=1_000: this trace has no sizes; leave --sizes bytes out"),
        (&["--attribute", "lru"], "--attribute: `lru` must be two policies"),
        (&["--attribute", "lru,lru"], "--attribute: `lru,lru` names one policy twice"),
        (&["--attribute", "lru,lruu"], "--attribute: unknown cache policy `lruu`"),
        (&["--bound", "--warmup", "5"], "--bound: a bound covers all requests; leave `warmup` out"),
        (&["--bound", "--model", "classical"], "--bound: bounds need the model with delayed hits"),
        (&["--bound", "--bound-seconds", "-1"], "--bound-seconds: `-1` must be a number of seconds, 0 or more"),
        (&["--hit-latency", "-1"], "--hit-latency: `hit_latency` must be a number of slots like 100, or a time"),
        (&["--hit-latency", "3ms"], "--hit-latency: `hit_latency`: this trace has slots and no times"),
        (
            &["--hit-latency", "2", "--sample", "50%"],
            "--hit-latency: a sample of the objects would change the effect of",
        ),
        (&["--release-interval", "x"], "--release-interval: `release_interval` must be a number of slots like 100"),
        (&["--release-interval", "2", "--bound"], "--bound: bounds do not support `release_interval`"),
        (&["--parallel", "0"], "--parallel: `0` is not a whole number from 1 to 1000000"),
        (
            &["--parallel", "2", "--sample", "50%"],
            "--parallel: a sample of the objects would change the effect of `parallel`",
        ),
        (&["--ttl", "0"], "--ttl: `ttl` must be above 0; leave it out if objects never expire"),
        (&["--ttl", "trace"], "--ttl: zipf:objects=100,requests=1_000: `ttl = \"trace\"` needs a trace whose lines"),
        (&["--ttl", "9", "--bound"], "--bound: bounds do not support `ttl`"),
        (&["times.csv"], "--latency: times.csv: this trace has times and no slots; write the value as a time"),
        (&["lost.csv"], "lost.csv: cannot be opened: there is no such file"),
        (&["--out", "times.csv"], "times.csv: cannot be created as a folder"),
        (&["--format-in", "keys"], "zipf:objects=100,requests=1_000: a recipe has no format"),
        (&["--threads", "0"], "--threads: `0` is not a whole number from 1 to 512"),
        (&["--seed", "-1"], "--seed: "),
    ];
    for (arguments, message) in cases {
        let error = folder.run(&[&cache[..], arguments].concat()).refused();
        assert!(error.starts_with(message), "{arguments:?}: {error}");
    }
    for (capacity, message) in [
        ("0", "a cache holds at least one entry"),
        ("-1", "`-1` is not a capacity; write a number of entries"),
        ("many", "`many` is not a capacity"),
        ("101%", "`101%`: a share must be above 0 % and at most 100 %"),
        ("99999999999999999999", "`99999999999999999999` is not a capacity"),
    ] {
        for command in ["cache", "curve", "bound"] {
            let error = folder.run(&[command, RECIPE, "--latency", "10", "--capacity", capacity]).refused();
            assert!(error.starts_with(&format!("--capacity: {message}")), "{error}");
        }
    }
    let error = folder.run(&["cache", RECIPE, "--latency", "10", "--capacity", "64MB"]).refused();
    assert!(error.contains("is in bytes, but every object counts as one entry; write sizes"), "{error}");
}

#[test]
fn wrong_latencies_are_refused_in_one_line() {
    let folder = Folder::new();
    for (latency, message) in [
        ("0", "a fetch takes at least one tick; the latency must be above 0"),
        ("-5", "`-5` is not a latency; write a number of slots, a time like 5ms, or `measured`"),
        ("5ms", "zipf:objects=100,requests=1_000: this trace has slots and no times; write the value in slots"),
        ("uniform(9,1)", "the lowest latency must not be above the highest"),
        ("lognormal(5,-1)", "a mean of 1 tick or more and a sigma of 0 or more are needed"),
        ("exponential(0)", "the mean latency must be 1 tick or more"),
        ("exponentail(5)", "unknown latency `exponentail`; did you mean `exponential`?"),
        ("size(5,1Gbps)", "a latency by size needs the sizes of objects; add `sizes = \"bytes\"`"),
        ("size(5)", "`size(5)`: write size(LATENCY,RATE), like size(5ms,1Gbps)"),
        ("size(5,0bps)", "`size(5,0bps)`: a rate must be at least 1 bps"),
        ("origins(5:-1)", "the weights of the origins must be 0 or more"),
        ("99999999999999999999", "`99999999999999999999` slots are too many"),
        ("18446744073709551615", "a latency is at most 1000000000000000 ticks"),
        ("origins(5,1000000000000001)", "a latency is at most 1000000000000000 ticks"),
    ] {
        let arguments = ["cache", RECIPE, "--capacity", "8", "--policy", "lru", "--latency", latency];
        let error = folder.run(&arguments).refused();
        assert!(error.starts_with(&format!("--latency: {message}")), "{error}");
    }
    if cfg!(not(feature = "exact")) {
        let error = folder.run(&["bound", RECIPE, "--capacity", "8", "--latency", "10", "--exact"]).refused();
        assert!(error.starts_with("--exact: this forebay was built without HiGHS"), "{error}");
    }
    let drawn = ["--capacity", "8", "--latency", "exponential(5)"];
    for command in [&["cache", RECIPE, "--bound"][..], &["bound", RECIPE]] {
        let error = folder.run(&[command, &drawn].concat()).refused();
        assert_eq!(error, "--latency: a bound needs fixed latencies; write one latency, or origins(...)");
    }
}

/// Sums that do not fit into 64 bits are rejected and do not wrap.
#[test]
fn latencies_whose_sum_does_not_fit_are_refused() {
    let folder = Folder::new();
    folder.run(&["trace", "gen", "loop:objects=40_000,requests=40_000,occupancy=1", "a.csv"]).ok();
    for policy in ["lru", "lru-mad", "belady-ad"] {
        let arguments = ["cache", "a.csv", "--policy", policy, "--capacity", "8", "--latency", "1000000000000000"];
        let error = folder.run(&arguments).refused();
        assert!(
            error.starts_with("--latency: the latencies of 40000 requests add up to more than 64 bits can hold"),
            "{error}"
        );
    }
    let error = folder.run(&["bound", "a.csv", "--capacity", "8", "--latency", "1000000000000000"]).refused();
    assert!(error.starts_with("a.csv: the trace is too large: the sum of latencies"), "{error}");
}

#[test]
fn traces_that_cannot_be_read_are_refused_in_one_line() {
    let folder = Folder::new();
    folder.run(&["trace", "gen", "zipf:requests=3000,objects=90", "good.csv.xz"]).ok();
    let packed = std::fs::read(folder.path("good.csv.xz")).unwrap();
    let cases: [(&str, &[u8], &str); 6] = [
        ("empty.csv", b"", "empty.csv: the file is empty"),
        ("cut.csv.xz", &packed[..packed.len() / 2], "cut.csv.xz: the xz data are cut off after "),
        (
            "cut.trace",
            b"\0\0\0\x01\0\0\0\x02\0\0",
            "cut.trace: request 3 (byte 8): the last record has only 2 of 4 bytes",
        ),
        ("mixed.csv", b"1;2\n2;3\nx\n", "mixed.csv:3: a line must be empty or like `timestamp;object`, not `x`"),
        ("order.csv", b"slot,key\n5,1\n4,1\n", "order.csv:3: it is earlier than the request before"),
        ("other.txt", b"hello world\n", "other.txt: this is not a request trace of a known format"),
    ];
    for (name, content, message) in cases {
        folder.write(name, content);
        for command in ["cache", "curve", "bound"] {
            let all = [command, name, "--latency", "10", "--capacity", "8"];
            let error = folder.run(&all).refused();
            assert!(error.starts_with(message), "{command}: {error}");
        }
        let all = ["cache", name, "--latency", "10", "--capacity", "8", "--bound", "--policy", "lru"];
        assert!(folder.run(&all).refused().starts_with(message));
    }
}

#[test]
fn an_object_of_two_sizes_has_no_bound() {
    let folder = Folder::new();
    folder.write("a.csv", "time_ns,key,size_bytes\n0,1,10\n5,1,20\n");
    let arguments = ["--capacity", "30", "--latency", "1us", "--sizes", "bytes"];
    for command in [&["bound", "a.csv"][..], &["cache", "a.csv", "--bound"]] {
        let error = folder.run(&[command, &arguments].concat()).refused();
        assert!(error.starts_with("a.csv: request 2 gives object 1 a size of 20, but it had 10"), "{error}");
    }
    folder.run(&[&["cache", "a.csv"], &arguments[..]].concat()).ok();
}
