//! Chores of the repository: `cargo xtask tidy [--graph]|fmt|follow-docs [PAGE]|test-exact|same-bytes [keep|against FOLDER PROGRAM]|check-portable`, and
//! `fetch-debian|fetch-dpdk|fetch-kernel`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "chores talk to the developer")]

mod apt;
mod circles;
mod debian;
mod docs;
mod exact;
mod files;
mod kernel;
mod packages;
mod portable;
mod program;
mod same_bytes;
mod same_results;
mod scratch;
mod tidy;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = std::env::args().nth(1);
    let result = match command.as_deref() {
        Some("tidy") if std::env::args().any(|word| word == "--graph") => tidy::graph(),
        Some("tidy") => tidy::check(),
        Some("fmt") => files::rustfmt(&[]).map(|()| "formatted".to_owned()),
        Some("follow-docs") => docs::follow(std::env::args().nth(2).as_deref()),
        Some("test-exact") => exact::test(),
        Some("same-bytes") => match &std::env::args().skip(2).collect::<Vec<_>>()[..] {
            [] => same_bytes::test(),
            [verb, folder, program] if verb == "keep" => same_results::keep(Path::new(folder), Path::new(program)),
            [verb, folder, program] if verb == "against" => same_results::against(Path::new(folder), Path::new(program)),
            _ => Err(vec!["usage: cargo xtask same-bytes [keep|against FOLDER PROGRAM]".to_owned()]),
        },
        Some("fetch-debian") => debian::fetch(),
        Some("fetch-dpdk") => packages::fetch(),
        Some("fetch-kernel") => kernel::fetch(),
        Some("check-portable") => portable::check(),
        _ => Err(vec![
            "usage: cargo xtask tidy [--graph]|fmt|follow-docs [PAGE]|test-exact|same-bytes [keep|against FOLDER PROGRAM]|check-portable|fetch-debian|fetch-dpdk|fetch-kernel"
                .to_owned(),
        ]),
    };
    match result {
        Ok(message) => {
            println!("{message}");
            ExitCode::SUCCESS
        }
        Err(problems) => {
            for problem in &problems {
                eprintln!("error: {problem}");
            }
            ExitCode::FAILURE
        }
    }
}
