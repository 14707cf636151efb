//! `forebay explain network`, `explain traffic`, `explain load`: scenarios, their tables and their fields, from
//! [`forebay::fields`].

use forebay::fields::{Field, Found, Table, find};

/// Everything in scenarios that is called `name`; nothing for other words.
pub(super) fn explain(name: &str) -> Option<String> {
    let texts: Vec<String> = find(name)
        .into_iter()
        .map(|found| match found {
            Found::Scenario(title) => format!("{title}\n"),
            Found::Table(table) => of_table(table),
            Found::Field(table, field) => of_field(table, field),
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// A table with a line for each field.
fn of_table(table: &Table) -> String {
    let mut out = format!("{}: {} ({})\n", table.name, table.title, table.manual.page);
    for field in table.fields {
        let default = field.default.map_or_else(String::new, |default| format!("; default: {default}"));
        out.push_str(&format!("  {}: {}{default}\n", field.name, field.meaning));
    }
    out
}

/// A field with all that is known of it.
fn of_field(table: &Table, field: &Field) -> String {
    let mut out = format!("{} (field of {})\n  {}\n\n", field.name, table.name, field.meaning);
    let mut line = |what: &str, text: &str| out.push_str(&format!("  {what:10}{text}\n"));
    line("takes", &field.takes.to_string());
    if let Some(default) = field.default {
        line("default", default);
    }
    line("use", &format!("{} = {}", field.name, field.example));
    line("manual", &format!("{}, {}", table.manual.page, table.manual.section));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenarios_tables_and_fields_are_explained() {
        let all = explain("network").unwrap();
        for text in ["\n[network]: ", "\n[[workload]]: ", "\n[[policy]]: ", "  link: "] {
            assert!(all.contains(text), "{text}: {all}");
        }
        let state = explain("state").unwrap();
        assert!(state.starts_with("[[state]]: ") && !state.contains("[network]"), "{state}");
        let traffic = explain("traffic").unwrap();
        assert!(traffic.contains("  trace: ") && traffic.contains("  arrivals: "), "{traffic}");
        let load = explain("load").unwrap();
        assert!(load.contains("load (field of [[workload]])\n") && load.contains("use       load = 0.6"), "{load}");
        assert_eq!(explain("port.rate").unwrap().matches("(field of").count(), 1);
        assert_eq!(explain("loadz"), None);
    }
}
