//! Faults of the program that are planted to test this tester.

/// A fault of the program that is planted to test this tester: each represents a line that a programmer forgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planted {
    /// Files are not synced.
    NoFileSync,
    /// Folders are not synced.
    NoFolderSync,
    /// The error of a write is lost.
    LostWriteError,
    /// The error of a rename is lost.
    LostRenameError,
    /// The error of a sync is lost.
    LostSyncError,
    /// The error of a read counts as the end of the file.
    LostReadError,
    /// A short write counts as a whole one.
    PartialWriteAsWhole,
    /// A file is copied to its name, not renamed.
    CopyForRename,
    /// Unfinished files of all processes have one name, which is overwritten.
    OneUnfinishedName,
    /// An unfinished file is not removed after an error, nor after a crash.
    LeftBehind,
    /// The checksum of a kept run is not compared.
    NoChecksum,
    /// Unfinished files are removed while others write them.
    NoLock,
    /// A lock is never released.
    LockLeft,
    /// A fetch that could continue wakes no task.
    LostWake,
    /// A frame that an interface had no room for counts as sent.
    BusyAsTaken,
    /// The error of a program that is not loaded is lost.
    LostLoadError,
    /// The error of `tc` is lost.
    LostTcError,
    /// The error of a pin that is not removed is lost.
    LostUnpinError,
    /// The error of a record that is not written is lost.
    LostRecordError,
}

impl Planted {
    /// All planted faults.
    pub const ALL: [Self; 19] = [
        Self::NoFileSync,
        Self::NoFolderSync,
        Self::LostWriteError,
        Self::LostRenameError,
        Self::LostSyncError,
        Self::LostReadError,
        Self::PartialWriteAsWhole,
        Self::CopyForRename,
        Self::OneUnfinishedName,
        Self::LeftBehind,
        Self::NoChecksum,
        Self::NoLock,
        Self::LockLeft,
        Self::LostWake,
        Self::BusyAsTaken,
        Self::LostLoadError,
        Self::LostTcError,
        Self::LostUnpinError,
        Self::LostRecordError,
    ];
}
