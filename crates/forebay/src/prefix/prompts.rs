//! Opens a trace of prompts: a file, or a recipe.

use super::Setting;
use crate::error::{Result, UserError};
use crate::requests::RequestTrace;
use crate::scenario::trace_error;
use forebay_cache::prefix::PromptTrace;
use forebay_traces::requests::Spec;
use forebay_traces::requests::prompt::{Conversations, Prompts, read};
use std::path::Path;

/// The blocks of a recipe, unless the user says otherwise.
const RECIPE_BLOCK_TOKENS: u64 = 512;

/// The checked trace, the name of its format, and warnings.
pub(super) fn open(setting: &Setting) -> Result<(PromptTrace, &'static str, Vec<String>)> {
    let text = &setting.trace;
    let wrong = |message: String| UserError::at(text, message);
    let is_recipe = text.split(':').next() == Some(Conversations::NAME) && !Path::new(text).exists();
    let Prompts { format, block_tokens, prompts, lines, warnings } = if is_recipe {
        if setting.format.is_some() {
            return Err(wrong("a recipe has no format; leave out --format-in".to_owned()));
        }
        let spec = Spec::parse(text).map_err(|error| wrong(error.to_string()))?;
        let params = spec.params(Conversations::PARAMS).map_err(|error| wrong(error.to_string()))?;
        let recipe = Conversations::new(&params).map_err(|error| wrong(error.to_string()))?;
        let block_tokens = setting.block_tokens.unwrap_or(RECIPE_BLOCK_TOKENS);
        let prompts = recipe.prompts(block_tokens, setting.seed);
        Prompts { format: Conversations::NAME, block_tokens, prompts, lines: Vec::new(), warnings: Vec::new() }
    } else {
        let content = RequestTrace::new(Path::new(text), None)?.content()?;
        read(content, setting.format.as_deref(), setting.block_tokens).map_err(|error| trace_error(text, error))?
    };
    let trace = PromptTrace::new(&prompts, block_tokens);
    let trace = trace.map_err(|fault| match fault.prompt().and_then(|prompt| lines.get(prompt)) {
        Some(&line) => UserError::at_line(text.as_str(), line, fault.to_string()),
        None => wrong(fault.to_string()),
    })?;
    Ok((trace, format, warnings))
}
