//! Converts numbers to positions on paper.

/// The way in which numbers are arranged on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Linear,
    Logarithmic,
    /// Names, each with a slot.
    Slots,
}

/// An axis on paper: the numbers from `low` to `high` are between the positions `from` and `to`, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    pub(super) how: How,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Scale {
    /// Returns the position of a number.
    pub(super) fn at(&self, value: f64) -> f64 {
        let inner = |value: f64| if self.how == How::Logarithmic { value.log10() } else { value };
        let (low, high) = (inner(self.low), inner(self.high));
        if high > low {
            self.from + (inner(value) - low) / (high - low) * (self.to - self.from)
        } else {
            (self.from + self.to) / 2.0
        }
    }

    /// Returns the position of a number, clamped to the ends of the axis.
    pub(super) fn clamped(&self, value: f64) -> f64 {
        // What is not positive has no place on a logarithmic axis.
        let value = if self.how == How::Logarithmic { value.max(self.low) } else { value };
        self.at(value.clamp(self.low, self.high.max(self.low)))
    }

    /// Returns the width of a slot.
    pub(super) fn slot(&self) -> f64 {
        (self.to - self.from).abs() / (self.high - self.low).max(1.0)
    }
}

/// The numbers that an axis must show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Range {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Range {
    /// Returns the range from the least to the greatest value; [`None`] without any.
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        values.fold(None, |range: Option<Self>, value| {
            Some(range.map_or(Self { low: value, high: value }, |range| Self {
                low: range.low.min(value),
                high: range.high.max(value),
            }))
        })
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Returns the range, extended to zero if the least number is below two fifths of the greatest.
    pub(super) fn with_near_zero(self) -> Self {
        if self.low > 0.0 && self.low < 0.4 * self.high { Self { low: 0.0, ..self } } else { self }
    }

    pub(super) fn with_zero(self) -> Self {
        Self { low: self.low.min(0.0), high: self.high.max(0.0) }
    }

    /// Returns the range, widened if it is a single number.
    pub(super) fn widened(self, is_logarithmic: bool) -> Self {
        let span = self.high - self.low;
        if span > self.high.abs().max(self.low.abs()) * 1e-9 {
            return self;
        }
        match self.low {
            low if is_logarithmic => Self { low: low / 1.5, high: self.high * 1.5 },
            0.0 => Self { low: 0.0, high: 1.0 },
            low => Self { low: low - 0.1 * low.abs(), high: self.high + 0.1 * self.high.abs() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_places() {
        let linear = Scale { how: How::Linear, low: 1.0, high: 3.0, from: 10.0, to: 20.0 };
        assert_eq!((linear.at(1.0), linear.at(2.0), linear.clamped(9.0)), (10.0, 15.0, 20.0));
        let log = Scale { how: How::Logarithmic, low: 1.0, high: 100.0, from: 0.0, to: 10.0 };
        assert_eq!((log.at(10.0), log.clamped(-1.0), log.clamped(0.0)), (5.0, 0.0, 0.0));
    }

    #[test]
    fn ranges_begin_where_data_begin_or_at_a_zero_that_is_near() {
        let range = |low, high| Range { low, high };
        assert_eq!(Range::of([3.0, 1.0, 2.0].into_iter()), Some(range(1.0, 3.0)));
        assert_eq!(range(8.0, 9.0).with_near_zero(), range(8.0, 9.0));
        assert_eq!(range(1.0, 9.0).with_near_zero(), range(0.0, 9.0));
        assert_eq!(range(0.0, 0.0).widened(false), range(0.0, 1.0));
        assert_eq!(range(2.0, 2.0).widened(true), range(2.0 / 1.5, 3.0));
    }
}
