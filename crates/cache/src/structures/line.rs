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

/// The lines of some slots, of which some can be drawn.
///
/// [`set`](Self::set) and [`remove`](Self::remove) take O(1). 24 bytes for each slot.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    lines: Vec<Line>,
    /// Whose line that is.
    slots: Vec<Slot>,
    /// Where the line of each slot is.
    at: Vec<u32>,
}

/// No line here.
const NONE: u32 = u32::MAX;

impl Lines {
    /// Gives a slot a line, in place of the one it had.
    #[inline]
    pub fn set(&mut self, slot: Slot, line: Line) {
        let index = slot as usize;
        if self.at.len() <= index {
            self.at.resize(index + 1, NONE);
        }
        let at = self.at[index];
        if at == NONE {
            self.at[index] = u32::try_from(self.lines.len()).unwrap_or(NONE);
            self.lines.push(line);
            self.slots.push(slot);
        } else {
            self.lines[at as usize] = line;
        }
    }

    /// Takes away the line of a slot, if it has one.
    #[inline]
    pub fn remove(&mut self, slot: Slot) {
        let Some(place) = self.at.get_mut(slot as usize) else { return };
        let at = std::mem::replace(place, NONE);
        if at == NONE {
            return;
        }
        self.lines.swap_remove(at as usize);
        self.slots.swap_remove(at as usize);
        if let Some(&moved) = self.slots.get(at as usize) {
            self.at[moved as usize] = at;
        }
    }

    /// The slot whose line is greatest at `now` among `draws` that are drawn, with
    /// replacement and each alike (to 2^-32 of their number), and its value.
    #[must_use]
    pub fn greatest_drawn(&self, now: f64, draws: u64, rng: &mut Rng) -> Option<(Slot, f64)> {
        let mut best = (f64::NEG_INFINITY, 0);
        let mut see = |bits: u32| {
            let at = usize::try_from((u64::from(bits) * self.lines.len() as u64) >> 32).ok()?;
            let value = self.lines.get(at)?.at(now);
            if value > best.0 {
                best = (value, at);
            }
            Some(())
        };
        for _ in 0..draws {
            see(rng.random())?;
        }
        Some((self.slots[best.1], best.0))
    }
}
