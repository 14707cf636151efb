//! Snapshots, and changes of the capacity: which entries there are afterwards, and in which order they leave.

use forebay_cache::Choice;
use forebay_loading::{BoxError, LoadingCache, ManualClock, Removal, RestoreError};
use std::sync::mpsc;
use std::time::Duration;

type Cache = LoadingCache<u32, u64, String>;

const SECOND: Duration = Duration::from_secs(1);

fn encode(key: &u32, value: &u64, out: &mut Vec<u8>) {
    out.extend(key.to_le_bytes());
    out.extend(value.to_le_bytes());
}

fn decode(bytes: &[u8]) -> Result<(u32, u64), BoxError> {
    let (key, value) = bytes.split_first_chunk().ok_or("no key")?;
    Ok((u32::from_le_bytes(*key), u64::from_le_bytes(value.try_into()?)))
}

fn cache(policy: &str, capacity: u64, shards: usize) -> Cache {
    LoadingCache::builder(capacity).policy(policy).shards(shards).seed(1).build().expect("the builder is right")
}

/// Requests with some keys more popular than others.
fn ask(cache: &Cache, steps: std::ops::Range<u64>) {
    for step in steps {
        let key = u32::try_from(step * step % 97 * step % 41).expect("below 41");
        cache.get_or_load(key, move || Ok(step)).expect("it does not fail");
    }
}

/// The keys in the order in which they leave for new ones.
fn order_of_leaving(cache: &Cache, left: &mpsc::Receiver<u32>) -> Vec<u32> {
    let count = u32::try_from(cache.len()).expect("a few entries");
    left.try_iter().for_each(drop);
    (1_000..1_000 + count).for_each(|key| cache.insert(key, 0));
    left.try_iter().filter(|key| *key < 1_000).collect()
}

#[test]
fn a_snapshot_keeps_the_order_of_fifo_lru_and_clock() {
    for policy in ["fifo", "lru", "clock", "clock(bits=2)"] {
        let built = || {
            let (send, left) = mpsc::channel();
            let builder = LoadingCache::<u32, u64, String>::builder(20).policy(policy).shards(1).seed(1);
            let listener = move |&key: &u32, _: &u64, _: Removal| send.send(key).expect("the test listens");
            (builder.on_removal(listener).build().unwrap(), left)
        };
        let (before, left) = built();
        ask(&before, 0..400);
        let bytes = before.snapshot(encode);
        let (after, left_after) = built();
        assert_eq!(after.restore(&bytes, Duration::ZERO, decode).unwrap(), 20);
        assert!((0..41).all(|key| after.peek(&key) == before.peek(&key)), "{policy}");
        assert_eq!(order_of_leaving(&after, &left_after), order_of_leaving(&before, &left), "{policy}");
    }
}

#[test]
fn any_cache_can_be_restored_into_any_other() {
    let online = |name: &String| name.parse::<Choice>().is_ok_and(|choice| !choice.offline());
    for policy in Choice::names().filter(online) {
        let before = cache(&policy, 30, 2);
        ask(&before, 0..500);
        let bytes = before.snapshot(encode);
        let after = cache("sieve", 100, 3);
        assert_eq!(after.restore(&bytes, Duration::ZERO, decode).unwrap(), before.len(), "{policy}");
        assert!(before.iter().all(|(key, value)| after.peek(&key) == Some(value)), "{policy}");
        let back = cache(&policy, 30, 2);
        back.restore(&after.snapshot(encode), Duration::ZERO, decode).unwrap();
        ask(&back, 500..900);
        assert!(back.len() <= 30 && back.metrics().hits > 0, "{policy}");
    }
}

#[test]
fn a_cache_with_another_capacity_goes_on() {
    let online = |name: &String| name.parse::<Choice>().is_ok_and(|choice| !choice.offline());
    for policy in Choice::names().filter(online) {
        let cache = cache(&policy, 40, 2);
        ask(&cache, 0..400);
        for (capacity, steps) in [(8, 400..800), (4, 800..900), (60, 900..1_500), (2, 1_500..1_600), (40, 1_600..2_000)]
        {
            cache.set_capacity(capacity).unwrap();
            assert!(cache.weight() <= capacity, "{policy}");
            ask(&cache, steps);
            assert!(cache.weight() <= capacity && cache.weight() > 0, "{policy}: {} of {capacity}", cache.weight());
            assert_eq!(cache.len(), cache.iter().count() as u64, "{policy}");
        }
        let error = cache.set_capacity(1).unwrap_err().to_string();
        assert_eq!(error, "a capacity of 1 in 2 shards leaves a shard with nothing");
    }
}

