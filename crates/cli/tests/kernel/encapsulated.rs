//! The kernel's program finds IP behind the same encapsulations as the Rust reference: the same frames enter the same queues.

use crate::guest_or_skip;
use forebay_core::Seed;
use forebay_targets::headers::{Mapping, Metadata};

#[test]
fn frames_with_encapsulations_enter_the_queues_that_the_reference_says() {
    let guest = guest_or_skip!(&[("encapsulated", &[])]);
    let mut file = Vec::new();
    let mut expected = vec![0_u64; 65];
    let mut frames = forebay_conform::encapsulated(Seed(1).stream("encapsulations"));
    // The kernel takes no frame without an Ethernet header.
    frames.retain(|frame| frame.bytes.len() > 14);
    for frame in &frames {
        file.extend(u16::try_from(frame.bytes.len()).unwrap().to_le_bytes());
        file.extend(&frame.bytes);
        let packet = Mapping::default().packet(&frame.bytes, Metadata::default());
        let queue =
            if packet.flow.0 == 0 { 0 } else { (packet.flow.0 as usize + usize::from(packet.class.0)) % 64 + 1 };
        expected[queue] += 1;
    }
    let script = "pair v0 v1
        put v0 encapsulated
        say sent $(traffic frames v0 /frames)
        stats all v0
        ";
    let said = guest.file("frames", &file).run(script, 600);
    let stats = said.stats("all");
    stats.check();
    assert_eq!(said.number("sent"), frames.len() as u64);
    assert!(
        frames.len() > 4_000 && expected[0] > 1_000 && expected[1..].iter().all(|count| *count > 10),
        "{expected:?}"
    );
    let found: Vec<u64> = (1..=65).map(|queue| stats.arrived_at(&format!("q{queue}"))).collect();
    assert_eq!(found, expected);
}
