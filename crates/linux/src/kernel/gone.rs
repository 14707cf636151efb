//! What is left behind without a device: by devices that are deleted, or get another queueing discipline by other means, and by
//! commands that were killed. Programs stay loaded by their pins.

use crate::kernel::counters::Counted;
use crate::kernel::error::Result;
use crate::kernel::loader;
use crate::kernel::pins::Pins;
use crate::kernel::record::Record;

/// Clears away every discipline that no device has. Nobody else may make one at the same time, which the lock sees to.
///
/// # Errors
/// If what is left cannot be removed.
pub(crate) fn clear_away() -> Result<()> {
    for pins in Pins::all()? {
        if !is_left(&pins) {
            continue;
        }
        if let Ok(Record { device, notifier: Some(notifier), .. }) = Record::read(&pins.kind) {
            // It may be gone with its device.
            let _ = notifier.remove(&device);
        }
        pins.remove()?;
        Record::remove(&pins.kind);
    }
    Ok(())
}

/// Whether no device has the discipline; of one that another forebay has made, nothing is known.
fn is_left(pins: &Pins) -> bool {
    let path = pins.path("counted");
    match loader::read(&path) {
        Ok(counted) => counted.len() == Counted::SIZE && !Counted::read(&counted).has_device,
        // Whoever made it came no further.
        Err(_) => !path.exists(),
    }
}
