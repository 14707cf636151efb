//! Traces of every format, good and bad.

use crate::packets::{arp, double_vlan, ipv4, ipv6, pcap, pcapng, vlan};
use crate::support::{Folder, UNIFORM};
use serde_json::Value;

fn info(folder: &Folder, file: &str) -> Value {
    serde_json::from_str(&folder.run(&["trace", "info", file, "--format", "json"]).ok()).unwrap()
}

/// Class, packets and flows.
fn classes(summary: &Value) -> Vec<(u64, u64, u64)> {
    let number = |class: &Value, key: &str| class[key].as_u64().unwrap();
    let all = summary["classes"].as_array().unwrap();
    all.iter().map(|class| (number(class, "class"), number(class, "packets"), number(class, "flows"))).collect()
}

#[test]
fn vlan_tags_ipv6_and_frames_without_ip_are_read() {
    let frames = [ipv4(46, 1), vlan(46, 1), double_vlan(46, 2), ipv6(10, 1), ipv6(10, 1), arp()];
    let folder = Folder::new();
    folder.write("a.pcap", pcap(&frames, 65_535)).write("a.pcapng", pcapng(&frames));
    for (file, gap_ns) in [("a.pcap", 1_000.0), ("a.pcapng", 1_000.0)] {
        let summary = info(&folder, file);
        assert_eq!(classes(&summary), [(0, 1, 1), (10, 2, 1), (46, 3, 2)], "{file}");
        let bytes: usize = frames.iter().map(Vec::len).sum();
        assert_eq!(summary["bytes"], bytes, "{file}");
        assert!((summary["duration_s"].as_f64().unwrap() - 5.0 * gap_ns / 1e9).abs() < 1e-12, "{file}");
    }
}

#[test]
fn frames_cut_by_the_snap_length_keep_size_class_and_flow() {
    // 14 Ethernet, 20 IP, 4 for the ports: nothing more is needed.
    let frames = [ipv4(46, 1), ipv4(46, 2), ipv4(0, 1)];
    let folder = Folder::new();
    folder.write("whole.pcap", pcap(&frames, 65_535)).write("cut.pcap", pcap(&frames, 38));
    let [mut whole, mut cut] = ["whole.pcap", "cut.pcap"].map(|file| info(&folder, file));
    assert_eq!(whole["recording"]["records"], cut["recording"]["records"]);
    // The files differ in length, and in nothing else.
    for summary in [&mut whole, &mut cut] {
        summary.as_object_mut().unwrap().remove("recording").unwrap();
    }
    assert_eq!(whole, cut);
    folder.write("stub.pcap", pcap(&frames, 9));
    assert_eq!(classes(&info(&folder, "stub.pcap")), [(0, 3, 1)], "unreadable frames are packets all the same");
}

#[test]
fn a_recording_cut_off_anywhere_gives_what_is_whole_and_never_panics() {
    let frames: Vec<_> = (0..5).map(|port| ipv4(46, port)).collect();
    for (name, file) in [("pcap", pcap(&frames, 65_535)), ("pcapng", pcapng(&frames))] {
        let folder = Folder::new();
        for length in (0..file.len()).step_by(7) {
            folder.write("cut", &file[..length]);
            let output = folder.run(&["trace", "info", "cut", "--format", "json"]);
            if output.status == 2 {
                output.refused();
                continue;
            }
            let summary: Value = serde_json::from_str(&output.ok()).unwrap();
            assert!(summary["packets"].as_u64().unwrap() < 5, "{name} of {length}");
        }
        folder.write("cut", &file[..file.len() - 10]);
        let output = folder.run(&["trace", "info", "cut"]);
        assert!(output.stderr.contains("warning: cut: ") && output.stderr.contains("4 packets"), "{}", output.stderr);
        assert_eq!(output.status, 0);
    }
}

#[test]
fn a_cut_off_recording_runs_and_the_report_says_so() {
    let frames: Vec<_> = (0..50).map(|port| ipv4(46, port)).collect();
    let file = pcap(&frames, 65_535);
    let folder = Folder::new();
    folder.write("cut.pcap", &file[..file.len() - 10]);
    let scenario = "[port]\nrate = \"1 Gbps\"\nbuffer = \"80 packets\"\n[traffic]\ntrace = \"cut.pcap\"\nspeed = 2\n\
                    [[policy]]\nrank = \"remaining-bytes\"\nqueue = \"pifo\"\n";
    let report = folder.json(scenario, &[]);
    assert_eq!(report["results"][0]["packets_out"], 49);
    assert!(report["warnings"][0].as_str().unwrap().contains("cut.pcap: "), "{}", report["warnings"]);
}

