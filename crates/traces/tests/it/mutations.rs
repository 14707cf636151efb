//! Texts that are changed at random give one error or a trace; never a panic or a hang.

use crate::support::{change, reader, samples};
use forebay_core::Seed;
use forebay_traces::TraceError;
use rand::RngExt as _;

/// Changed files of each format.
const FILES: usize = 2_000;
/// Requests that are read of each: a damaged line may stand for millions.
const REQUESTS: usize = 2_000;

fn read(file: &[u8], format: Option<&str>) -> Result<usize, TraceError> {
    let mut reader = reader(file, "trace", format)?;
    let mut chunk = Vec::new();
    reader.fill(&mut chunk, REQUESTS)?;
    reader.warnings().iter().for_each(|warning| assert!(!warning.is_empty()));
    Ok(chunk.len())
}

#[test]
fn changed_texts_do_no_harm() {
    for (format, file) in samples() {
        let mut rng = Seed(7).stream(format);
        for number in 0..FILES {
            let mut changed = file.clone();
            for _ in 0..rng.random_range(1..5) {
                change(&mut changed, &mut rng);
            }
            for said in [Some(format), None] {
                if let Err(error) = read(&changed, said) {
                    let message = error.to_string();
                    assert!(!message.is_empty() && !message.contains('\n'), "{format} {number}: {message}");
                }
            }
        }
    }
}
