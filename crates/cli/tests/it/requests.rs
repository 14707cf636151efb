//! Traces of requests through the command: generated, converted, described, and rejected.

use crate::packets::{ipv4, pcap};
use crate::support::Folder;
use serde_json::Value;

fn info(folder: &Folder, arguments: &[&str]) -> Value {
    let all = [&["trace", "info", "--format", "json"], arguments].concat();
    serde_json::from_str(&folder.run(&all).ok()).unwrap()
}

#[test]
fn a_recipe_is_written_in_every_format_and_read_again() {
    let folder = Folder::new();
    let recipe = "zipf:objects=50,requests=3_000,occupancy=1,seed=4";
    let made = info(&folder, &[recipe]);
    assert_eq!((&made["requests"], &made["clock"], &made["format"]), (&3_000.into(), &"slots".into(), &"zipf".into()));
    for (file, to, format) in [
        ("a.csv", "", "request-csv"),
        ("a.csv.xz", "", "request-csv"),
        ("a.txt.gz", "", "keys"),
        ("a.trace.xz", "", "u32be"),
        ("a.oracleGeneral.zst", "", "oracle-general"),
        ("b.csv.xz", "slot-csv", "slot-csv"),
        ("c.csv", "libcachesim-csv", "libcachesim-csv"),
    ] {
        let to = if to.is_empty() { vec![] } else { vec!["--to", to] };
        let said = folder.run(&[&["trace", "gen", recipe, file], &to[..]].concat()).ok();
        assert_eq!(said, format!("{file}: 3000 requests\n"));
        let read = info(&folder, &[file]);
        assert_eq!(read["format"], format, "{file}");
        for key in ["requests", "objects", "one_hit_wonders", "share_of_top_10_percent", "most_active_objects"] {
            assert_eq!(read[key], made[key], "{file}: {key}");
        }
        // From every format back to the first one.
        let back = folder.run(&["trace", "convert", file, "back.txt"]);
        assert_eq!(back.status, 0, "{}", back.stderr);
        folder.run(&["trace", "gen", recipe, "keys.txt"]).ok();
        assert_eq!(folder.read("back.txt"), folder.read("keys.txt"), "{file}");
    }
}

#[test]
fn a_seed_on_the_command_line_replaces_that_of_the_recipe() {
    let folder = Folder::new();
    folder.run(&["trace", "gen", "zipf:requests=100,seed=5", "a.csv"]).ok();
    folder.run(&["trace", "gen", "zipf:requests=100", "b.csv", "--seed", "5"]).ok();
    folder.run(&["trace", "gen", "zipf:requests=100", "c.csv"]).ok();
    assert_eq!(folder.read("a.csv"), folder.read("b.csv"));
    assert_ne!(folder.read("a.csv"), folder.read("c.csv"));
}

#[test]
fn a_recording_is_packets_or_requests_as_one_wants() {
    let folder = Folder::new();
    folder.write("a.pcap", pcap(&[ipv4(0, 1), ipv4(0, 2), ipv4(0, 1)], 65_535));
    assert_eq!(info(&folder, &["a.pcap"])["packets"], 3);
    let requests = info(&folder, &["a.pcap", "--as", "requests"]);
    assert_eq!((&requests["requests"], &requests["objects"]), (&3.into(), &2.into()));
    assert_eq!(info(&folder, &["a.pcap", "--format-in", "pcap:key=source"])["objects"], 1);

    folder.run(&["trace", "convert", "a.pcap", "packets.csv"]).ok();
    assert!(folder.read("packets.csv").starts_with("arrival_ps,"));
    folder.run(&["trace", "convert", "a.pcap", "requests.csv", "--as", "requests"]).ok();
    assert!(folder.read("requests.csv").starts_with("time_ns,key\n0,"), "{}", folder.read("requests.csv"));
    let lossy = folder.run(&["trace", "convert", "a.pcap", "keys.txt"]);
    assert!(lossy.stderr.starts_with("warning: keys.txt: times are left out"), "{}", lossy.stderr);
    lossy.ok();
    let error = folder.run(&["trace", "info", "packets.csv", "--as", "requests"]).refused();
    assert!(error.contains("forebay trace convert FILE FILE.pcap"), "{error}");
}

