//! The resources of a run: threads and memory.

use crate::args::ResourceArgs;
use crate::memory;
use forebay::error::{Result, UserError};

/// Starts the wanted number of threads, or one for each core, and sets the limit of memory.
pub(crate) fn start(wanted: ResourceArgs) -> Result<()> {
    if let Some(bytes) = wanted.memory {
        memory::allow(bytes);
    }
    let Some(threads) = wanted.threads else { return Ok(()) };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.into())
        .build_global()
        .map_err(|error| UserError::new(format!("cannot start {threads} threads: {error}")))
}
