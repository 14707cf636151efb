//! Pin: one object, once fetched, stays for ever.

use crate::access::{Access, Fetched, Slot};
use crate::policy::{CachePolicy, Shape, Victim};
use crate::policy_entry::{Build, Compared, Make, PolicyEntry};
use crate::structures::Lists;
use forebay_core::params::ParamKind;
use forebay_core::{About, Exactness, ParamError, ParamSpec, Params};

/// The registry's entry for [`Pin`].
pub const ENTRY: PolicyEntry = PolicyEntry {
    about: About {
        name: "pin",
        title: "Pin: keeps one object for ever once it is fetched; treats the others as LRU does",
        exactness: Exactness::NotApplicable,
        hardware: "an order of all entries",
        cost: "O(1); two links per entry",
        source: "thesis 2.3.1: \"always caching the bursty object\"",
        params: &[ParamSpec {
            name: "key",
            kind: ParamKind::Integer { min: 0, max: i64::MAX as u64, default: Some(0) },
            meaning: "the object that stays",
        }],
    },
    also_known_as: &[],
    offline: false,
    compared: Compared::OnRequest,
    make: Make::of::<Pin>(),
};

/// Orders the other entries by their last use. Where the cache holds nothing else, what is
/// new does not enter.
#[derive(Debug, Clone)]
pub struct Pin {
    key: u64,
    /// The pinned object is in the second list.
    order: Lists<2>,
}

impl Build for Pin {
    fn build(shape: &Shape, params: &Params) -> Result<Self, ParamError> {
        Ok(Self { key: params.integer("key").unwrap_or(0), order: Lists::new(shape.entries) })
    }
}

impl CachePolicy for Pin {
    fn hit(&mut self, slot: Slot, _: &Access) {
        self.order.to_front(slot);
    }

    fn resize(&mut self, slot: Slot, size: u64) {
        self.order.resize(slot, size);
    }

    fn victim(&mut self, _: &Fetched) -> Victim {
        self.order.back(0).map_or(Victim::New, Victim::Slot)
    }

    fn victim_among(&mut self, _: &Fetched, may_leave: &mut dyn FnMut(Slot) -> bool) -> Option<Victim> {
        self.order.from_back(0).find(|&slot| may_leave(slot)).map(Victim::Slot)
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.order.push_front(usize::from(new.key == self.key), slot, new.size);
    }

    fn remove(&mut self, slot: Slot) {
        self.order.remove(slot);
    }
}
