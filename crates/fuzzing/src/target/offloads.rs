//! Frames with offloads, as cards leave them to the switch: each leaves whole, in parts, or is rejected; the switch counts all of them.

use super::FuzzTarget;
use crate::bytes::Bytes;
use crate::two_ports;
use forebay_core::{Seed, Time};
use forebay_linux::switch::frame::{Missing, Offload, Protocol, Segment, Tag, finish, guess};

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "offloads",
    title: "A switch accounts for every frame, whatever its headers and its card say",
    seeds: || {
        let known = forebay_conform::encapsulated(Seed(1).stream("encapsulations"));
        let frames = known.iter().step_by(211).map(|frame| &frame.bytes);
        frames.map(|frame| [&[7, 34, 6, 10, 0, 1, 1, 0, 1, 0, 255][..], frame].concat()).collect()
    },
    run,
    quick: 25_000,
};

const POLICY: &str = "q = Queue(4 pkts);\nout = Port(100);";

fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let kinds = bytes.byte();
    let [start, offset, size, protocol, control] =
        std::array::from_fn(|_| u16::from_le_bytes([bytes.byte(), bytes.byte()]));
    let frame = bytes.rest();
    let missing = Missing { start: start.into(), offset: offset.into() };
    let protocol = [Protocol::Tcp, Protocol::Udp][usize::from(protocol) % 2];
    let offload = Offload {
        checksum: (kinds & 1 != 0).then(|| if kinds & 8 != 0 { guess(frame).unwrap_or(missing) } else { missing }),
        segment: (kinds & 2 != 0).then_some(Segment { protocol, bytes: size.into() }),
        tag: (kinds & 4 != 0).then_some(Tag { kind: 0x8100, control }),
    };
    let mut made = 0_usize;
    let outcome = finish(frame, offload, &mut Vec::new(), &mut |frame| {
        assert!(!frame.is_empty());
        made += 1;
    });
    assert!(outcome.is_err() || made > 0, "the frame is lost");
    assert!(made <= frame.len().max(1), "{made} frames of {} bytes", frame.len());

    let analysis = forebay_lang::analyse(POLICY, &forebay_lang::Overrides::new());
    let (mut switch, ends) = two_ports::switch(analysis);
    for (step, end) in (0..).zip(&ends) {
        end.put(frame.to_vec(), offload);
        let now = Time::from_ns(step * 1_000);
        switch.receive(now);
        switch.send(now);
    }
    switch.stats().check().unwrap_or_else(|wrong| panic!("{wrong}"));
}
