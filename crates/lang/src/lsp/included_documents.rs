//! A document that includes others: what is known of all files, as seen from the document.

use crate::lsp::address::uri_of;
use crate::lsp::positions::{Encoding, LineTable};
use crate::{Analysis, Sources, TextRange};
use lsp_types::{Location, Range};

/// The places of a name in other files than the document.
#[derive(Debug, Clone, Default)]
pub(crate) struct Elsewhere {
    pub(crate) definition: Option<Location>,
    pub(crate) references: Vec<Location>,
}

impl Elsewhere {
    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.definition.is_none() && self.references.is_empty()
    }
}

/// The analysis with the places of the document alone. A mistake in another file stands where that file is included.
pub(crate) fn own_places(sources: &Sources, mut analysis: Analysis, encoding: Encoding) -> (Analysis, Vec<Elsewhere>) {
    if let Some(parse) = sources.first_parse() {
        analysis.parse = parse.clone();
    }
    if sources.text() == sources.files()[0].text {
        let elsewhere = vec![Elsewhere::default(); analysis.symbols.len()];
        return (analysis, elsewhere);
    }
    let tables: Vec<LineTable> = sources.files().iter().map(|file| LineTable::new(&file.text)).collect();
    for said in &mut analysis.diagnostics {
        let (file, own) = sources.span(said.span);
        if file > 0 {
            let name = &sources.files()[file].name;
            let line = tables[file].position(&sources.files()[file].text, own.start().into(), encoding).line + 1;
            said.message = format!("{name}:{line}: {}", said.message);
            said.fix = None;
        }
        let entrance = sources.entrance(said.span.start()).unwrap_or_default();
        let place = |span: TextRange| match sources.span(span) {
            (0, own) => own,
            _ => entrance,
        };
        said.labels.retain(|label| sources.span(label.span).0 == 0);
        *said = said.moved(place);
    }
    let location = |span: TextRange| -> Result<TextRange, Option<Location>> {
        let (file, own) = sources.span(span);
        if file == 0 {
            return Ok(own);
        }
        let source = &sources.files()[file];
        let position = |at| tables[file].position(&source.text, usize::from(at), encoding);
        let range = Range { start: position(own.start()), end: position(own.end()) };
        Err(uri_of(&source.name).map(|uri| Location { uri, range }))
    };
    let elsewhere = analysis.symbols.iter_mut().map(|symbol| {
        let mut found = Elsewhere::default();
        symbol.definition = symbol.definition.and_then(|span| match location(span) {
            Ok(own) => Some(own),
            Err(other) => {
                found.definition = other;
                None
            }
        });
        symbol.references = std::mem::take(&mut symbol.references)
            .into_iter()
            .filter_map(|span| location(span).map_err(|other| found.references.extend(other)).ok())
            .collect();
        found
    });
    let elsewhere = elsewhere.collect();
    (analysis, elsewhere)
}
