//! The program at a device that sees packets before they are queued, and writes congestion notifications into them.

use crate::kernel::device::Device;
use crate::kernel::error::{Error, Result};
use crate::kernel::host::Host;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Its parts at a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Notifier {
    /// The place for such programs was made for it, or is to be made.
    made: bool,
    /// It is there; otherwise the place is.
    attached: bool,
    /// It may be there: a command has begun to attach it.
    #[serde(default)]
    begun: bool,
}

impl Notifier {
    /// What there will be if the place is made, which is to be remembered before it is.
    pub(crate) fn planned(host: &dyn Host, device: &Device) -> Result<Self> {
        Ok(Self { made: !device.has_place(host)?, attached: false, begun: false })
    }

    /// Makes the place, for policies to come: a device loses packets meanwhile, and so no change of the policy may need it. `None`
    /// if this kernel has none, which most policies do not need.
    pub(crate) fn prepare(host: &dyn Host, device: &Device) -> Result<Option<Self>> {
        match device.make_place(host) {
            Ok(made) => Ok(Some(Self { made, attached: false, begun: false })),
            Err(Error::NoNotifier) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether the program has yet to be attached; from now on it may be there.
    pub(crate) fn begin(&mut self) -> bool {
        self.begun |= !self.attached;
        !self.attached
    }

    /// From now on the program may be there or not.
    pub(crate) fn doubt(&mut self) {
        (self.attached, self.begun) = (false, true);
    }

    /// Attaches the program.
    pub(crate) fn attach(&mut self, host: &dyn Host, device: &Device, program: &Path) -> Result<()> {
        device.attach_notifier(host, program)?;
        self.attached = true;
        Ok(())
    }

    /// Removes the program; the place stays.
    pub(crate) fn detach(&mut self, host: &dyn Host, device: &Device) -> Result<()> {
        if self.attached || self.begun {
            device.detach_notifier(host)?;
            (self.attached, self.begun) = (false, false);
        }
        Ok(())
    }

    /// Removes everything.
    pub(crate) fn remove(mut self, host: &dyn Host, device: &Device) -> Result<()> {
        let detached = self.detach(host, device);
        let removed = if self.made { device.remove_place(host) } else { Ok(()) };
        detached.and(removed)
    }
}
