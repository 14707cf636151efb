//! A run states its memory before it starts, and ends if it takes more.

use crate::support::Folder;

/// Flows that start as fast as a second has room for.
fn flows(number: u64) -> String {
    format!(
        "[network]\ntopology = {{ name = \"star\", hosts = 8, rate = \"100 Gbps\" }}\nduration = \"1 s\"\n[[workload]]\n\
         sizes = {{ name = \"fixed\", bytes = 100 }}\nflows_per_second = {number}\n[[policy]]\nname = \"fifo\"\ntransport = \"dctcp\"\n\
         port = {{ rank = \"arrival\", queue = \"fifo\", buffer = \"100 packets\" }}\n"
    )
}

/// Twice as many packets as the link carries, all of which may wait.
const OVERLOAD: &str = "[port]\nrate = \"10 Gbps\"\nbuffer = \"60000000 packets\"\n[traffic]\narrivals = \"poisson\"\nload = 2\n\
                        packets = 100_000_000\n[[policy]]\nname = \"fifo\"\nrank = \"arrival\"\nqueue = \"fifo\"\n";

#[test]
fn what_has_no_room_is_refused_before_it_runs() {
    let folder = Folder::new();
    folder.write("flows.toml", flows(20_000_000));
    let refused = folder.run(&["run", "flows.toml", "--memory", "500MB", "--out", "out"]).refused();
    assert!(refused.contains("one run needs some 4.4 GB, but may use only 500 MB"), "{refused}");
    // Two of these have no room beside each other, one has.
    folder.write("few.toml", flows(100_000) + "[[policy]]\nname = \"other\"\ntransport = \"dctcp\"\nport = { rank = \"arrival\", queue = \"fifo\", buffer = \"99 packets\" }\n");
    let refused = folder.run(&["run", "few.toml", "--memory", "40MB", "--threads", "2"]).refused();
    assert!(
        refused.contains("2 runs at a time need some 44 MB, but may use only 40 MB: add `--threads 1`"),
        "{refused}"
    );
    let refused = folder.run(&[
        "bound",
        "zipf:objects=1e6,requests=1e9",
        "--capacity",
        "10",
        "--latency",
        "9",
        "--memory",
        "8GB",
    ]);
    let refused = refused.refused();
    assert!(refused.contains("one run needs some 135 GB, but may use only 8.0 GB"), "{refused}");
}

#[test]
fn a_dry_run_says_how_much_memory_is_needed() {
    let folder = Folder::new();
    folder.write("flows.toml", flows(1_000_000)).write("overload.toml", OVERLOAD);
    let text = folder.run(&["run", "flows.toml", "--dry-run", "--memory", "1GB"]).ok();
    assert!(text.lines().next().unwrap().ends_with("memory"), "{text}");
    assert!(text.contains("memory: 220 MB of 1.0 GB in addition"), "{text}");
    let text = folder.run(&["run", "overload.toml", "--dry-run"]).ok();
    assert!(text.contains("memory: up to 7.2 GB of "), "{text}");
}

#[test]
fn a_run_that_takes_more_than_it_may_have_is_stopped() {
    let folder = Folder::new();
    folder.write("overload.toml", OVERLOAD);
    let stopped = folder.run(&["run", "overload.toml", "--memory", "90MB", "--out", "out"]).refused();
    assert!(stopped.contains("s the program held ") && stopped.contains(" of memory, and may hold 90 MB"), "{stopped}");
    // The finished part of the run is of no use.
    assert!(!folder.path("out/result.json").exists());
}

/// Additional memory of runs for nine tenths of the work, as a share of the dry run's estimate for it. The program
/// itself is not included.
#[cfg(target_os = "linux")]
#[test]
fn what_a_dry_run_says_is_what_a_run_takes() {
    let folder = Folder::new();
    let recipe = |kind: &str, requests: u64| {
        format!("{kind}trace = \"zipf:objects=1000,requests={requests}\"\ncapacity = 100\nlatency = 100\n")
    };
    let bound = |requests| recipe("[bound]\niterations = 2\n", requests);
    let belady = |requests| recipe("[cache]\n", requests) + "[[policy]]\nname = \"belady\"\n";
    let kinds = [
        ("flows", [30_000, 300_000].map(flows)),
        ("bound", [30_000, 300_000].map(bound)),
        ("belady", [100_000, 1_000_000].map(belady)),
    ];
    for (name, texts) in kinds {
        let [few, many] = texts.map(|text| {
            folder.write("s.toml", text);
            (said(&folder), folder.most_memory(&["run", "s.toml"]))
        });
        let share = (many.1 - few.1) / (many.0 - few.0);
        println!(
            "{name}: {:.1} MB for {:.1} MB that were said: {share:.2}",
            (many.1 - few.1) / 1e6,
            (many.0 - few.0) / 1e6
        );
        assert!((0.5..=1.5).contains(&share), "{name}: {share}");
    }
}

/// The bytes that a dry run says of one run.
#[cfg(target_os = "linux")]
fn said(folder: &Folder) -> f64 {
    let text = folder.run(&["run", "s.toml", "--dry-run"]).ok();
    let (_, memory) = text.split_once("\nmemory: ").unwrap();
    let mut words = memory.split_whitespace();
    let number: f64 = words.next().unwrap().parse().unwrap();
    number
        * match words.next().unwrap() {
            "KB" => 1e3,
            "MB" => 1e6,
            unit => panic!("{unit} in {text}"),
        }
}
