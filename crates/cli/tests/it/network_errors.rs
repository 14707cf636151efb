//! Mistakes in a network scenario: one line with the place and the fix, exit status 2, before anything runs.

use crate::support::{Folder, NETWORK};

/// Replaces `from` by `to` in a good scenario and returns the error.
#[track_caller]
fn spoiled(from: &str, to: &str) -> String {
    assert!(NETWORK.contains(from), "{from}");
    let folder = Folder::new();
    folder.write("s.toml", NETWORK.replacen(from, to, 1));
    folder.run(&["run", "s.toml"]).refused()
}

#[test]
fn every_mistake_names_line_and_fix() {
    let port = "port = { rank = \"arrival\", queue = \"fifo\", buffer = \"50 packets\" }";
    for (from, to, line, advice) in [
        // The network.
        ("name = \"star\"", "name = \"stra\"", 5, "did you mean `star`"),
        ("hosts = 6", "host = 6", 5, "did you mean `hosts`"),
        ("hosts = 6", "hosts = 1", 5, "from 2 to"),
        ("{ name = \"star\", hosts = 6, rate = \"1 Gbps\" }", "{ file = \"no.txt\" }", 5, "there is no such file"),
        ("hosts = 6", "file = \"x\"", 5, "not both"),
        ("duration = \"20 ms\"", "duration = 20", 6, "for example `10 ms`"),
        ("duration = \"20 ms\"", "duration = \"0 s\"", 6, "longer than nothing"),
        ("duration = \"20 ms\"\n", "", 11, "add `duration = \"1 s\"`"),
        ("warmup = \"2 ms\"", "warmup = \"20 ms\"", 7, "leave nothing"),
        ("warmup = \"2 ms\"", "cooldown = \"20 ms\"", 7, "leave nothing"),
        ("warmup = \"2 ms\"", "wramup = \"20 ms\"", 7, "did you mean `warmup`"),
        ("warmup = \"2 ms\"", "warmup = \"2 ms\"\nuntil = \"1 ms\"", 8, "before the `warmup` is over"),
        ("warmup = \"2 ms\"", "completion = \"done\"", 7, "\"acknowledged\""),
        ("warmup = \"2 ms\"", "shared_buffer = { size = \"0 B\" }", 7, "more than nothing"),
        ("repetitions = 2", "repetitions = 0", 8, "from 1 to 100000"),
        ("repetitions = 2", "repetitions = 100000", 4, "more than 100000 runs"),
        ("[\"10 KB\", \"100 KB\"]", "[\"10 KB\", \"10 KB\"]", 9, "rise"),
        ("[\"10 KB\", \"100 KB\"]", "\"10 KB\"", 9, "a list of limits"),
        ("switch>h1", "switch>h9", 10, "there is no link `switch>h9`"),
        ("links = [\"switch>h1\"], flows = [0]", "links = []", 10, "shows nothing"),
        ("every = \"1 ms\"", "every = \"0 s\"", 10, "longer than nothing"),
        ("every = \"1 ms\"", "every = \"1 ps\"", 10, "look less often"),
        // Workloads.
        ("sizes = \"uniform\"", "sizes = \"unifrom\"", 14, "did you mean `uniform`"),
        ("sizes = \"uniform\"\n", "", 12, "has no `sizes`"),
        ("sizes = \"uniform\"", "sizes = { name = \"fixed\", bytes = 0 }", 14, "from 1 to"),
        ("sizes = \"uniform\"", "sizes = \"cdf\"", 14, "has no `file`"),
        ("sizes = \"uniform\"", "sizes = \"endless\"", 15, "have no load; give `flows = 4`"),
        ("sizes = \"uniform\"", "sizes = \"uniform\"\npattern = \"all\"", 15, "known are"),
        ("sizes = \"uniform\"", "sizes = \"uniform\"\npattern = { name = \"incast\", senders = 9 }", 15, "at most 5"),
        ("sizes = \"uniform\"", "sizes = \"uniform\"\ntransport = \"tpc\"", 15, "unknown transport `tpc`"),
        ("sizes = \"uniform\"", "sizes = \"uniform\"\nclass = 256", 15, "from 0 to 255"),
        ("sizes = \"uniform\"", "sizes = \"uniform\"\nrank_all = true", 15, "goes with `rank`"),
        ("sizes = \"uniform\"", "sizes = \"uniform\"\narrivals = \"poison\"", 15, "did you mean `poisson`"),
        ("sizes = \"uniform\"", "sizes = \"uniform\"\nevery = \"1 ms\"", 15, "only one of"),
        ("sizes = \"uniform\"", "replay = \"flows.csv\"", 15, "does not go with `replay`"),
        ("load = [0.3, 0.6]", "load = 1.1", 15, "above 0 and up to 1"),
        ("load = [0.3, 0.6]", "load = []", 15, "an empty list"),
        ("load = [0.3, 0.6]", "flows_per_second = 1e12", 12, "would start some 20000000000 flows"),
        ("load = [0.3, 0.6]", "every = \"1 ps\"", 12, "would start some"),
        ("load = [0.3, 0.6]", "load = [0.3, 0.3]", 15, "0.3 twice"),
        ("load = [0.3, 0.6]", "", 12, "how often flows start"),
        (
            "load = [0.3, 0.6]",
            "load = 0.6\n[[workload]]\nname = \"more\"\nsizes = \"uniform\"\nload = 0.5",
            19,
            "add up to 110 %",
        ),
        (
            "load = [0.3, 0.6]",
            "load = 0.6\n[[workload]]\nname = \"small\"\nsizes = \"uniform\"\nload = 0.1",
            16,
            "two workloads",
        ),
        // Schemes.
        ("transport = \"newreno\"", "transport = \"newrene\"", 19, "did you mean `newreno`"),
        ("transport = \"newreno\"", "transport = { name = \"newreno\", mss = 0 }", 19, "from 1 to"),
        ("transport = \"newreno\"\n", "", 17, "has no `transport`"),
        (port, "", 17, "has no `port`"),
        (port, "port = { rank = \"arrival\", queue = \"fifo\", buffer = \"1 KB\" }", 20, "nothing would get through"),
        ("name = \"NewReno\"", "name = [\"a\", \"b\"]", 18, "must be a text"),
        (port, "port = { rank = \"arrival\", queue = \"fifo\" }", 20, "`port` has no `buffer`"),
        (
            port,
            "port = { rank = \"packet-rank\", queue = \"pifo\", buffer = \"9 packets\" }",
            20,
            "to every [[workload]]",
        ),
        (
            port,
            "port = { rank = \"arrival\", queue = \"fifo\", drop = \"worst-first\", buffer = \"9 packets\" }",
            20,
            "worst packet",
        ),
        (port, "port = { rank = \"arrival\", queue = \"fifo\", bufer = \"9 packets\" }", 20, "did you mean `buffer`"),
        (
            "buffer = \"50 packets\" }",
            "buffer = \"50 packets\" }\nnic = { rank = \"arrival\", queue = \"fifa\", buffer = \"9 packets\" }",
            21,
            "did you mean `fifo`",
        ),
        ("name = \"pFabric\"", "name = \"NewReno\"", 22, "two schemes called `NewReno`"),
        ("name = \"pFabric\"", "name = \"pFabric\"\nports = 1", 24, "did you mean `port`"),
        // Failures.
        (
            "[[scheme]]",
            "[[failure]]\nlink = \"switch-h9\"\nat = \"1 ms\"\ndown = true\n[[scheme]]",
            18,
            "there is no link",
        ),
        ("[[scheme]]", "[[failure]]\nlink = \"switch-h1\"\nat = \"1 ms\"\n[[scheme]]", 17, "what happens"),
        (
            "[[scheme]]",
            "[[failure]]\nlink = \"switch-h1\"\nat = \"1 ms\"\ndown = false\n[[scheme]]",
            20,
            "must be true",
        ),
        ("[[scheme]]", "[[failure]]\nlink = \"switch-h1\"\nat = \"1 ms\"\nloss = 2\n[[scheme]]", 20, "from 0 to 1"),
        (
            "[[scheme]]",
            "[[failure]]\nlink = \"h1>switch\"\nat = \"1 ms\"\nup = true\ndown = true\n[[scheme]]",
            20,
            "one of",
        ),
        // The whole.
        ("seed = 1", "seed = 1\nuntil = \"1 s\"", 3, "does not go with [network]"),
        ("seed = 1", "sead = 1", 2, "did you mean `seed`"),
    ] {
        let error = spoiled(from, to);
        assert!(error.contains(advice), "{to}: {error}");
        assert!(error.starts_with(&format!("s.toml:{line}: ")), "{to}: line {line}: {error}");
    }
}

