//! The mistakes in a file, as data for the terminal, for editors and for programs.

use rowan::{TextRange, TextSize};
use std::fmt;

/// The most diagnostics of a file. A file with more is probably no OpenQueue.
pub const MAX_DIAGNOSTICS: usize = 200;

/// The severity of a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but probably has another meaning than intended.
    Warning,
}

/// Declares the codes with their names.
macro_rules! codes {
    ($($(#[doc = $what:literal])+ $name:ident = $text:literal,)*) => {
        /// The kind of a mistake, for programs. A code keeps its meaning; messages may improve.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[doc = $what])+ $name,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the code as it is printed.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

codes! {
    /// A character that the language does not have.
    StrayCharacter = "stray-character",
    /// A text in quotation marks, which the language does not have.
    NoTexts = "no-texts",
    /// A comment that does not begin with `//`.
    WrongComment = "wrong-comment",
    /// A bracket, parenthesis or brace that is not closed.
    Unclosed = "unclosed",
    /// A closing bracket, parenthesis or brace that was not opened.
    Unopened = "unopened",
    /// `=` in a comparison, or `==` or `:=` in a definition.
    WrongEquals = "wrong-equals",
    /// Something other than a statement.
    NoStatement = "no-statement",
    /// A statement that defines or assigns nothing.
    NoValue = "no-value",
    /// Neither `;` nor a line end after a statement.
    NoSeparator = "no-separator",
    /// A comma is missing.
    MissingComma = "missing-comma",
    /// A value, name or condition is missing.
    MissingOperand = "missing-operand",
    /// A name is missing, or is a reserved word.
    MissingName = "missing-name",
    /// One dot too many, or none between two cases.
    Dots = "dots",
    /// An action that does not exist.
    UnknownAction = "unknown-action",
    /// An action without its arguments.
    BadAction = "bad-action",
    /// A `let` without its `in`, or not at the beginning of a definition.
    Let = "let",
    /// An ellipsis instead of a range.
    Ellipsis = "ellipsis",
    /// A range without an end, or a loop without a range.
    Range = "range",
    /// A unit that does not exist.
    UnknownUnit = "unknown-unit",
    /// An operator that does not exist, or is in a wrong place.
    WrongOperator = "wrong-operator",
    /// Nested too deeply.
    TooDeep = "too-deep",
    /// A file that cannot be included, or an `include` without its file.
    Include = "include",
    /// An unknown name.
    UnknownName = "unknown-name",
    /// A property that the object does not have.
    UnknownProperty = "unknown-property",
    /// A value of the command line for a constant that does not exist.
    UnknownParam = "unknown-param",
    /// A name of the language that cannot be defined.
    ReservedName = "reserved-name",
    /// A name that is defined twice.
    DefinedTwice = "defined-twice",
    /// A property that is assigned twice.
    AssignedTwice = "assigned-twice",
    /// A property that cannot be assigned or changed.
    ReadOnly = "read-only",
    /// A number, truth value, object, comparator or condition where something else is needed.
    WrongKind = "wrong-kind",
    /// A unit that does not fit.
    WrongUnit = "wrong-unit",
    /// Too many or too few arguments or parameters, or some of a wrong kind.
    WrongArguments = "wrong-arguments",
    /// An action, property or name that has no meaning in this place.
    WrongPlace = "wrong-place",
    /// A definition that depends on itself.
    Recursion = "recursion",
    /// A comparator that is no order.
    NoOrder = "no-order",
    /// A comparator that is not proved to be an order.
    UnprovedOrder = "unproved-order",
    /// A changing value where a constant is needed.
    NotConstant = "not-constant",
    /// An impossible constant: a size of 0, a probability above 1.
    BadValue = "bad-value",
    /// A division by a constant 0.
    DivisionByZero = "division-by-zero",
    /// A number, an expression or a policy that is too large.
    TooLarge = "too-large",
    /// A range without members.
    EmptyRange = "empty-range",
    /// A member that a family does not have.
    NoMember = "no-member",
    /// A queue at no port or at two, or a port without queues.
    Membership = "membership",
    /// Ports that lead in a circle, or queues of a stage that nothing leads to.
    Stages = "stages",
    /// A policy without a queue.
    NoQueue = "no-queue",
    /// A policy without a port.
    NoPort = "no-port",
    /// A case whose condition never holds.
    NeverHolds = "never-holds",
    /// A case that never acts, since earlier cases always hold first.
    HiddenCase = "hidden-case",
    /// Two cases that hold at once.
    Overlap = "overlap",
    /// A definition that nothing uses.
    Unused = "unused",
    /// A file that is too long.
    TooLong = "too-long",
    /// More mistakes than are worth listing.
    TooMany = "too-many",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A range that is related to a mistake, and its relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The range, in bytes.
    pub span: TextRange,
    /// The relation to the mistake.
    pub text: String,
}

/// A change that probably corrects the mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// The range to replace; empty to insert.
    pub span: TextRange,
    /// The new text.
    pub text: String,
}

/// A mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The mistake's severity.
    pub severity: Severity,
    /// The mistake's code.
    pub code: Code,
    /// The range, in bytes; empty where something is missing.
    pub span: TextRange,
    /// The message: the mistake in a sentence.
    pub message: String,
    /// A few words about the text in the range.
    pub here: String,
    /// The correct form.
    pub help: Option<String>,
    /// Other ranges that are related to the mistake.
    pub labels: Vec<Label>,
    /// A change that corrects the mistake.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    pub(crate) fn error(code: Code, span: TextRange, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            span,
            message: message.into(),
            here: String::new(),
            help: None,
            labels: Vec::new(),
            fix: None,
        }
    }

    /// Returns the diagnostic with all its ranges moved by `to`.
    #[must_use]
    pub fn moved(&self, to: impl Fn(TextRange) -> TextRange) -> Self {
        let mut moved = self.clone();
        moved.span = to(self.span);
        moved.labels.iter_mut().for_each(|label| label.span = to(label.span));
        moved.fix.iter_mut().for_each(|fix| fix.span = to(fix.span));
        moved
    }

    pub(crate) fn here(mut self, text: impl Into<String>) -> Self {
        self.here = text.into();
        self
    }

    pub(crate) fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    pub(crate) fn label(mut self, span: TextRange, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    pub(crate) fn replace(mut self, span: TextRange, text: impl Into<String>) -> Self {
        self.fix = Some(Fix { span, text: text.into() });
        self
    }

    pub(crate) fn insert(self, at: TextSize, text: impl Into<String>) -> Self {
        self.replace(TextRange::empty(at), text)
    }
}

/// Sorts diagnostics by position, and removes all but the first [`MAX_DIAGNOSTICS`].
pub(crate) fn sort_and_limit(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start(), diagnostic.span.end()));
    if diagnostics.len() > MAX_DIAGNOSTICS {
        let more = diagnostics.len() - MAX_DIAGNOSTICS;
        let span = diagnostics[MAX_DIAGNOSTICS].span;
        let wrong = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        let severity = if wrong { Severity::Error } else { Severity::Warning };
        diagnostics.truncate(MAX_DIAGNOSTICS);
        let message = format!("{more} more mistakes are not listed");
        let said = Diagnostic::error(Code::TooMany, span, message).here("they begin here");
        diagnostics.push(Diagnostic { severity, ..said });
    }
}
