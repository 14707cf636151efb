//! An entry of the cache, and arrays for what only some caches keep of it.

use forebay_cache::Slot;
use std::num::NonZeroU64;

/// An entry. The hash is not zero, so that an empty slot takes no more room.
pub(crate) struct Stored<K, V> {
    pub(crate) hash: NonZeroU64,
    pub(crate) key: K,
    pub(crate) value: V,
}

impl<K, V> Stored<K, V> {
    pub(crate) fn new(hash: u64, key: K, value: V) -> Self {
        Self { hash: NonZeroU64::new(hash).unwrap_or(NonZeroU64::MIN), key, value }
    }
}

/// One number per slot, or none at all.
pub(crate) struct Side<T>(Option<Vec<T>>);

impl<T: Default> Side<T> {
    pub(crate) fn new(is_kept: bool) -> Self {
        Self(is_kept.then(Vec::new))
    }

    pub(crate) fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    #[inline]
    pub(crate) fn get(&self, slot: Slot) -> Option<&T> {
        self.0.as_ref()?.get(slot as usize)
    }

    pub(crate) fn set(&mut self, slot: Slot, number: T) {
        let Some(numbers) = &mut self.0 else { return };
        let index = slot as usize;
        if numbers.len() <= index {
            numbers.resize_with(index + 1, T::default);
        }
        numbers[index] = number;
    }
}
