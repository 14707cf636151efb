//! Mistakes in a scenario of attacks: one line with the place and the fix, exit status 2.

use crate::support::{ATTACK, Folder};

/// Replaces `from` by `to` in a good study and returns the error.
#[track_caller]
fn spoiled(from: &str, to: &str) -> String {
    assert!(ATTACK.contains(from), "{from}");
    let folder = Folder::new();
    folder.write("s.toml", ATTACK.replacen(from, to, 1));
    folder.run(&["attack", "s.toml"]).refused()
}

#[test]
fn every_mistake_names_line_and_fix() {
    for (from, to, advice) in [
        ("[processor]", "[procesor]", "unknown field `procesor`"),
        ("[processor]", "[attack_study]", "write [processor] in place of [attack_study]"),
        ("[processor]", "[port]\nrate = \"1 Gbps\"\n[processor]", "`port` is for scenarios with a link"),
        ("[processor]", "[processor]\npackets = 5", "write it in [innocent]"),
        ("buffer = \"1000 packets\"", "buffer = 1000", "for example `80 packets`"),
        ("buffer = \"1000 packets\"", "", "[processor] has no `buffer`"),
        ("repetitions = 3", "repetitons = 3", "did you mean `repetitions`"),
        ("packets = 10_000", "packets = 0", "a whole number from 1"),
        ("[processor]", "[processor]\nservers = 0", "from 1 to 1000"),
        ("[processor]", "[processor]\nestimate = \"oracle\"", "must be \"truth\""),
        ("[processor]", "[processor]\nestimate = { sigma = 0 }", "a number above 0"),
        ("[processor]", "[processor]\nestimate = { sigma = 1, constant = \"1 us\" }", "must be \"truth\""),
        ("rate = [\"5 Gbps\", \"10 Gbps\"]", "", "[innocent] has no `rate`"),
        ("rate = [\"5 Gbps\", \"10 Gbps\"]", "rate = []", "an empty list"),
        ("rate = [\"5 Gbps\", \"10 Gbps\"]", "rate = [\"5 Gbps\", \"5 Gbps\"]", "twice"),
        ("rate = [\"5 Gbps\", \"10 Gbps\"]", "rate = 5", "for example `10 Gbps`"),
        ("rate = [\"5 Gbps\", \"10 Gbps\"]", "rate = \"1 bps\"", "more than 200 days"),
        ("gaps = \"poisson\"", "gaps = \"poison\"", "did you mean `poisson`"),
        ("job_ns = {", "jobs_ns = {", "did you mean `job_ns`"),
        ("mean = 1000", "mean = 0", "`mean` must be from `min` to `max`"),
        ("mean = 1000, deviation = 100", "mean = 1000, deviation = 0", "`deviation` must be"),
        ("job_ns = {", "jobs = \"no.csv\"\njob_ns = {", "leave `size_bytes` out"),
        ("from = \"100 Mbps\"", "from = \"2 Gbps\"", "`to` must be more than `from`"),
        ("steps = 3", "steps = 1", "from 2 to 1000"),
        ("max_job = \"10 us\"", "", "has no `max_job`"),
        ("max_job = \"10 us\"", "max_job = \"0 us\"", "must be above 0"),
        ("max_job = \"10 us\"", "max_job = \"10 us\"\nstrategy = \"best\"", "`strategy` must be \"optimal\""),
        ("max_job = \"10 us\"", "max_job = \"10 us\"\nstrategy = []", "1 to 100 kinds"),
        ("max_job = \"10 us\"", "max_job = \"10 us\"\nstrategy = [{ job = \"11 us\" }]", "more than `max_job`"),
        ("max_job = \"10 us\"", "max_job = \"10 us\"\nstrategy = [{ size_bytes = 63 }]", "from 64 to"),
        ("max_job = \"10 us\"", "max_job = \"10 us\"\non_off = { period = \"1 ms\" }", "has no `duty`"),
        ("max_job = \"10 us\"", "max_job = \"10 us\"\non_off = { period = \"1 ms\", duty = 2 }", "up to 1"),
        ("repetitions = 3", "repetitions = 3\nsearch = { kinds = 5 }", "from 1 to 4"),
        ("repetitions = 3", "repetitions = 3\nsearch = { max_packet = 63 }", "from 64 to"),
        ("repetitions = 3", "repetitions = 3\nsearch = { min_job = \"11 us\" }", "more than `max_job`"),
        (
            "repetitions = 3",
            "repetitions = 3\nsearch = { period = { from = \"1 ms\", to = \"1 us\" } }",
            "must not be shorter",
        ),
        ("repetitions = 3", "repetitions = 3\nsearch = { period = { from = \"1 ms\" } }", "has no `to`"),
        ("repetitions = 3", "repetitions = 3\nsearch = { packet = 1000 }", "did you mean `packets`"),
        ("[processor]", "[processor]\nestimate = \"application\"", "needs an application"),
        ("max_job = \"10 us\"", "strategy = \"application\"", "needs an application"),
        (
            "max_job = \"10 us\"",
            "max_job = \"10 us\"\nstrategy = { name = \"best\" }",
            "`strategy` must be \"optimal\"",
        ),
        ("gaps = \"poisson\"", "application = \"tcp-reassembly\"", "`size_bytes` is for random jobs"),
        ("rank = \"job-ratio\"", "rank = \"srpt\"", "packets in a scenario of attacks have a size"),
        ("rank = \"job-ratio\"", "rank = \"job-ration\"", "did you mean `job-ratio`"),
        ("name = \"WSJF\"", "name = \"SJF\"", "two policies called `SJF`"),
        ("[processor]", "[processor]\nlink = 10", "for example `10 Gbps`"),
        ("[processor]", "[processor]\nslice = \"0 us\"", "must be above 0"),
        ("[processor]", "[processor]\nslice = \"truth\"", "`slice`"),
        ("[processor]", "[processor]\nswitch_cost = \"1 us\"", "add for example slice = \"2 us\""),
        ("[processor]", "[processor]\nsuspected = { job = \"5 us\" }", "has no `servers`"),
        ("[processor]", "[processor]\nservers = 2\nsuspected = { servers = 1 }", "needs a rule"),
        (
            "[processor]",
            "[processor]\nservers = 2\nsuspected = { servers = 2, job = \"5 us\" }",
            "give [processor] more `servers`",
        ),
        (
            "[processor]",
            "[processor]\nsuspected = { servers = 1, job = \"5 us\", window = \"1 ms\" }",
            "flow_work = \"100 us\"",
        ),
        ("[processor]", "[processor]\nservers = 2\nsuspected = { servers = 1, jobs = \"5 us\" }", "did you mean `job`"),
        (
            "rank = \"job-ratio\"",
            "below = { rank = \"arrival\", queue = \"fifo\" }\nrank = \"job-ratio\"",
            "has no `goodput`",
        ),
        (
            "rank = \"job-ratio\"",
            "below = { goodput = \"1 Gbps\", window = \"0 us\", rank = \"arrival\", queue = \"fifo\" }\nrank = \"job-ratio\"",
            "must be above 0",
        ),
        (
            "rank = \"job-ratio\"",
            "below = { goodput = \"1 Gbps\", rank = \"arival\", queue = \"fifo\" }\nrank = \"job-ratio\"",
            "did you mean `arrival`",
        ),
        ("gaps = \"poisson\"", "replay = \"no.csv\"", "leave `size_bytes` out"),
    ] {
        let error = spoiled(from, to);
        assert!(error.contains(advice), "{to}: {error}");
        assert!(error.starts_with("s.toml:"), "{to}: {error}");
        let line: usize = error.split(':').nth(1).unwrap().parse().unwrap();
        let first = ATTACK.lines().position(|line| line.contains(from.lines().next().unwrap())).unwrap() + 1;
        // At the field, at one added below it, or at the table that lacks a field.
        assert!((first.saturating_sub(9)..=first + 3).contains(&line), "{to}: line {line}, not {first}: {error}");
    }
}

