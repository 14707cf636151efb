//! What devices leave behind when they are deleted, or get another queueing discipline by other means: programs that stay
//! loaded by their pins, although no device has the discipline any more.

use crate::counters::Counted;
use crate::error::Result;
use crate::loader;
use crate::pins::Pins;
use crate::record::Record;

/// Clears away every discipline that a device had and no device has. Nobody else may do so at the same time.
///
/// # Errors
/// If what is left cannot be read or removed.
pub(crate) fn clear_away() -> Result<()> {
    for pins in Pins::all()? {
        // Another deployment may be making it, or removing it, at this moment.
        let Ok(counted) = loader::read(&pins.path("counted")) else { continue };
        if Counted::read(&counted).is_gone {
            if let Ok(Record { device, notifier: Some(made), .. }) = Record::read(&pins.kind) {
                // It may be gone with its device.
                let _ = device.detach_notifier(made);
            }
            pins.remove()?;
            Record::remove(&pins.kind);
        }
    }
    Ok(())
}
