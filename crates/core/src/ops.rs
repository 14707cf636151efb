//! Op streams: operations on a queue and their expected answers, as text.
//!
//! The same files are replayed by every queue, in every language and in hardware,
//! so they are plain: one operation a line, `#` starts a comment.
//!
//! ```text
//! # Equal ranks leave in order of arrival.
//! capacity 8            # entries that the queue holds
//! ranks 64              # ranks are 0 to 63
//! push 5 100 -> ok      # rank 5, item 100
//! push 5 101 -> ok
//! push 64 102 -> range  # that rank does not exist
//! pop -> 5 100          # lowest rank first
//! pop-max -> 5 101      # highest rank, latest arrival among equals
//! pop -> empty
//! remove 100 -> absent  # or the rank of the item that was removed
//! peek -> empty         # what pop would give
//! push 5 103 at 900 -> ok   # may not leave before 900 ps (queues that hold packets back)
//! pop-eligible 800 -> empty # the lowest rank that may leave at 800 ps
//! next-eligible -> 900      # when the first of all queued may leave
//! inversions <= 9       # how many pops of an approximate queue may be out of order
//! inversions sp-pifo <= 3   # the same for the queue of this name
//! ```
//!
//! Items are numbers, and no two queued ones are equal. A full queue answers `full` to a push. An exact queue must give
//! every answer as written. An approximate queue may drop a pushed item and choose the order. But it must return each
//! item once, with its rank, and stay within the bound on inversions. A queue that ignores ranks has no bound to keep.

use crate::time::Time;
use std::collections::BTreeMap;
use std::fmt;

pub use crate::op_line_fault::{LineFault, ParseError};

/// One operation on a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Push an item with a rank.
    Push {
        /// The item's rank.
        rank: u64,
        /// The item's number.
        item: u64,
    },
    /// Push an item that is not eligible to leave before a time.
    PushAt {
        /// The item's rank.
        rank: u64,
        /// The item's number.
        item: u64,
        /// The time from which the item may leave.
        eligible_at: Time,
    },
    /// Remove and return the item of lowest rank.
    Pop,
    /// Remove and return the item of highest rank, the latest among equals.
    PopMax,
    /// Return the item that [`Op::Pop`] would remove.
    Peek,
    /// Remove this item, wherever it is in the queue.
    Remove {
        /// The item's number.
        item: u64,
    },
    /// Remove and return the item of lowest rank among those that may leave at this time.
    PopEligible(Time),
    /// Return the earliest time from which any queued item may leave.
    NextEligible,
}

/// The answer of a queue to an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The operation is done and returns no value.
    Done,
    /// This item was returned.
    Item {
        /// The item's rank.
        rank: u64,
        /// The item's number.
        item: u64,
    },
    /// This time was returned.
    At(Time),
    /// The queue has no room for a push.
    Full,
    /// The rank of a push does not exist in this queue.
    OutOfRange,
    /// The queue holds no item to pop or peek.
    Empty,
    /// The item to remove is not in the queue.
    Absent,
}

/// A queue on which operations can be done.
pub trait OpTarget {
    /// Does `op` and returns the answer; `None` if the queue has no such operation.
    fn apply(&mut self, op: Op) -> Option<Answer>;
}

/// A line of an op stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Line number in the file, from 1.
    pub line: usize,
    /// The operation.
    pub op: Op,
    /// The expected answer.
    pub answer: Answer,
}

/// A whole op stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpStream {
    /// Entries that the queue must hold.
    pub capacity: usize,
    /// The upper limit of ranks: every rank is below it.
    pub ranks: u64,
    /// Maximum number of pops of an approximate queue that leave a lower rank behind.
    pub inversions: Option<u64>,
    /// The same limit for single queues, by name, if they can do better.
    pub inversions_of: BTreeMap<String, u64>,
    /// The operations.
    pub steps: Vec<Step>,
}

/// The place where a queue did not act as the op stream says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct Mismatch {
    /// Line number, from 1; the last line if a bound does not hold.
    pub line: usize,
    /// The expected answer and the actual one.
    pub message: String,
}

/// The outcome of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replay {
    /// All operations were done.
    Done {
        /// The number of pops that left an item of lower rank behind.
        inversions: u64,
    },
    /// The queue does not have the operation at this line.
    Unsupported {
        /// Line number, from 1.
        line: usize,
    },
}

