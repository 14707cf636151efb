//! `forebay explain network`, of one of its tables like `state`, and of a field like `load`: what stands in the manual, `docs/network.md`, so that both say the
//! same.

/// The manual of scenarios with a `[network]`.
const MANUAL: &str = include_str!("../../../../docs/network.md");

/// A field of such a scenario.
struct Field<'a> {
    /// As `[[workload]]`.
    table: &'a str,
    /// As `down` and `up`, which one line explains.
    names: Vec<&'a str>,
    meaning: &'a str,
    default: Option<&'a str>,
}

/// All fields of `network`, those of the table called `name`, or those that `name` names; nothing for other words.
pub(super) fn explain(name: &str) -> Option<String> {
    let fields = fields();
    let of_table: Vec<&Field<'_>> = fields.iter().filter(|field| name == "network" || word(field) == name).collect();
    if !of_table.is_empty() {
        let mut out = "A scenario of networks (docs/network.md)\n".to_owned();
        let mut table = "";
        for field in of_table {
            if field.table != table {
                table = field.table;
                out.push_str(&format!("\n{table}\n"));
            }
            out.push_str(&shown(field));
        }
        return Some(out);
    }
    let found: Vec<String> = fields
        .iter()
        .filter(|field| field.names.contains(&name))
        .map(|field| format!("{name} (field of {})\n{}", field.table, shown(field)))
        .collect();
    (!found.is_empty()).then(|| found.join("\n"))
}

/// Every name that [`explain`] knows.
pub(super) fn names() -> Vec<&'static str> {
    fields().into_iter().flat_map(|field| [vec![word(&field)], field.names].concat()).collect()
}

/// The table of a field without its brackets.
fn word<'a>(field: &Field<'a>) -> &'a str {
    field.table.trim_matches(['[', ']'])
}

/// The rows of the tables below a heading like ``## `[network]` ``.
fn fields() -> Vec<Field<'static>> {
    let sections = MANUAL.split("\n## ").filter_map(|section| {
        let (heading, text) = section.split_once('\n')?;
        let table = heading.trim().strip_prefix('`')?.strip_suffix('`')?;
        Some((table, text))
    });
    let of_section = |(table, text): (&'static str, &'static str)| {
        text.lines().filter_map(move |line| {
            let cells: Vec<&str> = line.strip_prefix("| ")?.trim_end().strip_suffix('|')?.split(" | ").collect();
            let names: Option<Vec<&str>> =
                cells[0].split(" / ").map(|name| name.trim().strip_prefix('`')?.strip_suffix('`')).collect();
            let default = cells.get(2).map(|cell| cell.trim()).filter(|cell| !cell.is_empty());
            Some(Field { table, names: names?, meaning: cells.get(1)?.trim(), default })
        })
    };
    sections.flat_map(of_section).collect()
}

fn shown(field: &Field<'_>) -> String {
    let default = field.default.map_or_else(String::new, |default| format!("; default: {default}"));
    format!("  {}: {}\n", field.names.join(" / "), without_links(&format!("{}{default}", field.meaning)))
}

/// `[words](place)` as `words`; what else has brackets stays.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_the_manual_are_found() {
        let all = explain("network").unwrap();
        for text in ["\n[network]\n", "\n[[workload]]\n", "\n[[scheme]]\n", "\n[[failure]]\n  link: "] {
            assert!(all.contains(text), "{text}: {all}");
        }
        assert!(!all.contains("]("), "{all}");
        let names = names();
        assert!(
            ["shared_buffer", "load", "transport", "down", "up"].iter().all(|name| names.contains(name)),
            "{names:?}"
        );
        let state = explain("state").unwrap();
        assert!(state.contains("\n[[state]]\n  name: ") && !state.contains("[network]"), "{state}");
        let load = explain("load").unwrap();
        assert!(load.starts_with("load (field of [[workload]])\n  load: ") && !load.contains("default:"), "{load}");
        assert_eq!(explain("duration").unwrap().matches("(field of").count(), 2);
        assert_eq!(explain("loads"), None);
    }

    #[test]
    fn links_are_their_words() {
        assert_eq!(without_links("a [b](c#d) e [[f]] [g](h)"), "a b e [[f]] g");
    }
}