#[test]
fn what_is_wrong_in_a_file_is_named_with_its_line() {
    let folder = Folder::new();
    folder
        .write("net.txt", "host,a\nhost,b\nlink,a,x,1 Gbps,1 us\n")
        .write("x.cdf", "10 0.5\n5 1\n")
        .write("e.cdf", "");
    folder
        .write("flows.csv", "start_ns,src,dst,size_bytes\n0,h0,h0,5\n")
        .write("late.csv", "start_ns,src,dst,size_bytes\n99999999999,h0,h1,5\n");
    let star = "{ name = \"star\", hosts = 6, rate = \"1 Gbps\" }";
    for (from, to, place, advice) in [
        (star, "{ file = \"net.txt\" }", "net.txt:3: ", "x"),
        ("sizes = \"uniform\"", "sizes = { name = \"cdf\", file = \"x.cdf\" }", "x.cdf:2: ", "sort"),
        ("sizes = \"uniform\"", "sizes = { name = \"cdf\", file = \"e.cdf\" }", "e.cdf: ", "there are no sizes"),
        ("sizes = \"uniform\"\nload = [0.3, 0.6]", "replay = \"flows.csv\"", "flows.csv:2: ", "itself"),
        ("sizes = \"uniform\"\nload = [0.3, 0.6]", "replay = \"late.csv\"", "s.toml:14: ", "no flow of late.csv"),
    ] {
        folder.write("s.toml", NETWORK.replacen(from, to, 1));
        let error = folder.run(&["run", "s.toml"]).refused();
        assert!(error.starts_with(place) && error.contains(advice), "{error}");
    }
}

