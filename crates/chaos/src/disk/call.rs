//! The calls of a disk, their objects, and their faults.

use crate::fault::{Fault, Site};
use std::path::Path;

/// A call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    CreateFolders,
    Create,
    Write,
    Open,
    Read,
    Names,
    Rename,
    RenameNew,
    Remove,
    SyncFile,
    SyncFolder,
    Share,
    Alone,
    Now,
    /// No call: the file is stored on the disk.
    Rest,
}

/// The program ends before the call does anything.
pub(crate) const KILLED_BEFORE: Fault = "killed before it";
/// The program ends after the call has done its work.
pub(crate) const KILLED_AFTER: Fault = "killed after it";
/// The machine loses power before the call does anything.
pub(crate) const POWER: Fault = "power lost";
/// The disk is full; a write does half of its work.
pub(crate) const FULL: Fault = "no space left";
/// The device fails.
pub(crate) const BROKEN: Fault = "input/output error";
/// Too many files are open.
pub(crate) const TOO_MANY: Fault = "too many open files";
/// The user lacks the permission.
pub(crate) const DENIED: Fault = "permission denied";
/// A signal arrived.
pub(crate) const INTERRUPTED: Fault = "interrupted";
/// Only a part of the bytes is written or read.
pub(crate) const SHORT: Fault = "short";
/// A bit of the file has changed on the disk.
pub(crate) const CHANGED: Fault = "a bit changed";
/// The file on the disk was cut.
pub(crate) const CUT: Fault = "cut";
/// The clock jumps ahead by some seconds.
pub(crate) const JUMP: Fault = "clock jumped";

impl Call {
    fn name(self) -> &'static str {
        match self {
            Self::CreateFolders => "create_folders",
            Self::Create => "create",
            Self::Write => "write",
            Self::Open => "open",
            Self::Read => "read",
            Self::Names => "names",
            Self::Rename => "rename",
            Self::RenameNew => "rename_new",
            Self::Remove => "remove",
            Self::SyncFile => "sync_file",
            Self::SyncFolder => "sync_folder",
            Self::Share => "share",
            Self::Alone => "alone",
            Self::Now => "now",
            Self::Rest => "rest",
        }
    }

    /// Returns the faults of this call on an object.
    pub(crate) fn faults(self, of: What) -> &'static [Fault] {
        match self {
            Self::CreateFolders => &[KILLED_BEFORE, KILLED_AFTER, POWER, FULL, BROKEN, DENIED],
            Self::Create => &[KILLED_BEFORE, KILLED_AFTER, POWER, FULL, BROKEN, TOO_MANY, DENIED],
            Self::Write => &[KILLED_BEFORE, KILLED_AFTER, POWER, FULL, BROKEN, INTERRUPTED, SHORT],
            // A kept file changes while nobody runs: who reads it twice need not expect two contents.
            Self::Rest if of.has_checksum() => &[CHANGED, CUT],
            Self::Rest => &[],
            Self::Open => &[KILLED_BEFORE, POWER, BROKEN, TOO_MANY, DENIED],
            Self::Read => &[KILLED_BEFORE, POWER, BROKEN, INTERRUPTED, SHORT],
            Self::Names => &[KILLED_BEFORE, POWER, BROKEN, TOO_MANY, DENIED],
            Self::Rename | Self::RenameNew => &[KILLED_BEFORE, KILLED_AFTER, POWER, FULL, BROKEN, DENIED],
            Self::Remove => &[KILLED_BEFORE, KILLED_AFTER, POWER, BROKEN, DENIED],
            Self::SyncFile | Self::SyncFolder => &[KILLED_BEFORE, KILLED_AFTER, POWER, FULL, BROKEN],
            Self::Share | Self::Alone => &[KILLED_BEFORE, KILLED_AFTER, POWER, BROKEN, TOO_MANY],
            Self::Now => &[JUMP],
        }
    }
}

/// The object of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    Folder,
    Run,
    PartOfRun,
    Plan,
    Result,
    Unfinished,
    Clock,
}

impl What {
    /// Returns the kind of object at a path.
    pub(crate) fn of(path: &Path) -> Self {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_run = path.parent().is_some_and(|folder| folder.ends_with("runs"));
        match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
            "unfinished" => Self::Unfinished,
            "json" if is_run => Self::Run,
            "csv" if is_run => Self::PartOfRun,
            "json" if name == "plan.json" => Self::Plan,
            "" => Self::Folder,
            _ => Self::Result,
        }
    }

    pub(crate) fn has_checksum(self) -> bool {
        matches!(self, Self::Run | Self::PartOfRun | Self::Plan)
    }

    /// Returns the site of a call on this object.
    pub(crate) fn site(self, call: Call) -> Site {
        let of = match self {
            Self::Folder => "a folder",
            Self::Run => "a kept run",
            Self::PartOfRun => "a part of a kept run",
            Self::Plan => "plan.json",
            Self::Result => "a result",
            Self::Unfinished => "an unfinished file",
            Self::Clock => "the clock",
        };
        Site { call: call.name(), of }
    }
}
