//! Recordings as people have them: other times, other blocks, other link types, cut off. Each folder of `testdata/captures` is a kind;
//! all of its files hold the same 12 packets of 3 flows, marked EF, of which some are not read.

use crate::support::Folder;
use serde_json::Value;

fn info(file: &str) -> (Value, String) {
    let path = format!("{}/../../testdata/captures/{file}", env!("CARGO_MANIFEST_DIR"));
    let found = Folder::new().run(&["trace", "info", &path, "--format", "json"]);
    let warnings = found.stderr.clone();
    (serde_json::from_str(&found.ok()).unwrap(), warnings)
}

#[test]
fn every_packet_is_found_with_its_class_and_flow() {
    for file in [
        "01-pcapng-tsresol-base2/res_2_30.pcapng",
        "02-pcapng-packet-block/opb_all.pcapng",
        "03-pcapng-second-linktype/if2_usb_unused.pcapng",
        "05-encapsulated-ip/e_mpls1.pcap",
        "05-encapsulated-ip/e_pppoe.pcap",
        "05-encapsulated-ip/e_pppoe_vlan.pcap",
        "05-encapsulated-ip/vlan4.pcap",
        "07-cooked-wire-length/eth.pcap",
        "07-cooked-wire-length/raw101.pcap",
        "07-cooked-wire-length/sll.pcap",
        "07-cooked-wire-length/sll2.pcap",
        "23-link-types/chdlc104.pcap",
        "23-link-types/pktap258.pcap",
        "23-link-types/ppp9.pcap",
        "23-link-types/radiotap.pcap",
        "23-link-types/wifi105.pcap",
        "24-zero-times/zerotail.pcap",
    ] {
        let (summary, warnings) = info(file);
        let class = &summary["classes"][0];
        assert_eq!((&summary["packets"], &summary["flows"]), (&12.into(), &3.into()), "{file}");
        assert_eq!((&class["class"], &class["packets"]), (&46.into(), &12.into()), "{file}");
        assert!((summary["duration_s"].as_f64().unwrap() - 0.011).abs() < 1e-8, "{file}: {}", summary["duration_s"]);
        let account = &summary["recording"];
        let left_out: u64 =
            account["left_out"].as_array().unwrap().iter().map(|one| one["packets"].as_u64().unwrap()).sum();
        assert_eq!(account["records"], 12 + left_out, "{file}");
        assert_eq!(warnings.is_empty(), left_out == 0, "{file}: {warnings}");
    }
}

#[test]
fn sizes_are_those_on_the_wire() {
    for (file, bytes) in [("eth", 242.0), ("sll", 242.0), ("sll2", 242.0), ("raw101", 228.0)] {
        let (summary, _) = info(&format!("07-cooked-wire-length/{file}.pcap"));
        assert_eq!(summary["mean_packet_bytes"], bytes, "{file}");
    }
    // The IP packet behind a header of the receiver, and the frame on air.
    let (summary, _) = info("23-link-types/radiotap.pcap");
    let (plain, _) = info("23-link-types/wifi105.pcap");
    assert_eq!(summary["mean_packet_bytes"], plain["mean_packet_bytes"]);
}

#[test]
fn what_is_left_out_is_counted_and_named() {
    let (summary, warnings) = info("24-zero-times/zerotail.pcap");
    assert_eq!(summary["recording"]["left_out"][0]["packets"], 256);
    assert!(warnings.contains("256 of 268 packets were left out: their records are all zeros"), "{warnings}");
}

fn capture(file: &str) -> String {
    format!("{}/../../testdata/captures/{file}", env!("CARGO_MANIFEST_DIR"))
}

