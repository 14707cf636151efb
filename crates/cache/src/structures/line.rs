//! Numbers that change evenly with time, and the greatest of some that are drawn.

use crate::access::Slot;
use forebay_core::Rng;
use rand::RngExt as _;

/// A number that changes evenly with time: `slope` x (time - `zero`), in ticks.
///
/// Ticks are exact up to 2^53. Kept like this, and not as an offset, a line loses no
/// digits late in a long trace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Change per tick; finite.
    pub slope: f64,
    /// When it is, was or would be 0, in ticks; finite.
    pub zero: f64,
}

/// So long ago that a slope since then is a constant.
const EVER: f64 = (1_u128 << 100) as f64;

impl Line {
    /// How long ago something was.
    #[must_use]
    pub fn since(time: u64) -> Self {
        Self { slope: 1.0, zero: time as f64 }
    }

    /// How long it is until something will be.
    #[must_use]
    pub fn until(time: u64) -> Self {
        Self { slope: -1.0, zero: time as f64 }
    }

    /// A number that does not change.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self { slope: value / EVER, zero: -EVER }
    }

    /// The line times a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { slope: self.slope * factor, ..self }
    }

    /// Its value at a time.
    #[inline]
    #[must_use]
    pub fn at(self, time: f64) -> f64 {
        self.slope * (time - self.zero)
    }
}

/// The lines of some places, in no order.
///
/// [`set`](Self::set) and [`remove`](Self::remove) take O(1).
#[derive(Debug, Clone, Default)]
pub struct Lines {
    lines: Vec<Line>,
    /// Place and stamp of each line.
    whose: Vec<(Slot, u64)>,
    /// Where the line of each place is.
    at: Vec<u32>,
}

/// No line here.
const NONE: u32 = u32::MAX;

impl Lines {
    /// Gives a place a line, in place of the one it had.
    #[inline]
    pub fn set(&mut self, slot: Slot, line: Line, stamp: u64) {
        let index = slot as usize;
        if self.at.len() <= index {
            self.at.resize(index + 1, NONE);
        }
        if self.at[index] == NONE {
            self.at[index] = u32::try_from(self.lines.len()).unwrap_or(NONE);
            self.lines.push(line);
            self.whose.push((slot, stamp));
        } else {
            let at = self.at[index] as usize;
            self.lines[at] = line;
            self.whose[at].1 = stamp;
        }
    }

    /// Takes away the line of a place, if it has one.
    #[inline]
    pub fn remove(&mut self, slot: Slot) {
        let Some(at) = self.at.get_mut(slot as usize) else { return };
        let at = std::mem::replace(at, NONE) as usize;
        if at == NONE as usize {
            return;
        }
        self.lines.swap_remove(at);
        self.whose.swap_remove(at);
        if let Some(&(moved, _)) = self.whose.get(at) {
            self.at[moved as usize] = u32::try_from(at).unwrap_or(NONE);
        }
    }

    /// The place whose line is greatest at `now`; of equal ones that with the least
    /// stamp. Looks at all.
    #[must_use]
    pub fn greatest(&self, now: u64) -> Option<Slot> {
        let now = now as f64;
        let most = self
            .lines
            .iter()
            .fold(f64::NEG_INFINITY, |most, line| if line.at(now) > most { line.at(now) } else { most });
        let equal = self.lines.iter().zip(&self.whose).filter(|(line, _)| line.at(now) >= most);
        equal.map(|(_, &(slot, stamp))| (stamp, slot)).min().map(|(_, slot)| slot)
    }

    /// The place whose line is greatest among `draws` that are drawn, each alike, with
    /// replacement.
    #[must_use]
    pub fn greatest_drawn(&self, now: u64, draws: u64, rng: &mut Rng) -> Option<Slot> {
        if self.lines.is_empty() {
            return None;
        }
        let now = now as f64;
        let drawn = (0..draws).map(|_| {
            let at = rng.random_range(0..self.lines.len());
            (self.lines[at].at(now), at)
        });
        let best = drawn.reduce(|best, other| if other.0 > best.0 { other } else { best });
        best.map(|(_, at)| self.whose[at].0)
    }
}
