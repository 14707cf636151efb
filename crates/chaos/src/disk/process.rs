//! A program on the simulated disk.

use super::call::{BROKEN, DENIED, FULL, INTERRUPTED, JUMP, KILLED_AFTER, KILLED_BEFORE, POWER, SHORT};
use super::call::{Call, TOO_MANY, What};
use super::{State, World};
use crate::planted_faults::Planted;
use forebay::disk::{Disk, Hold};
use rand::RngExt as _;
use std::io::{self, ErrorKind, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

/// The most waits for a lock; after these, it is considered never released.
const MOST_WAITS: u32 = 10_000;

/// How a process ended.
#[derive(Debug)]
pub enum Ended<T> {
    /// The process returned.
    Returned(T),
    /// The process was killed in the middle of a call.
    Killed,
}

/// The payload that unwinds a killed process.
struct Kill;

/// A process: every call to its disk may fail, and it may be killed at any call.
#[derive(Debug, Clone)]
pub struct Process(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    world: Arc<World>,
    number: usize,
    /// The world's epoch when the process began.
    epoch: AtomicU64,
    is_dead: AtomicBool,
}

impl Process {
    /// Creates process `number` of a world.
    #[must_use]
    pub fn new(world: &Arc<World>, number: usize) -> Self {
        let inner =
            Inner { world: Arc::clone(world), number, epoch: AtomicU64::new(0), is_dead: AtomicBool::new(false) };
        Self(Arc::new(inner))
    }

    /// Announces that the process begins, so that others wait for it.
    pub fn begin(&self) {
        let mut state = self.0.world.state();
        self.0.epoch.store(state.epoch, Ordering::SeqCst);
        state.turns.begin(self.0.number);
    }

    /// Runs the work of the process, which must have [begun](Self::begin).
    ///
    /// # Panics
    /// If the work panics.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Ended<T> {
        let ended = match catch_unwind(AssertUnwindSafe(work)) {
            // Who is dead has not noticed yet.
            Ok(_) if self.is_dead(&self.0.world.state()) => Ended::Killed,
            Ok(result) => Ended::Returned(result),
            Err(panic) if panic.is::<Kill>() => Ended::Killed,
            Err(panic) => resume_unwind(panic),
        };
        self.end(&mut self.0.world.state());
        ended
    }

    fn end(&self, state: &mut State) {
        state.content.locks.release_all(self.0.number);
        state.turns.end(self.0.number, &mut state.faults.random);
        self.0.world.turn.notify_all();
    }

    fn is_dead(&self, state: &State) -> bool {
        self.0.is_dead.load(Ordering::SeqCst) || self.0.epoch.load(Ordering::SeqCst) != state.epoch
    }

    fn die(&self, mut state: MutexGuard<'_, State>) -> io::Error {
        self.0.is_dead.store(true, Ordering::SeqCst);
        self.end(&mut state);
        drop(state);
        // A destructor that runs since the process is killed does nothing more.
        if !std::thread::panicking() {
            resume_unwind(Box::new(Kill));
        }
        io::Error::other("the process is dead")
    }

    /// Waits for the turn of this process.
    fn turn(&self) -> MutexGuard<'_, State> {
        let mut guard = self.0.world.state();
        let state = &mut *guard;
        state.turns.wait(self.0.number, &mut state.faults.random);
        self.0.world.turn.notify_all();
        while !guard.turns.take(self.0.number) {
            guard = self.0.world.turn.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        guard
    }

    /// Makes a call, which fails or does its work. If the call fails halfway, the work is given the fault.
    fn call<T>(
        &self,
        call: Call,
        of: What,
        mut work: impl FnMut(&mut State, Option<&'static str>) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.is_dead(&self.0.world.state()) {
            return Err(io::Error::other("the process is dead"));
        }
        let mut state = self.turn();
        if self.is_dead(&state) {
            return Err(self.die(state));
        }
        match state.draw(call, of) {
            None => work(&mut state, None),
            Some(KILLED_BEFORE) => Err(self.die(state)),
            Some(KILLED_AFTER) => {
                let _never_seen = work(&mut state, None);
                Err(self.die(state))
            }
            Some(POWER) => {
                state.lose_power();
                Err(self.die(state))
            }
            Some(half @ (SHORT | JUMP)) => work(&mut state, Some(half)),
            Some(fault) => {
                let is_write = call == Call::Write;
                let half = if is_write && fault == FULL { Some(work(&mut state, Some(fault))) } else { None };
                let is_lost = is_write && fault != INTERRUPTED && state.planted == Some(Planted::LostWriteError);
                if is_lost { half.unwrap_or_else(|| work(&mut state, Some(fault))) } else { Err(error(fault)) }
            }
        }
    }

    /// Makes a call whose error the program may lose.
    fn call_or_lost(
        &self,
        call: Call,
        of: What,
        planted: Planted,
        work: impl Fn(&mut State) -> io::Result<()>,
    ) -> io::Result<()> {
        match self.call(call, of, |state, _| work(state)) {
            Err(_) if !self.is_dead(&self.0.world.state()) && self.has(planted) => Ok(()),
            result => result,
        }
    }

    fn has(&self, planted: Planted) -> bool {
        self.0.world.state().planted == Some(planted)
    }
}