/// The counts are those of tcpdump with the same words.
#[test]
fn filters_choose_what_those_of_tcpdump_do() {
    for (filter, packets) in [
        ("src port 80", 27),
        ("tcp", 55),
        ("arp or udp or tcp and src 192.0.2.2", 27),
        ("greater 1000 and not arp", 12),
        ("ether src 02:00:00:00:00:0a", 29),
    ] {
        let path = capture("directions/both.pcap");
        let arguments = ["trace", "info", &path, "--filter", filter, "--format", "json"];
        let (text, _) = Folder::new().run(&arguments).ok_with_warnings();
        let summary: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(summary["packets"], packets, "{filter}");
        assert_eq!(summary["recording"]["records"], 57, "{filter}");
    }
}

#[test]
fn a_warning_names_the_filters_of_both_directions() {
    for (file, [first, second]) in
        [("both", ["ether src 02:00:00:00:00:0a", "ether src 02:00:00:00:00:0b"]), ("cooked", ["outbound", "inbound"])]
    {
        let path = capture(&format!("directions/{file}.pcap"));
        let folder = Folder::new();
        let (_, warnings) = folder.run(&["trace", "info", &path]).ok_with_warnings();
        let choice = format!("choose one with --filter \"{first}\" or --filter \"{second}\"");
        assert!(warnings.contains(&choice), "{warnings}");
        let text = folder.run(&["trace", "split-directions", &path, "there.pcap", "back.pcap"]).ok();
        assert_eq!(text, format!("there.pcap: 29 packets ({first})\nback.pcap: 28 packets ({second})\n"));
        for part in ["there.pcap", "back.pcap"] {
            let (text, warnings) = folder.run(&["trace", "info", part]).ok_with_warnings();
            assert!(warnings.is_empty() && text.starts_with("packets     2"), "{text}{warnings}");
        }
    }
}

#[test]
fn a_cut_without_a_filter_is_the_recording() {
    for file in
        ["01-pcapng-tsresol-base2/res_2_30.pcapng", "02-pcapng-packet-block/opb_all.pcapng", "directions/cooked.pcap"]
    {
        let folder = Folder::new();
        folder.run(&["trace", "cut", &capture(file), "copy"]).ok();
        assert_eq!(std::fs::read(folder.path("copy")).unwrap(), std::fs::read(capture(file)).unwrap(), "{file}");
    }
}

#[test]
fn a_scenario_takes_a_filter() {
    let folder = Folder::new();
    let scenario = |filter: &str| {
        let trace = capture("directions/both.pcap");
        format!(
            "[port]\nrate = \"10 Mbps\"\nbuffer = \"80 packets\"\n[traffic]\ntrace = \"{trace}\"\nfilter = \"{filter}\"\n[[policy]]\nrank = \
             \"arrival\"\nqueue = \"fifo\"\n"
        )
    };
    folder.write("s.toml", scenario("src port 80"));
    let result: Value = serde_json::from_str(&folder.run(&["run", "s.toml", "--format", "json"]).ok()).unwrap();
    assert_eq!(result["results"][0]["packets_in"], 27, "{result}");
    folder.write("s.toml", scenario("src prt 80"));
    let refused = folder.run(&["run", "s.toml"]).refused();
    assert!(refused.starts_with("s.toml:6: ") && refused.contains("did you mean `port`?"), "{refused}");
    folder.write("s.toml", scenario("udp port 99"));
    let refused = folder.run(&["run", "s.toml"]).refused();
    assert!(refused.contains("none of the 57 packets can be used and matches the filter"), "{refused}");
}

#[test]
fn what_is_no_recording_is_not_filtered() {
    let folder = Folder::new();
    folder.write("p.csv", "arrival_ps,size_bytes\n0,100\n");
    let refused = folder.run(&["trace", "info", "p.csv", "--filter", "udp"]).refused();
    assert!(refused.contains("a filter is for recordings"), "{refused}");
    let refused = folder.run(&["trace", "cut", "p.csv", "x"]).refused();
    assert!(refused.contains("this is not a recording (pcap or pcapng)"), "{refused}");
    let refused =
        folder.run(&["trace", "split-directions", &capture("07-cooked-wire-length/eth.pcap"), "a", "b"]).refused();
    assert!(refused.contains("the two directions cannot be told apart"), "{refused}");
}
