//! The first bytes of an xz stream; known also where nothing can unpack it.

/// How an xz stream begins.
pub(crate) const XZ_MAGIC: &[u8] = b"\xfd7zXZ\0";
