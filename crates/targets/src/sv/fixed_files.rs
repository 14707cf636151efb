//! The files of `rtl/` that a policy's hardware has as they are, in order of compilation.

use super::block::Block;
use crate::File;
use forebay_rtl::{AFTER_RULES, BBQ, BEFORE_RULES, BETWEEN, COMMON, FRONT, Own, PIFO, SHARED};

/// The modules and packages of one policy, without `policy_`: they have names of their own where there are two.
const OWN: [&str; 13] = [
    "pkg",
    "core_pkg",
    "rules",
    "front",
    "side",
    "owners",
    "counts",
    "work",
    "counters",
    "control",
    "outputs",
    "registers",
    "core",
];

/// What is made for one policy, in order of compilation: before its rules, these, and what stands on them.
pub(super) struct Made {
    pub(super) package: File,
    pub(super) rules: File,
    pub(super) front: File,
    pub(super) top: File,
}

impl Made {
    /// Its files.
    pub(super) fn files(&self) -> [&File; 4] {
        [&self.package, &self.rules, &self.front, &self.top]
    }
}

fn files(fixed: &[(&'static str, &str)]) -> Vec<File> {
    fixed.iter().map(|(name, text)| File { name, text: (*text).to_owned() }).collect()
}

fn own(fixed: &[Own], place: usize) -> Vec<File> {
    fixed.iter().map(|(names, text)| File { name: names[place], text: (*text).to_owned() }).collect()
}

fn block(block: Block) -> Vec<File> {
    match block {
        Block::Bbq { .. } => files(&BBQ),
        Block::BbqFront { .. } => [files(&BBQ), files(&FRONT)].concat(),
        Block::Pifo => files(&PIFO),
    }
}

/// All of one policy: alone, or one of two.
fn of_policy(made: Made, place: usize) -> Vec<File> {
    let Made { package, rules, front, top } = made;
    let parts = [vec![package], own(&BEFORE_RULES, place), vec![rules], own(&AFTER_RULES, place), vec![front, top]];
    parts.concat()
}

/// The files of the hardware, those made for the policy among them, in order of compilation.
pub(super) fn sources(queue: Block, made: Made) -> Vec<File> {
    [files(&COMMON), block(queue), files(&SHARED), of_policy(made, 0)].concat()
}

/// The same of two policies, of which `between` joins the parts.
pub(super) fn pair(queues: [Block; 2], made: [Made; 2], between: [File; 2]) -> Vec<File> {
    let mut all = [files(&COMMON), block(queues[0])].concat();
    all.extend(block(queues[1]).into_iter().filter(|file| !block(queues[0]).contains(file)));
    all.extend(files(&SHARED));
    for (place, made) in made.into_iter().enumerate() {
        all.extend(
            of_policy(made, place + 1).into_iter().map(|file| File { text: renamed(&file.text, place), ..file }),
        );
    }
    all.extend(files(&BETWEEN));
    all.extend(between);
    all
}

/// A text in which the modules and packages of a policy have the names of policy 0 or 1.
fn renamed(text: &str, policy: usize) -> String {
    const BEGIN: &str = "policy_";
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(BEGIN) {
        let after = &rest[at + BEGIN.len()..];
        let word = &after[..after.find(|letter| !is_word(letter)).unwrap_or(after.len())];
        let begins = !rest[..at].ends_with(is_word);
        out.push_str(&rest[..at]);
        if begins && OWN.contains(&word) {
            out.push_str(&format!("policy{policy}_"));
        } else {
            out.push_str(BEGIN);
        }
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_policy_has_is_renamed_and_what_all_share_is_not() {
        let text =
            "module policy_core import policy_pkg::*; policy_fifo policy_core_pkg my_policy_core policy_cores policy";
        let expected = "module policy1_core import policy1_pkg::*; policy_fifo policy1_core_pkg my_policy_core policy_cores policy";
        assert_eq!(renamed(text, 1), expected);
    }
}
