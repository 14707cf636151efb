//! One op stream while it is written to the disk.
//!
//! The contents of the header are known only at the end, so space is reserved for it. Until then the capacity is 0, which every reader
//! rejects.

use forebay_core::ops::{Answer, Op};
use forebay_sched::queues::recording_queue::OpSink;
use std::io::{self, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

/// Receives operations and writes them at once.
pub(super) struct OpFile<W>(Mutex<State<W>>);

struct State<W> {
    out: W,
    about: String,
    seen: Seen,
    /// The first one; nothing is written behind it.
    error: Option<io::Error>,
}

/// A summary of the operations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) operations: u64,
    /// Items in the queue now.
    items: u64,
    /// The largest number of items at a time.
    pub(super) most_items: u64,
    /// The highest rank that the queue has, as derived from the operations.
    pub(super) highest_rank: u64,
    /// The highest number of an item.
    pub(super) highest_item: u64,
}

impl Seen {
    fn count(&mut self, op: Op, answer: Answer) {
        self.operations += 1;
        if let Op::Push { rank, item } = op {
            self.highest_item = self.highest_item.max(item);
            // A refused rank is beyond all that are taken.
            if answer != Answer::OutOfRange {
                self.highest_rank = self.highest_rank.max(rank);
            }
        }
        match (op, answer) {
            (Op::Push { .. }, Answer::Done) => self.items += 1,
            (Op::Pop | Op::PopMax, Answer::Item { .. }) => self.items -= 1,
            _ => {}
        }
        self.most_items = self.most_items.max(self.items);
    }
}

/// Returns the number of bits that numbers up to `highest` need.
pub(super) fn bits(highest: u64) -> u32 {
    (u64::BITS - highest.leading_zeros()).max(1)
}

impl<W: Write + Seek> OpFile<W> {
    /// Starts a stream; `about` is a line about its origin.
    pub(super) fn new(mut out: W, about: String) -> io::Result<Self> {
        write_header(&mut out, &about, &Seen::default(), 0)?;
        Ok(Self(Mutex::new(State { out, about, seen: Seen::default(), error: None })))
    }

    /// Ends the stream and returns the summary of its operations. Later records are lost.
    ///
    /// # Errors The first error of any write. The file is then not a whole stream.
    pub(super) fn finish(&self) -> io::Result<Seen> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let state = &mut *state;
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        if state.seen.highest_rank == u64::MAX {
            return Err(io::Error::other("an op stream has no rank 2^64 - 1; use a rank_unit of 2 or more"));
        }
        state.out.seek(SeekFrom::Start(0))?;
        write_header(&mut state.out, &state.about, &state.seen, state.seen.most_items.max(1))?;
        state.out.flush()?;
        Ok(state.seen)
    }
}

/// Always of the same length. The capacity and the ranks are the smallest with which a
/// queue gives these answers.
fn write_header(out: &mut impl Write, about: &str, seen: &Seen, capacity: u64) -> io::Result<()> {
    let Seen { operations, highest_rank, highest_item, .. } = *seen;
    let ranks = highest_rank.saturating_add(1);
    writeln!(out, "# {about}")?;
    writeln!(out, "# Items are packets, numbered as they arrived.")?;
    writeln!(
        out,
        "# {operations:<20} operations, {:2} bits for ranks, {:2} bits for items",
        bits(highest_rank),
        bits(highest_item)
    )?;
    writeln!(out, "capacity {capacity:<20}\nranks {ranks:<20}")
}

impl<W: Write + Send> OpSink for OpFile<W> {
    fn record(&self, op: Op, answer: Answer) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.error.is_none() {
            state.seen.count(op, answer);
            state.error = writeln!(state.out, "{op} -> {answer}").err();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forebay_core::ops::OpStream;
    use std::io::Cursor;

    fn push(rank: u64, item: u64) -> Op {
        Op::Push { rank, item }
    }

    fn recorded(operations: &[(Op, Answer)]) -> (String, io::Result<Seen>) {
        let mut buffer = Vec::new();
        let file = OpFile::new(Cursor::new(&mut buffer), "a test".to_owned()).unwrap();
        operations.iter().for_each(|&(op, answer)| file.record(op, answer));
        let seen = file.finish();
        drop(file);
        (String::from_utf8(buffer).unwrap(), seen)
    }

    #[test]
    fn the_header_has_the_smallest_queue_that_answers_so() {
        let (text, seen) = recorded(&[
            (push(3, 0), Answer::Done),
            (push(9, 1), Answer::OutOfRange),
            (push(2, 2), Answer::Done),
            (push(7, 3), Answer::Full),
            (Op::Peek, Answer::Item { rank: 2, item: 2 }),
            (Op::PopMax, Answer::Item { rank: 3, item: 0 }),
            (push(1, 4), Answer::Done),
            (Op::Pop, Answer::Item { rank: 1, item: 4 }),
        ]);
        let seen = seen.unwrap();
        assert_eq!((seen.operations, seen.items, seen.highest_item), (8, 1, 4));
        let stream = OpStream::parse(&text).unwrap();
        assert_eq!((stream.capacity, stream.ranks, stream.steps.len()), (2, 8, 8));
        assert!(text.contains("# 8                    operations,  3 bits for ranks,  3 bits for items\n"), "{text}");
    }

    #[test]
    fn a_stream_of_nothing_is_one_as_well() {
        let stream = OpStream::parse(&recorded(&[]).0).unwrap();
        assert_eq!((stream.capacity, stream.ranks, stream.steps.len()), (1, 1, 0));
    }

    #[test]
    fn an_unfinished_file_is_no_stream() {
        let mut buffer = Vec::new();
        let file = OpFile::new(Cursor::new(&mut buffer), "a test".to_owned()).unwrap();
        file.record(push(3, 0), Answer::Done);
        drop(file);
        let error = OpStream::parse(&String::from_utf8(buffer).unwrap()).unwrap_err();
        assert!(error.to_string().contains("`capacity`"), "{error}");
    }

    #[test]
    fn what_the_disk_refuses_is_said_at_the_end() {
        let mut small = [0; 200];
        let file = OpFile::new(Cursor::new(&mut small[..]), "a test".to_owned()).unwrap();
        (0..10).for_each(|item| file.record(push(0, item), Answer::Done));
        assert_eq!(file.finish().unwrap_err().kind(), io::ErrorKind::WriteZero);
    }

    #[test]
    fn a_rank_that_no_stream_can_have_is_refused() {
        let error = recorded(&[(push(u64::MAX, 0), Answer::Done)]).1.unwrap_err();
        assert!(error.to_string().contains("rank_unit"), "{error}");
    }
}
