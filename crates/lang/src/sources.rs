//! A policy in several files (section III-G names the piecewise compilation of specifications as ongoing work).
//!
//! `include "other.oq"` is replaced by the statements of that file. All files become one text, which is parsed and checked like a single
//! file. Each position in that text is mapped to one in the original file. A name that one file defines is known in all.

use crate::analysis::{Analysis, analyse_live};
use crate::ast::{AstNode, File, Include, Statement};
use crate::diagnostic::{Code, Diagnostic, Severity, sort_and_limit};
use crate::parser::{MAX_BYTES, Parse, parse};
use crate::unit::Overrides;
use rowan::{TextRange, TextSize};
use std::path::{Component, Path, PathBuf};

/// The most files of a policy.
pub const MOST_FILES: usize = 256;

/// Returns the text of an included file, or why it cannot be read. The file's path has the same base as that of the first file.
pub type Open<'a> = dyn Fn(&str) -> Result<String, String> + 'a;

/// A file of a policy.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// The file's name.
    pub name: String,
    /// The file's text.
    pub text: String,
}

/// A piece of the whole text.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// The range in the whole text.
    at: TextRange,
    /// The index of the file.
    file: usize,
    /// The range in that file. An `include` statement has its written length there, and is a comment in the whole text.
    own: TextRange,
}

/// The files of a policy: the first, and those that it includes.
#[derive(Debug, Clone)]
pub struct Sources {
    files: Vec<SourceFile>,
    /// The tree of each file.
    parses: Vec<Parse>,
    pieces: Vec<Piece>,
    text: String,
    mistakes: Vec<Diagnostic>,
}

impl Sources {
    /// Reads the file `name` with `text`, and the files that it includes, by `open`.
    #[must_use]
    pub fn read(name: &str, text: &str, open: &Open<'_>) -> Self {
        let mut all = Self {
            files: Vec::new(),
            parses: Vec::new(),
            pieces: Vec::new(),
            text: String::new(),
            mistakes: Vec::new(),
        };
        let root = all.add(name, text.to_owned());
        all.unfold(root, &mut vec![root], open);
        all
    }

    /// Creates the sources of a single file, without its includes.
    pub(crate) fn single(name: &str, text: &str) -> Self {
        let whole = TextRange::up_to(TextSize::of(text));
        Self {
            files: vec![SourceFile { name: name.to_owned(), text: text.to_owned() }],
            parses: Vec::new(),
            pieces: vec![Piece { at: whole, file: 0, own: whole }],
            text: text.to_owned(),
            mistakes: Vec::new(),
        }
    }

    /// Sets the name by which messages call the first file.
    #[must_use]
    pub fn called(mut self, name: &str) -> Self {
        self.files[0].name = name.to_owned();
        self
    }

    /// Returns the text of all files without any `include`, which can be parsed on its own.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the files, each once; the first is the one that includes the others.
    #[must_use]
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Analyses the policy; ranges refer to [`text`](Self::text). Unused definitions of included files are not reported.
    #[must_use]
    pub fn analyse(&self, overrides: &Overrides, live: &[String]) -> Analysis {
        let mut analysis = analyse_live(&self.text, overrides, live);
        let syntax = self.syntax();
        let is_read = syntax.is_empty() && self.mistakes.is_empty();
        if is_read {
            analysis.diagnostics.retain(|said| {
                said.code != Code::Unused || self.place(said.span.start()).is_some_and(|(file, _)| file == 0)
            });
            return analysis;
        }
        if self.files.len() > 1 || !self.mistakes.is_empty() {
            // What a name means is only known when all files are there and can be read.
            analysis.diagnostics =
                if syntax.is_empty() { self.mistakes.clone() } else { [self.mistakes.clone(), syntax].concat() };
            sort_and_limit(&mut analysis.diagnostics);
        }
        if analysis.diagnostics.iter().any(|said| said.severity == Severity::Error) {
            analysis.policy = None;
        }
        analysis
    }

    /// Converts a position in the whole text into the index of a file and the position there.
    #[must_use]
    pub fn place(&self, at: TextSize) -> Option<(usize, TextSize)> {
        let last = self.pieces.partition_point(|piece| piece.at.start() <= at).checked_sub(1)?;
        let piece = self.pieces[last];
        let behind = at - piece.at.start();
        Some((piece.file, (piece.own.start() + behind).min(piece.own.end())))
    }

    /// Converts a span of the whole text into the index of its file and the span there. A span that continues in another file becomes the
    /// empty span at its start.
    #[must_use]
    pub fn span(&self, span: TextRange) -> (usize, TextRange) {
        let Some((file, start)) = self.place(span.start()) else { return (0, TextRange::default()) };
        // The end belongs to what stands before it.
        let within = span.end().checked_sub(TextSize::new(1)).filter(|last| *last >= span.start());
        let end = within.and_then(|last| self.place(last)).filter(|(other, _)| *other == file);
        let end = end.map_or(start, |(_, last)| {
            let length = TextSize::of(&self.files[file].text);
            (last + TextSize::new(1)).min(length)
        });
        (file, TextRange::new(start, end.max(start)))
    }

    fn of(&self, file: usize, at: TextSize) -> TextSize {
        let mut pieces = self.pieces.iter().filter(|piece| piece.file == file);
        let Some(piece) = pieces.find(|piece| piece.own.contains_inclusive(at)) else { return TextSize::default() };
        (piece.at.start() + (at - piece.own.start())).min(piece.at.end())
    }

