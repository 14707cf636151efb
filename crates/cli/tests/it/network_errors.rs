//! Mistakes in a network scenario: one line with the place and the fix, exit status 2, before anything runs.

use crate::support::{Folder, NETWORK};

/// One mistake on each line.
const MISTAKES: &str = include_str!("network_errors.txt");

#[test]
fn every_mistake_names_line_and_fix() {
    let folder = Folder::new();
    let lines: Vec<&str> = MISTAKES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert!(lines.len() > 50);
    for line in lines {
        let fields: Vec<String> = line.split('|').map(|field| field.trim().replace(" \\n ", "\n")).collect();
        let [from, to, number, advice] = &fields[..] else { panic!("four fields: {line}") };
        let from = from.replace(" \\n", "\n");
        assert!(NETWORK.contains(&from), "{line}");
        folder.write("s.toml", NETWORK.replacen(&from, to, 1));
        let error = folder.run(&["run", "s.toml"]).refused();
        assert!(error.contains(advice) && error.starts_with(&format!("s.toml:{number}: ")), "{line}: {error}");
    }
}

#[test]
fn a_wrong_argument_is_named_itself() {
    let folder = Folder::new();
    folder.write("s.toml", NETWORK);
    for (argument, advice) in [
        ("network.topology={name=\"star\", hosts=1}", "from 2 to"),
        ("network.series={every=\"1 ms\", links=[\"a>b\"]}", "there is no link `a>b`"),
        ("network.pace=[own,x]", "text in it needs quotes: [\"a\", \"b\"]"),
        ("workload.smal.load=0.3", "did you mean `small`"),
        ("policy.0.port.queue={name=\"sp-pifo\", queues=[2, 0]}", "from 1 to"),
    ] {
        let error = folder.run(&["run", "s.toml", "--set", argument]).refused();
        assert!(error.starts_with(&format!("--set {argument}: ")) && error.contains(advice), "{error}");
    }
}

#[test]
fn a_sweep_that_is_too_large_is_refused_at_its_longest_list() {
    let folder = Folder::new();
    let values: Vec<String> = (0..200_000).map(|value| format!("{}", f64::from(value + 1) / 1e6)).collect();
    folder.write("s.toml", NETWORK.replace("[0.3, 0.6]", &format!("[{}]", values.join(", "))));
    let error = folder.run(&["run", "s.toml"]).refused();
    let expected =
        "s.toml:15: this sweep has 800000 runs, but at most 100000 are possible; `load` has 200000 values: give fewer";
    assert_eq!(error, expected);
}

#[test]
fn what_is_no_scenario_hears_of_every_kind() {
    let folder = Folder::new();
    let error = folder.write("s.toml", "# nothing\n").run(&["run", "s.toml"]).refused();
    for word in ["[port]", "[[policy]]", "[network]", "[[policy]]"] {
        assert!(error.contains(word), "{error}");
    }
    let error = folder.write("s.toml", "[[policy]]\ntransport = \"dctcp\"\n").run(&["run", "s.toml"]).refused();
    assert!(error.contains("has no `network`"), "{error}");
}

#[cfg(unix)]
#[test]
fn what_has_no_end_is_not_read() {
    let folder = Folder::new();
    assert!(std::process::Command::new("mkfifo").arg(folder.path("fifo")).status().unwrap().success());
    let star = "{ name = \"star\", hosts = 6, rate = \"1 Gbps\" }";
    let (sizes, both) = ("sizes = \"uniform\"", "sizes = \"uniform\"\nload = [0.3, 0.6]");
    let port = "port = { rank = \"arrival\", queue = \"fifo\", buffer = \"50 packets\" }";
    for (file, advice) in [
        ("/dev/zero", "a device or a pipe"),
        ("fifo", "a device or a pipe"),
        (".", "this is a folder"),
        ("", "the name of the file is empty"),
    ] {
        for (from, to, line) in [
            (star, format!("{{ file = \"{file}\" }}"), 5),
            (sizes, format!("sizes = {{ name = \"cdf\", file = \"{file}\" }}"), 14),
            (both, format!("replay = \"{file}\""), 14),
            (port, format!("port = {{ policy = \"{file}\" }}"), 20),
        ] {
            folder.write("s.toml", NETWORK.replacen(from, &to, 1));
            let error = folder.run(&["run", "s.toml"]).refused();
            assert!(error.starts_with(&format!("s.toml:{line}: ")) && error.contains(advice), "{error}");
        }
    }
    let error = folder.run(&["run", "/dev/zero"]).refused();
    assert!(error.contains("more than 16000000 bytes"), "{error}");
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
fn a_policy_with_several_ports_fits_its_switch() {
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
    let long = ["--set", "network.until=9000000 s", "--set", "network.series.every=1000 s"];
    let error = folder.run(&[&["run", "s.toml", "--set", "workload.0.flows=1000000000"], &long[..]].concat()).refused();
    assert!(error.contains("would start some 1000000000 flows"), "{error}");
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

#[test]
fn a_mistake_in_a_policy_is_shown_with_its_line() {
    let folder = Folder::new();
    folder.write("bad.oq", "queue q = ;\n");
    folder.write("s.toml", NETWORK);
    let output = folder.run(&["run", "s.toml", "--set", "policy.0.port={policy=\"bad.oq\"}"]);
    assert_eq!(output.status, 2);
    assert!(output.stderr.contains("bad.oq:1:7\n") && output.stderr.contains("| queue q = ;\n"), "{}", output.stderr);
}
