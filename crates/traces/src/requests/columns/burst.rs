//! The requests of one row: one, the same several times, or one for each block.

use crate::requests::fault::RequestFault;
use crate::requests::key::hash;
use crate::requests::reader_checks::Arrival;

/// The maximum number of requests in a row.
const MOST: u64 = 1 << 24;

/// The requests of a row that have not been returned yet. The memory is reused for the next row.
#[derive(Debug, Default)]
pub(in crate::requests) struct Burst {
    left: u64,
    next: Option<Arrival>,
    /// The number of the next block, if each request is for another one.
    block: Option<u64>,
    /// The columns that say which volume blocks belong to, with a line end behind each.
    volume: Vec<u8>,
    /// The time between two requests in ticks.
    step: u64,
    /// Rows that ask for nothing.
    empty: u64,
}

impl Burst {
    /// Creates an empty burst; in slots, each request gets a slot of its own.
    pub(in crate::requests) fn new(step: u64) -> Self {
        Self { step, ..Self::default() }
    }

    /// Adds the same request `count` times.
    pub(super) fn repeat(&mut self, arrival: Arrival, count: u64) -> Result<(), RequestFault> {
        if count > MOST {
            return Err(RequestFault::TooMany(count, MOST));
        }
        self.empty += u64::from(count == 0);
        (self.left, self.next, self.block) = (count, Some(arrival), None);
        Ok(())
    }

    /// Adds a request for each block of `block` bytes that overlaps the `length` bytes from `offset` on.
    pub(in crate::requests) fn blocks<'a>(
        &mut self,
        arrival: Arrival,
        volume: impl Iterator<Item = &'a [u8]>,
        [offset, length, block]: [u64; 3],
    ) -> Result<(), RequestFault> {
        let first = offset / block;
        let count = match length.checked_sub(1) {
            Some(more) => (offset.saturating_add(more) / block - first).saturating_add(1),
            None => 0,
        };
        self.empty += u64::from(count == 0);
        if count > MOST {
            return Err(RequestFault::TooMany(count, MOST));
        }
        self.volume.clear();
        for part in volume {
            self.volume.extend(part);
            self.volume.push(b'\n');
        }
        (self.left, self.next, self.block) = (count, Some(Arrival { size: block, ..arrival }), Some(first));
        Ok(())
    }

    pub(in crate::requests) fn warning(&self) -> Option<String> {
        let what = "rows without a request, whose length or count is 0, were left out";
        (self.empty > 0).then(|| format!("{what}: {}", self.empty))
    }

    #[inline]
    pub(in crate::requests) fn next(&mut self) -> Option<Arrival> {
        if self.left == 0 {
            return None;
        }
        let mut arrival = self.next?;
        self.left -= 1;
        if let Some(block) = &mut self.block {
            arrival.key = of_volume(&mut self.volume, *block);
            *block += 1;
        }
        self.next = Some(Arrival { time: arrival.time + self.step, ..arrival });
        Some(arrival)
    }
}

/// A block's number; if there are volumes, XXH64 of the volume and the number in decimal digits.
fn of_volume(volume: &mut Vec<u8>, block: u64) -> u64 {
    if volume.is_empty() {
        return block;
    }
    let length = volume.len();
    let mut digits = [0; 20];
    let mut begin = digits.len();
    let mut rest = block;
    loop {
        begin -= 1;
        digits[begin] = b'0' + u8::try_from(rest % 10).unwrap_or_default();
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    volume.extend(&digits[begin..]);
    let key = hash(volume);
    volume.truncate(length);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARRIVAL: Arrival = Arrival { time: 7, key: 3, size: 9 };

    fn rest(burst: &mut Burst) -> Vec<(u64, u64, u64)> {
        std::iter::from_fn(|| burst.next()).map(|next| (next.time, next.key, next.size)).collect()
    }

    #[test]
    fn blocks_are_those_that_a_range_touches() {
        let mut burst = Burst::new(0);
        for (offset, length, first, count) in
            [(0, 4_096, 0, 1), (4_095, 2, 0, 2), (8_192, 0, 2, 0), (512, 12_288, 0, 4)]
        {
            burst.blocks(ARRIVAL, std::iter::empty(), [offset, length, 4_096]).unwrap();
            let expected: Vec<_> = (first..first + count).map(|block| (7, block, 4_096)).collect();
            assert_eq!(rest(&mut burst), expected, "{offset} {length}");
        }
        assert!(burst.warning().unwrap().ends_with("were left out: 1"));
        assert!(burst.blocks(ARRIVAL, std::iter::empty(), [0, u64::MAX, 1]).is_err());
        assert!(burst.blocks(ARRIVAL, std::iter::empty(), [u64::MAX, u64::MAX, 512]).is_ok());
        burst.blocks(ARRIVAL, [&b"v"[..], b"1"].into_iter(), [1 << 20, 1, 512]).unwrap();
        assert_eq!(rest(&mut burst), [(7, hash(b"v\n1\n2048"), 512)]);
    }

    #[test]
    fn repeated_requests_in_slots_have_one_each() {
        let mut burst = Burst::new(1);
        burst.repeat(ARRIVAL, 3).unwrap();
        assert_eq!(rest(&mut burst), [(7, 3, 9), (8, 3, 9), (9, 3, 9)]);
        assert!(burst.repeat(ARRIVAL, u64::MAX).is_err());
    }
}
