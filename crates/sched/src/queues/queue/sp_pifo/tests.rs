//! Tests of SP-PIFO, step by step.

use super::*;

/// The worked example of section 2 (Figure 3), two queues. The text gives the first two packets (3, then 4) and the bounds before and after
/// the inversion. It also says that 2 arrives before the second 1. Section 3.2 gives the packets as 1 1 2 3 4 4 5. The packets between are
/// put in the order that fits.
#[test]
fn the_worked_example_of_the_paper() {
    let mut queue = SpPifo::new(2, 10);
    let mut steps = Vec::new();
    for rank in [3, 4, 5, 1, 2, 1] {
        queue.push(rank, ()).unwrap();
        steps.push((queue.bounds()[0], queue.bounds()[1]));
    }
    // "updates its queue bound to 3", "updates the queue bound to 4", ...
    assert_eq!(steps[..2], [(0, 3), (0, 4)]);
    // ... "adapts the queue bounds to 1 and 5-1 = 4".
    assert_eq!(steps[4..], [(2, 5), (1, 4)]);
}

#[test]
fn a_dropped_packet_can_leave_the_bounds_as_they_are() {
    let mut arriving = SpPifo::new(2, 1);
    let mut accepted = SpPifo::new(2, 1).moved_by_accepted();
    for queue in [&mut arriving, &mut accepted] {
        queue.push(3, ()).unwrap();
        assert!(queue.push(7, ()).is_err(), "the lowest queue is full");
    }
    assert_eq!(arriving.bounds(), [0, 7]);
    assert_eq!(accepted.bounds(), [0, 3]);
}

#[test]
fn one_and_two_in_turn_end_in_separate_queues() {
    let mut queue = SpPifo::new(2, 100);
    for rank in [3, 4, 5, 1, 2, 1] {
        queue.push(rank, ()).unwrap();
    }
    for _ in 0..4 {
        queue.push(2, ()).unwrap();
        queue.push(1, ()).unwrap();
    }
    assert_eq!(queue.bounds(), [1, 2], "the text: the bound of the lowest queue eventually reaches 2");
}

#[test]
fn each_push_down_sinks_the_bounds_as_its_name_says() {
    for (push_down, bounds) in [
        // Bounds 4, 6, 9 and rank 3 below them: cost 1.
        (PushDown::Cost, [3, 5, 8]),
        (PushDown::QueueBound, [3, 4, 6]),
        (PushDown::Rank, [3, 3, 6]),
        (PushDown::One, [3, 5, 8]),
    ] {
        let mut queue = SpPifo::with_push_down(3, 10, push_down);
        for rank in [9, 6, 4, 3] {
            queue.push(rank, ()).unwrap();
        }
        assert_eq!(queue.bounds(), bounds, "{push_down:?}");
    }
}

#[test]
fn bounds_sink_in_the_second_pass() {
    let mut queue = SpPifo::new(3, 10).with_second_pass(1);
    let mut steps = Vec::new();
    for rank in [9, 6, 4, 3, 8, 3] {
        queue.push(rank, ()).unwrap();
        steps.push([queue.bounds()[0], queue.bounds()[1], queue.bounds()[2]]);
    }
    // 3 finds 4, 6, 9 and sinks the first; 8 sees the others as they were; before the second 3 they have sunk by 1.
    assert_eq!(steps[2..], [[4, 6, 9], [3, 6, 9], [3, 8, 9], [3, 7, 8]]);
}

#[test]
fn packets_leave_as_in_one_pass_if_the_second_is_the_next() {
    let mut rng = forebay_core::Seed(1).stream("second pass");
    let mut queues = [SpPifo::new(4, 8), SpPifo::new(4, 8).with_second_pass(0)];
    for packet in 0..20_000_u32 {
        let rank = rand::RngExt::random_range(&mut rng, 0..100);
        let [one, two] = queues.each_mut().map(|queue| queue.push(rank, packet).is_ok());
        assert_eq!(one, two);
        if packet % 2 == 0 {
            let [one, two] = queues.each_mut().map(RankQueue::pop_min);
            assert_eq!(one, two);
        }
    }
}

#[test]
fn a_full_queue_refuses_while_others_have_room() {
    let mut queue = SpPifo::new(2, 1);
    queue.push(5, 'a').unwrap();
    assert_eq!(queue.push(6, 'b'), Err(PushError::full('b')));
    assert_eq!(queue.bounds(), [0, 6], "the bound moves before the queue refuses");
    queue.push(1, 'c').unwrap();
    assert_eq!(queue.pop_min(), Some((1, 'c')));
    assert_eq!(queue.pop_min(), Some((5, 'a')));
}