/// Growing changes nothing that the policy knows.
#[test]
fn a_greater_cache_is_as_one_that_was_great_from_the_start() {
    for policy in ["fifo", "lru", "clock", "sieve", "s3-fifo(first-fill=small)"] {
        let (grown, great) = (cache(policy, 10, 1), cache(policy, 40, 1));
        (0..8).for_each(|key| [&grown, &great].iter().for_each(|cache| cache.insert(key, 0)));
        grown.set_capacity(40).unwrap();
        for step in 0..3_000 {
            ask(&grown, step..step + 1);
            ask(&great, step..step + 1);
        }
        assert_eq!(grown.metrics().misses, great.metrics().misses, "{policy}");
    }
}

#[test]
fn times_go_on_in_a_snapshot() {
    let built = || {
        let clock = ManualClock::default();
        let life = |_: &u32, &value: &u64| Duration::from_secs(value);
        let builder = LoadingCache::<u32, u64, String>::builder(20).time_to_live_by(life).time_to_idle(8 * SECOND);
        (builder.clock(clock.clone()).build().unwrap(), clock)
    };
    let (before, clock) = built();
    (1..=10).for_each(|key| before.insert(key, key.into()));
    clock.advance(2 * SECOND);
    let bytes = before.snapshot(encode);
    let (after, clock) = built();
    assert_eq!(after.restore(&bytes, SECOND, decode).unwrap(), 7, "1 and 2 were over before, and 3 is now");
    clock.advance(2 * SECOND);
    let there: Vec<u32> = (1..=10).filter(|key| after.peek(key).is_some()).collect();
    assert_eq!(there, [6, 7, 8, 9, 10]);
    clock.advance(3 * SECOND);
    assert_eq!(after.iter().count(), 0, "nobody used them for eight seconds");
    after.insert(9, 11);
    assert_eq!(after.restore(&bytes, Duration::ZERO, decode).unwrap(), 7);
    assert_eq!(after.peek(&9), Some(11), "what is there is newer");
}

#[test]
fn damaged_bytes_change_nothing() {
    let before = cache("lru", 20, 1);
    ask(&before, 0..100);
    let bytes = before.snapshot(encode);
    let after = cache("lru", 20, 1);
    let error = |bytes: &[u8]| after.restore(bytes, Duration::ZERO, decode).unwrap_err();
    assert!(matches!(error(b"something else"), RestoreError::NotASnapshot));
    for end in 8..bytes.len() {
        let _: RestoreError = error(&bytes[..end]);
    }
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        let _: RestoreError = error(&changed);
    }
    let mut newer = bytes.clone();
    newer[8] = 2;
    let message = error(&newer).to_string();
    assert_eq!(
        message,
        "the snapshot has format 2, and this version of forebay reads format 1; let the cache fill itself again"
    );
    let rejected = after.restore(&bytes, Duration::ZERO, |_| Err("as told".into())).unwrap_err();
    assert_eq!(rejected.to_string(), "entry 0 of the snapshot: as told");
    assert!(after.is_empty());
}

/// The format in the source of `snapshot`, byte by byte. A change needs another version.
#[test]
fn the_format_is_as_it_is_described() {
    let cache = cache("lru", 20, 1);
    cache.insert(7, 9);
    let bytes = cache.snapshot(encode);
    let mut expected = b"fbayload\x01\0\0\0\x01\0\0\0\0\0\0\0".to_vec();
    expected.extend([0xff; 24]);
    expected.extend([0; 8]);
    expected.extend(b"\0\x0c\0\0\0\x07\0\0\0\x09\0\0\0\0\0\0\0");
    assert_eq!(bytes[..bytes.len() - 8], expected);
}
