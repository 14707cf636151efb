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
