//! Sizes with a distribution from a file.

use super::{SizeEntry, about};
use forebay_core::{ParamError, ParamSpec};

/// The registry's entry.
pub const ENTRY: SizeEntry = SizeEntry {
    about: about(
        "cdf",
        "From a distribution in a file",
        "common",
        &[ParamSpec::text(
            "file",
            "",
            "a text of lines `bytes probability`, cumulative; words `discrete`, `packets of 1460 bytes` before them",
        )],
    ),
    needs_file: true,
    build: |_, file| match file {
        Some(table) => Ok(Box::new(table)),
        None => Err(ParamError::of("file", "`file` must name a distribution, for example \"sizes.cdf\"")),
    },
};
