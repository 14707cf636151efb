//! A job in slices gives the same result as in one go.

use crate::support::{debian_stages, innocent, stages, ticking};
use forebay_core::Duration;
use forebay_matcher::{Job, Progress, TwoStage, Unmeasured, Verdict};

/// The verdict in slices of so many reads of the clock, and how many there were.
fn sliced(stages: &mut TwoStage, payload: &[u8], reads: u64) -> (Verdict, usize) {
    let mut job = Job::new(stages.candidates(payload));
    let mut clock = ticking();
    let mut spent = Duration::ZERO;
    for slice in 1.. {
        let progress = job.run_slice(stages, payload, &mut clock, Duration::from_us(reads));
        assert!(job.spent() >= spent, "what was spent is kept");
        spent = job.spent();
        if let Progress::Done(verdict) = progress {
            return (verdict, slice);
        }
        assert!(slice < 1_000_000, "it does not end");
    }
    unreachable!("the loop has no end");
}

fn whole(stages: &mut TwoStage, payload: &[u8]) -> Verdict {
    Job::new(stages.candidates(payload)).run(stages, payload, &mut Unmeasured)
}

#[test]
fn slices_agree_on_the_rules_of_debian() {
    let mut shared = debian_stages();
    let Some(stages) = shared.as_mut() else { return };
    let mut payloads = innocent(200);
    for length in [1, 2, 100, 255, 256, 257, 400] {
        payloads.push(vec![b'{'; length]);
        payloads.push(b"$((".iter().copied().cycle().take(length).collect());
        payloads.push(b"' or 1".iter().copied().cycle().take(length).collect());
    }
    let mut slices = 0;
    for payload in &payloads {
        let expected = whole(stages, payload);
        for reads in [1, 3, 20] {
            let (verdict, count) = sliced(stages, payload, reads);
            assert_eq!(verdict, expected, "{}", String::from_utf8_lossy(payload));
            slices += count;
        }
    }
    assert!(slices > 6 * payloads.len(), "{slices}");
}

#[test]
fn a_match_is_found_wherever_a_slice_ends() {
    // Vectorscan 5.4.9 misses single characters (agreement.rs), so the patterns have two.
    // Anchors, look-behinds and word boundaries see the bytes before the place where a slice goes on.
    let Some(mut stages) = stages(&["^bb", "(?<=aa)bb", r"\bneedle\b", "zz$"]) else { return };
    for place in [0, 1, 255, 256, 257, 600, 1_279, 1_280, 1_281, 2_000] {
        for (piece, rule) in [("aabb", 1), (" needle ", 2)] {
            let mut payload = vec![b'-'; place];
            payload.extend(piece.bytes());
            payload.extend([b'-'; 300]);
            assert_eq!(sliced(&mut stages, &payload, 1).0, Verdict::Match(rule), "{piece} at {place}");
        }
        let mut payload = vec![b'-'; place];
        payload.extend(b"-bb-needles");
        assert_eq!(sliced(&mut stages, &payload, 1).0, Verdict::Pass, "at {place}");
        payload.extend(b"zz");
        assert_eq!(sliced(&mut stages, &payload, 1).0, Verdict::Match(3), "at {place}");
    }
}

#[test]
fn a_single_position_that_needs_many_steps_is_tried_with_more() {
    let Some(mut stages) = stages(&["(?:a|a|b)*cc"]) else { return };
    let payload = [&[b'a'; 8][..], b"d", &[b'-'; 300], b"acc"].concat();
    let (verdict, slices) = sliced(&mut stages, &payload, 1);
    assert_eq!(verdict, Verdict::Match(0));
    assert!(slices > 5, "{slices}");
}