impl OpStream {
    /// Reads an op stream.
    ///
    /// # Errors
    /// Names the first line that cannot be read, and what it should be.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut stream =
            Self { capacity: 0, ranks: 0, inversions: None, inversions_of: BTreeMap::new(), steps: Vec::new() };
        for (index, raw) in text.lines().enumerate() {
            let line = index + 1;
            let words: Vec<&str> = raw.split('#').next().unwrap_or("").split_whitespace().collect();
            if !words.is_empty() {
                stream.add_line(line, &words).map_err(|fault| ParseError { line, fault })?;
            }
        }
        if stream.capacity == 0 || stream.ranks == 0 {
            return Err(ParseError { line: 1, fault: LineFault::NoShape });
        }
        Ok(stream)
    }

    fn add_line(&mut self, line: usize, words: &[&str]) -> Result<(), LineFault> {
        let (op, answer) = match *words {
            ["capacity", n] => {
                self.capacity = usize::try_from(number(n)?).map_err(|_| LineFault::TooLarge)?;
                return Ok(());
            }
            ["ranks", n] => {
                self.ranks = number(n)?;
                return Ok(());
            }
            ["inversions", "<=", n] => {
                self.inversions = Some(number(n)?);
                return Ok(());
            }
            ["inversions", name, "<=", n] => {
                self.inversions_of.insert(name.to_owned(), number(n)?);
                return Ok(());
            }
            ["push", rank, item, "->", answer] => {
                (Op::Push { rank: number(rank)?, item: number(item)? }, pushed(answer)?)
            }
            ["push", rank, item, "at", ps, "->", answer] => {
                let eligible_at = Time::from_ps(number(ps)?);
                (Op::PushAt { rank: number(rank)?, item: number(item)?, eligible_at }, pushed(answer)?)
            }
            ["pop-eligible", ps, "->", ref answer @ ..] => {
                (Op::PopEligible(Time::from_ps(number(ps)?)), item_or_empty(answer)?)
            }
            ["next-eligible", "->", "empty"] => (Op::NextEligible, Answer::Empty),
            ["next-eligible", "->", ps] => (Op::NextEligible, Answer::At(Time::from_ps(number(ps)?))),
            ["pop", "->", ref answer @ ..] => (Op::Pop, item_or_empty(answer)?),
            ["pop-max", "->", ref answer @ ..] => (Op::PopMax, item_or_empty(answer)?),
            ["peek", "->", ref answer @ ..] => (Op::Peek, item_or_empty(answer)?),
            ["remove", item, "->", "absent"] => (Op::Remove { item: number(item)? }, Answer::Absent),
            ["remove", item, "->", rank] => {
                let item = number(item)?;
                (Op::Remove { item }, Answer::Item { rank: number(rank)?, item })
            }
            _ => return Err(LineFault::NoOperation(words.join(" "))),
        };
        self.steps.push(Step { line, op, answer });
        Ok(())
    }

    /// Replays the stream on an exact queue: every answer must be as written.
    ///
    /// # Errors Names the first answer that differs.
    pub fn check_exact(&self, target: &mut dyn OpTarget) -> Result<Replay, Mismatch> {
        for step in &self.steps {
            match target.apply(step.op) {
                None => return Ok(Replay::Unsupported { line: step.line }),
                Some(answer) if answer == step.answer => {}
                Some(answer) => {
                    let message = format!("`{}` must answer `{}`, got `{answer}`", step.op, step.answer);
                    return Err(Mismatch { line: step.line, message });
                }
            }
        }
        Ok(Replay::Done { inversions: 0 })
    }

    /// Replays the stream on the approximate queue called `name`: each item returns
    /// once, with its rank, and inversions stay within its bound.
    ///
    /// # Errors Names the first item that is lost, invented or altered, or the bound if it does not hold at the end.
    pub fn check_approximate(&self, name: &str, target: &mut dyn OpTarget) -> Result<Replay, Mismatch> {
        let mut queued = BTreeMap::new();
        let mut inversions = 0;
        for step in &self.steps {
            let Some(answer) = target.apply(step.op) else {
                return Ok(Replay::Unsupported { line: step.line });
            };
            let fits = match (step.op, answer) {
                (Op::Push { rank, item }, Answer::Done) => queued.insert(item, rank).is_none(),
                (Op::Push { .. }, Answer::Full | Answer::OutOfRange) => true,
                (Op::Pop | Op::PopMax | Op::Peek, Answer::Empty) => queued.is_empty(),
                (Op::Remove { item }, Answer::Absent) => !queued.contains_key(&item),
                (Op::Peek, Answer::Item { rank, item }) => queued.get(&item) == Some(&rank),
                (Op::Pop | Op::PopMax | Op::Remove { .. }, Answer::Item { rank, item }) => {
                    let was_queued = queued.remove(&item) == Some(rank);
                    if step.op == Op::Pop && queued.values().any(|&left| left < rank) {
                        inversions += 1;
                    }
                    was_queued
                }
                _ => false,
            };
            if !fits {
                let message = format!("`{}` cannot answer `{answer}` here", step.op);
                return Err(Mismatch { line: step.line, message });
            }
        }
        match self.inversions_of.get(name).copied().or(self.inversions) {
            Some(bound) if inversions > bound => {
                let line = self.steps.last().map_or(1, |step| step.line);
                Err(Mismatch { line, message: format!("{inversions} inversions, at most {bound} are allowed") })
            }
            _ => Ok(Replay::Done { inversions }),
        }
    }
}

