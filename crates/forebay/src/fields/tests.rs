//! The tables agree with the manual, and with the fields that readers ask for.

use super::*;
use crate::attack::AttackScenario;
use crate::document::{Node, fields_read};
use crate::network::NetworkScenario;
use crate::port::PortScenario;
use crate::scenario::Beside;
use std::path::{Path, PathBuf};

/// Pages of the manual with tables of fields.
const MANUAL: [&str; 2] = ["docs/scenario.md", "docs/network.md"];
/// With this variable in the environment the test writes the rows of the manual instead of comparing them.
const UPDATE: &str = "UPDATE_MANUAL";

/// Tables of the manual that do not explain fields.
const OTHERS: [&str; 7] =
    ["`rank`", "`mark`", "`pace`", "`queue` of a tree", "recorded", "transport", "parameter of TCP"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A table of a page that explains fields.
struct Place {
    section: String,
    /// The head of its first column.
    column: String,
    /// Number of its columns.
    width: usize,
    /// The lines of its rows.
    rows: std::ops::Range<usize>,
}

/// The tables of a page of the manual that explain fields.
fn places(lines: &[&str]) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let (mut section, mut is_within) = ("", false);
    for (number, line) in lines.iter().enumerate() {
        if let Some(heading) = line.strip_prefix('#') {
            (section, is_within) = (heading.trim_start_matches('#').trim(), false);
        } else if !line.starts_with("| ") {
            is_within = false;
        } else if !is_within {
            let head = cells(line);
            let (section, column) = (section.to_owned(), head[0].to_owned());
            places.push(Place { section, column, width: head.len(), rows: number + 2..number + 2 });
            is_within = true;
        } else if let Some(place) = places.last_mut().filter(|place| number >= place.rows.end) {
            place.rows.end = number + 1;
        }
    }
    places.retain(|place| !OTHERS.contains(&place.column.as_str()));
    places
}

/// The cells of a row.
fn cells(row: &str) -> Vec<&str> {
    row.trim_start_matches("| ").trim_end().trim_end_matches('|').split(" | ").map(str::trim).collect()
}

/// The manual's text about a field: name, meaning and default.
fn row(field: &Field) -> [&str; 3] {
    [field.name, field.meaning, field.default.unwrap_or_default()]
}

/// Reads a row of the manual.
fn row_of(line: &str) -> [String; 3] {
    let cells = cells(line);
    let cell = |at: usize| without_links(cells.get(at).copied().unwrap_or_default());
    [cells[0].trim_matches('`').to_owned(), cell(1), cell(2)]
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
    let is_update = std::env::var_os(UPDATE).is_some();
    for page in MANUAL {
        let path = root().join(page);
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let mut written: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        let mut places = places(&lines);
        let on_page = |table: &&&Table| table.manual.page == page && table.manual.column.is_some();
        let mut rows_of_tables = Vec::new();
        for table in TABLES.iter().filter(on_page) {
            let is_it =
                |place: &Place| place.section == table.manual.section && Some(&*place.column) == table.manual.column;
            let found = places.iter().position(is_it);
            let found = found.unwrap_or_else(|| panic!("{} has no table under {:?}", page, table.manual));
            rows_of_tables.push((table, places.remove(found)));
        }
        let left: Vec<&str> = places.iter().map(|place| &*place.section).collect();
        assert!(left.is_empty(), "{page} has tables of fields that are not in crates/forebay/src/fields: {left:?}");
        // From the last table to the first, so that the numbers of lines before it stay.
        rows_of_tables.sort_by_key(|(_, place)| std::cmp::Reverse(place.rows.start));
        for (table, place) in rows_of_tables {
            let rows = &lines[place.rows.clone()];
            if is_update {
                written.splice(place.rows.clone(), updated(table.fields, rows, place.width));
                continue;
            }
            let fix = format!("to mend {page}: {UPDATE}=1 cargo test -p forebay --lib fields::tests");
            for (line, field) in rows.iter().zip(table.fields) {
                assert_eq!(row_of(line), row(field), "{} in the manual and in its table; {fix}", table.name);
            }
            assert_eq!(rows.len(), table.fields.len(), "fields of {}; {fix}", table.name);
        }
        if is_update {
            std::fs::write(&path, written.join("\n") + "\n").unwrap();
        }
    }
}

/// Returns the rows of a table of the manual. Earlier rows with the same contents are kept, since they may have links.
fn updated(fields: &[Field], before: &[&str], width: usize) -> Vec<String> {
    let line = |field: &Field| match before.iter().find(|line| row_of(line) == row(field)) {
        Some(&line) => line.to_owned(),
        None => {
            let [name, meaning, default] = row(field);
            let cells = [format!("`{name}`"), meaning.to_owned(), default.to_owned()];
            format!("| {} |", cells[..width.min(cells.len())].join(" | ")).replace("|  |", "| |")
        }
    };
    fields.iter().map(line).collect()
}

#[test]
fn the_manual_is_written_from_the_tables() {
    let field = |name, meaning| Field { name, takes: Type::Boolean, meaning, default: None, example: "true" };
    let before = ["| `a` | The [first](first.md) | 1 |", "| `b` | Gone | |"];
    let fields = [Field { default: Some("1"), ..field("a", "The first") }, field("c", "Comes")];
    assert_eq!(updated(&fields, &before, 3), ["| `a` | The [first](first.md) | 1 |", "| `c` | Comes | |"]);
    assert_eq!(updated(&fields[1..], &before, 2), ["| `c` | Comes |"]);
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
    let root = root();
    let mut files = Vec::new();
    ["experiments", "docs/studies", "testdata", "crates/forebay/demo", "crates/forebay/attack"]
        .iter()
        .for_each(|folder| scenarios(&root.join(folder), &mut files));
    fields_read::start();
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
    let asked = fields_read::end();
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
