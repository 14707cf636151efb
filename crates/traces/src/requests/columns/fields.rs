//! Splits a line into its columns.

use crate::requests::fault::RequestFault;
use crate::requests::key::shown;
use memchr::memchr;
use std::ops::Range;

/// The separator between columns.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Delimiter {
    Byte(u8),
    /// Any number of spaces and tabs.
    Spaces,
}

impl Delimiter {
    /// The names of the delimiters, as options have them.
    pub(crate) const NAMES: &[&str] = &["comma", "semicolon", "tab", "space", "bar", "spaces"];

    pub(crate) fn of_name(name: &str) -> Self {
        match name {
            "comma" => Self::Byte(b','),
            "semicolon" => Self::Byte(b';'),
            "tab" => Self::Byte(b'\t'),
            "space" => Self::Byte(b' '),
            "bar" => Self::Byte(b'|'),
            _ => Self::Spaces,
        }
    }

    fn ends(self, byte: u8) -> bool {
        match self {
            Self::Byte(delimiter) => byte == delimiter,
            Self::Spaces => matches!(byte, b' ' | b'\t'),
        }
    }
}

/// The columns of one line. The memory is reused for the next line.
#[derive(Debug, Default)]
pub(super) struct Fields {
    places: Vec<Range<usize>>,
    /// The columns of a line with quotes, without the quotes.
    plain: Vec<u8>,
    is_quoted: bool,
}

impl Fields {
    /// Finds the first `width` columns of a line.
    #[inline]
    pub(super) fn split(&mut self, line: &[u8], delimiter: Delimiter, width: usize) -> Result<(), RequestFault> {
        let is_plain = match delimiter {
            Delimiter::Byte(delimiter) => self.split_plain(line, delimiter, width),
            Delimiter::Spaces => self.split_at_spaces(line, width),
        };
        self.is_quoted = !is_plain;
        if is_plain { Ok(()) } else { self.split_quoted(line, delimiter, width) }
    }

    /// Splits a line without quotes, as `split`; returns `false` if it may have quotes. Looks at eight bytes at once.
    #[inline]
    fn split_plain(&mut self, line: &[u8], delimiter: u8, width: usize) -> bool {
        self.places.clear();
        let mut start = 0;
        let mut column_is_last = |places: &mut Vec<Range<usize>>, end| {
            places.push(start..end);
            start = end + 1;
            places.len() == width
        };
        let (words, rest) = line.as_chunks::<8>();
        for (number, word) in words.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            if places_of(b'"', word) != 0 {
                return false;
            }
            let mut places = places_of(delimiter, word);
            while places != 0 {
                if column_is_last(&mut self.places, number * 8 + places.trailing_zeros() as usize / 8) {
                    return true;
                }
                places &= places - 1;
            }
        }
        for (place, &byte) in rest.iter().enumerate() {
            if byte == b'"' {
                return false;
            }
            if byte == delimiter && column_is_last(&mut self.places, words.len() * 8 + place) {
                return true;
            }
        }
        column_is_last(&mut self.places, line.len());
        true
    }

    /// Splits as `split_plain`, but any number of spaces and tabs is one delimiter.
    fn split_at_spaces(&mut self, line: &[u8], width: usize) -> bool {
        self.places.clear();
        let mut start = 0;
        for (place, &byte) in line.iter().enumerate() {
            match byte {
                b'"' => return false,
                b' ' | b'\t' => {
                    if start < place {
                        self.places.push(start..place);
                        if self.places.len() == width {
                            return true;
                        }
                    }
                    start = place + 1;
                }
                _ => {}
            }
        }
        if start < line.len() {
            self.places.push(start..line.len());
        }
        true
    }

    /// Splits as `split`, but a value may be in quotes, in which two quotes are one.
    fn split_quoted(&mut self, line: &[u8], delimiter: Delimiter, width: usize) -> Result<(), RequestFault> {
        self.plain.clear();
        self.places.clear();
        let mut rest = line;
        while self.places.len() < width {
            let start = self.plain.len();
            let blanks = rest.iter().take_while(|&&byte| byte == b' ' && !delimiter.ends(byte)).count();
            let is_quoted = rest.get(blanks) == Some(&b'"');
            if is_quoted {
                rest = self.unquote(&rest[blanks + 1..]).ok_or_else(|| RequestFault::NotLike {
                    wanted: "end a quoted value within the line",
                    found: shown(line),
                })?;
            }
            let length = rest.iter().position(|&byte| delimiter.ends(byte));
            self.plain.extend(&rest[..length.unwrap_or(rest.len())]);
            // Several spaces are one delimiter.
            if is_quoted || matches!(delimiter, Delimiter::Byte(_)) || start < self.plain.len() {
                self.places.push(start..self.plain.len());
            }
            match length {
                Some(length) => rest = &rest[length + 1..],
                None => break,
            }
        }
        Ok(())
    }

    /// Keeps the text before the closing quote; returns the text after it.
    fn unquote<'a>(&mut self, mut rest: &'a [u8]) -> Option<&'a [u8]> {
        loop {
            let place = memchr(b'"', rest)?;
            self.plain.extend(&rest[..place]);
            rest = &rest[place + 1..];
            match rest {
                [b'"', after @ ..] => {
                    self.plain.push(b'"');
                    rest = after;
                }
                _ => return Some(rest),
            }
        }
    }

    /// Returns the number of columns that were found.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the column number `place`, from 0, of the line that was split.
    #[inline]
    pub(super) fn get<'a>(&'a self, line: &'a [u8], place: usize) -> Option<&'a [u8]> {
        let text = if self.is_quoted { &self.plain } else { line };
        self.places.get(place).map(|place| text[place.clone()].trim_ascii())
    }

    /// Returns all columns of the line that was split.
    pub(super) fn all<'a>(&'a self, line: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        (0..self.len()).filter_map(move |place| self.get(line, place))
    }
}

