//! A small PIFO in front of a pipelined queue, which hides its latency.
//!
//! An arriving element enters the PIFO, and elements that overflow the PIFO are spilled to the large queue, worst first. An extraction
//! removes the best element of the PIFO at once and issues a dequeue to the large queue. The answer enters the PIFO `latency` steps later
//! and may spill another element. If the PIFO holds more elements `k` than the latency `p`, its best `k - p` elements are the best of the
//! whole system, so every extraction is right. Source: BBQ (NSDI'24), section 5 and appendix C.2, Figure 19 and Theorem 1.
//!
//! This is a model in steps, not a registered queue: it shows the time between operations, which a discipline does not report to its queue.
//! With `k > p`, such a queue would behave exactly as `pifo`.
//!
//! Where the paper is silent: a step extracts first, then inserts the answer and the arrival, then spills. So the large queue receives at
//! most two operations a step, as the paper counts: an extraction leaves room for one of the two elements that enter. An extraction that
//! finds the PIFO empty while the large queue or the pipeline has elements is [`Extracted::Late`]; it still issues its dequeue, so that
//! these elements arrive.
//!
//! The paper's design does not keep equal ranks in order of arrival: of two equals, the later is spilled and returns behind an equal that
//! arrived in between. With [`Ties::ByArrival`], both queues sort by rank, then by arrival. That keeps the order and costs the large queue
//! as many ranks as there are stamps.

use crate::queues::pipelined::Pipelined;
use crate::queues::queue::pifo::Pifo;
use crate::queues::traits::{PopMax, PushError, RankQueue};

/// Bits of the arrival stamp below the rank.
const STAMP_BITS: u32 = 32;

/// The tie break between equal ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    /// Each of the two queues uses the time at which an element entered it.
    AsPublished,
    /// The time at which the element entered the system. Ranks are below 2^32, and the order is kept over 2^32 arrivals; an empty system
    /// starts to count again.
    ByArrival,
}

/// The result of an extraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extracted<T> {
    /// An element with its rank.
    Element(u64, T),
    /// The PIFO is empty, but elements are in the large queue or in flight.
    Late,
    /// The system is empty, or no extraction was requested.
    Nothing,
}

/// The result of a step.
#[derive(Debug)]
pub struct Step<T> {
    /// The extracted element.
    pub extracted: Extracted<T>,
    /// The element that could not be inserted: the system was full or the rank out of range.
    pub refused: Option<PushError<T>>,
}

/// A PIFO in front of a pipelined queue.
#[derive(Debug)]
pub struct LatencyFree<T, Q> {
    /// The PIFO, with room for an answer and an arrival before it spills.
    front: Pifo<T>,
    front_capacity: usize,
    large: Pipelined<T, Q>,
    ties: Ties,
    arrivals: u32,
}

impl<T, Q: RankQueue<T>> LatencyFree<T, Q> {
    /// Creates a PIFO for `front_capacity` elements in front of `large`, which is empty. The system holds as many elements as `large`.
    ///
    /// # Panics
    /// If `front_capacity` is 0.
    #[must_use]
    pub fn new(front_capacity: usize, large: Pipelined<T, Q>, ties: Ties) -> Self {
        assert!(front_capacity > 0, "the PIFO holds at least one element");
        Self { front: Pifo::new(front_capacity + 2), front_capacity, large, ties, arrivals: 0 }
    }

    /// Performs one step, with at most one arrival and one extraction. An element that arrives in a step can be extracted in the next.
    pub fn step(&mut self, insert: Option<(u64, T)>, extract: bool) -> Step<T> {
        let extracted = if extract { self.extract() } else { Extracted::Nothing };
        if let Some((key, item)) = self.large.step(extract) {
            self.put_in_front(key, item);
        }
        let refused = insert.and_then(|(rank, item)| self.insert(rank, item).err());
        while self.front.len() > self.front_capacity {
            if let Some((key, item)) = self.front.pop_max() {
                let spilled = self.large.push(key, item);
                debug_assert!(spilled.is_ok(), "the large queue has room for the whole system");
            }
        }
        Step { extracted, refused }
    }

    fn extract(&mut self) -> Extracted<T> {
        match self.front.pop_min() {
            Some((key, item)) => Extracted::Element(self.rank_of(key), item),
            None if self.large.is_empty() => Extracted::Nothing,
            None => Extracted::Late,
        }
    }

    fn insert(&mut self, rank: u64, item: T) -> Result<(), PushError<T>> {
        if rank > self.max_rank() {
            return Err(PushError::rank_out_of_range(item));
        }
        if self.len() == self.large.queue().capacity() {
            return Err(PushError::full(item));
        }
        if self.is_empty() {
            self.arrivals = 0;
        }
        let key = match self.ties {
            Ties::AsPublished => rank,
            Ties::ByArrival => rank << STAMP_BITS | u64::from(self.arrivals),
        };
        self.arrivals = self.arrivals.wrapping_add(1);
        self.put_in_front(key, item);
        Ok(())
    }

    fn put_in_front(&mut self, key: u64, item: T) {
        let pushed = self.front.push(key, item);
        debug_assert!(pushed.is_ok(), "the PIFO has room for two more than it keeps");
    }

    fn rank_of(&self, key: u64) -> u64 {
        match self.ties {
            Ties::AsPublished => key,
            Ties::ByArrival => key >> STAMP_BITS,
        }
    }

    /// The highest rank that the system accepts.
    #[must_use]
    pub fn max_rank(&self) -> u64 {
        self.rank_of(self.large.queue().max_rank())
    }

    /// The PIFO. Its keys are ranks, or with [`Ties::ByArrival`] ranks in their high
    /// 32 bits.
    #[must_use]
    pub fn front(&self) -> &Pifo<T> {
        &self.front
    }

    /// The pipelined queue.
    #[must_use]
    pub fn large(&self) -> &Pipelined<T, Q> {
        &self.large
    }

    /// The number of elements in the system, including elements in flight.
    #[must_use]
    pub fn len(&self) -> usize {
        self.front.len() + self.large.len()
    }

    /// Whether the system has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
