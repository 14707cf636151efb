//! What a switch's program can know, or why not.

use forebay_lang::ir::Queue;

/// A number, or why it cannot be computed.
pub(super) type Known<T> = Result<T, String>;

/// What a queue is called in refusals.
pub(super) fn named(queue: &Queue) -> String {
    format!("queue {}", queue.name)
}
