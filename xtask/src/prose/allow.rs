//! Comments that let one sentence break one rule: `<!-- prose: allow RULE: why -->` before its paragraph, item or table, or
//! `// prose: allow RULE: why` before a string in Rust.

use super::passage::Text;
use super::rules;

/// The comments of a file, and which of them a breach has used.
pub(crate) struct Allowances {
    wrong: Vec<(usize, String)>,
    right: Vec<Allowance>,
    /// The block of each passage.
    blocks: Vec<usize>,
}

struct Allowance {
    line: usize,
    rule: String,
    block: usize,
    is_used: bool,
}

impl Allowances {
    pub(crate) fn of(text: &Text) -> Self {
        let blocks = text.passages.iter().map(|passage| passage.block).collect();
        let mut all = Self { wrong: Vec::new(), right: Vec::new(), blocks };
        for comment in &text.comments {
            match parse(&comment.text) {
                Ok(rule) => all.right.push(Allowance {
                    line: comment.line,
                    rule: rule.to_owned(),
                    block: comment.block,
                    is_used: false,
                }),
                Err(why) => all.wrong.push((comment.line, format!("allow: {why}"))),
            }
        }
        all
    }

    /// Whether a sentence of this passage may break the rule. A comment serves one sentence.
    pub(crate) fn allow(&mut self, passage: usize, rule: &str) -> bool {
        let block = self.blocks[passage];
        let fits = |one: &&mut Allowance| one.block == block && one.rule == rule && !one.is_used;
        match self.right.iter_mut().find(fits) {
            Some(one) => {
                one.is_used = true;
                true
            }
            None => false,
        }
    }

    /// Comments that allow nothing, or that cannot be read.
    pub(crate) fn problems(self) -> Vec<(usize, String)> {
        let idle = self.right.into_iter().filter(|one| !one.is_used);
        let idle = idle.map(|one| (one.line, format!("allow: no `{}` follows here; remove this comment", one.rule)));
        self.wrong.into_iter().chain(idle).collect()
    }
}

/// The rule that a comment allows a sentence to break.
fn parse(text: &str) -> Result<&str, String> {
    let form = "write `<!-- prose: allow RULE: REASON -->`, or the same after `//` in Rust";
    let rest = text.strip_prefix("allow ").ok_or_else(|| format!("`prose: {text}` is not known; {form}"))?;
    let (rule, reason) = rest.split_once(':').unwrap_or((rest, ""));
    let rule = rule.trim();
    if !rules::ALL.iter().any(|known| known.name == rule) {
        let names: Vec<&str> = rules::ALL.iter().map(|rule| rule.name).collect();
        return Err(format!("unknown rule `{rule}`; the rules are {}", names.join(", ")));
    }
    if reason.trim().is_empty() {
        return Err(format!("a reason is missing; {form}"));
    }
    Ok(rule)
}

#[cfg(test)]
mod tests {
    use crate::prose::{findings, markdown};

    /// The findings of a page, without what they quote.
    fn found(page: &str) -> Vec<(usize, String)> {
        let found = findings(&markdown::read(page));
        found.into_iter().map(|(line, message)| (line, message.split(';').next().unwrap().to_owned())).collect()
    }

    const WRONG: &str = "It is told.\nIt is told.\n";

    #[test]
    fn a_comment_with_a_reason_serves_one_sentence_of_the_next_paragraph() {
        let comment = "<!-- prose: allow private-word: a quote -->\n";
        let told = |line| (line, "private-word: \"is told\"".to_owned());
        assert_eq!(found(WRONG), [told(1), told(2)]);
        assert_eq!(found(&format!("{comment}{WRONG}")), [told(3)]);
        assert_eq!(found(&format!("{comment}{comment}{WRONG}")), []);
        assert_eq!(found(&format!("{comment}| a | is told |\n\nIt is told.\n")), [told(4)]);
    }

    #[test]
    fn a_comment_that_is_wrong_or_idle_is_a_finding() {
        for (comment, wrong) in [
            ("allow private-word", "a reason is missing"),
            ("allow private-word: ", "a reason is missing"),
            ("allow tone: a quote", "unknown rule `tone`"),
            ("permit private-word: a quote", "`prose: permit private-word: a quote` is not known"),
            ("allow long-sentence: a quote", "no `long-sentence` follows here"),
        ] {
            let found = found(&format!("<!-- prose: {comment} -->\n{WRONG}"));
            assert_eq!(found[0], (1, format!("allow: {wrong}")), "{comment}");
            assert_eq!(found.len(), 3, "{comment}");
        }
    }
}