/// Returns the system's error for a fault.
fn error(fault: &'static str) -> io::Error {
    let kind = match fault {
        FULL => ErrorKind::StorageFull,
        DENIED => ErrorKind::PermissionDenied,
        INTERRUPTED => ErrorKind::Interrupted,
        BROKEN | TOO_MANY => ErrorKind::Other,
        other => unreachable!("no error of {other}"),
    };
    io::Error::new(kind, fault)
}

impl Disk for Process {
    fn create_folders(&self, path: &Path) -> io::Result<()> {
        self.call(Call::CreateFolders, What::Folder, |state, _| {
            state.content.create_folders(path);
            Ok(())
        })
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Write + Send>> {
        let number = self.call(Call::Create, What::of(path), |state, _| {
            let replaces = state.planted == Some(Planted::OneUnfinishedName);
            state.content.create(path, replaces)
        })?;
        Ok(Box::new(Handle { process: self.clone(), number, at: 0, of: What::of(path) }))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        let number = self.call(Call::Open, What::of(path), |state, _| {
            let number = state.content.number(path)?;
            if state.planted == Some(Planted::NoChecksum) && What::of(path) == What::Run {
                state.content.seal(number);
            }
            Ok(number)
        })?;
        Ok(Box::new(Handle { process: self.clone(), number, at: 0, of: What::of(path) }))
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let hides = self.has(Planted::LeftBehind);
        let mut names = self.call(Call::Names, What::Folder, |state, _| state.content.names(folder))?;
        names.retain(|name| !(hides && name.ends_with(".unfinished")));
        Ok(names)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        if self.has(Planted::CopyForRename) {
            return self.copy(from, to);
        }
        self.call_or_lost(Call::Rename, What::of(to), Planted::LostRenameError, |state| state.content.rename(from, to))
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        if self.has(Planted::CopyForRename) {
            return self.copy(from, to);
        }
        self.call_or_lost(Call::RenameNew, What::of(to), Planted::LostRenameError, |state| {
            if state.content.number(to).is_ok() {
                return Err(ErrorKind::AlreadyExists.into());
            }
            state.content.rename(from, to)
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        if self.has(Planted::LeftBehind) {
            return Ok(());
        }
        self.call(Call::Remove, What::of(path), |state, _| state.content.remove(path))
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.call_or_lost(Call::SyncFile, What::of(path), Planted::LostSyncError, |state| {
            let forgets = state.planted == Some(Planted::NoFileSync);
            if forgets { Ok(()) } else { state.content.sync_file(path) }
        })
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.call_or_lost(Call::SyncFolder, What::Folder, Planted::LostSyncError, |state| {
            let forgets = state.planted == Some(Planted::NoFolderSync);
            if forgets { Ok(()) } else { state.content.sync_folder(path) }
        })
    }

    fn share(&self, folder: &Path) -> io::Result<Hold> {
        for _ in 0..MOST_WAITS {
            let locked = self.call(Call::Share, What::Folder, |state, _| {
                state.content.folder(folder)?;
                Ok(state.content.locks.share(folder, self.0.number))
            })?;
            if let Some(lock) = locked {
                return Ok(Box::new(Lock { process: self.clone(), folder: folder.to_owned(), lock }));
            }
        }
        panic!("{}: nobody has released the lock of this folder", folder.display());
    }

    fn alone(&self, folder: &Path) -> io::Result<Option<Hold>> {
        let locked = self.call(Call::Alone, What::Folder, |state, _| {
            state.content.folder(folder)?;
            let ignores = state.planted == Some(Planted::NoLock);
            Ok(state.content.locks.alone(folder, self.0.number, ignores))
        })?;
        Ok(locked.map(|lock| -> Hold { Box::new(Lock { process: self.clone(), folder: folder.to_owned(), lock }) }))
    }

    fn unique(&self) -> u64 {
        let mut state = self.0.world.state();
        if state.planted == Some(Planted::OneUnfinishedName) { 1 } else { state.faults.random.random() }
    }

    fn now(&self) -> Duration {
        let jumped = self.call(Call::Now, What::Clock, |state, half| {
            let ahead = if half.is_some() { 5_000 } else { state.faults.random.random_range(0..20) };
            state.now += Duration::from_millis(ahead);
            Ok(state.now)
        });
        jumped.unwrap_or_default()
    }
}

impl Process {
    /// Copies a file in place of a rename, for a planted fault.
    fn copy(&self, from: &Path, to: &Path) -> io::Result<()> {
        let content = self.call(Call::Read, What::of(from), |state, _| {
            let number = state.content.number(from)?;
            Ok(state.content.read(number, 0).to_vec())
        })?;
        let number = self.call(Call::Create, What::of(to), |state, _| state.content.create(to, true))?;
        for part in content.chunks(content.len() / 2 + 1) {
            self.call(Call::Write, What::of(to), |state, _| {
                state.content.write(number, part);
                Ok(())
            })?;
        }
        self.call(Call::SyncFile, What::of(to), |state, _| state.content.sync_file(to))?;
        self.call(Call::Remove, What::of(from), |state, _| state.content.remove(from))
    }
}

/// An open file.
struct Handle {
    process: Process,
    number: usize,
    at: usize,
    of: What,
}

impl Write for Handle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.process.call(Call::Write, self.of, |state, half| {
            let taken = if half.is_some() { bytes.len().div_ceil(2) } else { bytes.len() };
            state.content.write(self.number, &bytes[..taken]);
            let whole = [Some(Planted::PartialWriteAsWhole), Some(Planted::LostWriteError)].contains(&state.planted);
            Ok(if whole { bytes.len() } else { taken })
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Handle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.process.call(Call::Read, self.of, |state, half| {
            let content = state.content.read(self.number, self.at);
            let most = if half.is_some() { content.len().div_ceil(2) } else { content.len() };
            let given = most.min(buffer.len());
            buffer[..given].copy_from_slice(&content[..given]);
            Ok(given)
        });
        match read {
            Err(error)
                if error.kind() != ErrorKind::Interrupted
                    && !self.process.is_dead(&self.process.0.world.state())
                    && self.process.has(Planted::LostReadError) =>
            {
                Ok(0)
            }
            read => {
                self.at += read.as_ref().unwrap_or(&0);
                read
            }
        }
    }
}

/// A lock of a folder.
struct Lock {
    process: Process,
    folder: PathBuf,
    lock: u64,
}

impl Drop for Lock {
    fn drop(&mut self) {
        let mut state = self.process.0.world.state();
        if state.planted != Some(Planted::LockLeft) {
            state.content.locks.release(&self.folder, self.lock);
        }
    }
}
