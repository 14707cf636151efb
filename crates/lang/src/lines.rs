//! Converts an offset into a line and a column, in the units of terminals and editors.

use line_index::{LineCol, LineIndex, WideEncoding};
use rowan::TextSize;

/// A position in a text. All counts begin at 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column in bytes of UTF-8.
    pub utf8: u32,
    /// The column in units of UTF-16, as the Language Server Protocol counts.
    pub utf16: u32,
    /// The column in characters, as people count.
    pub chars: u32,
}

/// The lines of a text.
#[derive(Debug, Clone)]
pub struct Lines {
    index: LineIndex,
}

impl Lines {
    /// Finds the lines of a text that the parser accepts ([`crate::parser::MAX_BYTES`]).
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self { index: LineIndex::new(text) }
    }

    /// Returns the position of a byte; the last position if the text is shorter.
    #[must_use]
    pub fn position(&self, offset: TextSize) -> Position {
        let at = self.index.line_col(offset.min(self.index.len()));
        let wide = |encoding| self.index.to_wide(encoding, at).map_or(at.col, |wide| wide.col);
        Position { line: at.line, utf8: at.col, utf16: wide(WideEncoding::Utf16), chars: wide(WideEncoding::Utf32) }
    }

    /// Returns the offset of a column that is counted in units of UTF-16.
    #[must_use]
    pub fn offset_of_utf16(&self, line: u32, column: u32) -> Option<TextSize> {
        let wide = line_index::WideLineCol { line, col: column };
        let at: LineCol = self.index.to_utf8(WideEncoding::Utf16, wide)?;
        self.index.offset(at).filter(|offset| *offset <= self.index.len())
    }

    /// Returns the offset of a line's first byte.
    #[must_use]
    pub fn start(&self, line: u32) -> Option<TextSize> {
        self.index.line(line).map(|range| range.start())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_three_units() {
        let text = "a\nб😀c\n";
        let lines = Lines::new(text);
        let at = lines.position(TextSize::try_from(text.find('c').unwrap()).unwrap());
        assert_eq!(at, Position { line: 1, utf8: 6, utf16: 3, chars: 2 });
        assert_eq!(lines.offset_of_utf16(1, 3), Some(TextSize::new(8)));
        assert_eq!(lines.position(TextSize::new(999)).line, 2);
        assert_eq!(lines.start(1), Some(TextSize::new(2)));
        assert_eq!(lines.start(9), None);
    }
}
