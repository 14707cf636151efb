//! The files of the command line. Policies and scenarios become the page's first state; all other files are traces.

use super::fragment::fragment;
use forebay::error::{Result, UserError};
use forebay::question::read_text;
use forebay::scenario::Files;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Paths by the names that the page gives them, and the page's first state.
#[derive(Debug, Default)]
pub(super) struct OpenedFiles {
    traces: BTreeMap<String, PathBuf>,
    state: Option<Value>,
}

impl OpenedFiles {
    /// Reads each file, so that errors are reported before the page opens.
    pub(super) fn open(paths: &[PathBuf]) -> Result<Self> {
        let mut opened = Self::default();
        let mut policies = Vec::new();
        for path in paths {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let name = name.ok_or_else(|| UserError::at(path.display(), "this is not a file"))?;
            match path.extension().and_then(|ending| ending.to_str()) {
                Some("oq") => {
                    let name = name.trim_end_matches(".oq");
                    policies.push(json!({ "name": name, "text": read_text(path)? }));
                }
                Some("toml") => opened.state = Some(json!({ "room": "scenario", "scenario": read_text(path)? })),
                _ => {
                    open_file(path)?;
                    if let Some(other) = opened.traces.insert(name, path.clone()) {
                        return Err(UserError::at(path.display(), format!("{} has the same name", other.display())));
                    }
                }
            }
        }
        if policies.len() > 2 {
            return Err(UserError::new("the page compares two policies; name at most two files that end in .oq"));
        }
        if !policies.is_empty() {
            let trace = opened.traces.keys().next();
            let traffic = trace.map(|name| json!({ "traffic": format!("file:{name}"), "value": 100 }));
            let mut state = json!({ "room": "policies", "policies": policies });
            if let (Some(state), Some(Value::Object(traffic))) = (state.as_object_mut(), traffic) {
                state.extend(traffic);
            }
            opened.state = Some(state);
        }
        Ok(opened)
    }

    /// The names of the traces.
    pub(super) fn traces(&self) -> Vec<&str> {
        self.traces.keys().map(String::as_str).collect()
    }

    /// The page's first state, for its address.
    pub(super) fn fragment(&self) -> String {
        self.state.as_ref().map(fragment).unwrap_or_default()
    }
}

fn open_file(path: &Path) -> Result<File> {
    let file = File::open(path).map_err(|error| UserError::io(path, "opened", &error))?;
    match file.metadata() {
        Ok(metadata) if metadata.is_dir() => Err(UserError::at(path.display(), "this is a folder; name a file in it")),
        _ => Ok(file),
    }
}

impl Files for OpenedFiles {
    fn open(&self, name: &str) -> Result<(String, Box<dyn Read + Send + '_>)> {
        match self.traces.get(name) {
            Some(path) => Ok((name.to_owned(), Box::new(open_file(path)?))),
            None => {
                Err(UserError::at(name, "this file is not open; name it on the command line, or drop it on the page"))
            }
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.traces.get(name).cloned().unwrap_or_else(|| PathBuf::from(name))
    }
}
