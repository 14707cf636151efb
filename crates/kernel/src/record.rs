//! What forebay remembers of a device beside what is in the kernel: the names of queues and ports, and what versions that are
//! gone have counted.

use crate::counters::{Counters, QueueCounters};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::parameter::Parameter;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Where records are.
pub(crate) const FOLDER: &str = "/run/forebay";

/// A version of the policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Version {
    pub(crate) number: u32,
    /// What the user calls it: the file's name.
    pub(crate) policy: String,
    pub(crate) queues: Vec<String>,
    pub(crate) ports: Vec<String>,
    /// Its live parameters.
    #[serde(default)]
    pub(crate) parameters: Vec<Parameter>,
}

/// What is remembered of a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Which one.
    pub(crate) device: Device,
    /// The newest is the last.
    pub(crate) versions: Vec<Version>,
    /// Whether a program writes notifications into packets, and whether the place for it had to be made.
    pub(crate) notifier: Option<bool>,
    /// The sums of versions that are gone.
    pub(crate) gone: Counters,
    /// Their queues, by name; nothing waits there.
    pub(crate) gone_queues: Vec<QueueCounters>,
}

fn path(kind: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{kind}.json"))
}

impl Record {
    /// Of a device that has no policy yet.
    pub(crate) fn new(device: &Device) -> Self {
        Self {
            device: device.clone(),
            versions: Vec::new(),
            notifier: None,
            gone: Counters::default(),
            gone_queues: Vec::new(),
        }
    }

    pub(crate) fn read(kind: &str) -> Result<Self> {
        let path = path(kind);
        let damaged = |message: String| Error::Damaged { path: path.clone(), message };
        let text = fs::read_to_string(&path).map_err(|error| damaged(error.to_string()))?;
        let record: Self = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if record.versions.is_empty() {
            return Err(damaged("it has no version of a policy".to_owned()));
        }
        Ok(record)
    }

    pub(crate) fn write(&self, kind: &str) -> Result<()> {
        fs::create_dir_all(FOLDER).map_err(Error::file(FOLDER))?;
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| Error::Damaged { path: path(kind), message: error.to_string() })?;
        let next = Path::new(FOLDER).join(format!("{kind}.json.next"));
        fs::write(&next, text).map_err(Error::file(&next))?;
        fs::rename(&next, path(kind)).map_err(Error::file(path(kind)))
    }

    pub(crate) fn remove(kind: &str) {
        // It may never have been written.
        let _ = fs::remove_file(path(kind));
    }

    /// Adds what a version has counted that is gone now.
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
