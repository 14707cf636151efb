//! How many threads work.

use forebay::error::{Result, UserError};

/// Starts so many threads, or one for each core.
pub(crate) fn start(threads: Option<u16>) -> Result<()> {
    let Some(threads) = threads else { return Ok(()) };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.into())
        .build_global()
        .map_err(|error| UserError::new(format!("cannot start {threads} threads: {error}")))
}