/// An application instead of drawn jobs.
fn with_application(innocent: &str, attack: &str, more: &str) -> String {
    let (_, policies) = ATTACK.split_once("\n[[policy]]").unwrap();
    format!(
        "repetitions = 1\n[processor]\nbuffer = \"1000 packets\"\n{more}\n\n[innocent]\npackets = 100\n\
         rate = \"1 Gbps\"\n{innocent}\n\n[attack]\nrate = \"100 Mbps\"\n{attack}\n[[policy]]{policies}"
    )
}

#[test]
fn mistakes_about_applications_name_line_and_fix() {
    let folder = Folder::new();
    folder.write("udp.pcap", udp_recording()).write("text.pcap", "not a recording");
    let tcp = |parameters: &str| format!("application = {{ name = \"tcp-reassembly\", {parameters} }}");
    let matcher = |parameters: &str| format!("application = {{ name = \"two-stage-matcher\", {parameters} }}");
    let plain = tcp("flows = 5");
    let own = |parameters: &str| format!("strategy = {{ name = \"application\", {parameters} }}");
    for (innocent, attack, more, advice) in [
        ("application = \"tcp-reasembly\"", "", "", "did you mean `tcp-reassembly`"),
        ("application = 5", "", "", "`application` must be a name"),
        ("application = { flows = 5 }", "", "", "`application` has no `name`"),
        (&*format!("{plain}\njob_ns = 5"), "", "", "`job_ns` is for random jobs"),
        (&*format!("{plain}\njobs = \"j.csv\""), "", "", "`jobs` is for random jobs"),
        (&*format!("{plain}\ngaps = \"poisson\""), "", "", "`gaps` is for random jobs"),
        (&*format!("{plain}\nflows = 7"), "", "", "`flows` is for random jobs"),
        (&*tcp("rules = 5"), "", "", "unknown field `rules` in `application`"),
        (&*tcp("flows = 0"), "", "", "`flows` must be a whole number from 1"),
        (&*tcp("lost = 0.5"), "", "", "`lost` must be a number from 0 to 0.4"),
        (&*tcp("overtaken = -1"), "", "", "`overtaken` must be a number from 0 to 0.4"),
        (&*tcp("acknowledgements = 1.5"), "", "", "`acknowledgements` must be a number from 0 to 1"),
        (&*tcp("window_bytes = 1"), "", "", "`window_bytes` must be a whole number from 2 to 1048576"),
        (&*tcp("fixed = 5"), "", "", "`fixed`"),
        (&*tcp("traversal = \"2 s\""), "", "", "`traversal` must be at most 1.00 s"),
        (&*tcp("fixed = \"0 ns\", traversal = \"0 ns\""), "", "", "innocent jobs take no time"),
        (&*tcp("flow_bytes = { min = 9, max = 8, shape = 1 }"), "", "", "`max` must be a whole number from 9"),
        (&*tcp("flow_bytes = { min = 9, max = 9, shape = 0 }"), "", "", "`shape` must be a number above 0"),
        (&*tcp("flow_bytes = { min = 9, max = 9 }"), "", "", "`flow_bytes` has no `shape`"),
        (&*tcp("pcap = \"no.pcap\""), "", "", "no.pcap: cannot be opened"),
        (&*tcp("pcap = \"udp.pcap\", lost = 0.1"), "", "", "`lost` is for generated flows"),
        (&*tcp("structure = \"trees\""), "", "", "did you mean `tree`"),
        (&*tcp("structure = \"buffer\", max_nodes = 4"), "", "", "a buffer has no nodes"),
        (&*tcp("max_nodes = 0"), "", "", "`max_nodes` must be a whole number from 1"),
        (&*tcp("memory = 5"), "", "", "`memory`"),
        (&*tcp("victim = \"oldest\""), "", "", "add for example memory = \"64 MB\""),
        (&*tcp("memory = \"1 MB\", victim = \"newest\""), "", "", "`victim` must be \"oldest\" or \"largest\""),
        (&*format!("{plain}\nreplay = \"j.csv\""), "", "", "leave one of them out"),
        ("application = { name = \"hash-table\", bucket = 5 }", "", "", "did you mean `buckets`"),
        (
            "application = { name = \"hash-table\", hash = \"secret\" }",
            "",
            "",
            "`hash` must be \"public\" or \"universal\"",
        ),
        ("application = { name = \"hash-table\", node = \"2 s\" }", "", "", "`node` must be at most 1.00 s"),
        (
            "application = { name = \"hash-table\", size_bytes = 0 }",
            "",
            "",
            "`size_bytes` must be a whole number from 1",
        ),
        ("application = \"hash-table\"", &*own("keys = 0"), "", "`keys` must be a whole number from 1"),
        ("application = \"hash-table\"", &*own("masks = 5"), "", "unknown parameter `masks`"),
        ("application = \"hash-table\"", "max_job = \"1 s\"", "", "more than the largest job of the application"),
        (
            "application = { name = \"tuple-space-search\", fields = 4 }",
            "",
            "",
            "`fields` must be a whole number from 1 to 3",
        ),
        ("application = { name = \"tuple-space-search\", fields = 1 }", &*own("masks = 17"), "", "must be at most 16"),
        ("application = { name = \"decompression\", byte = \"2 us\" }", "", "", "`byte` must be at most 1 us"),
        ("application = { name = \"decompression\", ratio = 0 }", "", "", "`ratio` must be a number from 1 to 1032"),
        ("application = { name = \"decompression\", limit_bytes = 0 }", "", "", "`limit_bytes` must be a whole number"),
        ("application = \"decompression\"", &*own("ratio = 1033"), "", "`ratio` must be a whole number from 1 to 1032"),
        (&*matcher("rules = 0"), "", "", "`rules` must be a whole number from 1 to 1000"),
        (&*matcher("decades = 10"), "", "", "`decades` must be a number from 0 to 9"),
        (&*matcher("decades = 9"), "", "", "more than 1 ms for each byte"),
        (&*matcher("matches = 2"), "", "", "`matches` must be a number from 0 to 1"),
        (&*matcher("size_bytes = 0"), "", "", "`size_bytes` must be a whole number from 1"),
        (&*matcher("pcap = \"udp.pcap\""), "", "", "unknown field `pcap`"),
        (&*matcher("rules = 5"), "", "", "has no `max_job`"),
        (&*plain, "max_job = \"1 ms\"", "", "more than the largest job of the application, which is 33.4 us"),
        (&*plain, &*own("out_of_order = 8193"), "", "`out_of_order` must be a whole number from 1 to 8192"),
        (&*plain, &*own("flows = 1001"), "", "`flows` must be a whole number from 1 to 1000"),
        (&*plain, &*own("repeats = -1"), "", "`repeats` must be a whole number from 0"),
        (&*plain, &*own("searched = 5"), "", "unknown field `searched` in `strategy`"),
        (&*matcher("rules = 5"), &*own("searched = 0"), "", "`searched` must be a whole number from 1"),
        (&*plain, "strategy = \"application\"\non_off = { period = \"1 ms\", duty = 0.5 }", "", "sent evenly"),
        (&*plain, "strategy = \"application\"", "estimate = \"truth\"", "leave `estimate` out"),
        (&*plain, "strategy = \"application\"", "estimate = { sigma = 1 }", "leave `estimate` out"),
    ] {
        folder.write("s.toml", with_application(innocent, attack, more));
        let error = folder.run(&["attack", "s.toml"]).refused();
        assert!(error.contains(advice), "{innocent} {attack} {more}: {error}");
        assert!(error.starts_with("s.toml:"), "{error}");
    }
    // An error in a recording names its file, and the place that names the file.
    for (file, advice) in [("udp.pcap", "no TCP segment among its 1 packets"), ("text.pcap", "this is neither")] {
        folder.write("s.toml", with_application(&tcp(&format!("pcap = \"{file}\"")), "", ""));
        let error = folder.run(&["attack", "s.toml"]).refused();
        assert!(error.starts_with("s.toml:9: ") && error.contains(file) && error.contains(advice), "{error}");
    }
}

