//! The paper's worked examples; [`forebay_cache::seer::examples`] says what is chosen in them.

use forebay_cache::seer::examples::{Figure4, Moment, Step, Way, figure_1, figure_3, figure_4};
use forebay_core::Duration;

#[test]
fn figure_1_prefetches_what_lru_misses() {
    let figure = figure_1().unwrap();
    let step = |ns, key, evicted| Step { at: Duration::from_ns(ns), key, evicted };
    assert_eq!(figure.steps, [step(120, 2, None), step(240, 3, Some(2))]);
    assert_eq!((figure.seer_misses, figure.lru_misses), (0, 3));
}

fn moment(control: impl IntoIterator<Item = u64>, gap: impl IntoIterator<Item = u64>) -> Moment {
    Moment { control: control.into_iter().collect(), gap: gap.into_iter().collect() }
}

#[test]
fn figure_3_seer_takes_two_packet_times_and_one_control_packet() {
    let figure = figure_3(Way::Seer).unwrap();
    assert_eq!(figure.moments, [moment([], 0..2), moment(2..8, 8..10)]);
    let counts = figure.port.counts();
    assert_eq!((counts.control_packets, counts.sent(), counts.stale), (1, 10, 0));
    assert!(figure.port.is_conserved());
}

#[test]
fn figure_3_gaps_alone_take_five_packet_times() {
    let figure = figure_3(Way::GapsOnly).unwrap();
    let gaps: Vec<Moment> = (0..5).map(|at| moment([], 2 * at..2 * at + 2)).collect();
    assert_eq!(figure.moments, gaps);
    assert_eq!((figure.port.counts().control_packets, figure.port.counts().sent_in_gaps), (0, 10));
    assert_eq!(figure.packets_until_control(), None);
}

#[test]
fn figure_3_batches_alone_wait_for_the_batch() {
    let figure = figure_3(Way::BatchesOnly).unwrap();
    assert_eq!(figure.moments[..2], [moment([], []), moment(0..6, [])]);
    assert!(figure.moments[2..].iter().all(|later| *later == moment([], [])));
    assert_eq!((figure.known(), figure.port.waiting()), (6, 4));
    // And then its second control packet leaves, one more than Seer needs.
    assert_eq!(figure.packets_until_control(), Some(2));
}

#[test]
fn figure_4_pushes_back_what_is_overtaken() {
    let before = [Some(10), Some(20), Some(30), Some(40), None];
    let after = [None, Some(20), Some(40), Some(50), Some(30)];
    assert_eq!(figure_4().unwrap(), Figure4 { before, after, mistimed: 0 });
}
