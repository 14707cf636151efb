//! The stories of `docs/openqueue-stories.md`: the paper's listings do what its text says.

use crate::engines::engines;
use crate::policy_script::Script;
use forebay_lang::analyse;

const LISTINGS: &str = include_str!("../../../../docs/openqueue-listings.md");
const STORIES: &str = include_str!("../../../../docs/openqueue-stories.md");

fn blocks<'a>(page: &'a str, kind: &str) -> Vec<&'a str> {
    page.split(&format!("```{kind}\n")).skip(1).map(|block| block.split("```").next().unwrap()).collect()
}

/// The policy of a story, and its script.
fn read(story: &str) -> (String, Script) {
    let listings = blocks(LISTINGS, "openqueue");
    let (mut text, mut rest) = (String::new(), String::new());
    for line in story.lines() {
        if let Some(part) = line.strip_prefix("use ") {
            let found = listings.iter().find(|listing| listing.contains(part));
            text += found.unwrap_or_else(|| panic!("no listing contains `{part}`"));
        } else if let Some(more) = line.strip_prefix("add ") {
            text += &format!("{more}\n");
        } else {
            rest += &format!("{line}\n");
        }
    }
    let script = Script::parse(&rest);
    for (name, value) in &script.params {
        text = format!("param {name} = {value};\n{text}");
    }
    (text, script)
}

#[test]
fn every_listing_does_what_the_text_says() {
    let stories = blocks(STORIES, "story");
    assert!(stories.len() >= 14, "{} stories", stories.len());
    let mut wrong = Vec::new();
    for story in stories {
        let (text, script) = read(story);
        let analysis = analyse(&text, &Vec::new());
        let Some(policy) = &analysis.policy else {
            wrong.push(format!("{text}\n{:#?}", analysis.diagnostics));
            continue;
        };
        for (name, mut engine) in engines(policy) {
            if let Err(error) = script.play(policy, engine.as_mut()) {
                wrong.push(format!("{story}\n{name} engine: {error}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
