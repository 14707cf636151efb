//! Packets inside tunnels, from the command line: a recording of Linux' VXLAN with the flows inside, and targets that see outer headers only.

use crate::support::Folder;
use serde_json::Value;

fn vxlan() -> String {
    format!("{}/../../testdata/tunnels/vxlan.pcap", env!("CARGO_MANIFEST_DIR"))
}

fn json(arguments: &[&str]) -> Value {
    let found = Folder::new().run(arguments);
    serde_json::from_str(&found.ok_with_warnings().0).unwrap()
}

/// Code points, and how many packets have each.
fn classes(summary: &Value) -> Vec<(u64, u64)> {
    let classes = summary["classes"].as_array().unwrap();
    let mut counts: Vec<_> =
        classes.iter().map(|class| (class["class"].as_u64().unwrap(), class["packets"].as_u64().unwrap())).collect();
    counts.sort_unstable();
    counts
}

#[test]
fn a_recording_is_read_by_its_outer_or_its_inner_headers() {
    let file = vxlan();
    let outer = json(&["trace", "info", &file, "--format", "json"]);
    assert_eq!(classes(&outer), [(0, 26)]);
    let inner = json(&["trace", "info", &file, "--ip-header", "inner", "--format", "json"]);
    // As the bytes say: 5 packets of TCP with 34, 3 of UDP with 46 and 3 of UDP with 18. Linux answers those of UDP over IPv4 with ICMP, for which it
    // makes 46 to 54 (network control), and those over IPv6 with 0.
    assert_eq!(classes(&inner), [(0, 12), (18, 3), (34, 5), (46, 3), (54, 3)]);
    assert_eq!(outer["bytes"], inner["bytes"]);
}

#[test]
fn the_inner_header_is_read_by_filters_scenarios_and_requests() {
    let (folder, file) = (Folder::new(), vxlan());
    let cut = folder.run(&["trace", "cut", &file, "web.pcap", "--ip-header", "inner", "--filter", "tcp port 8080"]);
    assert!(cut.ok().contains("8 packets"));
    let refused = folder.run(&["trace", "cut", &file, "none.pcap", "--filter", "tcp port 8080"]).refused();
    assert!(refused.contains("none of the 26 packets can be used and matches the filter"), "{refused}");

    let scenario = |header: &str| {
        format!(
            "port = {{ rate = \"10 Mbps\", buffer = \"10 packets\" }}\npolicy = [{{ name = \"a\", rank = \"arrival\", queue = \"fifo\" }}]\n\
             traffic = {{ trace = \"web.pcap\", filter = \"dscp 34\", ip_header = \"{header}\" }}\n"
        )
    };
    folder
        .write("inner.toml", scenario("inner"))
        .write("outer.toml", scenario("outer"))
        .write("wrong.toml", scenario("innr"));
    folder.run(&["run", "inner.toml"]).ok_with_warnings();
    let refused = folder.run(&["run", "outer.toml"]).refused();
    assert!(refused.contains("none of the 8 packets can be used and matches the filter"), "{refused}");
    let refused = folder.run(&["run", "wrong.toml"]).refused();
    assert!(refused.contains("wrong.toml:3") && refused.contains("write outer, second or inner"), "{refused}");

    let count = |format: &str| {
        let summary = json(&["trace", "info", "--format-in", format, &file, "--format", "json"]);
        summary["objects"].as_u64().unwrap()
    };
    assert_ne!(count("pcap:key=pair"), count("pcap:key=pair,ip-header=inner"));
    let refused = folder.run(&["trace", "info", "--as", "requests", "--ip-header", "inner", &file]).refused();
    assert!(refused.contains("--format-in pcap:ip-header=inner"), "{refused}");
}

#[test]
fn targets_that_see_outer_headers_only_say_so() {
    let folder = Folder::new();
    let policy = include_str!("../../../../policies/strict-priority.oq");
    folder.write("p.oq", policy);
    for target in ["c", "bpf", "dpdk", "p4"] {
        let check = ["check", "p.oq", "--target", target, "--field"];
        folder.run(&[&check[..], &["class=dscp"]].concat()).ok_with_warnings();
        let refused = folder.run(&[&check[..], &["class=inner.dscp"]].concat());
        let text = format!("{}{}", refused.stdout, refused.stderr);
        assert!(text.contains("inner.dscp") && text.contains("forebay switch"), "{target}: {text}");
        assert_ne!(refused.status, 0, "{target}");
    }
}
