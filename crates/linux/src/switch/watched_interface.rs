//! An interface that may be deleted, or added to a bridge or a bond. It is opened again when an interface of its name appears.

use crate::switch::device::{Changes, Device, Master};
use crate::switch::frame::Offload;
use crate::switch::interface::{Backend, Interface, LinkState, News, OpenError, Sent};
use crate::switch::link::index_of;
use std::io::{self, ErrorKind};
use std::os::fd::BorrowedFd;
use std::time::Duration;

/// The number of attempts to open an interface that another program uses, and the time between them.
const BUSY_TRIES: u32 = 30;
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// An interface of a back end, known by its name.
pub struct Watched {
    name: String,
    backend: &'static dyn Backend,
    /// [`None`] while no interface of this name exists, or it cannot be opened.
    open: Option<Box<dyn Interface>>,
    /// The kernel's number of the interface that is open, or that could not be opened.
    index: Option<u32>,
    /// [`None`] if a service may not subscribe to changes.
    changes: Option<Changes>,
    /// The device that handles its frames as well.
    master: Option<Master>,
    mtu: usize,
    /// The frames lost by the interfaces that were open before.
    lost: u64,
}

impl Watched {
    /// Opens an interface of the kernel.
    ///
    /// # Errors
    /// If the interface cannot be opened.
    pub fn open(backend: &'static dyn Backend, name: &str) -> Result<Self, OpenError> {
        let changes = Changes::follow().ok();
        let index = index_of(name);
        let mut open = backend.open(name);
        // The kernel frees the sockets of a switch that was killed a moment after its process has ended.
        for _ in 0..BUSY_TRIES {
            if !open.as_ref().is_err_and(OpenError::is_busy) {
                break;
            }
            std::thread::sleep(BUSY_PAUSE);
            open = backend.open(name);
        }
        let open = open?;
        Ok(Self {
            name: name.to_owned(),
            backend,
            mtu: open.mtu(),
            open: Some(open),
            index,
            changes,
            master: None,
            lost: 0,
        })
    }

    fn close(&mut self) {
        if let Some(mut open) = self.open.take() {
            self.lost += open.lost();
        }
    }

    /// Opens the interface that has its name now.
    fn open_again(&mut self, was_open: bool) -> Option<News> {
        // Between the question and the answer it may have been made again; then the next look finds another number.
        match self.backend.open(&self.name) {
            Ok(open) => {
                self.mtu = open.mtu();
                self.open = Some(open);
                Some(News::Back)
            }
            // A new interface is down until it is set up.
            Err(OpenError::Down) => {
                self.index = None;
                was_open.then_some(News::Gone)
            }
            Err(why) => {
                if let OpenError::Part(master) = &why {
                    self.master = Some(master.clone());
                }
                Some(News::NotOpened(why))
            }
        }
    }

    /// Checks whether the interface now belongs to another device.
    fn look_at_master(&mut self) -> Option<News> {
        let index = self.index?;
        if !self.changes.as_ref()?.concern(index) {
            return None;
        }
        let now = Device::master_of(index)?;
        if now == self.master {
            return None;
        }
        self.master = now;
        match &self.master {
            _ if self.open.is_none() => self.master.is_none().then(|| self.open_again(false))?,
            Some(master) => Some(News::Joined(master.clone())),
            None => Some(News::Left),
        }
    }
}

impl Interface for Watched {
    fn receive(&mut self, most: usize, take: &mut dyn FnMut(&[u8], Offload) -> bool) -> io::Result<usize> {
        self.open.as_mut().map_or(Ok(0), |open| open.receive(most, take))
    }

    fn send(&mut self, frame: &[u8]) -> io::Result<Sent> {
        match &mut self.open {
            Some(open) => open.send(frame),
            None => Err(ErrorKind::NotConnected.into()),
        }
    }

    fn flush(&mut self) {
        self.open.iter_mut().for_each(|open| open.flush());
    }

    fn mtu(&self) -> usize {
        self.mtu
    }

    fn lost(&mut self) -> u64 {
        self.lost + self.open.as_mut().map_or(0, |open| open.lost())
    }

    fn wakers<'a>(&'a self, all: &mut Vec<BorrowedFd<'a>>) {
        self.open.iter().for_each(|open| open.wakers(all));
    }

    fn clear_trouble(&mut self) {
        self.open.iter_mut().for_each(|open| open.clear_trouble());
    }

    fn mode(&self) -> Option<String> {
        self.open.as_ref()?.mode()
    }

    fn link(&self) -> LinkState {
        match (&self.open, &self.master) {
            (None, _) => LinkState::Gone,
            (Some(_), None) => LinkState::There,
            (Some(_), Some(_)) => LinkState::Part,
        }
    }

    fn look(&mut self) -> Option<News> {
        let now = index_of(&self.name);
        if now == self.index {
            return self.look_at_master();
        }
        let was_open = self.open.is_some();
        self.close();
        (self.index, self.master) = (now, None);
        if now.is_none() {
            return was_open.then_some(News::Gone);
        }
        self.open_again(was_open)
    }
}
