//! Takes a line apart into its columns.

use crate::requests::fault::RequestFault;
use crate::requests::key::shown;
use memchr::memchr;
use std::ops::Range;

/// What stands between columns.
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

/// The columns of one line. The memory is used again for the next line.
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
            Delimiter::Byte(delimiter) => self.split_plain(line, width, |byte| byte == delimiter, |_| true),
            Delimiter::Spaces => {
                self.split_plain(line, width, |byte| matches!(byte, b' ' | b'\t'), |place| !place.is_empty())
            }
        };
        self.is_quoted = !is_plain;
        if is_plain { Ok(()) } else { self.split_quoted(line, delimiter, width) }
    }

    /// As `split`, of a line without quotes; `false` if it has one.
    #[inline]
    fn split_plain(
        &mut self,
        line: &[u8],
        width: usize,
        ends: impl Fn(u8) -> bool,
        is_column: impl Fn(&Range<usize>) -> bool,
    ) -> bool {
        self.places.clear();
        let mut start = 0;
        for (place, &byte) in line.iter().enumerate() {
            if ends(byte) {
                let column = start..place;
                start = place + 1;
                if is_column(&column) {
                    self.places.push(column);
                    if self.places.len() == width {
                        return true;
                    }
                }
            } else if byte == b'"' {
                return false;
            }
        }
        let column = start..line.len();
        if is_column(&column) {
            self.places.push(column);
        }
        true
    }

    /// As `split`, where a value may stand in quotes, in which two quotes are one.
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

    /// Keeps what stands before the closing quote; returns what follows the quote.
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

    /// How many columns were found.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The column at a place, from 0, of the line that was split.
    #[inline]
    pub(super) fn get<'a>(&'a self, line: &'a [u8], place: usize) -> Option<&'a [u8]> {
        let text = if self.is_quoted { &self.plain } else { line };
        self.places.get(place).map(|place| text[place.clone()].trim_ascii())
    }

    /// All columns of the line that was split.
    pub(super) fn all<'a>(&'a self, line: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        (0..self.len()).filter_map(move |place| self.get(line, place))
    }
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
