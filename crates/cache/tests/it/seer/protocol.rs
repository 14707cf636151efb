//! The paper's figure 2, as far as its caption and the text tell it, and delays behind control packets.

use forebay_cache::seer::{Announcer, AnnouncerSpec, Fpm};
use forebay_core::{Duration, Rate, Time};

/// A link on which a byte takes a nanosecond.
fn spec() -> AnnouncerSpec {
    AnnouncerSpec { rate: Rate::from_bits_per_second(8_000_000_000).expect("above 0"), ..AnnouncerSpec::default() }
}

/// Figure 2: t_d is the backlog of higher classes, the backlog ahead and the packet itself; see
/// [`forebay_cache::seer::announcer`] for t_FPM. The FPMs of p1 and p2 have been sent over port 1, those of p10, p11,
/// p13 and p14 over port 2; the next are those of p3 and p8. The figure does not give the lengths of packets. Here,
/// each has a length of its own, so that each sum has one meaning.
#[test]
fn figure_2_adds_up_what_goes_before() {
    let length = |packet: u64| 100 + (1 << packet.min(20));
    let total = |packets: &[u64]| Duration::from_ns(packets.iter().map(|packet| u64::from(length(*packet))).sum());
    let port = |announced: &[(usize, u64)], then: &[(usize, u64)]| {
        let mut port = Announcer::new(AnnouncerSpec { classes: 2, ..spec() }).unwrap();
        let mut out = Vec::new();
        for (class, packet) in announced {
            port.queued(*class, Some(*packet), length(*packet));
        }
        while port.waiting() > 0 {
            port.gap(&mut out);
        }
        for (class, packet) in then {
            port.queued(*class, Some(*packet), length(*packet));
        }
        out.clear();
        port.gap(&mut out);
        out
    };
    // Port 1: p3 is the next of the higher class, whatever waits in the lower one.
    let out = port(&[(0, 1), (0, 2)], &[(1, 6), (0, 3), (0, 4)]);
    assert_eq!(out[0], Fpm::of(3, length(3), total(&[1, 2, 3])));
    // Port 2: the FPM queue of the higher class is empty, and the lower one has its turn.
    let out = port(&[(0, 10), (0, 11), (1, 13), (1, 14)], &[(1, 8), (1, 9)]);
    assert_eq!(out[0], Fpm::of(8, length(8), total(&[10, 11, 13, 14, 8])));
}

#[test]
fn delays_count_from_the_end_of_the_control_packet() {
    let mut port = Announcer::new(AnnouncerSpec { threshold: Some(0), ..spec() }).unwrap();
    let mut out = Vec::new();
    port.queued(0, Some(1), 200);
    assert!(port.control(Time::ZERO, &mut out));
    // 64 ns for the control packet, then 200 ns from there.
    assert_eq!(out, [Fpm::of(1, 200, Duration::from_ns(200))]);
    port.queued(0, Some(2), 200);
    assert!(!port.control(Time::from_ns(499), &mut out), "the last one was less than t ago");
    assert!(port.control(Time::from_ns(500), &mut out));
    assert_eq!(out[1].delay, Duration::from_ns(400));
}
