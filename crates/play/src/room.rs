//! The state between the questions of one page.

use crate::opened::Opened;
use crate::question::Question;
use crate::{compile, language, run};
use forebay::scenario::Files;
use forebay::{Observer, UserError};
use forebay_lang::lsp::Server;
use serde_json::{Value, json};
use std::sync::Arc;

/// The files that a page has opened, and its language server.
#[derive(Default)]
pub struct Room {
    opened: Opened,
    server: Server,
}

impl std::fmt::Debug for Room {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Room").finish_non_exhaustive()
    }
}

impl Room {
    /// Creates a room that opens files through `files` if they were not put into the room.
    #[must_use]
    pub fn with_files(files: Arc<dyn Files + Send + Sync>) -> Self {
        Self { opened: Opened::with(files), server: Server::default() }
    }

    /// Adds a file, or replaces its content. Scenarios and policies name it.
    pub fn put(&mut self, name: &str, content: Vec<u8>) {
        self.opened.put(name, content);
    }

    /// Answers a question in JSON: `{"answer": ...}`, or `{"error": "..."}` with a message for people. `observer` watches a run and
    /// may stop it.
    pub fn ask(&mut self, question: &str, observer: &dyn Observer) -> String {
        let answer = match serde_json::from_str(question) {
            Ok(question) => self.answer(question, observer),
            Err(error) => Err(UserError::new(format!("this is not a question in JSON: {error}"))),
        };
        match answer {
            Ok(answer) => json!({ "answer": answer }),
            Err(error) => json!({ "error": error.to_string() }),
        }
        .to_string()
    }

    fn answer(&mut self, question: Question, observer: &dyn Observer) -> forebay::Result<Value> {
        match question {
            Question::Run(run) => run::answer(&run, &self.opened, observer),
            Question::Compile(compile) => compile::answer(&compile, &self.opened),
            Question::Language { message } => language::answer(&mut self.server, message),
            Question::Targets => Ok(compile::targets()),
        }
    }
}
