//! What a run takes of the machine: threads and memory.

use crate::args::ResourceArgs;
use crate::memory;
use forebay::error::{Result, UserError};

/// Starts so many threads, or one for each core, and watches the memory.
pub(crate) fn start(wanted: ResourceArgs) -> Result<()> {
    if wanted.memory.is_some() {
        memory::watch(wanted.memory);
    }
    let Some(threads) = wanted.threads else { return Ok(()) };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.into())
        .build_global()
        .map_err(|error| UserError::new(format!("cannot start {threads} threads: {error}")))
}
