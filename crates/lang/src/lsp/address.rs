//! The addresses of files, and their paths.

use lsp_types::Uri;

/// The path of a file by its address; empty if it is none.
pub(crate) fn path_of(uri: &Uri) -> String {
    let Some(path) = uri.as_str().strip_prefix("file://") else { return String::new() };
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let hex = |digit: Option<u8>| char::from(digit?).to_digit(16);
        let decoded = (byte == b'%').then(|| {
            let mut ahead = rest.clone();
            let value = hex(ahead.next())? * 16 + hex(ahead.next())?;
            rest = ahead;
            u8::try_from(value).ok()
        });
        bytes.push(decoded.flatten().unwrap_or(byte));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The address of a file by its path.
pub(crate) fn uri_of(path: &str) -> Option<Uri> {
    let mut text = "file://".to_owned();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text += &format!("%{byte:02X}");
        }
    }
    text.parse().ok()
}
