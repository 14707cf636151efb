//! Request traces and logs: the first byte chooses the format, or that it be found, so that a new format is fuzzed at once.

use super::FuzzTarget;
use crate::chunked_input::{Pieces, check_message, shown};
use crate::seed_files::files;
use forebay_core::Request;
use forebay_traces::requests::{FORMATS, OpenOptions, Recipe, Requests, Spec, format_for, open, write};
use forebay_traces::{Content, TraceError};

/// The registry's entry.
pub const ENTRY: FuzzTarget = FuzzTarget {
    name: "requests",
    title: "Any file is a trace in order of time or has a message, in every format and in whatever pieces it comes",
    seeds,
    run,
    quick: 30_000,
};

/// Requests that are read of each: a damaged line may stand for millions.
const REQUESTS: usize = 2_000;

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let mut add = |format: usize, file: &[u8]| seeds.push([&[u8::try_from(format).unwrap_or(0)], file].concat());
    let kept =
        ["testdata/requests", "testdata/logs", "testdata/captures"].into_iter().flat_map(|folder| files(folder, &[""]));
    for file in kept {
        add(FORMATS.len(), &file);
        let content = Content::unpack(std::io::Cursor::new(file.clone())).ok();
        if let Some(reader) = content.and_then(|content| open(content, "trace", &OpenOptions::default()).ok()) {
            let name = reader.facts().format;
            add(FORMATS.iter().position(|entry| entry.about.name == name).unwrap_or(0), &file);
        }
    }
    for (number, entry) in FORMATS.iter().enumerate() {
        let recipe = Recipe::parse("zipf:objects=20,requests=60,rate=3,size=7").expect("a recipe");
        let mut reader = recipe.open().expect("requests");
        let Ok((writer, _)) = format_for("trace", Some(entry.about.name)) else { continue };
        let mut file = Vec::new();
        if write(&mut *reader, writer, &mut file).is_ok() {
            add(number, &file);
        }
    }
    seeds
}

/// What is read of a file, and why no more is.
fn read(content: Result<Content<'static>, TraceError>, format: Option<&str>) -> (Vec<Request>, Option<String>) {
    let options = OpenOptions { format: format.and_then(|format| Spec::parse(format).ok()) };
    let reader = match content.and_then(|content| open(content, "trace", &options)) {
        Ok(reader) => reader,
        Err(error) => return (Vec::new(), Some(shown(error))),
    };
    let (mut requests, mut all) = (Vec::new(), Requests::new(reader));
    for request in all.by_ref().take(REQUESTS) {
        match request {
            Ok(request) => requests.push(request),
            Err(error) => return (requests, Some(shown(error))),
        }
    }
    all.reader().warnings().iter().for_each(|warning| check_message(warning));
    (requests, None)
}

fn run(data: &[u8]) {
    let Some((&first, file)) = data.split_first() else { return };
    let format = FORMATS.get(usize::from(first) % (FORMATS.len() + 1)).map(|entry| entry.about.name);
    let whole = read(Content::unpack(std::io::Cursor::new(file.to_vec())), format);
    assert!(whole.0.is_sorted_by_key(|request| request.time), "times fall");
    assert!(whole.0.iter().all(|request| request.size > 0), "a size of 0");
    let in_pieces = read(Content::unpack(Pieces::new(file)), format);
    assert_eq!(whole, in_pieces, "{format:?} in pieces");
}
