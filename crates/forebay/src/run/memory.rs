//! Estimates the memory of runs, before any run is made.

use crate::error::{Result, UserError};
use forebay_core::BufferSize;

/// Bytes of a packet that waits in a queue. With 4 million packets at a port, 44 bytes were measured in a FIFO and 58 in a PIFO. While a
/// table grows, its old half is in memory too.
const BYTES_PER_WAITING_PACKET: f64 = 120.0;

/// Bytes of the result of a run, which stays until all are made: 3,930 were measured in 200,000 runs of caches. Other runs have more.
const BYTES_PER_RESULT: f64 = 4_000.0;

/// The bytes of a run that grow with the numbers of its scenario. The program itself, about 20 MB, is not included.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Memory {
    /// The bytes that a run needs in any case: remembered flows, kept requests.
    pub surely: f64,
    /// The bytes if every queue fills, and every request is for another object.
    pub at_most: f64,
}

impl Memory {
    /// Returns the memory with waiting packets: `surely` in any case, and for at most `packets` packets the memory of those that fit the
    /// buffers. A queue without a buffer may keep all.
    pub(crate) fn with_waiting(
        surely: f64,
        packets: f64,
        buffers: impl IntoIterator<Item = Option<BufferSize>>,
    ) -> Self {
        let room = |buffer: Option<BufferSize>| buffer.map_or(f64::INFINITY, |buffer| buffer.slots() as f64);
        let waiting = packets.min(buffers.into_iter().map(room).sum());
        Self { surely, at_most: surely + waiting * BYTES_PER_WAITING_PACKET }
    }

    /// Returns the memory of runs on `threads` threads, with the results of all; `runs` has kinds of runs and the number of each.
    pub fn at_a_time(runs: &[(Self, u64)], threads: usize) -> Self {
        let (Self { surely, at_most }, results) = (Self::of_largest(runs, threads), results(runs));
        Self { surely: surely + results, at_most: at_most + results }
    }

    /// Returns the memory of the largest runs, one for each thread.
    fn of_largest(runs: &[(Self, u64)], threads: usize) -> Self {
        let largest = |of: fn(&Self) -> f64| {
            let each = runs.iter().flat_map(|(memory, count)| (0..(*count).min(threads as u64)).map(|_| of(memory)));
            let mut each: Vec<f64> = each.collect();
            each.sort_by(|a, b| b.total_cmp(a));
            each.iter().take(threads).sum()
        };
        Self { surely: largest(|memory| memory.surely), at_most: largest(|memory| memory.at_most) }
    }

    /// Rejects runs that surely hold more than `limit` bytes on `threads` threads.
    pub(crate) fn check(runs: &[(Self, u64)], threads: usize, limit: u64) -> Result<()> {
        let [one, all] = [1, threads].map(|threads| Self::of_largest(runs, threads).surely);
        let results = results(runs);
        let room = limit as f64 - results;
        if all <= room {
            return Ok(());
        }
        let wrong = |message: String| Err(UserError::argument("memory", message));
        if room <= 0.0 {
            let count: u64 = runs.iter().map(|(_, count)| count).sum();
            return wrong(format!(
                "the results of {count} runs need some {}, but may use only {}: split the runs into shares (`--shard 0/4`), or run fewer",
                readable(results),
                readable(limit as f64)
            ));
        }
        if one <= room {
            return wrong(format!(
                "{threads} runs at a time need some {}, but may use only {}: add `--threads {:.0}`",
                readable(all),
                readable(room),
                (room / one).floor()
            ));
        }
        wrong(format!("one run needs some {}, but may use only {}: use a smaller input", readable(one), readable(room)))
    }
}

/// Bytes of the results of all runs.
fn results(runs: &[(Memory, u64)]) -> f64 {
    runs.iter().map(|(_, count)| *count as f64).sum::<f64>() * BYTES_PER_RESULT
}

/// Writes bytes for a person: `1.5 GB`.
pub fn readable(bytes: f64) -> String {
    let units = [(1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "KB")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| bytes >= *scale).unwrap_or((1.0, "B"));
    let number = bytes / scale;
    if number < 10.0 { format!("{number:.1} {unit}") } else { format!("{number:.0} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surely(bytes: f64) -> Memory {
        Memory { surely: bytes, at_most: 2.0 * bytes }
    }

    #[test]
    fn the_largest_runs_are_together() {
        let runs = [(surely(1e9), 3), (surely(4e9), 1), (surely(2e9), 10)];
        let results = 14.0 * BYTES_PER_RESULT;
        assert_eq!(Memory::at_a_time(&runs, 1).surely, 4e9 + results);
        assert_eq!(Memory::at_a_time(&runs, 3), Memory { surely: 8e9 + results, at_most: 16e9 + results });
        assert_eq!(Memory::at_a_time(&[], 3), Memory::default());
    }

    #[test]
    fn what_has_no_room_is_refused_with_advice() {
        let refused =
            |threads, limit| Memory::check(&[(surely(3e9), 8)], threads, limit).err().map(|error| error.to_string());
        assert_eq!(refused(2, 6_001_000_000), None);
        let few = refused(4, 7_000_000_000).unwrap();
        assert!(few.contains("4 runs at a time need some 12 GB, but may use only 7.0 GB: add `--threads 2`"), "{few}");
        let none = refused(4, 2_000_000_000).unwrap();
        assert!(none.contains("one run needs some 3.0 GB, but may use only 2.0 GB"), "{none}");
        let many = Memory::check(&[(surely(1.0), 200_000)], 2, 512_000_000).unwrap_err().to_string();
        assert!(many.contains("the results of 200000 runs need some 800 MB, but may use only 512 MB"), "{many}");
    }
}
