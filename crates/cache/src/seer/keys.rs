//! Which ports expect packets that want a key.

use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The places of the earliest and of the latest of some packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ends {
    pub(crate) first: u32,
    pub(crate) last: u32,
}

/// The packets of one port that want the same key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chain {
    pub(crate) port: u32,
    pub(crate) ends: Ends,
}

/// The chains of each expected key. Most keys arrive over one port: their chain is in the table itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keys {
    table: FxHashMap<u64, Chains>,
}

#[derive(Debug, Clone)]
struct Chains {
    one: Chain,
    /// Allocates nothing while it is empty.
    others: Vec<Chain>,
}

impl Chains {
    fn at(&mut self, port: u32) -> Option<&mut Chain> {
        if self.one.port == port {
            return Some(&mut self.one);
        }
        self.others.iter_mut().find(|chain| chain.port == port)
    }
}

impl Keys {
    /// The chain of a port; if it has none, a new one of the packet at `place` alone, and [`None`].
    #[inline]
    pub(crate) fn join(&mut self, key: u64, port: u32, place: u32) -> Option<&mut Chain> {
        let alone = Chain { port, ends: Ends { first: place, last: place } };
        match self.table.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(Chains { one: alone, others: Vec::new() });
                None
            }
            Entry::Occupied(entry) => {
                let chains = entry.into_mut();
                if chains.one.port != port && chains.others.iter().all(|chain| chain.port != port) {
                    chains.others.push(alone);
                    return None;
                }
                chains.at(port)
            }
        }
    }

    /// Takes the first packet of a port's chain out; `after` says which one follows it.
    #[inline]
    pub(crate) fn pop(&mut self, key: u64, port: u32, after: impl FnOnce(u32) -> Option<u32>) -> Option<u32> {
        let Entry::Occupied(mut entry) = self.table.entry(key) else { return None };
        let chains = entry.get_mut();
        let chain = chains.at(port)?;
        let place = chain.ends.first;
        if let Some(after) = after(place) {
            chain.ends.first = after;
        } else if chains.one.port != port {
            chains.others.retain(|chain| chain.port != port);
        } else if let Some(other) = chains.others.pop() {
            chains.one = other;
        } else {
            entry.remove();
        }
        Some(place)
    }

    /// The chain of a port, if it has one.
    pub(crate) fn chain(&mut self, key: u64, port: u32) -> Option<&mut Chain> {
        self.table.get_mut(&key)?.at(port)
    }

    /// Those of a key.
    #[inline]
    pub(crate) fn of(&self, key: u64) -> impl Iterator<Item = &Chain> {
        self.table.get(&key).into_iter().flat_map(|chains| std::iter::once(&chains.one).chain(&chains.others))
    }

    /// Whether a key is expected.
    #[inline]
    pub(crate) fn contains(&self, key: u64) -> bool {
        self.table.contains_key(&key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_over_any_ports() {
        let mut keys = Keys::default();
        let ports = |keys: &Keys| -> Vec<u32> { keys.of(7).map(|chain| chain.port).collect() };
        assert_eq!(keys.join(7, 0, 10), None);
        assert_eq!(keys.join(7, 1, 11), None);
        assert_eq!(keys.join(7, 2, 12), None);
        keys.join(7, 1, 13).unwrap().ends.last = 13;
        assert_eq!(keys.pop(7, 1, |_| Some(13)), Some(11));
        assert_eq!(keys.pop(7, 0, |_| None), Some(10));
        assert_eq!(ports(&keys), [2, 1]);
        assert_eq!((keys.pop(7, 0, |_| None), keys.pop(8, 1, |_| None)), (None, None));
        assert_eq!(keys.pop(7, 1, |_| None), Some(13));
        assert_eq!(ports(&keys), [2]);
        assert_eq!(keys.pop(7, 2, |_| None), Some(12));
        assert!(!keys.contains(7));
    }
}
