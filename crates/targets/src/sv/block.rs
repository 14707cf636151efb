//! Which block of `rtl/` holds and sorts a policy's packets, and of how many bits its ranks are.

use super::hardware::QueueBlock;
use super::model::Model;
use super::victims::{Victim, only_arriving};
use crate::Refusal;

/// The bits of a rank in the Bitmapped Bucket Queue, and with them those of the queue: it has a word for each.
const BBQ_RANK_BITS: u32 = 15;
const BBQ_PLACE_BITS: u32 = 18;
/// The bits of a rank in a BBQ with a front, which has a table of ranks that is read in the same cycle.
const FRONT_RANK_BITS: u32 = 12;
/// The most bits of a rank in the sorted array, and the most packets in it if it is chosen automatically.
const PIFO_RANK_BITS: u32 = 63;
const PIFO_PACKETS: u32 = 129;

/// The queue block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    Bbq { levels: u32, width: u32 },
    BbqFront { levels: u32, width: u32 },
    Pifo,
}

/// The queue block, and the bits of its ranks.
pub(super) fn block(
    model: &Model<'_>,
    victims: &[Victim],
    capacity: u32,
    wanted: u32,
) -> Result<(Block, u32), Vec<Refusal>> {
    let hardware = model.options.hardware;
    let index = model.policy.queues.len().next_power_of_two().ilog2();
    let most = |bits: u32| hardware.rank_bits.map_or(bits, u32::from);
    let wanted = wanted.min(most(PIFO_RANK_BITS)).min(PIFO_RANK_BITS);
    let bbq_bits = most(BBQ_RANK_BITS).min(BBQ_PLACE_BITS - index);
    let bbq = |bits: u32| {
        let (levels, width) = tree((index + bits).max(1));
        (Block::Bbq { levels, width }, bits)
    };
    let front = |bits: u32| {
        let (levels, width) = tree(bits.max(1));
        (Block::BbqFront { levels, width }, bits)
    };
    Ok(match hardware.queue {
        QueueBlock::Auto if wanted <= bbq_bits || capacity > PIFO_PACKETS => bbq(wanted.min(bbq_bits)),
        QueueBlock::Auto | QueueBlock::Pifo => (Block::Pifo, wanted),
        QueueBlock::Bbq => bbq(wanted.min(bbq_bits)),
        QueueBlock::BbqFront => {
            one_end(model, victims)
                .map_err(|why| vec![Refusal { construct: "--queue bbq-front".to_owned(), reason: why.to_string() }])?;
            front(wanted.min(FRONT_RANK_BITS))
        }
    })
}

/// Why a queue block will not do which has one queue and gives packets to be served only.
#[derive(Debug, thiserror::Error)]
enum NotOneEnd {
    #[error("holds one queue, and the policy has {0}; use bbq or pifo")]
    Queues(usize),
    #[error("gives only the packet that is served next, and the policy drops the last; use bbq or pifo")]
    DropsLast,
    #[error(
        "gives only the packet that is served next, and the policy drops others than the arriving one; use bbq or pifo"
    )]
    DropsOthers,
}

/// That a queue block will do which has one queue and gives packets to be served only, or why not.
fn one_end(model: &Model<'_>, victims: &[Victim]) -> Result<(), NotOneEnd> {
    let [victim] = victims else {
        return Err(NotOneEnd::Queues(victims.len()));
    };
    match victim {
        Victim::Reverse => Err(NotOneEnd::DropsLast),
        Victim::Last => only_arriving(0, model).map_err(|_| NotOneEnd::DropsOthers),
    }
}

/// Returns the levels and the width of the tree for `bits` bits: none to spare, and as few levels as possible.
fn tree(bits: u32) -> (u32, u32) {
    let shapes = (1..=5).map(|digit| (bits.div_ceil(digit), digit)).filter(|(levels, _)| *levels <= 6);
    let best = shapes.min_by_key(|(levels, digit)| (levels * digit - bits, *levels));
    best.map_or((1, 2), |(levels, digit)| (levels, 1 << digit))
}
