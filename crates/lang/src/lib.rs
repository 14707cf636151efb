//! The policy language OpenQueue: Kogan et al., "Towards Software-Defined Buffer
//! Management", IEEE/ACM Transactions on Networking, 2020, section III.
//!
//! [`parse`] turns a text into a tree that has all of its characters, with diagnostics as data. The tree has typed views ([`ast`]), a
//! formatter ([`format`](format())) and a renderer for the terminal ([`render`]). The grammar is in `docs/openqueue-grammar.md`.
//! [`analyse`] resolves names, and returns a checked policy ([`ir`]) or its mistakes.
//!
//! ```
//! let parsed = forebay_lang::parse("fifo(p1, p2) = (p1.arrival < p2.arrival)\n");
//! assert!(parsed.diagnostics().is_empty());
//! ```

pub mod analysis;
pub mod ast;
mod check;
pub mod diagnostic;
pub mod format;
pub mod ir;
pub mod kind;
pub mod lexer;
pub mod lines;
#[cfg(feature = "server")]
pub mod lsp;
pub mod number;
pub mod parser;
pub mod render;
pub mod sources;
mod symbol;
mod unit;
mod value;
pub mod vocabulary;

pub use analysis::{Analysis, analyse, analyse_live};
pub use diagnostic::{Code, Diagnostic, Fix, Label, Severity};
pub use format::format;
pub use ir::Policy;
pub use kind::{Kind, SyntaxElement, SyntaxNode, SyntaxToken};
pub use lines::{Lines, Position};
pub use number::{Fixed, Ratio};
pub use parser::{Parse, parse};
pub use rowan::{TextRange, TextSize};
pub use sources::Sources;
pub use symbol::{Symbol, SymbolKind};
pub use unit::{Overrides, Unit, Value};
pub use value::ValueError;