#[test]
fn what_is_no_trace_is_refused_with_the_formats_that_are() {
    let folder = Folder::new();
    let mut usb = pcap(&[ipv4(46, 1)], 96);
    usb[20..24].copy_from_slice(&189_u32.to_le_bytes());
    let cases: [(&str, Vec<u8>, &str); 7] = [
        ("empty", Vec::new(), "the file is empty"),
        ("text", b"hello world\n".to_vec(), "neither pcap, pcapng, packet CSV"),
        ("png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), "this is a PNG picture, not a trace"),
        ("windows.csv", b"arrival_ps,size_bytes\r\n0,100\r\n10,x\r\n".to_vec(), "windows.csv:3: `size_bytes`"),
        ("header-only.pcap", pcap(&[], 96), "no packets"),
        ("magic-only.pcap", pcap(&[], 96)[..4].to_vec(), "damaged or cut off"),
        (
            "usb.pcap",
            usb,
            "1 of 1 packets were left out: link type 189 (Linux USB) is not supported; the supported link types",
        ),
    ];
    for (name, content, advice) in cases {
        folder.write(name, content);
        let error = folder.run(&["trace", "info", name]).refused();
        assert!(error.starts_with(name) && error.contains(advice), "{name}: {error}");
    }
}

#[test]
fn damaged_recordings_never_panic_or_hang() {
    let frames: Vec<_> = (0..4).map(|port| ipv6(46, port)).collect();
    let folder = Folder::new();
    for file in [pcap(&frames, 65_535), pcapng(&frames)] {
        for place in (0..200.min(file.len())).step_by(3) {
            let mut damaged = file.clone();
            damaged[place] ^= 0xff;
            folder.write("damaged", damaged);
            let status = folder.run(&["trace", "info", "damaged"]).status;
            assert!(status == 0 || status == 2, "byte {place}: {status}");
        }
    }
}

#[test]
fn a_recording_longer_than_the_clock_is_refused() {
    let frames = [ipv4(46, 1), ipv4(46, 2), ipv4(46, 3)];
    let mut file = pcap(&frames, 65_535);
    // The seconds of the second record: a damaged clock.
    let second = 24 + 16 + frames[0].len();
    file[second..second + 4].copy_from_slice(&0_u32.to_le_bytes());
    let folder = Folder::new();
    folder.write("a.pcap", file);
    let error = folder.run(&["trace", "info", "a.pcap"]).refused();
    assert!(error.starts_with("a.pcap: packet 1 is more than 213 days after the earliest"), "{error}");
}

#[test]
fn a_trace_is_not_written_over_itself_nor_half() {
    let folder = Folder::new();
    folder.write("a.csv", "arrival_ps,size_bytes,class\n0,100,1\n5,100,200\n");
    let error = folder.run(&["trace", "convert", "a.csv", "a.csv"]).refused();
    assert!(error.contains("the trace itself"), "{error}");
    let error = folder.run(&["trace", "convert", "a.csv", "a.pcap"]).refused();
    assert!(error.contains("class 200 is not a DSCP"), "{error}");
    assert!(!folder.path("a.pcap").exists() && !folder.has_unfinished());
}

#[test]
fn a_trace_survives_conversion() {
    let folder = Folder::new();
    folder.write("s.toml", format!("{UNIFORM}[[policy]]\nrank = \"packet-rank\"\nqueue = \"pifo\"\n"));
    let short = ["--set", "traffic.packets=2000"];
    folder.run(&[&["trace", "gen", "s.toml", "a.csv"], &short[..]].concat()).ok();
    folder.run(&["trace", "convert", "a.csv", "b.csv"]).ok();
    assert_eq!(folder.read("a.csv").lines().count(), 2_001);
    folder.run(&["trace", "convert", "b.csv", "c.csv"]).ok();
    assert_eq!(folder.read("b.csv"), folder.read("c.csv"));

    let to_pcap = folder.run(&["trace", "convert", "a.csv", "a.pcap"]);
    assert!(to_pcap.stderr.contains("a pcap has no field for rank"), "{}", to_pcap.stderr);
    let (csv, pcap) = (info(&folder, "a.csv"), info(&folder, "a.pcap"));
    for key in ["packets", "bytes", "flows", "classes", "max_packet_bytes"] {
        assert_eq!(csv[key], pcap[key], "{key}");
    }
}

#[test]
fn a_generated_trace_gives_the_same_result_as_its_recipe() {
    let folder = Folder::new();
    let policy = "[[policy]]\nrank = \"packet-rank\"\nqueue = \"sp-pifo\"\n";
    let recipe = folder.json(&format!("{UNIFORM}{policy}"), &["--set", "traffic.packets=20000"]);
    folder.run(&["trace", "gen", "s.toml", "a.csv", "--set", "traffic.packets=20000"]).ok();
    let port = "[port]\nrate = \"10 Gbps\"\nbuffer = \"80 packets\"\n";
    let replay = folder.json(&format!("{port}[traffic]\ntrace = \"a.csv\"\n{policy}"), &[]);
    for key in ["packets_out", "packets_dropped", "inversions", "overtaken"] {
        assert_eq!(recipe["results"][0][key], replay["results"][0][key], "{key}");
    }
}

#[test]
fn flow_traces_are_cut_into_packets() {
    let folder = Folder::new();
    folder
        .write("flows.csv", "flow_id,src,dst,size_bytes,start_ns,completed\n0,1,2,4000,0,TRUE\n1,3,4,1000,500,TRUE\n");
    let summary = info(&folder, "flows.csv");
    assert_eq!((&summary["packets"], &summary["flows"], &summary["bytes"]), (&4.into(), &2.into(), &5_000.into()));
    let error = {
        folder.write("bad.csv", "start_ns,size_bytes\n0,4000\nx,1000\n");
        folder.run(&["trace", "info", "bad.csv"]).refused()
    };
    assert!(error.starts_with("bad.csv:3: "), "{error}");
}

#[test]
fn the_flow_traces_of_the_shared_data_are_read() {
    let file =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/leaf_spine/flows_web_search_3600_TCP_1s.csv.gz");
    if !std::path::Path::new(file).exists() {
        println!("skipped: ../shared/data is not here");
        return;
    }
    let summary = info(&Folder::new(), file);
    assert_eq!(summary["flows"], 3_542);
}

/// The last 4 bits of the link-type word of a pcap are the length of frame check sequences.
#[test]
fn a_link_type_with_the_length_of_check_sequences_is_read() {
    let mut file = pcap(&[ipv4(46, 1)], 96);
    file[20..24].copy_from_slice(&0x2400_0001_u32.to_le_bytes());
    let folder = Folder::new();
    folder.write("fcs.pcap", file);
    assert_eq!(classes(&info(&folder, "fcs.pcap")), [(46, 1, 1)]);
}

#[test]
fn packets_of_link_types_that_are_not_read_are_counted_beside_others() {
    let frames = [ipv4(46, 1), ipv4(46, 2)];
    let mut file = pcapng(&frames);
    // A second section whose interface is of USB: behind the 28 bytes of the section's block, type and length of the interface's.
    let mut usb = file.clone();
    usb[36..38].copy_from_slice(&189_u16.to_be_bytes());
    file.extend(usb);
    let folder = Folder::new();
    folder.write("two.pcapng", file);
    let output = folder.run(&["trace", "info", "two.pcapng", "--format", "json"]);
    let warning = "2 of 4 packets were left out: link type 189 (Linux USB) is not supported";
    assert!(output.stderr.contains(warning), "{}", output.stderr);
    let summary: Value = serde_json::from_str(&output.ok()).unwrap();
    assert_eq!((&summary["packets"], &summary["recording"]["records"]), (&2.into(), &4.into()));
}

#[test]
fn zeros_at_the_end_of_a_pcapng_are_named() {
    let mut file = pcapng(&[ipv4(46, 1), ipv4(46, 2)]);
    file.extend([0; 4096]);
    let folder = Folder::new();
    folder.write("zeros.pcapng", file);
    let output = folder.run(&["trace", "info", "zeros.pcapng"]);
    assert!(output.stderr.contains("only zeros follow: the file was cut off there"), "{}", output.stderr);
}