/// A pcap of raw IPv4 with an UDP packet of no data.
fn udp_recording() -> Vec<u8> {
    let mut file = Vec::new();
    for field in [0xa1b2_c3d4_u32, 4 << 16 | 2, 0, 0, 65_535, 101, 0, 0, 28, 28] {
        file.extend(field.to_le_bytes());
    }
    file.extend([0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, 0, 1, 0, 2, 0, 8, 0, 0]);
    file
}

#[test]
fn a_wrong_line_of_measured_jobs_is_named() {
    let folder = Folder::new();
    let (before, rest) = ATTACK.split_once("size_bytes =").unwrap();
    let (_, after) = rest.split_once("[attack]").unwrap();
    folder.write("s.toml", format!("{before}jobs = \"jobs.csv\"\n[attack]{after}"));
    assert!(folder.run(&["attack", "s.toml"]).refused().contains("jobs.csv: cannot be opened"));
    folder.write("jobs.csv", "size_bytes,job_ns\n1000,5\n1000,-5\n");
    let error = folder.run(&["attack", "s.toml"]).refused();
    assert!(error.starts_with("jobs.csv:3: `job_ns` must be"), "{error}");
    folder.write("jobs.csv", "size_bytes,job_ns\n1000,0\n");
    assert!(folder.run(&["attack", "s.toml"]).refused().contains("at least one must take longer"));
}

