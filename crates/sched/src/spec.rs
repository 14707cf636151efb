//! The parts of a discipline by name, and the reasons why they may not fit each other.

use crate::part::Part;
use crate::rank_unit::RankUnit;
use crate::traits::{RankEntry, RankRange};
use forebay_core::{BufferSize, ParamError, Rate};

/// The parts of a discipline by name, as a scenario gives them.
#[derive(Debug, Clone, PartialEq)]
pub struct DisciplineSpec {
    /// The rank function.
    pub rank: Part,
    /// The rank queue.
    pub queue: Part,
    /// The drop rule.
    pub drop: Part,
    /// The mark rule, if packets are marked. [`discipline`](crate::discipline()) wraps the other parts in the mark rule. To build the other
    /// parts alone, use [`Marking`](crate::Marking).
    pub mark: Option<Part>,
    /// The pace rule, if packets are held back.
    pub pace: Option<Part>,
    /// The size of the buffer.
    pub buffer: BufferSize,
    /// The unit to which ranks are converted before they enter the queue.
    pub rank_unit: RankUnit,
    /// The rate at which the port sends.
    pub link_rate: Rate,
}

/// The reason why the parts do not make a discipline, including the part at fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DisciplineError {
    /// The rank function.
    #[error("{0}")]
    Rank(ParamError),
    /// The rank queue.
    #[error("{0}")]
    Queue(ParamError),
    /// The drop rule.
    #[error("{0}")]
    Drop(ParamError),
    /// The mark rule.
    #[error("{0}")]
    Mark(ParamError),
    /// The pace rule.
    #[error("{0}")]
    Pace(ParamError),
    /// The buffer.
    #[error("{0}")]
    Buffer(String),
}

/// Most packets that a buffer may be asked to hold: 2^26, 6 to 11 GB of them, as the
/// queue goes.
pub(crate) const MAX_SLOTS: u64 = 1 << 26;

#[expect(clippy::needless_pass_by_value, reason = "a text or an error, of which the text is kept")]
pub(crate) fn unknown(message: impl ToString) -> ParamError {
    ParamError { param: None, message: message.to_string() }
}

/// Rejects a rank function whose highest rank is known and beyond the queue's highest rank.
pub(crate) fn check_range(queue: &str, max_rank: u64, rank: &RankEntry, rank_unit: RankUnit) -> Result<(), ParamError> {
    match rank.range {
        RankRange::UpTo(greatest) if rank_unit.key(greatest) > max_rank => {
            let unit = greatest / (max_rank + 1) + 1;
            Err(unknown(format!(
                "`{queue}` has ranks 0 to {max_rank}, but those of `{}` go up to {greatest}; use more ranks, rank_unit \
                 = {unit} or more, or queue = \"pifo\"",
                rank.about.name
            )))
        }
        _ => Ok(()),
    }
}
