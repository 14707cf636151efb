//! A scenario in the folder of an experiment.

/// A file `scenario.toml` or `scenario-NAME.toml`.
#[derive(Debug, Clone)]
pub struct OwnScenario<'a> {
    /// The `NAME` of the file; [`None`] for `scenario.toml`.
    pub name: Option<&'a str>,
    /// The name of the file.
    pub file: String,
    /// The content of the file.
    pub text: &'a str,
}

impl OwnScenario<'_> {
    /// Returns a title for people.
    pub fn title(&self, experiment: &str) -> String {
        self.name.map_or_else(|| experiment.to_owned(), |name| format!("{experiment}: {name}"))
    }

    /// Returns the beginning of the names of its values.
    pub fn before_values(&self) -> String {
        self.name.map(|name| format!("{name}: ")).unwrap_or_default()
    }

    /// Returns the beginning of the names of its files.
    pub fn before_files(&self) -> String {
        self.name.map(|name| format!("{name}-")).unwrap_or_default()
    }
}
