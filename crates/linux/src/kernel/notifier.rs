//! The program at a device that sees packets before they are queued, and writes congestion notifications into them.

use crate::kernel::device::Device;
use crate::kernel::error::{Error, Result};
use crate::kernel::host::Host;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The state of the program at a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Notifier {
    /// Whether forebay creates the hook for such programs, or has created it.
    made: bool,
    /// Whether the program is attached; otherwise only the hook exists.
    attached: bool,
    /// Whether the program may be attached, since a command has begun to attach it.
    #[serde(default)]
    begun: bool,
}

impl Notifier {
    /// Returns the state after the hook is created, which must be recorded before that.
    pub(crate) fn planned(host: &dyn Host, device: &Device) -> Result<Self> {
        Ok(Self { made: !device.has_place(host)?, attached: false, begun: false })
    }

    /// Creates the hook for later policies. The device loses packets while the hook is created, so a change of the policy must not need to
    /// create it. Returns `None` if the kernel lacks such hooks, which most policies do not need.
    pub(crate) fn prepare(host: &dyn Host, device: &Device) -> Result<Option<Self>> {
        match device.make_place(host) {
            Ok(made) => Ok(Some(Self { made, attached: false, begun: false })),
            Err(Error::NoNotifier) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether the program has yet to be attached. Records that the program may be attached from now on.
    pub(crate) fn begin(&mut self) -> bool {
        self.begun |= !self.attached;
        !self.attached
    }

    /// Records that the program may be attached or not.
    pub(crate) fn doubt(&mut self) {
        (self.attached, self.begun) = (false, true);
    }

    /// Attaches the program.
    pub(crate) fn attach(&mut self, host: &dyn Host, device: &Device, program: &Path) -> Result<()> {
        device.attach_notifier(host, program)?;
        self.attached = true;
        Ok(())
    }

    /// Detaches the program; the hook stays.
    pub(crate) fn detach(&mut self, host: &dyn Host, device: &Device) -> Result<()> {
        if self.attached || self.begun {
            device.detach_notifier(host)?;
            (self.attached, self.begun) = (false, false);
        }
        Ok(())
    }

    /// Removes the program and the hook.
    pub(crate) fn remove(mut self, host: &dyn Host, device: &Device) -> Result<()> {
        let detached = self.detach(host, device);
        let removed = if self.made { device.remove_place(host) } else { Ok(()) };
        detached.and(removed)
    }
}
