//! An open document: its text, what is known about it, and its changes.

use crate::lsp::address::path_of;
use crate::lsp::included_documents::{Elsewhere, own_places};
use crate::lsp::positions::{Encoding, LineTable};
use crate::parser::MAX_BYTES;
use crate::sources::Open;
use crate::{Analysis, Sources, TextRange, TextSize};
use lsp_types::{Position, Range, TextDocumentContentChangeEvent, Uri};

/// A document that the editor has open.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) text: String,
    /// Places are those of the document; what is in files that it includes is in `elsewhere`.
    pub(crate) analysis: Analysis,
    /// Of each symbol of the analysis, its places in other files.
    pub(crate) elsewhere: Vec<Elsewhere>,
    /// It, and the files that it includes.
    sources: Sources,
    pub(crate) encoding: Encoding,
    lines: LineTable,
}

impl Document {
    /// A document, unless it has more than [`MAX_BYTES`]. `open` gives what it includes.
    pub(crate) fn new(uri: Uri, version: i32, text: String, encoding: Encoding, open: &Open<'_>) -> Option<Self> {
        if text.len() > MAX_BYTES {
            return None;
        }
        let sources = Sources::read(&path_of(&uri), &text, open);
        let (analysis, elsewhere) = own_places(&sources, sources.analyse(&Vec::new(), &[]), encoding);
        let lines = LineTable::new(&text);
        Some(Self { uri, version, text, analysis, elsewhere, sources, encoding, lines })
    }

    /// Whether it includes the file of this path, or a file does that it includes.
    pub(crate) fn includes(&self, path: &str) -> bool {
        self.sources.files()[1..].iter().any(|file| file.name == path)
    }

    /// The analysis of the document with another text, and the same other files.
    pub(crate) fn with_text(&self, text: &str) -> Analysis {
        let known = |path: &str| {
            let file = self.sources.files()[1..].iter().find(|file| file.name == path);
            file.map(|file| file.text.clone()).ok_or_else(String::new)
        };
        let sources = Sources::read(&self.sources.files()[0].name, text, &known);
        own_places(&sources, sources.analyse(&Vec::new(), &[]), self.encoding).0
    }

    /// The document after changes, each of which speaks of the text that the one before has left.
    pub(crate) fn changed(
        self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        open: &Open<'_>,
    ) -> Option<Self> {
        let Self { uri, mut text, encoding, mut lines, .. } = self;
        for change in changes {
            match change.range {
                None => text = change.text,
                Some(range) => {
                    let start = lines.offset(&text, range.start, encoding);
                    // A range that ends before it begins is empty.
                    let end = lines.offset(&text, range.end, encoding).max(start);
                    text.replace_range(start..end, &change.text);
                }
            }
            lines = LineTable::new(&text);
        }
        Self::new(uri, version, text, encoding, open)
    }

    /// The byte of a position.
    pub(crate) fn offset(&self, position: Position) -> TextSize {
        size(self.lines.offset(&self.text, position, self.encoding))
    }

    /// The position of a byte.
    pub(crate) fn position(&self, offset: TextSize) -> Position {
        self.lines.position(&self.text, offset.into(), self.encoding)
    }

    /// The positions of a span.
    pub(crate) fn range(&self, span: TextRange) -> Range {
        Range { start: self.position(span.start()), end: self.position(span.end()) }
    }

    /// The span of two positions.
    pub(crate) fn span(&self, range: Range) -> TextRange {
        let start = self.offset(range.start);
        TextRange::new(start, self.offset(range.end).max(start))
    }

    /// What is written at a place.
    pub(crate) fn written(&self, span: TextRange) -> &str {
        self.text.get(usize::from(span.start())..usize::from(span.end())).unwrap_or_default()
    }
}

/// An offset into a text of at most [`MAX_BYTES`].
pub(crate) fn size(offset: usize) -> TextSize {
    TextSize::new(u32::try_from(offset).expect("texts are no longer than MAX_BYTES"))
}
