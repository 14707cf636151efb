//! Removes disciplines without a device: of devices that were deleted, or got another queueing discipline by other means, and
//! of commands that were killed. Programs stay loaded by their pins.

use crate::kernel::counters::Counted;
use crate::kernel::device::Device;
use crate::kernel::error::{Error, Result};
use crate::kernel::host::Host;
use crate::kernel::notifier::Notifier;
use crate::kernel::pins::Pins;
use crate::kernel::record::Record;
use std::sync::Arc;

/// The state when a policy was removed.
#[derive(Debug)]
pub struct Removed {
    /// The counters of the queueing discipline.
    pub packets: Counted,
    /// As [`Deployment::cleared`](crate::kernel::Deployment::cleared).
    pub cleared: Vec<Device>,
}

/// Clears away every discipline that no device has. Nobody else may make one at the same time, which the lock sees to. The devices
/// that had them, as far as they are known.
///
/// # Errors
/// If what is left cannot be removed.
pub(crate) fn clear_away(host: &Arc<dyn Host>) -> Result<Vec<Device>> {
    let mut devices = Vec::new();
    for pins in Pins::all(host)? {
        if !is_left(&pins)? {
            continue;
        }
        let record = Record::if_there(&**host, &pins.kind)?;
        let notifier = record.as_ref().and_then(|record| Some((&record.device, record.notifier?)));
        discard(&pins, notifier)?;
        devices.extend(record.map(|record| record.device));
    }
    Ok(devices)
}

/// Removes what remains of a discipline beside its device. Records are removed after the objects that they describe. The pins go
/// last, since the rest is found by them. So if a step fails, the next command goes on from there.
///
/// # Errors
/// If something could not be removed; the rest stays.
pub(crate) fn discard(pins: &Pins, notifier: Option<(&Device, Notifier)>) -> Result<()> {
    if let Some((device, notifier)) = notifier {
        match notifier.remove(&*pins.host, device) {
            // It was removed with its device.
            Err(Error::NoDevice { .. } | Error::NoNetns(_)) | Ok(()) => {}
            Err(error) => return Err(error),
        }
    }
    Record::remove(&*pins.host, &pins.kind)?;
    pins.remove()
}

/// Why a device has no policy.
pub(crate) fn not_there(device: &Device, cleared: &[Device]) -> Error {
    let name = device.name.clone();
    let others = cleared.iter().filter(|own| *own != device).map(|own| own.name.clone()).collect();
    match cleared.contains(device) {
        true => Error::ClearedAway { name, others },
        false => Error::NotDeployed { name, others },
    }
}

/// Whether no device has the discipline; of one that another forebay has made, nothing is known.
///
/// # Errors
/// If this cannot be found out. Then the discipline would stay beside a new one, and the new one would later lose its
/// objects at the device.
fn is_left(pins: &Pins) -> Result<bool> {
    match pins.read("counted") {
        Ok(counted) => Ok(counted.len() == Counted::SIZE && !Counted::read(&counted).has_device),
        // The command that made it was stopped here.
        Err(_) if !pins.host.exists(&pins.path("counted")) => Ok(true),
        Err(error) => Err(error),
    }
}
