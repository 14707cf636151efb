//! Echoes of marks on duplicate acknowledgements: they count as on others (RFC 3168, section 6.1.2; RFC 8257, section 3.3).

use crate::net::transports::path::{Fate, Flow, PathSpec, Sent, transport};
use forebay_core::{Duration, Time};
use forebay_sim::net::{Flags, Transport};

const MSS: u64 = 1_000;

/// With segments of 1000 bytes and a window of so many at first, which grows slowly.
fn with_marks(name: &str, window: &str, more: &[(&str, &str)]) -> Box<dyn Transport> {
    let mut params = vec![("mss", "1000"), ("handshake", "no"), ("limited_transmit", "no")];
    params.extend([("initial_window", window), ("initial_ssthresh", window)]);
    params.extend((name == "newreno").then_some(("ecn", "yes")));
    params.extend(more);
    transport(name, &params)
}

/// What becomes of the first data segments, by number; all others arrive.
fn fates(fates: &[(u64, Fate)]) -> impl FnMut(&Sent) -> Fate + use<> {
    let fates = fates.to_vec();
    let mut count = 0;
    move |sent| {
        if !sent.to_receiver {
            return Fate::Arrives;
        }
        count += 1;
        fates.iter().find(|(number, _)| *number + 1 == count).map_or(Fate::Arrives, |(_, fate)| *fate)
    }
}

#[test]
fn a_duplicate_that_is_an_echo_reduces_the_window() {
    // The first segment arrives behind all others of its window, one of which is marked.
    for name in ["newreno", "dctcp"] {
        let late = (0, Fate::IsLate(Duration::from_us(30)));
        let window_at = |us: u64, marks: &[u64]| {
            let marks = marks.iter().map(|number| (*number, Fate::IsMarked));
            let fates = fates(&marks.chain([late]).collect::<Vec<_>>());
            let transport = with_marks(name, "16", &[("dupack_threshold", "100")]);
            let mut flow = Flow::open(&*transport, 300 * MSS, PathSpec::long(), fates);
            flow.run_until(Time::from_ns(us * 1_000));
            flow.window()
        };
        assert_eq!(window_at(120, &[]), 16 * MSS, "{name}");
        assert_eq!(window_at(120, &[5]), 8 * MSS, "{name}");
        assert_eq!(window_at(120, &[5, 6, 9]), 8 * MSS, "{name}: once in a window");
    }
}

#[test]
fn a_mark_and_a_loss_in_one_window_reduce_it_once() {
    let run = |marked: Option<u64>| {
        let marks = marked.map(|number| (number, Fate::IsMarked));
        let fates = fates(&marks.into_iter().chain([(2, Fate::IsLost)]).collect::<Vec<_>>());
        let mut flow = Flow::open(&*with_marks("newreno", "8", &[]), 100 * MSS, PathSpec::long(), fates);
        let [in_recovery, after] = [150_000, 250_000].map(|ns| {
            flow.run_until(Time::from_ns(ns));
            flow.window()
        });
        flow.run(10_000);
        assert!(flow.acknowledged().is_some());
        let reduced = flow.sent.iter().filter(|sent| sent.segment.flags.has(Flags::REDUCED)).count();
        (in_recovery, after, reduced)
    };
    // The third segment is lost; the fourth causes the first duplicate, the seventh one in recovery.
    for marked in [None, Some(3), Some(5), Some(6)] {
        assert_eq!(run(marked), (9 * MSS, 4 * MSS, 1), "{marked:?}");
    }
}
