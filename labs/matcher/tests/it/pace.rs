//! The pace of a machine, on a clock whose step is changed.

use crate::support::{innocent, stages};
use forebay_core::Duration;
use forebay_matcher::{Pace, Unmeasured};
use std::cell::Cell;

#[test]
fn a_machine_that_becomes_slower_is_seen() {
    let Some(mut stages) = stages(&["foo", r"\w\d\d\d+x"]) else { return };
    let (now, step) = (Cell::new(Duration::ZERO), Cell::new(Duration::from_us(10)));
    let mut clock = || {
        now.set(now.get() + step.get());
        now.get()
    };
    let pace = Pace::new(&mut stages, &innocent(20), &mut clock);
    assert_eq!(pace.now(&mut stages, &mut clock), 1.0);
    step.set(Duration::from_us(15));
    let slower = pace.now(&mut stages, &mut clock);
    assert!((slower - 1.5).abs() < 1e-9, "{slower}");
}

#[test]
fn a_clock_that_stands_still_shows_no_change() {
    let Some(mut stages) = stages(&["foo"]) else { return };
    let pace = Pace::new(&mut stages, &[b"foo".to_vec()], &mut Unmeasured);
    assert_eq!(pace.now(&mut stages, &mut Unmeasured), 1.0);
    assert_eq!(Pace::new(&mut stages, &[], &mut Unmeasured).now(&mut stages, &mut Unmeasured), 1.0);
}
