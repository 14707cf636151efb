//! Cache policies written in Python.

use crate::failure::Failure;
use forebay_cache::{Access, Choice, Entry, Fetched, OwnPolicy, Policy, Shape, Slot, Victim};
use forebay_core::ParamError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::sync::Arc;

/// A class, or anything that makes a policy from the capacity of a cache.
struct Maker {
    name: String,
    make: Py<PyAny>,
    failure: Arc<Failure>,
}

/// Policies by the names that scenarios use.
pub(crate) fn choices(makers: HashMap<String, Py<PyAny>>, failure: &Arc<Failure>) -> HashMap<String, Choice> {
    let choice = |(name, make): (String, Py<PyAny>)| {
        let maker = Maker { name: name.clone(), make, failure: Arc::clone(failure) };
        (name.clone(), Choice::own(name, Arc::new(maker)))
    };
    makers.into_iter().map(choice).collect()
}

impl OwnPolicy for Maker {
    fn policy(&self, shape: &Shape) -> Result<Box<dyn Policy + Send>, ParamError> {
        Python::attach(|py| {
            let made = PyPolicy::new(py, &self.make, shape, Arc::clone(&self.failure));
            made.map(|policy| Box::new(policy) as Box<dyn Policy + Send>).map_err(|error| {
                let what = format!("`{}` cannot be made: {error}", self.name);
                self.failure.keep(error);
                ParamError::of("name", what)
            })
        })
    }
}

/// One policy under way: its methods, and where the objects of its cache are.
struct PyPolicy {
    request: Option<Py<PyAny>>,
    hit: Py<PyAny>,
    insert: Py<PyAny>,
    victim: Py<PyAny>,
    remove: Py<PyAny>,
    slots: HashMap<u64, Slot>,
    keys: Vec<u64>,
    failure: Arc<Failure>,
}

impl PyPolicy {
    fn new(py: Python<'_>, make: &Py<PyAny>, shape: &Shape, failure: Arc<Failure>) -> PyResult<Self> {
        let given = PyDict::new(py);
        given.set_item("capacity", shape.capacity)?;
        let policy = make.call(py, (), Some(&given))?;
        let method = |name: &str| policy.getattr(py, name);
        // Of a subclass that does not look at requests before their outcome, nobody asks.
        let base = py.import("forebay._own")?.getattr("CachePolicy")?;
        let own = policy.bind(py).get_type();
        let is_usual = own.getattr("request").is_ok_and(|own| base.getattr("request").is_ok_and(|base| own.is(&base)));
        let request = if is_usual { None } else { method("request").ok() };
        Ok(Self {
            request,
            hit: method("hit")?,
            insert: method("insert")?,
            victim: method("victim")?,
            remove: method("remove")?,
            slots: HashMap::new(),
            keys: Vec::new(),
            failure,
        })
    }

    /// Calls Python, unless it has failed before.
    fn call<T>(&self, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
        if self.failure.has_failed() {
            return None;
        }
        Python::attach(|py| call(py).map_err(|error| self.failure.keep(error)).ok())
    }

    fn key(&self, slot: Slot) -> u64 {
        self.keys.get(slot as usize).copied().unwrap_or_default()
    }
}

impl Policy for PyPolicy {
    fn request(&mut self, access: &Access, _: Option<Slot>) {
        if let Some(request) = &self.request {
            self.call(|py| request.call1(py, (access.key, access.time)));
        }
    }

    fn hit(&mut self, _: Slot, access: &Access) {
        self.call(|py| self.hit.call1(py, (access.key,)));
    }

    fn victim(&mut self, new: &Fetched) -> Victim {
        let named = self.call(|py| self.victim.call1(py, (new.key,))?.extract::<Option<u64>>(py));
        match named.flatten() {
            None => Victim::New,
            Some(key) => match self.slots.get(&key) {
                Some(slot) => Victim::Slot(*slot),
                None => {
                    self.failure.keep_message(&format!("`victim` named {key}, which is not in the cache"));
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
        self.call(|py| self.insert.call1(py, (new.key, new.size)));
    }

    fn evict(&mut self, slot: Slot, _: &Entry) {
        self.remove(slot);
    }

    fn remove(&mut self, slot: Slot) {
        let key = self.key(slot);
        self.slots.remove(&key);
        self.call(|py| self.remove.call1(py, (key,)));
    }
}
