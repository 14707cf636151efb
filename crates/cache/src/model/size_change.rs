//! Requests for an object whose size is not the one with which it is in the cache.

use super::counts::Counted;
use crate::access::{Access, Fetched};
use crate::policy::CachePolicy;
use crate::sets::Sets;

/// The effect of such a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SizeChange {
    /// A hit. The object keeps the size with which it was fetched.
    #[default]
    Hit,
    /// A miss: the object has another content, so that the cached one is out of date. It is removed before the request.
    Miss,
    /// A hit, and the object has the new size from then on. If it has grown, others are evicted, or it is itself.
    Update,
}

/// Passes a request to the cache, and returns whether its object is there. `change` is the effect of another size, if
/// sizes may change.
#[inline]
pub(super) fn request<P: CachePolicy>(
    change: Option<SizeChange>,
    sets: &mut Sets<P>,
    access: &Access,
    counted: &mut Counted,
) -> bool {
    match change {
        None => sets.request(access).is_some(),
        Some(SizeChange::Hit) => {
            let slot = sets.request(access);
            if slot.is_some_and(|slot| sets.set(access.key).entry(slot).size != access.size) {
                counted.size_change(0);
            }
            slot.is_some()
        }
        Some(change) => {
            let set = sets.set(access.key);
            let has_changed = set.size_of(access.key).is_some_and(|size| size != access.size);
            if has_changed && change == SizeChange::Miss {
                set.invalidate(access.key);
            } else if has_changed {
                set.resize(access.key, access.size);
            }
            let is_hit = set.request(access).is_some();
            if has_changed {
                let mut evicted = 0;
                set.make_room(&as_fetched(access), |_, _| evicted += 1);
                counted.size_change(evicted);
            }
            is_hit
        }
    }
}

/// An object in the cache as if it had just been fetched.
fn as_fetched(access: &Access) -> Fetched {
    let Access { time, key, size, latency, future } = *access;
    Fetched { time, key, size, latency, last: time, waiting: 1, future }
}
