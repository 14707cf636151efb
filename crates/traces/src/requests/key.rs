//! Converts the text of a key, a number or a time to 64 bits.

use super::fault::RequestFault;
use twox_hash::XxHash64;

/// The maximum number of digits that always fits a `u64`.
const SAFE_DIGITS: usize = 19;

/// Returns the key for `text`: the number itself if it is a whole number, otherwise the text's hash.
///
/// # Errors
/// If it is empty or no text.
pub fn key(text: &[u8]) -> Result<u64, RequestFault> {
    if let Some(number) = whole_number(text) {
        return Ok(number);
    }
    if text.is_empty() {
        return Err(RequestFault::NoKey);
    }
    if is_printable_ascii(text) || is_text(text) { Ok(hash(text)) } else { Err(RequestFault::KeyIsNoText) }
}

/// Looks at all bytes, without a branch for each.
#[inline]
fn is_printable_ascii(text: &[u8]) -> bool {
    text.iter().fold(true, |so_far, byte| so_far & (b' '..=b'~').contains(byte))
}

#[cold]
#[inline(never)]
fn is_text(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok() && !text.iter().any(u8::is_ascii_control)
}

/// Returns a key from bytes that are no number: XXH64 with seed 0.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    XxHash64::oneshot(0, bytes)
}

/// Returns the key as [`key`], but rejects text that looks like the fields of another format.
pub(crate) fn lone_key(text: &[u8]) -> Result<u64, RequestFault> {
    if let Some(number) = whole_number(text) {
        return Ok(number);
    }
    if let Some(&separator) = text.iter().find(|byte| matches!(byte, b' ' | b'\t' | b',' | b';')) {
        let name = if separator == b'\t' { "tab" } else { "space, comma or semicolon" };
        return Err(RequestFault::SeparatorInKey(name));
    }
    key(text)
}

/// Reads a whole number as people write it: without a sign or leading zeros.
#[inline]
pub(crate) fn whole_number(text: &[u8]) -> Option<u64> {
    if text.len() > 1 && text[0] == b'0' {
        return None;
    }
    digits(text)
}

/// Reads a whole number, which table tools write as `100.0` if a column also has gaps.
#[inline]
pub(crate) fn whole(text: &[u8]) -> Option<u64> {
    match digits(text) {
        Some(number) => Some(number),
        None => whole_with_zeros(text),
    }
}

#[cold]
#[inline(never)]
fn whole_with_zeros(text: &[u8]) -> Option<u64> {
    let (number, zeros) = text.split_at(memchr::memchr(b'.', text)?);
    if zeros.len() > 1 && zeros[1..].iter().all(|digit| *digit == b'0') { digits(number) } else { None }
}

/// Reads a text of digits only, at least one.
#[inline]
pub(crate) fn digits(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    let mut number = 0_u64;
    for &byte in text {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = if text.len() <= SAFE_DIGITS {
            number * 10 + u64::from(digit)
        } else {
            number.checked_mul(10)?.checked_add(u64::from(digit))?
        };
    }
    Some(number)
}

/// Reads a time like `12` or `12.5`, counted in units of `unit_ns`, in nanoseconds; smaller fractions are cut off.
pub(crate) fn nanoseconds(text: &[u8], unit_ns: u64) -> Result<u64, RequestFault> {
    let Time { whole, fraction } = Time::read(text)?;
    let ns = whole.checked_mul(unit_ns).and_then(|ns| ns.checked_add(below(fraction, unit_ns)));
    ns.ok_or_else(|| RequestFault::TimeTooLarge(shown(text)))
}

/// A time whose unit is not known yet.
pub(super) struct Time<'a> {
    pub(super) whole: u64,
    /// The digits after the decimal point.
    pub(super) fraction: &'a [u8],
}

impl<'a> Time<'a> {
    #[inline]
    pub(super) fn read(text: &'a [u8]) -> Result<Self, RequestFault> {
        let wrong = || RequestFault::NoTime(shown(text));
        let (whole, fraction) = match memchr::memchr(b'.', text) {
            Some(place) => (&text[..place], &text[place + 1..]),
            None => (text, &b""[..]),
        };
        let whole = digits(whole).ok_or_else(wrong)?;
        if fraction.iter().all(u8::is_ascii_digit) { Ok(Self { whole, fraction }) } else { Err(wrong()) }
    }
}

/// Returns the nanoseconds of the digits after the decimal point; smaller fractions are cut off.
#[inline]
pub(super) fn below(fraction: &[u8], unit_ns: u64) -> u64 {
    let mut place = unit_ns;
    let mut below = 0;
    for &digit in fraction {
        // Each digit is worth a tenth of the one before; units are powers of ten.
        place /= 10;
        below += place * u64::from(digit - b'0');
    }
    below
}

/// Returns a field for a message: as text, and shortened.
pub(crate) fn shown(text: &[u8]) -> String {
    shown_up_to(text, 40)
}

/// Returns a text for a message, with at most `most` characters.
pub(crate) fn shown_up_to(text: &[u8], most: usize) -> String {
    let text = String::from_utf8_lossy(text);
    let mut short: String = text.chars().take(most).flat_map(char::escape_default).collect();
    if text.chars().nth(most).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_and_texts_are_hashed() {
        for (text, number) in [("0", 0), ("7", 7), ("18446744073709551615", u64::MAX)] {
            assert_eq!(key(text.as_bytes()), Ok(number));
        }
        // The published test value of XXH64.
        assert_eq!(key(b"abc"), Ok(0x44bc_2cf5_ad77_0999));
        for text in ["07", "18446744073709551616", "-1", "1.0", "ü"] {
            assert_eq!(key(text.as_bytes()), Ok(hash(text.as_bytes())), "{text}");
        }
        for wrong in [&b""[..], b"a\0b", b"\xff"] {
            assert!(key(wrong).is_err());
        }
    }

    #[test]
    fn times_are_exact() {
        assert_eq!(nanoseconds(b"12", 1_000_000_000), Ok(12_000_000_000));
        assert_eq!(nanoseconds(b"0.1234567899", 1_000_000_000), Ok(123_456_789));
        assert_eq!(nanoseconds(b"1.5", 1), Ok(1));
        assert_eq!(nanoseconds(b"2.5", 1_000), Ok(2_500));
        for wrong in ["", "-1", ".5", "1.x", "1e3", "18446744074", "nan"] {
            assert!(nanoseconds(wrong.as_bytes(), 1_000_000_000).is_err(), "{wrong}");
        }
    }
}
