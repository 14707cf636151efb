//! A simulated kernel with its files: pins, maps, devices and records. Every call may fail, and a command may be killed before and after
//! any.

use super::state::{DISCIPLINE, Node, PINS, Port, RECORDS, State, VERSION};
use crate::fault::{Fault, Faults, Site};
use crate::planted_faults::Planted;
use forebay_linux::kernel::{CONTROL_BYTES, COUNTED_BYTES, Does, Error, Held, Host, KernelPolicy, Result, Said};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The payload that unwinds a killed command.
pub(super) struct Kill;

const FAULTS: [Fault; 3] = ["killed before", "killed after", "failed"];

/// The kernel.
#[derive(Debug)]
pub(super) struct Kernel {
    state: Mutex<State>,
    lock: Arc<Mutex<bool>>,
}

/// The lock, which a killed command releases as well.
#[derive(Debug)]
struct Locked(Arc<Mutex<bool>>);

impl Held for Locked {}

impl Drop for Locked {
    fn drop(&mut self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = false;
    }
}

fn failed() -> io::Error {
    io::Error::other("input/output error")
}

fn refused(doing: &'static str) -> Error {
    Error::Refused { doing, message: "input/output error".to_owned() }
}

impl Kernel {
    pub(super) fn new(faults: Faults, planted: Option<Planted>, names: &[&str]) -> Self {
        let port = |place: usize| Port { has_place: place == 1, has_other: place == 1, ..Port::default() };
        let ports = names.iter().enumerate().map(|(place, name)| ((*name).to_owned(), port(place))).collect();
        let state = State { faults, planted, files: BTreeMap::new(), ports, policies: BTreeMap::new() };
        Self { state: Mutex::new(state), lock: Arc::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn draw<T>(&self, draw: impl FnOnce(&mut Faults) -> T) -> T {
        draw(&mut self.state().faults)
    }

    /// Makes a call, which does its work, fails, or has its command killed.
    fn call<T>(
        &self,
        (call, of): (&'static str, &'static str),
        error: impl FnOnce(&State) -> T,
        work: impl FnOnce(&mut State) -> T,
    ) -> T {
        let mut state = self.state();
        let fault = state.faults.draw(Site { call, of }, &FAULTS);
        let done = match fault {
            None => return work(&mut state),
            Some("failed") => return error(&state),
            Some("killed before") => None,
            Some(_) => Some(work(&mut state)),
        };
        drop(state);
        drop(done);
        resume_unwind(Box::new(Kill))
    }

    /// Makes a call whose error the program may have ignored.
    fn step(&self, site: (&'static str, &'static str), forgotten: Planted, work: impl FnOnce(&mut State)) -> bool {
        self.call(
            site,
            |state| state.planted == Some(forgotten),
            |state| {
                work(state);
                true
            },
        )
    }

    /// Returns the policy that is in force at a device, and checks that the device has all that the policy needs.
    pub(super) fn in_force(&self, name: &str) -> Option<String> {
        self.state().in_force(name)
    }

    /// Checks that all devices with a discipline of forebay have all that it needs.
    pub(super) fn check_whole(&self) {
        let state = self.state();
        state.ports.keys().for_each(|name| drop(state.in_force(name)));
    }

    /// Returns the devices for which records name created objects, and that have no discipline.
    pub(super) fn left_behind(&self) -> Vec<String> {
        let state = self.state();
        let kinds = state.names(Path::new(PINS));
        let left = kinds.iter().filter(|kind| !state.ports.values().any(|port| port.root.as_ref() == Some(kind)));
        left.filter_map(|kind| {
            let text = match state.files.get(&Path::new(RECORDS).join(format!("{kind}.json")))? {
                Node::Text(text) => text.clone(),
                _ => return None,
            };
            state.ports.keys().find(|name| text.contains(&format!("\"name\": \"{name}\""))).cloned()
        })
        .collect()
    }

    /// Deletes a device, and creates another one of its name.
    pub(super) fn replace_device(&self, name: &str) {
        let mut state = self.state();
        state.set_root(name, None);
        let fresh = Port { has_place: name == "v1", has_other: name == "v1", ..Port::default() };
        state.ports.insert(name.to_owned(), fresh);
    }

    /// Checks that nothing of forebay is at a device.
    pub(super) fn check_gone(&self, name: &str) {
        let port = self.state().ports[name].clone();
        assert_eq!(port.root, None, "{name} has a discipline");
        assert!(!port.has_notifier, "{name} has a notifier");
        assert_eq!(port.has_place, port.has_other, "{name}: the place for programs");
    }

    /// Checks that nothing of forebay is left anywhere.
    pub(super) fn check_nothing_left(&self) {
        let names: Vec<String> = self.state().ports.keys().cloned().collect();
        names.iter().for_each(|name| self.check_gone(name));
        let state = self.state();
        let left: Vec<_> =
            state.files.keys().filter(|path| **path != *Path::new(PINS) && **path != *Path::new(RECORDS)).collect();
        assert!(left.is_empty(), "left behind: {left:?}");
    }
}

impl Host for Kernel {
    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn lock(&self, _: &Path) -> Result<Box<dyn Held>> {
        let was = std::mem::replace(&mut *self.lock.lock().unwrap_or_else(PoisonError::into_inner), true);
        assert!(!was, "the lock was not given back");
        Ok(Box::new(Locked(Arc::clone(&self.lock))))
    }

    fn iproute(&self, _: Option<&str>, program: &str, arguments: &[&str]) -> io::Result<Said> {
        let said =
            |success, output: &str, error: &str| Said { success, output: output.to_owned(), error: error.to_owned() };
        if program == "ip" {
            return Ok(said(true, "2: v0: <UP> mtu 1500 link/ether 00:00:00:00:00:01", ""));
        }
        let name = arguments.iter().skip_while(|word| **word != "dev").nth(1).copied().unwrap_or_default();
        let of = match arguments {
            ["-j", ..] | [_, "show", ..] => "what is at a device",
            ["filter", ..] => "a notifier",
            [.., "clsact"] => "the place of a notifier",
            _ => "a discipline",
        };
        let changes = of != "what is at a device";
        self.call(
            ("tc", of),
            |state| {
                Ok(said(
                    changes && state.planted == Some(Planted::LostTcError),
                    "",
                    "RTNETLINK answers: No buffer space",
                ))
            },
            |state| {
                Ok(match state.tc(name, arguments) {
                    Ok(output) => said(true, &output, ""),
                    Err(error) => said(false, "", error),
                })
            },
        )
    }

    fn load_discipline(&self, folder: &Path, kind: &str, _: &Path) -> Result<()> {
        if self.state().ports.values().any(|port| port.root.as_deref() == Some(kind)) {
            return Err(refused("queueing discipline"));
        }
        for name in DISCIPLINE {
            let bytes = match name {
                "control" => CONTROL_BYTES,
                "counted" => COUNTED_BYTES,
                _ => 8,
            };
            let pin = |state: &mut State| drop(state.files.insert(folder.join(name), Node::Pin(vec![0; bytes])));
            if !self.step(("load", "the discipline"), Planted::LostLoadError, pin) {
                return Err(refused("queueing discipline"));
            }
        }
        Ok(())
    }

    fn load_policy(&self, folder: &Path, version: u32, policy: &KernelPolicy, _: &[u32]) -> Result<Does> {
        let folder = folder.join(format!("v{version}"));
        self.state().policies.insert(folder.clone(), policy.name.clone());
        for name in VERSION {
            let pin = |state: &mut State| drop(state.files.insert(folder.join(name), Node::Pin(vec![0; 512])));
            if !self.step(("load", "a policy"), Planted::LostLoadError, pin) {
                return Err(refused("policy"));
            }
        }
        Ok(Does { notifies: policy.name == "notifies", reads_headers: true, ..Does::default() })
    }

    fn read_map(&self, path: &Path) -> Result<Vec<u8>> {
        self.call(
            ("read", "a map"),
            |_| Err(refused("maps")),
            |state| match state.files.get(path) {
                Some(Node::Pin(bytes)) => Ok(bytes.clone()),
                _ => Err(refused("maps")),
            },
        )
    }

    fn write_map(&self, path: &Path, value: &[u8]) -> Result<()> {
        self.call(
            ("write", "a map"),
            |_| Err(refused("maps")),
            |state| match state.files.get_mut(path) {
                Some(Node::Pin(bytes)) => {
                    *bytes = value.to_vec();
                    Ok(())
                }
                _ => Err(refused("maps")),
            },
        )
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.call(
            ("make", "a folder of pins"),
            |_| Err(failed()),
            |state| {
                if state.files.contains_key(path) {
                    return Err(ErrorKind::AlreadyExists.into());
                }
                state.files.insert(path.to_owned(), Node::Folder);
                Ok(())
            },
        )
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        let mut inside: Vec<PathBuf> =
            self.state().files.keys().filter(|inner| inner.starts_with(path)).cloned().collect();
        if inside.is_empty() {
            return Err(ErrorKind::NotFound.into());
        }
        // Folders after what is in them.
        inside.reverse();
        for inner in inside {
            let remove = |state: &mut State| drop(state.files.remove(&inner));
            if !self.step(("remove", "a pin"), Planted::LostUnpinError, remove) {
                return Err(failed());
            }
        }
        Ok(())
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.call(("list", "pins"), |_| Err(failed()), |state| Ok(state.names(folder)))
    }

    fn exists(&self, path: &Path) -> bool {
        self.state().files.contains_key(path)
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        self.call(
            ("read", "a record"),
            |_| Err(failed()),
            |state| match state.files.get(path) {
                Some(Node::Text(text)) => Ok(text.clone()),
                _ => Err(ErrorKind::NotFound.into()),
            },
        )
    }

    fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        let write = |state: &mut State| drop(state.files.insert(path.to_owned(), Node::Text(text.to_owned())));
        if self.step(("write", "a record"), Planted::LostRecordError, write) { Ok(()) } else { Err(failed()) }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut is_there = true;
        let rename = |state: &mut State| match state.files.remove(from) {
            Some(node) => drop(state.files.insert(to.to_owned(), node)),
            None => is_there = false,
        };
        let done = self.step(("rename", "a record"), Planted::LostRecordError, rename);
        if done && is_there { Ok(()) } else { Err(failed()) }
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.call(
            ("remove", "a record"),
            |_| Err(failed()),
            |state| match state.files.remove(path) {
                Some(_) => Ok(()),
                None => Err(ErrorKind::NotFound.into()),
            },
        )
    }
}
