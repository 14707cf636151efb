//! The contents of the simulated kernel, and the effects of `tc`.

use crate::fault::Faults;
use crate::planted_faults::Planted;
use forebay_linux::kernel::COUNTED_BYTES;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(super) const PINS: &str = "/sys/fs/bpf/forebay";
pub(super) const RECORDS: &str = "/run/forebay";
pub(super) const DISCIPLINE: [&str; 8] =
    ["enqueue", "dequeue", "notify", "shared", "control", "names", "counted", "link"];
pub(super) const VERSION: [&str; 5] = ["queues", "counters", "policy_arrive", "policy_leave", "policy_drained"];

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Folder,
    Text(String),
    Pin(Vec<u8>),
}

#[derive(Debug, Clone, Default)]
pub(super) struct Port {
    pub(super) root: Option<String>,
    pub(super) has_place: bool,
    /// Whether a program of somebody else is at the hook.
    pub(super) has_other: bool,
    pub(super) has_notifier: bool,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) faults: Faults,
    pub(super) planted: Option<Planted>,
    pub(super) files: BTreeMap<PathBuf, Node>,
    pub(super) ports: BTreeMap<String, Port>,
    /// The policy of each version of a kind.
    pub(super) policies: BTreeMap<PathBuf, String>,
}

impl State {
    pub(super) fn names(&self, folder: &Path) -> Vec<String> {
        let inside = self.files.keys().filter(|path| path.parent() == Some(folder));
        inside.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect()
    }

    pub(super) fn in_force(&self, name: &str) -> Option<String> {
        let port = &self.ports[name];
        let folder = Path::new(PINS).join(port.root.as_ref()?);
        for pin in DISCIPLINE {
            assert!(self.files.contains_key(&folder.join(pin)), "{name} has a discipline without `{pin}`");
        }
        let Some(Node::Pin(control)) = self.files.get(&folder.join("control")) else { panic!("no control") };
        let version = control[..8].try_into().map_or(0, u64::from_ne_bytes);
        let version = folder.join(format!("v{version}"));
        for pin in VERSION {
            let path = version.join(pin);
            assert!(
                self.files.contains_key(&path),
                "{name}: packets arrive under a version without {}",
                path.display()
            );
        }
        let policy = self.policies[&version].clone();
        let record = Path::new(RECORDS).join(format!("{}.json", folder.file_name()?.to_string_lossy()));
        let Some(Node::Text(text)) = self.files.get(&record) else { panic!("{name} has no record") };
        assert!(
            text.contains(&format!("\"policy\": \"{policy}\"")),
            "the record of {name} does not know {policy}: {text}"
        );
        assert!(policy != "notifies" || port.has_notifier, "{name}: a policy notifies, and its notifier is missing");
        Some(policy)
    }

    /// Attaches another discipline to a device, or the kernel's default.
    pub(super) fn set_root(&mut self, name: &str, kind: Option<String>) {
        let before = self.ports.get_mut(name).and_then(|port| std::mem::replace(&mut port.root, kind.clone()));
        for (kind, has) in [(before, 0_u64), (kind, 1)] {
            let path = kind.map(|kind| Path::new(PINS).join(kind).join("counted"));
            if let Some(Node::Pin(counted)) = path.and_then(|path| self.files.get_mut(&path)) {
                counted[COUNTED_BYTES - 8..].copy_from_slice(&has.to_ne_bytes());
            }
        }
    }

    /// Simulates `tc`.
    pub(super) fn tc(&mut self, name: &str, arguments: &[&str]) -> Result<String, &'static str> {
        let port = self.ports.get_mut(name).ok_or("Cannot find device")?;
        match arguments {
            ["-j", "qdisc", "show", ..] => {
                let root = port.root.as_deref().unwrap_or("noqueue");
                let place = if port.has_place { r#",{"kind":"clsact"}"# } else { "" };
                return Ok(format!(r#"[{{"kind":"{root}","root":true}}{place}]"#));
            }
            ["qdisc", "replace", _, _, "root", kind] => {
                let link = Path::new(PINS).join(kind).join("link");
                if !self.files.contains_key(&link) {
                    return Err("Error: Specified qdisc kind is unknown.");
                }
                self.set_root(name, Some((*kind).to_owned()));
            }
            ["qdisc", "del", _, _, "root"] => {
                port.root.as_ref().ok_or("Error: Cannot delete qdisc with handle of zero.")?;
                self.set_root(name, None);
            }
            ["qdisc", "add", .., "clsact"] if port.has_place => {
                return Err("Error: Exclusivity flag on, cannot modify.");
            }
            ["qdisc", "add", .., "clsact"] => port.has_place = true,
            ["qdisc", "del", .., "clsact"] if !port.has_place => return Err("Error: Invalid handle."),
            ["qdisc", "del", .., "clsact"] => {
                assert!(!port.has_other, "somebody else's program is removed from {name}");
                (port.has_place, port.has_notifier) = (false, false);
            }
            ["filter", "replace", ..] if !port.has_place => return Err("Error: Parent Qdisc doesn't exists."),
            ["filter", "replace", ..] => port.has_notifier = true,
            ["filter", "del", ..] if !port.has_notifier => {
                return Err("Error: Filter with specified priority/protocol not found.");
            }
            ["filter", "del", ..] => port.has_notifier = false,
            ["filter", "show", _, _, "egress"] => {
                let ours = if port.has_notifier { "filter protocol all pref 28527 bpf chain 0\n" } else { "" };
                let other = if port.has_other { "filter protocol all pref 7 bpf chain 0\n" } else { "" };
                return Ok(format!("{ours}{other}"));
            }
            ["filter", "show", ..] => {}
            other => panic!("tc {other:?} is not simulated"),
        }
        Ok(String::new())
    }
}
