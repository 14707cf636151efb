//! The file of an answer's metadata: what it holds, byte by byte.
//!
//! A mark, then four parts, each after its length in 8 bytes, greatest first. The parts are the key as JSON, the
//! metadata of Pingora, the header, and the length of the body in 8 bytes. Nothing follows.

use pingora_cache::eviction::CacheEntryKey;

/// How such a file begins. The number changes with the format.
const MARK: &[u8] = b"forebay-proxy 1\n";

/// The content of such a file.
pub(super) struct Content {
    pub(super) entry: CacheEntryKey,
    pub(super) meta: (Vec<u8>, Vec<u8>),
    pub(super) length: u64,
}

/// Writes such a file.
pub(super) fn encode(entry: &CacheEntryKey, meta: &(Vec<u8>, Vec<u8>), length: u64) -> serde_json::Result<Vec<u8>> {
    let entry = serde_json::to_vec(entry)?;
    let mut file = MARK.to_vec();
    for part in [&entry[..], &meta.0, &meta.1, &length.to_be_bytes()] {
        file.extend_from_slice(&(part.len() as u64).to_be_bytes());
        file.extend_from_slice(part);
    }
    Ok(file)
}

/// Reads such a file. [`None`] if it is not whole.
pub(super) fn decode(file: &[u8]) -> Option<Content> {
    let mut rest = file.strip_prefix(MARK)?;
    let mut part = || {
        let (length, after) = rest.split_first_chunk::<8>()?;
        let (part, after) = after.split_at_checked(usize::try_from(u64::from_be_bytes(*length)).ok()?)?;
        rest = after;
        Some(part)
    };
    let (entry, internal, header, length) = (part()?, part()?, part()?, part()?);
    let entry = serde_json::from_slice(entry).ok()?;
    let length = u64::from_be_bytes(length.try_into().ok()?);
    rest.is_empty().then(|| Content { entry, meta: (internal.to_vec(), header.to_vec()), length })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pingora_cache::CacheKey;
    use pingora_cache::eviction::CacheEntryId;

    #[test]
    fn what_is_written_is_read_and_what_is_cut_is_not() {
        let entry = CacheEntryKey::identified(CacheKey::new("k", "").to_compact(), CacheEntryId::new(7));
        let meta = (vec![1, 2], vec![3]);
        let file = encode(&entry, &meta, 99).unwrap();
        let content = decode(&file).unwrap();
        assert_eq!((content.entry, content.meta, content.length), (entry, meta, 99));
        for end in 0..file.len() {
            assert!(decode(&file[..end]).is_none(), "cut at {end}");
        }
        assert!(decode(&[&file[..], b"x"].concat()).is_none());
    }
}