#[test]
fn a_policy_of_a_port_has_one_link() {
    let folder = Folder::new();
    folder.write(
        "two.oq",
        "a = Queue(8);\nb = Queue(8);\nx = Port(100, a);\ny = Port(100, b);\nclassify(p) = (p.size < 200, enter(a)).(true, \
         enter(b));\n",
    );
    let two = "port = { policy = \"two.oq\" }";
    let text = NETWORK.replacen("port = { rank = \"arrival\", queue = \"fifo\", buffer = \"50 packets\" }", two, 1);
    folder.write("s.toml", text);
    let error = folder.run(&["run", "s.toml"]).refused();
    assert!(error.starts_with("s.toml:20: ") && error.contains("has 2 ports"), "{error}");
    let error = folder.run(&["run", "s.toml", "--record-ops", "ops"]).refused();
    assert!(error.starts_with("--record-ops: "), "{error}");
}

#[test]
fn what_would_never_end_is_refused() {
    let folder = Folder::new();
    let text = NETWORK.replace("duration = \"20 ms\"\nwarmup = \"2 ms\"\n", "");
    let endless = "sizes = \"endless\"\nflows = 2\nflows_per_second = 1000";
    folder.write("s.toml", text.replace("sizes = \"uniform\"\nload = [0.3, 0.6]", endless));
    let error = folder.run(&["run", "s.toml"]).refused();
    assert!(error.starts_with("s.toml:10: ") && error.contains("add `until = \"1 s\"`"), "{error}");
    folder.run(&["run", "s.toml", "--set", "network.until=2 ms"]).ok();
    folder.run(&["run", "s.toml", "--set", "network.duration=2 ms"]).ok();
}

#[test]
fn more_workloads_than_flows_can_name_are_refused() {
    let folder = Folder::new();
    let workload = "[[workload]]\nname = \"small\"\nsizes = \"uniform\"\nload = [0.3, 0.6]\n";
    let more = format!("{}{workload}", "[[workload]]\n".repeat(1 << 16));
    folder.write("s.toml", NETWORK.replace(workload, &more));
    let error = folder.run(&["run", "s.toml"]).refused();
    assert!(error.contains("a network has at most 65536 workloads, not 65537"), "{error}");
}
