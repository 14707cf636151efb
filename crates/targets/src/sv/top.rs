//! Joins the parts of a policy's hardware: `policy.sv` and the list of files.

use super::block::Block;
use super::shape::Shape;
use crate::File;

/// `policy.sv`
pub(super) fn top(shape: &Shape<'_>) -> String {
    joined(include_str!("policy.sv"), shape)
}

/// A module in which a core and a queue block are joined.
pub(super) fn joined(module: &str, shape: &Shape<'_>) -> String {
    module
        .replace("  @queue@\n", include_str!("queue.sv"))
        .replace("    @core_ports@\n", include_str!("core_ports.sv"))
        .replace("@block@", &queue_block(shape))
}

/// The queue block with its parameters.
fn queue_block(shape: &Shape<'_>) -> String {
    let parameters: Vec<(&str, String)> = match shape.block {
        Block::Bbq { levels, width } => {
            let ranks = 1_u64 << shape.kept_bits;
            vec![("Levels", levels.to_string()), ("Width", width.to_string()), ("Ranks", ranks.to_string())]
        }
        Block::BbqFront { levels, width } => {
            vec![("Levels", levels.to_string()), ("Width", width.to_string()), ("RankWidth", "RankWidth".to_owned())]
        }
        Block::Pifo => vec![("RankWidth", "RankWidth".to_owned())],
    };
    let common = [("Entries", "Capacity"), ("DataWidth", "$bits(ticket_t)"), ("Partitions", "Queues")];
    let all = common.map(|(name, value)| (name, value.to_owned())).into_iter().chain(parameters);
    let all: Vec<String> = all.map(|(name, value)| format!("    .{name:<10}({value})")).collect();
    format!("{} #(\n{}\n  )", block(shape.block), all.join(",\n"))
}

fn block(block: Block) -> &'static str {
    match block {
        Block::Bbq { .. } => "bbq",
        Block::BbqFront { .. } => "bbq_front_queue",
        Block::Pifo => "pifo",
    }
}

/// `policy.f`
pub(super) fn list(sources: &[File]) -> String {
    sources.iter().map(|file| format!("{}\n", file.name)).collect()
}
