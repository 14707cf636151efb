//! All flows of one size.

use super::{MAX_BYTES, SizeEntry, SizeTable, about, bytes};
use forebay_core::params::{ParamKind, ParamSpec};

/// The registry's entry.
pub const ENTRY: SizeEntry = SizeEntry {
    about: about(
        "fixed",
        "All flows of one size",
        "common",
        &[ParamSpec {
            name: "bytes",
            kind: ParamKind::Integer { min: 1, max: MAX_BYTES, default: Some(1_000_000) },
            meaning: "bytes of each flow",
        }],
    ),
    needs_file: false,
    build: |params, _| {
        let bytes = bytes(params, "bytes");
        Ok(Box::new(SizeTable::uniform(bytes, bytes)))
    },
};
