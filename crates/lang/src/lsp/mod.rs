//! A language server for OpenQueue: it helps editors to show a policy while you write it.
//!
//! [`Server`] takes messages of the Language Server Protocol and returns those to be sent. It has no input, output,
//! thread or clock of its own; `forebay lsp` gives it standard input and output. [`crate::analyse`] resolves names,
//! once for each version of a document. Completion works on the tree alone, since a name that is being typed has no
//! meaning yet.

mod address;
mod capabilities;
mod completion;
mod diagnostics;
mod document;
mod failure;
mod formatting;
mod included_documents;
mod navigation;
mod objects;
mod outline;
mod positions;
mod properties;
mod rename;
mod scope;
mod semantic_tokens;
mod server;
mod word_meanings;

pub use lsp_server::Message;
pub use server::Server;
