//! The first bytes of an xz stream, which programs without the codec also recognise.

/// The first bytes of an xz stream.
pub(crate) const XZ_MAGIC: &[u8] = b"\xfd7zXZ\0";
