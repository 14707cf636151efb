//! Places as the Language Server Protocol counts them: lines, and columns in units that client and server agree on.

use lsp_types::{Position, PositionEncodingKind};

/// The unit of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16: what every client knows.
    Utf16,
}

impl Encoding {
    /// The protocol's name of it.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    /// How long a text is.
    pub(crate) fn length(self, text: &str) -> u32 {
        let length = match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
        };
        u32::try_from(length).expect("texts are no longer than MAX_BYTES")
    }

    /// The byte of `line` where a column begins. A column within a character is that of the character; one
    /// behind the end is the end.
    fn offset(self, line: &str, column: u32) -> usize {
        let mut left = column as usize;
        for (at, c) in line.char_indices() {
            let width = match self {
                Self::Utf8 => c.len_utf8(),
                Self::Utf16 => c.len_utf16(),
            };
            if left < width {
                return at;
            }
            left -= width;
        }
        line.len()
    }
}

/// Where the lines of a text begin. A line ends with `\n`, `\r\n` or `\r`, as the protocol says.
#[derive(Debug, Clone)]
pub(crate) struct LineTable {
    starts: Vec<usize>,
}

impl LineTable {
    pub(crate) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|(at, byte)| match byte {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        Self { starts: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect() }
    }

    /// A line without its end, and where it begins.
    fn line<'a>(&self, text: &'a str, number: usize) -> Option<(usize, &'a str)> {
        let start = *self.starts.get(number)?;
        let end = self.starts.get(number + 1).copied().unwrap_or(text.len());
        let line = text.get(start..end)?;
        Some((start, line.trim_end_matches(['\r', '\n'])))
    }

    /// The byte of a position; positions behind a line's or the text's end are that end.
    pub(crate) fn offset(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        match self.line(text, position.line as usize) {
            Some((start, line)) => start + encoding.offset(line, position.character),
            None => text.len(),
        }
    }

    /// The position of a byte.
    pub(crate) fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let number = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let (start, line) = self.line(text, number).unwrap_or_default();
        let before = line.get(..offset.saturating_sub(start)).unwrap_or(line);
        Position {
            line: u32::try_from(number).expect("texts are no longer than MAX_BYTES"),
            character: encoding.length(before),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\r\nб😀c\rlast\n";

    #[test]
    fn every_character_has_a_position_and_goes_back_to_it() {
        let lines = LineTable::new(TEXT);
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            for (offset, c) in TEXT.char_indices().filter(|(_, c)| *c != '\n') {
                let position = lines.position(TEXT, offset, encoding);
                assert_eq!(lines.offset(TEXT, position, encoding), offset, "{c:?} {position:?}");
            }
        }
    }

    #[test]
    fn columns_are_in_the_unit_that_was_agreed_on() {
        let lines = LineTable::new(TEXT);
        let c = TEXT.find('c').unwrap_or_default();
        assert_eq!(lines.position(TEXT, c, Encoding::Utf16), Position::new(1, 3));
        assert_eq!(lines.position(TEXT, c, Encoding::Utf8), Position::new(1, 6));
        assert_eq!(lines.position(TEXT, TEXT.len(), Encoding::Utf8), Position::new(3, 0));
    }

    #[test]
    fn positions_outside_of_the_text_are_at_its_ends() {
        let lines = LineTable::new(TEXT);
        let offset = |line, character, encoding| lines.offset(TEXT, Position::new(line, character), encoding);
        assert_eq!(offset(0, 99, Encoding::Utf16), 1);
        assert_eq!(offset(9, 0, Encoding::Utf16), TEXT.len());
        assert_eq!(offset(u32::MAX, u32::MAX, Encoding::Utf8), TEXT.len());
        // Within a character.
        assert_eq!(offset(1, 2, Encoding::Utf16), 5);
        assert_eq!(offset(1, 1, Encoding::Utf8), 3);
    }
}