    /// Returns the tree of the first file.
    #[cfg(feature = "server")]
    pub(crate) fn first_parse(&self) -> Option<&Parse> {
        self.parses.first()
    }

    /// Returns the first file's `include` that leads to the file of a position.
    #[cfg(feature = "server")]
    pub(crate) fn entrance(&self, at: TextSize) -> Option<TextRange> {
        let before = self.pieces.iter().rev().filter(|piece| piece.at.start() <= at);
        before.filter(|piece| piece.file == 0).map(|piece| piece.own).next()
    }

    /// Returns the mistakes of syntax of all files, with their ranges in the whole text.
    fn syntax(&self) -> Vec<Diagnostic> {
        let of_file = |(file, parse): (usize, &Parse)| {
            let moved = move |span: TextRange| {
                let start = self.of(file, span.start());
                TextRange::new(start, self.of(file, span.end()).max(start))
            };
            parse.diagnostics().iter().map(|said| said.moved(moved)).collect::<Vec<_>>()
        };
        self.parses.iter().enumerate().flat_map(of_file).collect()
    }

    fn add(&mut self, name: &str, text: String) -> usize {
        self.parses.push(parse(&text));
        self.files.push(SourceFile { name: name.to_owned(), text });
        self.files.len() - 1
    }

    /// Appends a file to the whole text, with its `include`s replaced by their files. `within` are the files that lead to this one.
    fn unfold(&mut self, file: usize, within: &mut Vec<usize>, open: &Open<'_>) {
        let root = File::cast(self.parses[file].syntax());
        let includes: Vec<Include> = root
            .into_iter()
            .flat_map(|root| root.statements().collect::<Vec<_>>())
            .filter_map(|statement| match statement {
                Statement::Include(include) => Some(include),
                _ => None,
            })
            .collect();
        let mut from = TextSize::default();
        for include in includes {
            let span = include.span();
            self.write(file, TextRange::new(from, span.start()), None);
            from = span.end();
            // As a comment, it says what follows.
            let written = self.files[file].text[span].lines().next().unwrap_or_default().to_owned();
            let before = TextSize::of(self.text.as_str());
            self.write(file, span, Some(&format!("// {written}\n")));
            // Places in it count from the start of the statement.
            let length = span.len().min(TextSize::of(self.text.as_str()) - before);
            let here = TextRange::at(before, length);
            let Some(path) = include.path() else { continue };
            match self.open(file, &path, within, open) {
                Ok(Some(other)) => {
                    within.push(other);
                    self.unfold(other, within, open);
                    within.pop();
                    let end = TextSize::of(self.files[other].text.as_str());
                    self.write(other, TextRange::empty(end), Some("\n"));
                }
                // Too much is said once.
                Ok(None) => return,
                Err((message, help)) => {
                    let said = Diagnostic::error(Code::Include, here, message);
                    self.mistakes.push(said.here("included here").help(help));
                }
            }
        }
        let end = TextSize::of(self.files[file].text.as_str());
        self.write(file, TextRange::new(from, end), None);
    }

    /// Reads an included file, or reports why it cannot be read, and the remedy. `None` if that was reported.
    fn open(
        &mut self,
        file: usize,
        path: &str,
        within: &[usize],
        open: &Open<'_>,
    ) -> Result<Option<usize>, (String, String)> {
        let name = beside(&self.files[file].name, path);
        let is_it = |other: &usize| normal(&self.files[*other].name) == normal(&name);
        if let Some(first) = within.iter().position(is_it) {
            let mut chain: Vec<&str> = within[first..].iter().map(|other| &*self.files[*other].name).collect();
            chain.push(&name);
            return Err((
                format!("`{path}` includes itself"),
                format!("the chain is {}; remove one `include`", chain.join(" → ")),
            ));
        }
        if (0..self.files.len()).any(|other| is_it(&other)) {
            let help = "its names are known in all files; remove this `include`";
            return Err((format!("`{path}` is included already"), help.to_owned()));
        }
        if self.files.len() >= MOST_FILES {
            return Err((format!("a policy has at most {MOST_FILES} files"), "merge some of them into one".to_owned()));
        }
        let text = open(&name).map_err(|why| {
            (format!("`{path}` cannot be included: {why}"), "a path begins where the file lies".to_owned())
        })?;
        if self.text.len() + text.len() > MAX_BYTES {
            return Err((
                format!("with `{path}` the policy has more than {MAX_BYTES} bytes"),
                "shorten one of the files".to_owned(),
            ));
        }
        Ok(Some(self.add(&name, text)))
    }

    /// Appends a part of a file, unchanged or replaced by `instead`.
    fn write(&mut self, file: usize, own: TextRange, instead: Option<&str>) {
        let start = TextSize::of(self.text.as_str());
        match instead {
            Some(text) => self.text += text,
            None => self.text += &self.files[file].text[own],
        }
        self.pieces.push(Piece { at: TextRange::new(start, TextSize::of(self.text.as_str())), file, own });
    }
}

/// Resolves a path in the file `name` against that file's folder.
pub(crate) fn beside(name: &str, path: &str) -> String {
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    normal(&folder.join(path).to_string_lossy()).display().to_string()
}

/// Removes `.` from a path, and each folder that a `..` leaves again.
fn normal(path: &str) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in Path::new(path).components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.iter().collect()
}
