//! Cache policies written in Python.

use super::calls::{Calls, overridden};
use super::{Maker, add_params, native};
use forebay_cache::{Access, CachePolicy, Entry, Fetched, OwnParams, OwnPolicy, Shape, Slot, Victim};
use forebay_core::ParamError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::sync::Arc;

/// The policy that scenarios find under its name.
pub(super) fn policy(py: Python<'_>, maker: Maker) -> PyResult<Arc<dyn OwnPolicy>> {
    let maker = Arc::new(maker);
    match native::cache_policy(py, &maker)? {
        Some(native) => Ok(native),
        None => Ok(maker),
    }
}

impl OwnPolicy for Maker {
    fn policy(&self, shape: &Shape, given: &OwnParams) -> Result<Box<dyn CachePolicy + Send>, ParamError> {
        let policy = self.made(|py| {
            let arguments = PyDict::new(py);
            arguments.set_item("capacity", shape.capacity)?;
            add_params(&arguments, given)?;
            PyPolicy::new(&self.call(py, &arguments)?, Calls::new(self))
        })?;
        Ok(Box::new(policy))
    }
}

/// One policy in use: its methods, and where the objects of its cache are.
struct PyPolicy {
    request: Option<Py<PyAny>>,
    hit: Py<PyAny>,
    insert: Py<PyAny>,
    victim: Py<PyAny>,
    remove: Py<PyAny>,
    slots: HashMap<u64, Slot>,
    keys: Vec<u64>,
    calls: Calls,
}

impl PyPolicy {
    fn new(policy: &Bound<'_, PyAny>, calls: Calls) -> PyResult<Self> {
        let method = |name| Ok::<_, PyErr>(policy.getattr(name)?.unbind());
        Ok(Self {
            request: overridden(policy, "CachePolicy", "request")?,
            hit: method("hit")?,
            insert: method("insert")?,
            victim: method("victim")?,
            remove: method("remove")?,
            slots: HashMap::new(),
            keys: Vec::new(),
            calls,
        })
    }

    fn key(&self, slot: Slot) -> u64 {
        self.keys.get(slot as usize).copied().unwrap_or_default()
    }
}

impl CachePolicy for PyPolicy {
    fn request(&mut self, access: &Access, _: Option<Slot>) {
        if let Some(request) = &self.request {
            self.calls.call(|py| request.call1(py, (access.key, access.time)));
        }
    }

    fn hit(&mut self, _: Slot, access: &Access) {
        self.calls.call(|py| self.hit.call1(py, (access.key,)));
    }

    fn victim(&mut self, new: &Fetched) -> Victim {
        let named =
            self.calls.call(|py| self.calls.whole_or_none("victim", self.victim.bind(py).call1((new.key,))?.as_any()));
        match named.flatten() {
            None => Victim::New,
            Some(key) => match self.slots.get(&key) {
                Some(slot) => Victim::Slot(*slot),
                None => {
                    self.calls.broken(&format!("`victim` named {key}, which is not in the cache"));
                    Victim::New
                }
            },
        }
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        self.slots.insert(new.key, slot);
        let place = slot as usize;
        if self.keys.len() <= place {
            self.keys.resize(place + 1, 0);
        }
        self.keys[place] = new.key;
        self.calls.call(|py| self.insert.call1(py, (new.key, new.size)));
    }

    fn evict(&mut self, slot: Slot, _: &Entry) {
        self.remove(slot);
    }

    fn remove(&mut self, slot: Slot) {
        let key = self.key(slot);
        self.slots.remove(&key);
        self.calls.call(|py| self.remove.call1(py, (key,)));
    }
}
