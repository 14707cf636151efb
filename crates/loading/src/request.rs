//! The key of a request: owned, or borrowed and made its own only if a fetch begins.

use std::borrow::Borrow;
use std::hash::Hash;

/// The key of a request that may begin a fetch.
pub(crate) trait RequestKey<K: Borrow<Self::Key>> {
    /// The form in which it is looked up.
    type Key: Hash + Eq + ?Sized;

    fn borrowed(&self) -> &Self::Key;

    fn owned(self) -> K;
}

/// A key that the request owns.
pub(crate) struct Owned<K>(pub(crate) K);

impl<K: Hash + Eq> RequestKey<K> for Owned<K> {
    type Key = K;

    fn borrowed(&self) -> &K {
        &self.0
    }

    fn owned(self) -> K {
        self.0
    }
}

/// A key that the request borrows.
pub(crate) struct ByRef<'a, Q: ?Sized>(pub(crate) &'a Q);

impl<K, Q> RequestKey<K> for ByRef<'_, Q>
where
    K: Borrow<Q>,
    Q: Hash + Eq + ToOwned<Owned = K> + ?Sized,
{
    type Key = Q;

    fn borrowed(&self) -> &Q {
        self.0
    }

    fn owned(self) -> K {
        self.0.to_owned()
    }
}
