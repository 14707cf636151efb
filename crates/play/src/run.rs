//! Runs a scenario as the command does.

use crate::opened::Opened;
use crate::question::Run;
use forebay::disk::{Folder, Memory};
use forebay::error::Result;
use forebay::report_page::ReportPage;
use forebay::{Answer, Changes, Observer, Question, Session};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::Arc;

/// The folder of a run's output on its disk in memory.
const FOLDER: &str = "out";

/// The tables with a row for each packet or request, which a scenario can record and a page can draw.
const DETAILS: [&str; 2] = ["packets.csv", "requests.csv"];

/// Runs a scenario. Returns the bytes of the command's `result.json`, its table, its long table and the other requested parts.
pub(crate) fn answer(run: &Run, opened: &Opened, observer: &dyn Observer) -> Result<Value> {
    let changes = Changes { set: run.set.clone(), seed: run.seed, baseline: None };
    let question = Question::parse(&run.name, &run.scenario, opened, &changes)?;
    let disk = Memory::default();
    let session = Session::watched_by(observer).keep(Folder::on(Arc::new(disk.clone()), FOLDER));
    let answer = question.run(&session)?;
    let mut parts = Map::new();
    let mut add = |name: &str, value: Value| parts.insert(name.to_owned(), value);
    add("complete", answer.is_complete().into());
    add("warnings", json!(answer.warnings()));
    add("table", answer.table().into());
    add("csv", answer.csv().into());
    add("json", answer.json()?.into());
    add("details", details(&disk));
    if run.pictures {
        add("pictures", pictures(&answer)?);
    }
    if let Some(command) = &run.report {
        add("report", ReportPage { scenario: &run.scenario, command }.html(&answer)?.into());
    }
    Ok(parts.into())
}

/// Returns the detail tables of the run, as CSV by their names.
fn details(disk: &Memory) -> Value {
    let table = |name: &&str| {
        let content = disk.content(&Path::new(FOLDER).join(name))?;
        Some(((*name).to_owned(), Value::from(String::from_utf8_lossy(&content).into_owned())))
    };
    Value::Object(DETAILS.iter().filter_map(table).collect())
}

/// Returns each picture as SVG.
fn pictures(answer: &Answer) -> Result<Value> {
    let mut all = Vec::new();
    for picture in answer.pictures(&answer.frame())? {
        for (name, content) in picture.files()? {
            if name.ends_with(".svg") {
                let svg = String::from_utf8_lossy(&content).into_owned();
                all.push(json!({ "name": picture.name, "title": picture.figure.title, "svg": svg }));
            }
        }
    }
    Ok(all.into())
}