#[test]
fn a_wrong_line_of_a_trace_is_named() {
    let folder = Folder::new();
    folder.write("s.toml", with_application("replay = \"trace.csv\"", "max_job = \"1 ms\"", ""));
    for (text, advice) in [
        ("size_bytes,job_ns\n64,1\n", "trace.csv:1: no column is called `time_ns`"),
        ("time_ns,flow,size_bytes,job_ns\n5,a,64,1\n4,a,64,1\n", "trace.csv:3: `time_ns` must be at least"),
    ] {
        folder.write("trace.csv", text);
        let error = folder.run(&["attack", "s.toml"]).refused();
        assert!(error.starts_with(advice), "{error}");
    }
}

#[test]
fn rates_that_exceed_the_link_are_named() {
    let error = spoiled("[processor]", "[processor]\nlink = \"10 Gbps\"");
    assert!(error.contains("innocents at 10 Gbps and an attack at 100 Mbps together exceed the `link`"), "{error}");
}

#[test]
fn turns_and_watermarks_have_limits() {
    let folder = Folder::new();
    let below = "below = { goodput = \"8 Gbps\", rank = \"job-ratio\", queue = \"pifo\" }";
    let in_policy = |line: &str| ATTACK.replacen("rank = \"job-ratio\"", &format!("{line}\nrank = \"job-ratio\""), 1);
    let sliced = ATTACK.replacen("[processor]", "[processor]\nslice = \"1 us\"", 1);
    let aside = "[processor]\nservers = 2\nsuspected = { servers = 1, job = \"5 us\" }";
    let aside = ATTACK.replacen("[processor]", aside, 1);
    for (scenario, arguments, advice) in [
        (sliced.replacen("job-ratio", "job-ratio-inorder", 1), &[][..], "this rank keeps flows in order"),
        (sliced.clone(), &["--search", "--generations", "1"], "a search does not support `slice`"),
        (aside.clone(), &["--search", "--generations", "1"], "a search does not support `suspected`"),
        (in_policy(below), &["--search", "--generations", "1"], "a search does not support `below`"),
        (
            in_policy("below = { goodput = \"1 Gbps\", rank = \"arrival\", queue = \"fifo\", below = 5 }"),
            &[],
            "once for each",
        ),
    ] {
        folder.write("s.toml", scenario);
        let error = folder.run(&[&["attack", "s.toml"], arguments].concat()).refused();
        assert!(error.starts_with("s.toml:") && error.contains(advice), "{error}");
    }
    folder.write(
        "p.toml",
        format!(
            "port = {{ rate = \"1 Gbps\", buffer = \"9 packets\" }}\n\
             traffic = {{ arrivals = \"poisson\", load = 0.9, packets = 9 }}\n\
             [[policy]]\nrank = \"arrival\"\nqueue = \"fifo\"\n{below}\n"
        ),
    );
    let error = folder.run(&["run", "p.toml"]).refused();
    assert!(error.contains("`below` is for policies in scenarios of attacks"), "{error}");
}

#[test]
fn a_search_wants_one_budget() {
    let folder = Folder::new();
    folder.write("s.toml", ATTACK);
    for (arguments, advice) in [
        (&["--generations", "3"][..], "--search"),
        (&["--cpu-time", "3m"], "--search"),
        (&["--search", "--cpu-time", "3m", "--generations", "3"], "cannot be used with"),
    ] {
        let output = folder.run(&[&["attack", "s.toml"], arguments].concat());
        assert!(output.status == 2 && output.stderr.contains(advice), "{}", output.stderr);
    }
    let error = folder.run(&["attack", "s.toml", "--search", "--cpu-time", "3"]).refused();
    assert!(error.starts_with("--cpu-time: ") && error.contains("30m"), "{error}");
}

#[test]
fn the_command_sends_other_kinds_of_scenarios_away() {
    let folder = Folder::new();
    folder.write(
        "s.toml",
        "port = { rate = \"1 Gbps\", buffer = \"9 packets\" }\ntraffic = { arrivals = \"poisson\", load = 0.9, packets = 9 }\n\
         policy = [{ rank = \"arrival\", queue = \"fifo\" }]\n",
    );
    assert!(folder.run(&["attack", "s.toml"]).refused().contains("`forebay run` runs the other kinds"));
}
