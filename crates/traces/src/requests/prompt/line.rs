//! The fields of a line that formats of prompts have.

use super::{key, lacks, shown};
use serde::Deserialize;
use serde_json::Number;
use serde_json::value::RawValue;

/// The fields of a line, as they stand there.
#[derive(Debug, Deserialize)]
pub(super) struct RawLine {
    pub(super) timestamp: Option<Number>,
    pub(super) input_length: Option<u64>,
    pub(super) output_length: Option<u64>,
    pub(super) hash_ids: Option<Vec<Box<RawValue>>>,
    pub(super) prompt_token_ids: Option<Vec<u32>>,
    pub(super) chat_id: Option<Box<RawValue>>,
}

/// A line, and the tokens of a block.
pub(super) struct Line<'a> {
    pub(super) raw: &'a RawLine,
    pub(super) block_tokens: u64,
}

impl Line<'_> {
    /// The prompt's tokens and the blocks in `hash_ids`: all blocks that the tokens fill, with or without the last one
    /// that they fill in part.
    pub(super) fn hashed(&self) -> Result<(u64, Vec<u64>), String> {
        let tokens = self.raw.input_length.ok_or_else(|| lacks("input_length"))?;
        let ids = self.raw.hash_ids.as_ref().ok_or_else(|| lacks("hash_ids"))?;
        let size = self.block_tokens;
        let (full, all) = (tokens / size, tokens.div_ceil(size));
        if ids.is_empty() && full > 0 {
            return Err(format!("`hash_ids` is empty, but {tokens} tokens fill {full} blocks of {size} tokens"));
        }
        if !(full..=all).contains(&(ids.len() as u64)) {
            let part = if full < all { ", the last in part" } else { "" };
            let fix = "if blocks have another size, say --block-tokens";
            let found = ids.len();
            return Err(format!(
                "`hash_ids` has {found} blocks, but {tokens} tokens fill {all} blocks of {size} tokens{part}; {fix}"
            ));
        }
        let id = |id: &RawValue| {
            let text = id.get().trim_matches('"');
            let is_plain = id.get().starts_with(['"', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
            let wrong = || format!("`hash_ids` must have numbers or texts, not `{}`", shown(id.get().as_bytes()));
            if is_plain { key(text.as_bytes()).map_err(|_| wrong()) } else { Err(wrong()) }
        };
        Ok((tokens, ids.iter().map(|own| id(own)).collect::<Result<_, _>>()?))
    }
}
