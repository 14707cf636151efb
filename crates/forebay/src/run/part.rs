//! The part of the runs of a scenario that a process makes.

use crate::error::WrongValue;
use std::ops::Range;
use std::str::FromStr;

/// A part of the runs of a scenario: one of several equal shares, some of the repetitions, or both.
///
/// Processes on several machines each make a part, and `forebay merge` joins the results that they have kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// Which share, from 0, of how many.
    shard: Option<(u64, u64)>,
    repetitions: Option<Range<u64>>,
}

impl FromStr for Part {
    type Err = WrongValue;

    /// Reads `0/4`: the first of four shares.
    fn from_str(text: &str) -> Result<Self, WrongValue> {
        let numbers =
            text.split_once('/').and_then(|(shard, of)| Some((shard.trim().parse().ok()?, of.trim().parse().ok()?)));
        match numbers {
            Some((shard, of)) if shard < of => Ok(Self { shard: Some((shard, of)), repetitions: None }),
            _ => Err(format!(
                "`{text}` is not a share of the runs; of four shares, the first is 0/4 and the last is 3/4"
            )
            .into()),
        }
    }
}

impl Part {
    /// Restricts the share to these repetitions, numbered from 0.
    #[must_use]
    pub fn of_repetitions(self, repetitions: Range<u64>) -> Self {
        Self { repetitions: Some(repetitions), ..self }
    }

    /// Reads `0..5`: the first five repetitions.
    ///
    /// # Errors
    /// If the text is no range, or one without repetitions.
    pub fn read_repetitions(text: &str) -> Result<Range<u64>, WrongValue> {
        let ends =
            text.split_once("..").and_then(|(from, to)| Some((from.trim().parse().ok()?, to.trim().parse().ok()?)));
        match ends {
            Some((from, to)) if from < to => Ok(from..to),
            _ => {
                Err(format!("`{text}` is not a range of repetitions; the first five are 0..5, the next five 5..10")
                    .into())
            }
        }
    }

    /// Returns whether the part includes all runs.
    #[must_use]
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether the part has runs of a repetition, from 0.
    #[must_use]
    pub fn has_repetition(&self, repetition: u64) -> bool {
        self.repetitions.as_ref().is_none_or(|range| range.contains(&repetition))
    }

    /// Returns whether a run is in the part's share. `place` is the run's place among all runs of its repetitions in the order of their
    /// keys, which mixes cheap and expensive ones.
    #[must_use]
    pub fn has_place(&self, place: u64) -> bool {
        self.shard.is_none_or(|(shard, of)| place % of == shard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_run_is_in_one_share() {
        let parts: Vec<Part> = (0..3).map(|shard| format!("{shard}/3").parse().unwrap()).collect();
        for place in 0..20 {
            assert_eq!(parts.iter().filter(|part| part.has_place(place)).count(), 1);
        }
        let some = Part::default().of_repetitions(Part::read_repetitions("2..4").unwrap());
        assert_eq!((0..6).filter(|repetition| some.has_repetition(*repetition)).collect::<Vec<_>>(), [2, 3]);
        assert!(Part::default().is_all() && !some.is_all());
    }

    #[test]
    fn what_is_no_part_is_rejected() {
        for text in ["", "4/4", "1", "1/0", "-1/4", "a/b"] {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
        for text in ["", "3..3", "5..2", "1...3", "0-4"] {
            assert!(Part::read_repetitions(text).is_err(), "{text}");
        }
    }
}
