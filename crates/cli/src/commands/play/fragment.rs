//! The state of the page in its address: JSON, deflated, in base64 for addresses.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::Value;
use std::io::Write as _;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The fragment for a state.
pub(super) fn fragment(state: &Value) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(state.to_string().as_bytes()).and_then(|()| encoder.finish());
    // Nothing can go wrong in memory; without a fragment the page begins as usual.
    packed.map_or_else(|_| String::new(), |packed| format!("#s={}", base64(&packed)))
}

/// Base64 for addresses (RFC 4648, section 5), without padding.
fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 4 / 3 + 3);
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        let letters = (0..=three.len()).map(|place| LETTERS[(bits >> (18 - 6 * place)) as usize & 63] as char);
        text.extend(letters);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let pairs = [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in pairs {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff]), "-_8");
    }
}
