//! Ranks outside of the window of a queue: their count, and the treatment of ranks beyond the window.

use super::strict_priority::StrictPriority;
use forebay_core::{Counter, ParamSpec, Params};

/// The treatment of a rank beyond the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// The packet is dropped.
    Drop,
    /// The packet enters the last queue.
    Last,
}

impl Beyond {
    /// Returns the parameter that sets the treatment, with the given meaning.
    pub(crate) const fn param(meaning: &'static str) -> ParamSpec {
        ParamSpec::choice("beyond", &["drop", "last"], "drop", meaning)
    }

    /// Reads the treatment from the parameter.
    pub(crate) fn of(params: &Params) -> Self {
        match params.text("beyond") {
            "last" => Self::Last,
            _ => Self::Drop,
        }
    }

    /// Returns the number of items that the queues surely hold, whatever their ranks.
    pub(crate) fn sure_capacity<T>(self, queues: &StrictPriority<T>) -> usize {
        match self {
            Self::Drop => 0,
            Self::Last => queues.sure_capacity(),
        }
    }
}

/// The numbers of ranks that lay before and beyond the window.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outside {
    pub(crate) before: u64,
    pub(crate) beyond: u64,
}

impl Outside {
    /// Numbers for the report.
    pub(crate) fn counters(self) -> Vec<Counter> {
        vec![
            Counter { name: "ranks_before_window", value: self.before },
            Counter { name: "ranks_beyond_window", value: self.beyond },
        ]
    }
}
