//! Conversations that a recipe makes: a shared system prompt, and turns that repeat all turns before.
//!
//! Conversations begin as a Poisson process. A conversation has a geometric number of turns. A turn's prompt is the
//! prompt and the answer before it, and new tokens. Lengths and pauses are exponential. These are assumptions, not
//! fitted to any trace.

use forebay_core::{ParamError, ParamSpec, Params, Prompt, Seed};
use rand::Rng;
use rand_distr::{Distribution as _, Exp, Geometric};

/// A recipe of conversations.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversations {
    prompts: usize,
    per_second: f64,
    turns: f64,
    pause_s: f64,
    system_tokens: u64,
    turn_tokens: f64,
    answer_tokens: f64,
}

impl Conversations {
    /// The name of the recipe.
    pub const NAME: &'static str = "conversations";

    /// Its parameters.
    pub const PARAMS: &'static [ParamSpec] = &[
        ParamSpec::integer("prompts", 1, 10_000_000, Some(2000), "number of prompts"),
        ParamSpec::number("rate", 1e-6, 1e6, 0.2, "conversations that begin in a second"),
        ParamSpec::number("turns", 1.0, 1e4, 4.0, "mean number of turns of a conversation"),
        ParamSpec::number("pause", 0.0, 1e6, 30.0, "mean seconds from a turn to the next one"),
        ParamSpec::integer(
            "system",
            0,
            1 << 20,
            Some(1024),
            "tokens of the system prompt, with which every prompt begins",
        ),
        ParamSpec::number("turn", 1.0, 1e6, 1500.0, "mean new tokens of a turn"),
        ParamSpec::number("answer", 0.0, 1e6, 350.0, "mean tokens of an answer"),
    ];

    /// A recipe with these parameters.
    ///
    /// # Errors
    /// If a parameter is out of its range.
    pub fn new(params: &Params) -> Result<Self, ParamError> {
        let integer = |name| params.integer(name).unwrap_or_default();
        let prompts = usize::try_from(integer("prompts")).map_err(|error| ParamError::of("prompts", error))?;
        Ok(Self {
            prompts,
            per_second: params.number("rate"),
            turns: params.number("turns"),
            pause_s: params.number("pause"),
            system_tokens: integer("system"),
            turn_tokens: params.number("turn"),
            answer_tokens: params.number("answer"),
        })
    }

    /// Makes the prompts, with full blocks of `block_tokens` tokens, in order of arrival.
    #[must_use]
    pub fn prompts(&self, block_tokens: u64, seed: Seed) -> Vec<Prompt> {
        let mut rng = seed.stream("conversations");
        let rng = &mut rng;
        let turns = Geometric::new(1.0 / self.turns).expect("a mean of 1 or more");
        let (mut begin, mut prompts) = (0.0, Vec::new());
        // Later conversations begin later, so the first ones have all prompts that can be among the earliest.
        for conversation in 1_u64.. {
            begin += exponential(1.0 / self.per_second, rng);
            if conversation > self.prompts as u64 {
                break;
            }
            let (mut time, mut tokens) = (begin, self.system_tokens);
            for _ in 0..=turns.sample(rng) {
                tokens = tokens.saturating_add(1 + whole(exponential(self.turn_tokens, rng)));
                let answer = whole(exponential(self.answer_tokens, rng));
                let block = |depth: u64| {
                    let is_shared = (depth + 1).saturating_mul(block_tokens) <= self.system_tokens;
                    (if is_shared { 0 } else { conversation } << 32) | depth
                };
                let blocks = (0..tokens / block_tokens.max(1)).map(block).collect();
                prompts.push(Prompt {
                    arrival: whole(time * 1e9),
                    input_tokens: tokens,
                    output_tokens: answer,
                    blocks,
                });
                tokens = tokens.saturating_add(answer);
                time += exponential(self.pause_s, rng);
            }
        }
        prompts.sort_by_key(|prompt| prompt.arrival);
        prompts.truncate(self.prompts);
        let first = prompts.first().map_or(0, |prompt| prompt.arrival);
        prompts.iter_mut().for_each(|prompt| prompt.arrival -= first);
        prompts
    }
}

fn exponential(mean: f64, rng: &mut impl Rng) -> f64 {
    if mean > 0.0 { Exp::new(1.0 / mean).expect("a mean above 0").sample(rng) } else { 0.0 }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative; the cast saturates")]
fn whole(number: f64) -> u64 {
    number as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_are_chains_in_order_of_time() {
        let recipe = Conversations::new(&Params::defaults(Conversations::PARAMS)).unwrap();
        let prompts = recipe.prompts(512, Seed(1));
        assert_eq!(prompts.len(), 2000);
        assert!(prompts.windows(2).all(|pair| pair[0].arrival <= pair[1].arrival));
        assert!(
            prompts
                .iter()
                .all(|prompt| prompt.blocks[..2] == [0, 1] && prompt.blocks.len() as u64 == prompt.input_tokens / 512)
        );
        assert_eq!(prompts, recipe.prompts(512, Seed(1)));
        assert_ne!(prompts, recipe.prompts(512, Seed(2)));
    }
}
