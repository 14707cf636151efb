//! The paper's figures 2 and 3, as far as their captions and the text tell them.

use forebay_core::{Duration, Rate, Time};
use forebay_seer::{Announcer, AnnouncerSpec, Fpm};

/// A link on which a byte takes a nanosecond.
fn spec() -> AnnouncerSpec {
    AnnouncerSpec { rate: Rate::from_bits_per_second(8_000_000_000).expect("above 0"), ..AnnouncerSpec::default() }
}

fn ids(fpms: &[Fpm]) -> Vec<u64> {
    fpms.iter().map(|fpm| fpm.id).collect()
}

/// Figure 2: t_d is what waits in higher classes, what is ahead and the packet itself; see [`forebay_seer::announcer`] for
/// t_FPM. The FPMs of p1 and p2 have been sent over port 1, those of p10, p11, p13 and p14 over port 2; the next are those of
/// p3 and p8. How long packets are is not told; every one has a length of its own here, so that each sum has one meaning.
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
    assert_eq!(out[0], Fpm { id: 3, size_bytes: length(3), delay: total(&[1, 2, 3]) });
    // Port 2: the FPM queue of the higher class is empty, and the lower one has its turn.
    let out = port(&[(0, 10), (0, 11), (1, 13), (1, 14)], &[(1, 8), (1, 9)]);
    assert_eq!(out[0], Fpm { id: 8, size_bytes: length(8), delay: total(&[10, 11, 13, 14, 8]) });
}

/// What leaves a port before each packet.
#[derive(Debug, PartialEq)]
struct Moment {
    control: Vec<u64>,
    gap: Vec<u64>,
}

/// Runs figure 3's port: packets ahead whose FPMs have been sent, then p0 to p2 come, then T1, then p3 to p9, then T2, and so
/// on until no FPM waits or nothing moves any more.
fn figure_3(spec: AnnouncerSpec) -> (Vec<Moment>, Announcer) {
    const SIZE: u32 = 1_000;
    let mut port = Announcer::new(spec).expect("a port that can be");
    for _ in 0..10 {
        port.queued(0, None, SIZE);
    }
    let mut moments = Vec::new();
    let mut now = Time::ZERO;
    for arrivals in [0..3, 3..10, 10..10, 10..10, 10..10, 10..10] {
        for id in arrivals {
            port.queued(0, Some(id), SIZE);
        }
        if port.waiting() == 0 {
            break;
        }
        let (mut control, mut gap) = (Vec::new(), Vec::new());
        if port.control(now, &mut control) {
            now += spec.rate.transmission_time(spec.control_bytes);
        }
        port.gap(&mut gap);
        moments.push(Moment { control: ids(&control), gap: ids(&gap) });
        port.left(0);
        now += spec.rate.transmission_time(SIZE);
        assert!(port.is_conserved());
    }
    (moments, port)
}

fn moment(control: impl IntoIterator<Item = u64>, gap: impl IntoIterator<Item = u64>) -> Moment {
    Moment { control: control.into_iter().collect(), gap: gap.into_iter().collect() }
}

#[test]
fn figure_3_seer_takes_two_packet_times_and_one_control_packet() {
    let (moments, port) = figure_3(AnnouncerSpec { threshold: Some(6), per_control: 6, ..spec() });
    assert_eq!(moments, [moment([], 0..2), moment(2..8, 8..10)]);
    assert_eq!(port.counts().control_packets, 1);
    assert_eq!((port.counts().sent(), port.counts().stale), (10, 0));
}

#[test]
fn figure_3_gaps_alone_take_five_packet_times() {
    let (moments, port) = figure_3(AnnouncerSpec { threshold: None, ..spec() });
    let gaps: Vec<Moment> = (0..5).map(|at| moment([], 2 * at..2 * at + 2)).collect();
    assert_eq!(moments, gaps);
    assert_eq!((port.counts().control_packets, port.counts().sent_in_gaps), (0, 10));
}

#[test]
fn figure_3_batches_alone_wait_for_the_batch() {
    // A batch of 6 leaves as soon as it is complete: when more than 5 wait.
    let batches = AnnouncerSpec { per_gap: 0, threshold: Some(5), per_control: 6, interval: Duration::ZERO, ..spec() };
    let (moments, mut port) = figure_3(batches);
    assert_eq!(moments[..2], [moment([], []), moment(0..6, [])]);
    assert!(moments[2..].iter().all(|later| *later == moment([], [])));
    assert_eq!(port.waiting(), 4);
    // Two packets more, and the second control packet leaves, one more than Seer needs.
    let mut out = Vec::new();
    port.queued(0, Some(10), 1_000);
    assert!(!port.control(Time::from_ns(100_000), &mut out));
    port.queued(0, Some(11), 1_000);
    assert!(port.control(Time::from_ns(100_000), &mut out));
    assert_eq!(ids(&out), [6, 7, 8, 9, 10, 11]);
    assert_eq!(port.counts().control_packets, 2);
}

#[test]
fn delays_count_from_the_end_of_the_control_packet() {
    let mut port = Announcer::new(AnnouncerSpec { threshold: Some(0), ..spec() }).unwrap();
    let mut out = Vec::new();
    port.queued(0, Some(1), 200);
    assert!(port.control(Time::ZERO, &mut out));
    // 64 ns for the control packet, then 200 ns from there.
    assert_eq!(out, [Fpm { id: 1, size_bytes: 200, delay: Duration::from_ns(200) }]);
    port.queued(0, Some(2), 200);
    assert!(!port.control(Time::from_ns(499), &mut out), "the last one was less than t ago");
    assert!(port.control(Time::from_ns(500), &mut out));
    assert_eq!(out[1].delay, Duration::from_ns(400));
}