#[test]
fn information_is_for_people_and_spreadsheets_too() {
    let folder = Folder::new();
    folder.write("a.csv", "time_ns,key,size_bytes\n5,1,10\n1005,2,30\n3005,1,10\n5005,1,0\n");
    let output = folder.run(&["trace", "info", "a.csv"]);
    assert_eq!(output.stderr, "warning: a.csv: one request has size 0; it is taken as 1 byte\n");
    let text = output.ok();
    for line in [
        "requests         4\n",
        "objects          2; 1 of them (50.0 %) are requested once\n",
        "span             0.000005 s\n",
        "size             1 to 30 bytes, mean 12.8; all objects 31 bytes\n",
        "active objects   at most 2 between their first and last request\n",
        "burstiness       -0.667 in the mean of 1 objects (-1 regular, 0 Poisson, 1 bursts)\n",
    ] {
        assert!(text.contains(line), "{line}{text}");
    }
    let csv = folder.run(&["trace", "info", "a.csv", "--format", "csv"]).ok();
    assert!(csv.starts_with("quantity,value\n") && csv.contains("\nsize_bytes.max,30\n"), "{csv}");
}

#[test]
fn bad_request_traces_are_refused_in_one_line() {
    let folder = Folder::new();
    folder.run(&["trace", "gen", "zipf:requests=3000,objects=90", "good.csv.xz"]).ok();
    let packed = std::fs::read(folder.path("good.csv.xz")).unwrap();
    let cases: [(&str, &[u8], &[&str], &str); 9] = [
        ("empty.trace", b"", &["--as", "requests"], "empty.trace: the file is empty"),
        ("empty.txt", b"", &["--format-in", "keys"], "empty.txt: the file is empty"),
        ("cut.csv.xz", &packed[..packed.len() / 2], &[], "cut.csv.xz: the xz data are cut off after "),
        (
            "cut.trace",
            b"\0\0\0\x01\0\0\0\x02\0\0",
            &[],
            "cut.trace: request 3 (byte 8): the last record has only 2 of 4 bytes",
        ),
        ("slots.csv", b"1;2\n2;3\nx\n", &[], "slots.csv:3: a line must be empty or like `timestamp;object`, not `x`"),
        ("order.csv", b"time_ns,key\n5,1\n4,1\n", &[], "order.csv:3: it is earlier than the request before"),
        ("a.txt", b"hello world\n", &["--as", "requests"], "a.txt: this is not a request trace of a known format"),
        ("b.txt", b"hello\n", &["--format-in", "kyes"], "b.txt: unknown format `kyes`; did you mean `keys`?"),
        ("c.txt", b"a\n", &["--format-in", "keys:separator=keep"], "c.txt: `keys` has no parameter `separator`"),
    ];
    for (name, content, arguments, message) in cases {
        folder.write(name, content);
        let error = folder.run(&[&["trace", "info", name], arguments].concat()).refused();
        assert!(error.starts_with(message), "{error}");
        // Rejected input is not written either.
        let error = folder.run(&[&["trace", "convert", name, "out.txt"], arguments].concat()).refused();
        assert!(error.starts_with(message), "{error}");
        assert!(!folder.path("out.txt").exists() && !folder.has_unfinished());
    }
    for (arguments, message) in [
        (&["info", "zipf:objects=x"][..], "zipf:objects=x: `zipf`: `objects` must be a whole number"),
        (
            &["info", "zpif:objects=1"],
            "zpif:objects=1: cannot be opened: there is no such file, and no generator `zpif`; \
                                       did you mean `zipf`?",
        ),
        (&["info", "lost.csv"], "lost.csv: cannot be opened: there is no such file or folder"),
        (&["info", "."], ".: cannot be read: this is a folder, not a file"),
        (&["gen", "zipf:requests=9", "a.doc"], "a.doc: the name must end in one of .csv (request-csv)"),
        (
            &["gen", "zipf:requests=9", "a.csv", "--to", "pcap"],
            "a.csv: pcap cannot be written; write one of request-csv",
        ),
        (&["gen", "zipf:requests=9", "a.csv", "--set", "a=1"], "--set is for scenarios"),
        (&["convert", "good.csv.xz", "good.csv.xz"], "good.csv.xz: this is the trace itself"),
        (&["info", "zipf", "--format-in", "keys"], "zipf: a recipe has no format"),
        (&["info", "zipf", "--as", "packets"], "zipf: a recipe makes requests"),
    ] {
        let error = folder.run(&[&["trace"], arguments].concat()).refused();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn keys_that_do_not_fit_leave_no_file() {
    let folder = Folder::new();
    folder.write("a.csv", "slot,key\n0,1\n1,4294967296\n");
    let error = folder.run(&["trace", "convert", "a.csv", "a.u32be"]).refused();
    assert!(error.starts_with("a.u32be: the key 4294967296 of request 2 does not fit into 32 bits"), "{error}");
    assert!(!folder.path("a.u32be").exists() && !folder.has_unfinished());
}

#[test]
fn formats_and_generators_are_listed_and_explained() {
    let folder = Folder::new();
    let list = folder.run(&["list"]).ok();
    assert!(list.contains("request formats\n") && list.contains("request generators\n"), "{list}");
    let trains = folder.run(&["explain", "trains"]).ok();
    assert!(trains.contains("gap: mean time") && trains.contains("objects: how many objects"), "{trains}");
    assert!(folder.run(&["explain", "twitter"]).ok().contains("operations: which lines are requests"));
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_written_into_and_never_replaced() {
    let folder = Folder::new();
    // Standard output of a child is a pipe, to which this link leads.
    std::os::unix::fs::symlink("/proc/self/fd/1", folder.path("out")).unwrap();
    let text = folder.run(&["trace", "gen", "loop:objects=2,requests=3,occupancy=1", "out", "--to", "keys"]).ok();
    assert_eq!(text, "0\n1\n0\n");
    assert!(folder.path("out").is_symlink() && !folder.has_unfinished());
    folder.write("a.csv", "arrival_ps,size_bytes\n0,100\n");
    std::os::unix::fs::symlink("/proc/self/fd/1", folder.path("out.csv")).unwrap();
    assert!(folder.run(&["trace", "convert", "a.csv", "out.csv"]).ok().starts_with("arrival_ps,size_bytes"));
    assert!(folder.path("out.csv").is_symlink());
}

#[test]
fn what_is_neither_packets_nor_requests_says_both() {
    let folder = Folder::new();
    folder.write("a.log", "time,url,bytes\n3,/a,10\n4,/b,20\n");
    let error = folder.run(&["trace", "info", "a.log"]).refused();
    let options = "libcachesim-csv:time=1,key=2,size=3,header=yes";
    assert!(error.starts_with("a.log: this is not a request trace of a known format: its first line is"), "{error}");
    assert!(error.contains(options) && error.contains("it is neither pcap, pcapng, packet CSV"), "{error}");
    let cache = folder.run(&["cache", "a.log", "--capacity", "1", "--latency", "2"]).refused();
    assert!(cache.contains(options), "{cache}");
    assert_eq!(info(&folder, &["a.log", "--format-in", options])["requests"], 2);
    folder.write("ls.trace", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    for command in ["info", "convert"] {
        let arguments = [&["trace", command, "ls.trace"], &["out.csv"][..usize::from(command == "convert")]].concat();
        let error = folder.run(&arguments).refused();
        assert!(error.starts_with("ls.trace: this is a program (ELF), not a trace"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_once_or_not_at_all() {
    let folder = Folder::new();
    let text = "slot,key\n0,1\n1,2\n2,1\n";
    let pipe = || {
        let (reader, mut writer) = std::io::pipe().unwrap();
        // So little fits into the pipe.
        std::io::Write::write_all(&mut writer, text.as_bytes()).unwrap();
        reader
    };
    let play = ["--capacity", "1", "--latency", "2"];
    for (name, shown) in [("/dev/stdin", "/dev/stdin"), ("-", "standard input")] {
        let says = folder.run_on(pipe(), &["trace", "info", name, "--format", "json"]).ok();
        assert_eq!(serde_json::from_str::<Value>(&says).unwrap()["requests"], 3);
        let bound = folder.run_on(pipe(), &[&["bound", name], &play[..]].concat()).ok();
        assert!(bound.contains("3 requests"), "{bound}");
        let once = format!("{shown}: this is a pipe, which can be read only once, but");
        for arguments in [
            &["cache", name, play[0], play[1], play[2], play[3], "--out", "out"][..],
            &["curve", name, play[2], play[3], "--out", "out"],
            &["bound", name, "--capacity", "50%", play[2], play[3]],
            &["bound", name, play[0], play[1], play[2], play[3], "--repeat", "2"],
        ] {
            let error = folder.run_on(pipe(), arguments).refused();
            assert!(error.starts_with(&once) && error.ends_with("write it to a file first"), "{error}");
            assert!(!folder.path("out").exists());
        }
        let kept = folder.run_on(pipe(), &[&["bound", name, "--out", "kept"], &play[..]].concat()).refused();
        assert!(kept.starts_with(&once), "{kept}");
    }
    // Standard input that is a file can be opened again.
    folder.write("a.csv", text);
    let file = std::fs::File::open(folder.path("a.csv")).unwrap();
    folder.run_on(file, &[&["cache", "/dev/stdin"], &play[..]].concat()).ok();
}
