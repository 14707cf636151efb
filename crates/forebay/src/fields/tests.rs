//! The tables say what the manual says, and what the readers ask for.

use super::*;
use crate::attack::AttackScenario;
use crate::document::{Node, asked};
use crate::network::NetworkScenario;
use crate::port::PortScenario;
use crate::scenario::Beside;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const MANUAL: [(&str, &str); 2] = [
    ("docs/scenario.md", include_str!("../../../../docs/scenario.md")),
    ("docs/network.md", include_str!("../../../../docs/network.md")),
];

/// Tables of the manual that do not explain fields.
const OTHERS: [&str; 6] = ["`rank`", "`mark`", "`queue` of a tree", "recorded", "transport", "parameter of TCP"];

/// The rows of the manual's tables: name, meaning and default, by page, heading and head of the first column.
fn manual() -> BTreeMap<(String, String, String), Vec<[String; 3]>> {
    let mut tables: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (page, text) in MANUAL {
        let (mut section, mut column) = ("", None);
        for line in text.lines() {
            if let Some(heading) = line.strip_prefix('#') {
                (section, column) = (heading.trim_start_matches('#').trim(), None);
            } else if let Some(row) = line.strip_prefix("| ") {
                let cells: Vec<&str> = row.trim_end().trim_end_matches('|').split(" | ").map(str::trim).collect();
                let Some(column) = column else {
                    column = Some(cells[0]);
                    continue;
                };
                if OTHERS.contains(&column) || cells[0].starts_with("---") {
                    continue;
                }
                let cell = |at: usize| without_links(cells.get(at).copied().unwrap_or_default());
                let row = [cells[0].trim_matches('`').to_owned(), cell(1), cell(2)];
                tables.entry((page.to_owned(), section.to_owned(), column.to_owned())).or_default().push(row);
            } else {
                column = None;
            }
        }
    }
    tables
}

/// `[words](place)` as `words`; other brackets stay.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let link = before.rsplit_once('[').zip(after.split_once(')'));
        let Some(((before, words), (_, after))) = link else { break };
        out.push_str(before);
        out.push_str(words);
        rest = after;
    }
    out + rest
}

#[test]
fn the_manual_says_the_same() {
    let mut manual = manual();
    for table in TABLES {
        let Manual { page, section, column: Some(column) } = table.manual else { continue };
        let place = (page.to_owned(), section.to_owned(), column.to_owned());
        let rows = manual.remove(&place).unwrap_or_else(|| panic!("{place:?} is not in the manual"));
        let written = |field: &Field| [field.name, field.meaning, field.default.unwrap_or_default()].map(str::to_owned);
        let own: Vec<[String; 3]> = table.fields.iter().map(written).collect();
        for (row, own) in rows.iter().zip(&own) {
            assert_eq!(row, own, "{} in {page} and in crates/forebay/src/fields", table.name);
        }
        assert_eq!(rows.len(), own.len(), "{page} and crates/forebay/src/fields: fields of {}", table.name);
    }
    assert!(manual.is_empty(), "without a table in crates/forebay/src/fields: {:?}", manual.keys());
}

/// All TOML files of scenarios below a folder.
pub(super) fn scenarios(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            scenarios(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            found.push(path);
        }
    }
}

/// Fields that a reader asks for only to reject them.
const REJECTED: [(&str, &str); 9] = [
    ("the scenario", "queue_study"),
    ("the scenario", "queue"),
    ("the scenario", "attack_study"),
    ("[processor]", "repetitions"),
    ("[processor]", "packets"),
    ("[processor]", "warmup"),
    ("[network]", "repetitions"),
    ("the scenario", "scheme"),
    ("the scenario", "seeds"),
];

/// Tables within a field, by what readers call them: the field's meaning or example shows their fields.
fn field_of(reader: &str) -> Option<&str> {
    Some(match reader {
        "a change" => "changes",
        "rank_unit" => "rank_unit",
        "[policy]" => "policy",
        other => other.strip_prefix('`')?.strip_suffix('`')?,
    })
}

#[test]
fn readers_ask_for_no_other_fields() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    ["experiments", "docs/studies", "testdata", "crates/forebay/demo", "crates/forebay/attack"]
        .iter()
        .for_each(|folder| scenarios(&root.join(folder), &mut files));
    asked::start();
    let mut read = 0;
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let Ok(document) = Node::parse("scenario.toml", &text) else { continue };
        let folder = Beside(&path);
        let was_read = [
            PortScenario::read(&document, "x", None, &folder).is_ok(),
            AttackScenario::read(&document, "x", None, &folder).is_ok(),
            crate::network::is_network(&document) && NetworkScenario::read(&document, "x", None, &folder).is_ok(),
        ];
        read += usize::from(was_read.contains(&true));
    }
    assert!(read > 40, "only {read} scenarios were read");
    let asked = asked::end();
    assert!(asked.len() > 150, "only {} fields were asked for", asked.len());
    let all = || TABLES.iter().flat_map(|table| table.fields);
    let shows = |field: &Field, key: &str| {
        field.meaning.contains(&format!("`{key}`"))
            || [field.meaning, field.example].iter().any(|text| text.contains(&format!("{key} = ")))
    };
    let mut unknown = Vec::new();
    for (reader, key) in asked {
        let tables: Vec<&Table> =
            TABLES.iter().copied().filter(|table| table.readers.contains(&reader.as_str())).collect();
        let mut fields = tables.iter().flat_map(|table| table.fields);
        let is_field = fields.any(|field| field.name == key || shows(field, key));
        let is_table = TABLES.iter().any(|table| table.word == key);
        let within = field_of(&reader);
        let is_within = all().any(|field| Some(field.name) == within && shows(field, key));
        let is_parameter = ["name", "distribution"].contains(&key) || crate::catalogue::has_parameter(key);
        let is_rejected = REJECTED.contains(&(reader.as_str(), key));
        if !(is_rejected || is_field || is_table || is_within || is_parameter) {
            unknown.push(format!("{reader}: `{key}`"));
        }
    }
    assert!(unknown.is_empty(), "in no table of crates/forebay/src/fields: {unknown:?}");
}

#[test]
fn words_lead_to_tables_and_fields() {
    assert!(matches!(find("traffic")[..], [Found::Table(_), Found::Table(_)]));
    assert!(matches!(find("network")[0], Found::Scenario(_)));
    assert_eq!(find("duration").len(), 3);
    assert!(find("loads").is_empty() && find("nothing").is_empty());
    assert!(matches!(find("attack.max_job")[..], [Found::Field(table, _)] if table.word == "attack"));
}
