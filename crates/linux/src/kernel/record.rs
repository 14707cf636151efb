//! The record of a device that forebay keeps outside of the kernel: the names of queues and ports, and the counters of
//! removed versions.

use crate::kernel::counters::{Counters, QueueCounters};
use crate::kernel::device::Device;
use crate::kernel::error::{Error, Result};
use crate::kernel::host::Host;
use crate::kernel::notifier::Notifier;
use crate::kernel::parameter::Parameter;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The folder of the records.
pub(crate) const FOLDER: &str = "/run/forebay";

/// `OQ_NAMES` of the target.
const NAMES: u32 = 1 << 16;

/// A version of the policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Version {
    pub(crate) number: u32,
    /// The name that the user gave the policy: the file's name.
    pub(crate) policy: String,
    pub(crate) queues: Vec<String>,
    /// The numbers of the queues' names.
    pub(crate) names: Vec<u32>,
    pub(crate) ports: Vec<String>,
    /// The version's live parameters.
    #[serde(default)]
    pub(crate) parameters: Vec<Parameter>,
}

/// The record of a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The device.
    pub(crate) device: Device,
    /// The versions; the newest is the last.
    pub(crate) versions: Vec<Version>,
    /// The program that writes notifications into packets, if the kernel allows one.
    pub(crate) notifier: Option<Notifier>,
    /// The sums of the counters of removed versions.
    pub(crate) gone: Counters,
    /// The queues of removed versions, by name. They are empty.
    pub(crate) gone_queues: Vec<QueueCounters>,
}

fn path(kind: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{kind}.json"))
}

/// Returns the name of a record while it is written.
fn next(kind: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{kind}.json.next"))
}

impl Record {
    /// Creates the record of a device that has no policy yet.
    pub(crate) fn new(device: &Device) -> Self {
        Self {
            device: device.clone(),
            versions: Vec::new(),
            notifier: None,
            gone: Counters::default(),
            gone_queues: Vec::new(),
        }
    }

    /// Reads a record, also of a device whose policy never came into use. Returns `None` if the record is missing or damaged. A file that
    /// cannot be read is an error, since it may name objects to remove.
    pub(crate) fn if_there(host: &dyn Host, kind: &str) -> Result<Option<Self>> {
        let path = path(kind);
        match host.read(&path) {
            Ok(text) => Ok(serde_json::from_str(&text).ok()),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::InvalidData) => Ok(None),
            Err(error) => Err(Error::File { path, error }),
        }
    }

    fn read(host: &dyn Host, kind: &str) -> Result<Self> {
        let path = path(kind);
        let damaged = |message: String| Error::Damaged { path: path.clone(), message };
        let text = host.read(&path).map_err(|error| damaged(error.to_string()))?;
        serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))
    }

    /// Reads a record without versions after `current`. A command that was killed may have recorded a version that it did not bring into
    /// use.
    pub(crate) fn read_until(host: &dyn Host, kind: &str, current: u64) -> Result<Self> {
        let mut record = Self::read(host, kind)?;
        record.versions.retain(|version| u64::from(version.number) <= current);
        if record.versions.is_empty() {
            return Err(Error::Damaged { path: path(kind), message: "it has no version of a policy".to_owned() });
        }
        Ok(record)
    }

    pub(crate) fn write(&self, host: &dyn Host, kind: &str) -> Result<()> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| Error::Damaged { path: path(kind), message: error.to_string() })?;
        let next = next(kind);
        host.write(&next, &text).map_err(Error::file(&next))?;
        host.rename(&next, &path(kind)).map_err(Error::file(path(kind)))
    }

    /// Removes a record, and the partial record that a killed command has left. A missing record is no error.
    pub(crate) fn remove(host: &dyn Host, kind: &str) -> Result<()> {
        for path in [next(kind), path(kind)] {
            match host.remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(Error::File { path, error }),
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the numbers of these queues' names: a name keeps its number from present versions, and other names get free numbers. Returns
    /// `None` if there are more names than numbers.
    pub(crate) fn numbers_of(&self, queues: &[String]) -> Option<Vec<u32>> {
        let known = self.versions.iter().flat_map(|version| version.queues.iter().zip(version.names.iter().copied()));
        let mut numbers: BTreeMap<&String, u32> = known.collect();
        let taken: BTreeSet<u32> = numbers.values().copied().collect();
        let mut free = (0..NAMES).filter(|number| !taken.contains(number));
        for queue in queues {
            if !numbers.contains_key(queue) {
                numbers.insert(queue, free.next()?);
            }
        }
        queues.iter().map(|queue| numbers.get(queue).copied()).collect()
    }

    /// Adds the counters of a version that was removed.
    pub(crate) fn bury(&mut self, counters: &Counters, queues: Vec<QueueCounters>) {
        self.gone.add(counters);
        for queue in queues {
            match self.gone_queues.iter_mut().find(|known| known.queue == queue.queue) {
                Some(known) => known.add(&queue),
                None => self.gone_queues.push(queue),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(queues: &[&str], names: &[u32]) -> Version {
        Version {
            number: 1,
            policy: "p".to_owned(),
            queues: queues.iter().map(|name| (*name).to_owned()).collect(),
            names: names.to_vec(),
            ports: Vec::new(),
            parameters: Vec::new(),
        }
    }

    #[test]
    fn names_keep_their_numbers_as_long_as_a_version_has_them() {
        let mut record = Record::new(&Device { name: "v0".to_owned(), netns: None });
        let numbers = |record: &Record, queues: &[&str]| {
            record.numbers_of(&queues.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(numbers(&record, &["a", "b"]), Some(vec![0, 1]));
        record.versions = vec![version(&["a", "b"], &[0, 1]), version(&["c", "b"], &[3, 1])];
        assert_eq!(numbers(&record, &["d", "b", "c", "e"]), Some(vec![2, 1, 3, 4]));
        record.versions.remove(0);
        assert_eq!(numbers(&record, &["a", "b", "c"]), Some(vec![0, 1, 3]));
        let many: Vec<String> = (0..NAMES).map(|number| format!("q{number}")).collect();
        assert!(record.numbers_of(&many).is_none());
        assert!(Record::new(&record.device).numbers_of(&many).is_some());
    }
}
