//! Native functions that Python has compiled, for example with Numba's `cfunc`: called by their addresses.
//!
//! Python says which function has which form (`forebay/native.py`); a wrong form is as in C: nothing can check it.

use super::Maker;
use forebay_cache::{Access, CachePolicy, Entry, Fetched, OwnParams, OwnPolicy, Shape, Slot, Victim};
use forebay_core::{Packet, ParamError, Time};
use forebay_sched::{OwnPart, RankFn};
use numpy::{PyUntypedArray, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::c_void;
use std::sync::Arc;

/// `uint64(now, size, flow, class, rank, value, processing, remaining, state)`.
type Rank = unsafe extern "C" fn(u64, u64, u64, u64, u64, u64, u64, u64, *mut c_void) -> u64;
/// `void(slot, key, state)`.
type OnSlot = unsafe extern "C" fn(u64, u64, *mut c_void);
/// `void(slot, key, size, state)`.
type Insert = unsafe extern "C" fn(u64, u64, u64, *mut c_void);
/// `uint64(new key, state)`.
type VictimOf = unsafe extern "C" fn(u64, *mut c_void) -> u64;

/// Most slots of a native policy: the state of a cache of very many bytes has room for no more.
const MOST_SLOTS: usize = 1 << 24;

/// The answer of a native victim function if the new object must not enter.
const NEW: u64 = u64::MAX;

/// The address of the function that `object` has under this name.
fn address(object: &Bound<'_, PyAny>, name: &str) -> PyResult<usize> {
    let address: usize = object.getattr("addresses")?.get_item(name)?.extract()?;
    if address == 0 {
        return Err(PyValueError::new_err(format!("the address of `{name}` is 0; give a compiled function")));
    }
    Ok(address)
}

/// The state that functions change: an array of its own for each run, which lives as long as this.
struct State {
    address: usize,
    _array: Option<Py<PyAny>>,
}

impl State {
    fn new(object: &Bound<'_, PyAny>, given: &Bound<'_, PyDict>) -> PyResult<Self> {
        let make = object.getattr("state")?;
        if make.is_none() {
            return Ok(Self { address: 0, _array: None });
        }
        let made = make.call((), Some(given))?;
        let Ok(array) = made.cast::<PyUntypedArray>() else {
            let kind = made.get_type().name()?;
            return Err(PyValueError::new_err(format!("`state` must make a numpy array, not {kind}")));
        };
        if !array.is_c_contiguous() {
            return Err(PyValueError::new_err("the array of `state` must be contiguous; use numpy.ascontiguousarray"));
        }
        let address: usize = made.getattr("ctypes")?.getattr("data")?.extract()?;
        Ok(Self { address, _array: Some(made.unbind()) })
    }

    fn pointer(&self) -> *mut c_void {
        std::ptr::with_exposed_provenance_mut(self.address)
    }
}

/// The parameters of a native function are in its state.
fn no_params(given: &OwnParams) -> Result<(), ParamError> {
    match given.keys().next() {
        Some(name) => Err(ParamError::of(name, "a native function has no parameters; put this into its `state`")),
        None => Ok(()),
    }
}

/// Whether an object holds native functions.
pub(super) fn is_native(object: &Bound<'_, PyAny>) -> bool {
    object.hasattr("native_kind").unwrap_or(false)
}

/// Whether an object has functions of this kind.
fn is_of_kind(object: &Bound<'_, PyAny>, kind: &str) -> bool {
    object.getattr("native_kind").and_then(|own| own.extract::<String>()).is_ok_and(|own| own == kind)
}

/// A native rank function.
pub(super) struct RankFunction {
    address: usize,
}

impl RankFunction {
    /// The one that an object holds, if it does.
    pub(super) fn of(py: Python<'_>, object: &Py<PyAny>) -> PyResult<Option<Self>> {
        let object = object.bind(py);
        is_of_kind(object, "rank").then(|| address(object, "rank").map(|address| Self { address })).transpose()
    }

    /// The part that scenarios find under its name.
    pub(super) fn part(self, maker: Maker) -> OwnPart {
        let address = self.address;
        OwnPart::RankFn(Arc::new(move |_, given| {
            no_params(given)?;
            // SAFETY: the caller says that the function at this address has this form; `maker` keeps it in memory.
            #[allow(unsafe_code, reason = "a native function is called")]
            let function = unsafe { std::mem::transmute::<usize, Rank>(address) };
            let state = maker.made(|py| State::new(maker.make.bind(py), &PyDict::new(py)))?;
            Ok(Box::new(NativeRank { function, state }))
        }))
    }
}

struct NativeRank {
    function: Rank,
    state: State,
}

impl RankFn for NativeRank {
    fn rank(&mut self, now: Time, packet: &Packet) -> u64 {
        let (size, flow, class) = (packet.size_bytes.into(), packet.flow.0.into(), packet.class.0.into());
        let (value, processing) = (packet.value.into(), packet.processing.as_ps());
        // SAFETY: the caller says that the function has this form and keeps to the state, which no one else has meanwhile.
        #[allow(unsafe_code, reason = "a native function is called")]
        unsafe {
            (self.function)(
                now.as_ps(),
                size,
                flow,
                class,
                packet.rank,
                value,
                processing,
                packet.remaining_bytes,
                self.state.pointer(),
            )
        }
    }
}

/// The policy that scenarios find under the name of a native cache policy, if it is one.
pub(super) fn cache_policy(py: Python<'_>, maker: &Arc<Maker>) -> PyResult<Option<Arc<dyn OwnPolicy>>> {
    let object = maker.make.bind(py);
    if !is_of_kind(object, "cache_policy") {
        return Ok(None);
    }
    let [hit, insert, victim, remove] = ["hit", "insert", "victim", "remove"].map(|name| address(object, name));
    let addresses = [hit?, insert?, victim?, remove?];
    Ok(Some(Arc::new(CacheMaker { addresses, maker: Arc::clone(maker) })))
}

struct CacheMaker {
    addresses: [usize; 4],
    maker: Arc<Maker>,
}

impl OwnPolicy for CacheMaker {
    fn policy(&self, shape: &Shape, given: &OwnParams) -> Result<Box<dyn CachePolicy + Send>, ParamError> {
        no_params(given)?;
        let slots = usize::try_from(shape.capacity).unwrap_or(MOST_SLOTS).min(MOST_SLOTS);
        let state = self.maker.made(|py| {
            let given = PyDict::new(py);
            given.set_item("capacity", shape.capacity)?;
            given.set_item("slots", slots)?;
            State::new(self.maker.make.bind(py), &given)
        })?;
        let [hit, insert, victim, remove] = self.addresses;
        // SAFETY: the caller says that the functions at these addresses have these forms; `maker` keeps them in memory.
        #[allow(unsafe_code, reason = "native functions are called")]
        let policy = unsafe {
            NativePolicy {
                hit: std::mem::transmute::<usize, OnSlot>(hit),
                insert: std::mem::transmute::<usize, Insert>(insert),
                victim: std::mem::transmute::<usize, VictimOf>(victim),
                remove: std::mem::transmute::<usize, OnSlot>(remove),
                keys: Vec::new(),
                slots,
                state,
                maker: Arc::clone(&self.maker),
            }
        };
        Ok(Box::new(policy))
    }
}

struct NativePolicy {
    hit: OnSlot,
    insert: Insert,
    victim: VictimOf,
    remove: OnSlot,
    /// Of the object in each slot.
    keys: Vec<Option<u64>>,
    /// The most slots.
    slots: usize,
    state: State,
    maker: Arc<Maker>,
}

impl CachePolicy for NativePolicy {
    fn hit(&mut self, slot: Slot, access: &Access) {
        if slot as usize >= self.slots {
            return;
        }
        // SAFETY: as of the rank function.
        #[allow(unsafe_code, reason = "a native function is called")]
        unsafe {
            (self.hit)(slot.into(), access.key, self.state.pointer());
        }
    }

    fn victim(&mut self, new: &Fetched) -> Victim {
        // SAFETY: as of the rank function.
        #[allow(unsafe_code, reason = "a native function is called")]
        let named = unsafe { (self.victim)(new.key, self.state.pointer()) };
        let slot = Slot::try_from(named).ok().filter(|slot| self.keys.get(*slot as usize).is_some_and(Option::is_some));
        match slot {
            Some(slot) => Victim::Slot(slot),
            None => {
                if named != NEW && !self.maker.failure.has_failed() {
                    self.maker.failure.keep_message(&format!("`victim` named slot {named}, in which nothing is"));
                }
                Victim::New
            }
        }
    }

    fn insert(&mut self, slot: Slot, new: &Fetched) {
        let place = slot as usize;
        // A function that counts on so many slots must not write beyond them.
        if place >= self.slots {
            if !self.maker.failure.has_failed() {
                let message =
                    format!("the cache holds more than {} objects, for which native policies have room", self.slots);
                self.maker.failure.keep_message(&message);
            }
            return;
        }
        if self.keys.len() <= place {
            self.keys.resize(place + 1, None);
        }
        self.keys[place] = Some(new.key);
        // SAFETY: as of the rank function.
        #[allow(unsafe_code, reason = "a native function is called")]
        unsafe {
            (self.insert)(slot.into(), new.key, new.size, self.state.pointer());
        }
    }

    fn evict(&mut self, slot: Slot, _: &Entry) {
        self.remove(slot);
    }

    fn remove(&mut self, slot: Slot) {
        let Some(key) = self.keys.get_mut(slot as usize).and_then(Option::take) else { return };
        // SAFETY: as of the rank function.
        #[allow(unsafe_code, reason = "a native function is called")]
        unsafe {
            (self.remove)(slot.into(), key, self.state.pointer());
        }
    }
}
