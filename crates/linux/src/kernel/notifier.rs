//! The program at a device that sees packets before they are queued, and writes congestion notifications into them.

use crate::kernel::device::Device;
use crate::kernel::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What there is of it at a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Notifier {
    /// The place for such programs was made for it.
    made: bool,
    /// It is there; otherwise the place is.
    attached: bool,
}

impl Notifier {
    /// Makes the place, for policies to come: a device loses packets meanwhile, and so no change of the policy may need it. `None`
    /// if this kernel has none, which most policies do not need.
    pub(crate) fn prepare(device: &Device) -> Result<Option<Self>> {
        match device.make_place() {
            Ok(made) => Ok(Some(Self { made, attached: false })),
            Err(Error::NoNotifier) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Attaches the program, if it is not there.
    pub(crate) fn attach(&mut self, device: &Device, program: &Path) -> Result<()> {
        if !self.attached {
            device.attach_notifier(program)?;
            self.attached = true;
        }
        Ok(())
    }

    /// Removes the program; the place stays.
    pub(crate) fn detach(&mut self, device: &Device) -> Result<()> {
        if self.attached {
            device.detach_notifier()?;
            self.attached = false;
        }
        Ok(())
    }

    /// Removes everything.
    pub(crate) fn remove(mut self, device: &Device) -> Result<()> {
        let detached = self.detach(device);
        let removed = if self.made { device.remove_place() } else { Ok(()) };
        detached.and(removed)
    }
}
