//! Removes disciplines without a device. Their devices were deleted or got another queueing discipline by other means, or a command was
//! killed. The pins keep such programs loaded.

use crate::kernel::counters::Counted;
use crate::kernel::device::Device;
use crate::kernel::error::{Error, Result};
use crate::kernel::host::Host;
use crate::kernel::notifier::Notifier;
use crate::kernel::pins::Pins;
use crate::kernel::record::Record;
use std::sync::Arc;

/// The result of removing a policy.
#[derive(Debug)]
pub struct Removed {
    /// The counters of the queueing discipline.
    pub packets: Counted,
    /// The devices of [`Deployment::cleared`](crate::kernel::Deployment::cleared).
    pub cleared: Vec<Device>,
}

/// Removes every discipline that no device has, and returns the devices that had them, as far as known. The caller holds the lock, so no
/// other command creates a discipline meanwhile.
///
/// # Errors
/// If a discipline cannot be removed.
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

/// Removes the remains of a discipline that are not at its device. Records are removed after the objects that they describe. The pins are
/// removed last, since they lead to all else. So if a step fails, the next command continues from there.
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

/// Returns the error of a device that has no policy.
pub(crate) fn not_there(device: &Device, cleared: &[Device]) -> Error {
    let name = device.name.clone();
    let others = cleared.iter().filter(|own| *own != device).map(|own| own.name.clone()).collect();
    match cleared.contains(device) {
        true => Error::ClearedAway { name, others },
        false => Error::NotDeployed { name, others },
    }
}

/// Whether no device has the discipline; false for a discipline of another version of forebay, whose state is unknown.
///
/// # Errors
/// If the state of the discipline cannot be read. Then the discipline would stay beside a new one, and the new one would later lose its
/// objects at the device.
fn is_left(pins: &Pins) -> Result<bool> {
    match pins.read("counted") {
        Ok(counted) => Ok(counted.len() == Counted::SIZE && !Counted::read(&counted).has_device),
        // The command that made it was stopped here.
        Err(_) if !pins.host.exists(&pins.path("counted")) => Ok(true),
        Err(error) => Err(error),
    }
}
