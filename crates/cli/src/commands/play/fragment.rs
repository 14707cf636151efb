//! The state of the page in its address: JSON, deflated, in base64 for addresses (RFC 4648, section 5).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::Value;
use std::io::Write as _;

/// The fragment for a state.
pub(super) fn fragment(state: &Value) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(state.to_string().as_bytes()).and_then(|()| encoder.finish());
    // Nothing can go wrong in memory; without a fragment the page begins as usual.
    packed.map_or_else(|_| String::new(), |packed| format!("#s={}", URL_SAFE_NO_PAD.encode(packed)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::DeflateDecoder;
    use serde_json::json;

    #[test]
    fn a_fragment_holds_the_whole_state_in_letters_of_addresses() {
        let state = json!({ "room": "policies", "text": "?>~".repeat(40) });
        let fragment = fragment(&state);
        let letters = fragment.strip_prefix("#s=").unwrap();
        assert!(letters.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter)), "{letters}");
        let packed = URL_SAFE_NO_PAD.decode(letters).unwrap();
        assert_eq!(serde_json::from_reader::<_, Value>(DeflateDecoder::new(&packed[..])).unwrap(), state);
    }
}