fn number(text: &str) -> Result<u64, LineFault> {
    text.parse().map_err(|_| LineFault::NoNumber(text.to_owned()))
}

fn pushed(answer: &str) -> Result<Answer, LineFault> {
    match answer {
        "ok" => Ok(Answer::Done),
        "full" => Ok(Answer::Full),
        "range" => Ok(Answer::OutOfRange),
        other => Err(LineFault::NoPushAnswer(other.to_owned())),
    }
}

fn item_or_empty(words: &[&str]) -> Result<Answer, LineFault> {
    match *words {
        ["empty"] => Ok(Answer::Empty),
        [rank, item] => Ok(Answer::Item { rank: number(rank)?, item: number(item)? }),
        _ => Err(LineFault::NoItem),
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Push { rank, item } => write!(f, "push {rank} {item}"),
            Self::PushAt { rank, item, eligible_at } => write!(f, "push {rank} {item} at {}", eligible_at.as_ps()),
            Self::Pop => f.write_str("pop"),
            Self::PopMax => f.write_str("pop-max"),
            Self::Peek => f.write_str("peek"),
            Self::Remove { item } => write!(f, "remove {item}"),
            Self::PopEligible(now) => write!(f, "pop-eligible {}", now.as_ps()),
            Self::NextEligible => f.write_str("next-eligible"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("ok"),
            Self::Item { rank, item } => write!(f, "{rank} {item}"),
            Self::At(time) => write!(f, "{}", time.as_ps()),
            Self::Full => f.write_str("full"),
            Self::OutOfRange => f.write_str("range"),
            Self::Empty => f.write_str("empty"),
            Self::Absent => f.write_str("absent"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// A queue that ignores ranks.
    struct Fifo(VecDeque<(u64, u64)>);

    impl OpTarget for Fifo {
        fn apply(&mut self, op: Op) -> Option<Answer> {
            match op {
                Op::Push { rank, item } => {
                    self.0.push_back((rank, item));
                    Some(Answer::Done)
                }
                Op::Pop => Some(self.0.pop_front().map_or(Answer::Empty, |(rank, item)| Answer::Item { rank, item })),
                _ => None,
            }
        }
    }

    const HEADER: &str = "capacity 4\nranks 10\n";

    fn stream(text: &str) -> OpStream {
        OpStream::parse(&format!("{HEADER}{text}")).unwrap()
    }

    #[test]
    fn a_wrong_order_is_found_with_its_line() {
        let stream = stream("push 5 1 -> ok\npush 3 2 -> ok\npop -> 3 2\n");
        let error = stream.check_exact(&mut Fifo(VecDeque::new())).unwrap_err();
        assert_eq!(error.to_string(), "line 5: `pop` must answer `3 2`, got `5 1`");
    }

    #[test]
    fn inversions_of_an_approximate_queue_are_counted_and_bounded() {
        let mut text = "push 5 1 -> ok\npush 3 2 -> ok\npop -> 3 2\npop -> 5 1\n".to_owned();
        let replay = stream(&text).check_approximate("fifo", &mut Fifo(VecDeque::new())).unwrap();
        assert_eq!(replay, Replay::Done { inversions: 1 });
        text.push_str("inversions <= 0\ninversions other <= 5\n");
        let error = stream(&text).check_approximate("fifo", &mut Fifo(VecDeque::new())).unwrap_err();
        assert_eq!(error.to_string(), "line 6: 1 inversions, at most 0 are allowed");
    }

    #[test]
    fn an_operation_that_the_queue_lacks_ends_the_replay() {
        let replay = stream("pop-max -> empty\n").check_exact(&mut Fifo(VecDeque::new())).unwrap();
        assert_eq!(replay, Replay::Unsupported { line: 3 });
    }

    #[test]
    fn a_line_that_is_no_operation_is_refused() {
        for text in ["push 5 -> ok", "push x 1 -> ok", "pop", "pop -> 3", "peel -> empty", "push 1 1 -> yes"] {
            let error = OpStream::parse(&format!("{HEADER}{text}\n")).unwrap_err();
            assert_eq!(error.line, 3, "{text}");
        }
        assert!(OpStream::parse("pop -> empty").is_err(), "no capacity");
    }

    #[test]
    fn operations_are_printed_as_they_are_read() {
        let text = "push 5 1 -> ok\npush 5 2 at 9 -> ok\npeek -> 5 1\nremove 1 -> 5\npop-eligible 8 -> empty\n\
                    next-eligible -> 9\npop-max -> empty\n";
        let printed: String = stream(text)
            .steps
            .iter()
            .map(|step| match (step.op, step.answer) {
                (op @ Op::Remove { .. }, Answer::Item { rank, .. }) => format!("{op} -> {rank}\n"),
                (op, answer) => format!("{op} -> {answer}\n"),
            })
            .collect();
        assert_eq!(printed, text);
    }
}