/// Returns all columns of a line; none if a quote is not closed.
pub(crate) fn all_columns(line: &[u8], delimiter: Delimiter) -> Vec<Vec<u8>> {
    let mut fields = Fields::default();
    match fields.split(line, delimiter, usize::MAX) {
        Ok(()) => fields.all(line).map(<[u8]>::to_vec).collect(),
        Err(_) => Vec::new(),
    }
}

/// The highest bit of each byte of a word that is this one.
#[inline]
fn places_of(byte: u8, word: u64) -> u64 {
    const LOW_BITS: u64 = u64::from_ne_bytes([0x7f; 8]);
    let differs = word ^ u64::from_ne_bytes([byte; 8]);
    // Of each byte: the sum has the highest bit if a lower one is set, and no carry leaves the byte.
    !(((differs & LOW_BITS) + LOW_BITS) | differs | LOW_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str, delimiter: Delimiter) -> Vec<String> {
        let mut fields = Fields::default();
        fields.split(line.as_bytes(), delimiter, 9).unwrap();
        fields.all(line.as_bytes()).map(|field| String::from_utf8(field.to_vec()).unwrap()).collect()
    }

    #[test]
    fn values_may_stand_in_quotes() {
        for (line, fields) in [
            ("a, b ,,c", &["a", "b", "", "c"][..]),
            ("a,\"b,\"\"c\"\"\",d", &["a", "b,\"c\"", "d"]),
            ("\"\", \"x\" ,y\"z", &["", "x", "y\"z"]),
            ("", &[""]),
            ("a,", &["a", ""]),
            ("\"a\",", &["a", ""]),
            ("1234567,9,,-ab\u{ac},e", &["1234567", "9", "", "-ab\u{ac}", "e"]),
            ("12345678,", &["12345678", ""]),
        ] {
            assert_eq!(split(line, Delimiter::Byte(b',')), fields, "{line}");
        }
        assert_eq!(split(" a \t b  \"c d\" \"\"  ", Delimiter::Spaces), ["a", "b", "c d", ""]);
        let mut fields = Fields::default();
        assert!(fields.split(b"a,\"b", Delimiter::Byte(b','), 9).is_err());
        fields.split(b"a,b,c", Delimiter::Byte(b','), 2).unwrap();
        assert_eq!(fields.len(), 2);
    }
}
