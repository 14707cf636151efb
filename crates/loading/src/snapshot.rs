//! Snapshots: the entries of a cache as bytes.
//!
//! All numbers are little-endian. A snapshot begins with the eight bytes `fbayload`, the version of the format (`u32`, now
//! one) and the number of entries (`u64`). The entries follow. At the end is the SipHash-1-3, with keys 0 and 0, of all
//! bytes before it (`u64`).
//!
//! An entry has four times in nanoseconds (`u64`). They are the time to live that is left, the time until a new fetch, the
//! time until it is idle, and the latency of its fetch. The first three are `u64::MAX` for ever, the last is 0 if there is
//! none. The recorded hits (`u8`) follow, the length of the bytes that `encode` wrote (`u32`), and these bytes. The first
//! entry is the first that would be evicted.

use crate::error::{BoxError, RestoreError};
use crate::inner::Inner;
use crate::removed::Removed;
use crate::shard::Saved;
use crate::slots::Times;
use forebay_clock::nanoseconds;
use siphasher::sip::SipHasher13;
use std::hash::{BuildHasher, Hash, Hasher as _};
use std::time::Duration;

const MAGIC: &[u8; 8] = b"fbayload";
const VERSION: u32 = 1;

/// An entry that was read.
struct Read<'a> {
    saved: Saved,
    bytes: &'a [u8],
}

impl<K, V, E, S> Inner<K, V, E, S>
where
    K: Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    E: Send + Sync + 'static,
    S: BuildHasher + Send + Sync + 'static,
{
    pub(crate) fn snapshot(&self, mut encode: impl FnMut(&K, &V, &mut Vec<u8>)) -> Vec<u8> {
        // Of each entry, the share of its shard's entries that would be evicted before it, and its bytes.
        let mut entries: Vec<(f64, Vec<u8>)> = Vec::new();
        for part in &self.shards {
            let now = self.clock.nanoseconds();
            let shard = part.write(now);
            let now = shard.now();
            let first = entries.len();
            for (stored, times, hits, latency) in shard.saved(now) {
                let mut bytes = record(times, hits, latency, now);
                let head = bytes.len();
                encode(&stored.key, &stored.value, &mut bytes);
                let Ok(length) = u32::try_from(bytes.len() - head) else { continue };
                bytes[head - 4..head].copy_from_slice(&length.to_le_bytes());
                entries.push((0.0, bytes));
            }
            let count = (entries.len() - first) as f64;
            for (place, (share, _)) in entries[first..].iter_mut().enumerate() {
                *share = place as f64 / count;
            }
        }
        // Stable, so entries of equal shares stay in the order of the shards.
        entries.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let length: usize = entries.iter().map(|(_, bytes)| bytes.len()).sum();
        let mut all = Vec::with_capacity(length + 28);
        all.extend_from_slice(MAGIC);
        all.extend_from_slice(&VERSION.to_le_bytes());
        all.extend_from_slice(&(entries.len() as u64).to_le_bytes());
        entries.iter().for_each(|(_, bytes)| all.extend_from_slice(bytes));
        let check = checksum(&all);
        all.extend_from_slice(&check.to_le_bytes());
        all
    }

    pub(crate) fn restore(
        &self,
        bytes: &[u8],
        age: Duration,
        mut decode: impl FnMut(&[u8]) -> Result<(K, V), BoxError>,
    ) -> Result<u64, RestoreError> {
        let age = nanoseconds(age);
        let decoded = |(number, read): (u64, Read<'_>)| {
            let (key, value) = decode(read.bytes).map_err(|error| RestoreError::Entry { entry: number, error })?;
            Ok((read.saved.after(age), key, value))
        };
        let entries: Vec<_> = (0..).zip(read(bytes)?).map(decoded).collect::<Result<_, RestoreError>>()?;
        let mut restored = 0;
        for (saved, key, value) in entries {
            if saved.is_over(self.rules.stale_time) {
                continue;
            }
            let hash = self.hash(&key);
            let loaded = self.rules.apply(&key, value);
            let now = self.clock.nanoseconds();
            let mut removed = Removed::new(&self.rules);
            let mut shard = self.part(hash).write(now);
            // What the cache has fetched since it was built is newer.
            if shard.present(hash, &key, &mut removed.entries).is_none() && shard.flight(hash, &key).is_none() {
                restored += u64::from(shard.restore(hash, key, loaded, &saved, &mut removed.entries));
            }
        }
        Ok(restored)
    }
}

impl Saved {
    /// The same after some time.
    fn after(self, age: u64) -> Self {
        let left = |time: u64| if time == u64::MAX { time } else { time.saturating_sub(age) };
        Self { expires: left(self.expires), refresh: left(self.refresh), idle: left(self.idle), ..self }
    }

    fn is_over(self, stale: u64) -> bool {
        self.idle == 0 || self.expires == 0 && stale == 0
    }
}

/// An entry without its key and value. The last four bytes are for their length.
fn record(times: Times, hits: u8, latency: u64, now: u64) -> Vec<u8> {
    let left = |time: u64| if time == u64::MAX { time } else { time.saturating_sub(now) };
    let mut bytes = Vec::with_capacity(64);
    for number in [left(times.expires), left(times.refresh), left(times.idle), latency] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.push(hits);
    bytes.extend_from_slice(&[0; 4]);
    bytes
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(0, 0);
    hasher.write(bytes);
    hasher.finish()
}

/// The entries of a snapshot that is whole.
fn read(bytes: &[u8]) -> Result<Vec<Read<'_>>, RestoreError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(RestoreError::NotASnapshot)?;
    let damaged = |what: &str| RestoreError::Damaged(what.to_owned());
    let (version, mut rest) = rest.split_first_chunk().ok_or_else(|| damaged("it ends in its head"))?;
    let version = u32::from_le_bytes(*version);
    if version != VERSION {
        return Err(RestoreError::Version(version, VERSION));
    }
    let (whole, check) = bytes.split_last_chunk().ok_or_else(|| damaged("it ends in its head"))?;
    if checksum(whole) != u64::from_le_bytes(*check) {
        return Err(damaged("its checksum is another one"));
    }
    let count = number(&mut rest).ok_or_else(|| damaged("it ends in its head"))?;
    let mut entries = Vec::new();
    for entry in 0..count {
        entries.push(next(&mut rest).ok_or_else(|| damaged(&format!("it ends in entry {entry}")))?);
    }
    Ok(entries)
}

fn number(rest: &mut &[u8]) -> Option<u64> {
    let (number, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u64::from_le_bytes(*number))
}

fn next<'a>(rest: &mut &'a [u8]) -> Option<Read<'a>> {
    let [expires, refresh, idle, latency] = [number(rest)?, number(rest)?, number(rest)?, number(rest)?];
    let (&hits, after) = rest.split_first()?;
    let (length, after) = after.split_first_chunk()?;
    let (bytes, after) = after.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
    *rest = after;
    Some(Read { saved: Saved { expires, refresh, idle, hits, latency }, bytes })
}
