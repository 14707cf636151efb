//! Sizes in a range, all equally likely.

use super::{MAX_BYTES, SizeEntry, SizeTable, about, bytes};
use forebay_core::ParamError;
use forebay_core::params::{ParamKind, ParamSpec};

/// The registry's entry.
pub const ENTRY: SizeEntry = SizeEntry {
    about: about(
        "uniform",
        "All sizes of a range, equally likely",
        "common",
        &[
            ParamSpec {
                name: "min_bytes",
                kind: ParamKind::Integer { min: 1, max: MAX_BYTES, default: Some(1) },
                meaning: "bytes of the smallest flows",
            },
            ParamSpec {
                name: "max_bytes",
                kind: ParamKind::Integer { min: 1, max: MAX_BYTES, default: Some(1_000_000) },
                meaning: "bytes of the largest flows",
            },
        ],
    ),
    needs_file: false,
    build: |params, _| {
        let (min, max) = (bytes(params, "min_bytes"), bytes(params, "max_bytes"));
        if max < min {
            return Err(ParamError::of(
                "max_bytes",
                format!("`max_bytes` must be at least `min_bytes`, which is {min}"),
            ));
        }
        Ok(Box::new(SizeTable::uniform(min, max)))
    },
};
