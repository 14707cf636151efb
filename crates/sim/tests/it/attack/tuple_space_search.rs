//! The classifier beside one that really searches tables of masked headers.

use forebay_core::{Duration, Seed};
use forebay_sim::attack::applications::tuple_space_search::{Classifier, Header};
use rand::RngExt as _;

const WIDTHS: [u32; 3] = [16, 16, 32];

/// The bits of a header that a mask keeps.
fn masked(header: Header, mask: [u32; 3]) -> Header {
    let kept =
        |field: usize| u64::from(header[field]) >> (WIDTHS[field] - mask[field]) << (WIDTHS[field] - mask[field]);
    [0, 1, 2].map(|field| u32::try_from(kept(field)).unwrap())
}

/// The least bits that decide: the rules, bit by bit from the left.
fn deciding(header: Header, fields: usize) -> [u32; 3] {
    let mut mask = [0; 3];
    for field in 0..fields {
        let mut differs = false;
        for bit in (0..WIDTHS[field]).rev() {
            mask[field] += 1;
            if header[field] >> bit & 1 == 1 {
                differs = true;
                break;
            }
        }
        if !differs {
            break;
        }
    }
    mask
}

/// Masks in order of arrival, each with its masked headers.
#[derive(Default)]
struct Naive(Vec<([u32; 3], Vec<Header>)>);

impl Naive {
    fn look_up(&mut self, header: Header, fields: usize, is_newest_first: bool) -> u64 {
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        if is_newest_first {
            order.reverse();
        }
        let mut tried = 0;
        for place in order {
            tried += 1;
            let (mask, entries) = &self.0[place];
            if entries.contains(&masked(header, *mask)) {
                return tried;
            }
        }
        let mask = deciding(header, fields);
        let entry = masked(header, mask);
        match self.0.iter_mut().find(|(known, _)| *known == mask) {
            Some((_, entries)) => entries.push(entry),
            None => self.0.push((mask, vec![entry])),
        }
        tried
    }
}

#[test]
fn every_look_up_is_that_of_tables_that_are_searched() {
    let mut rng = Seed(7).stream("headers");
    let mut most = 0;
    for round in 0..60 {
        let (fields, is_newest_first) = (round % 3 + 1, round % 2 == 0);
        let mut fast = Classifier::new((Duration::ZERO, Duration::from_ps(1)), fields, is_newest_first);
        let mut naive = Naive::default();
        for _ in 0..300 {
            let mut header = Header::default();
            for field in 0..3 {
                // Few leading bits, so that first differences are anywhere; none now and then, which is permitted.
                let bits = rng.random_range(0..=WIDTHS[field]);
                header[field] = u32::try_from(rng.random_range(0..1_u64 << bits)).unwrap();
            }
            let (_, tried) = fast.look_up(header);
            assert_eq!(tried, naive.look_up(header, fields, is_newest_first), "{header:?}");
            assert_eq!(fast.masks(), naive.0.len() as u64);
            most = most.max(tried);
        }
    }
    assert!(most > 150, "the cases are rich: {most}");
}

#[test]
fn there_are_as_many_masks_as_stated() {
    for (fields, all) in [(1, 16), (2, 257)] {
        let mut classifier = Classifier::new((Duration::ZERO, Duration::ZERO), fields, false);
        for first in 0..1 << 16_u32 {
            let seconds = if fields == 1 { 0..=0 } else { 0..=16 };
            for second in seconds {
                classifier.look_up([first, if second == 16 { 0 } else { 1 << second }, 0]);
            }
        }
        assert_eq!(classifier.masks(), all, "{fields} fields");
    }
}
