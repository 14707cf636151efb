//! A language server for OpenQueue: what editors show of a policy while it is written.
//!
//! [`Server`] takes messages of the Language Server Protocol and returns those to be sent. It has no input, output,
//! thread or clock of its own; `forebay lsp` gives it standard input and output. What names mean comes from
//! [`crate::analyse`], for each version of a document once. Completion works on the tree alone, since what is
//! being typed means nothing yet.

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
