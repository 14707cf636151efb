//! Chores of the repository; `cargo xtask` alone lists them.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "chores talk to the developer")]

mod apt;
mod bench;
mod cbmc;
mod chaos;
mod circles;
mod debian;
mod debian_rustc;
mod docs;
mod files;
mod highs;
mod kernel;
mod kills;
mod packages;
mod portable;
mod program;
mod prose;
mod same_bytes;
mod same_results;
mod sanitize;
mod scratch;
mod soak;
mod supply;
mod test;
mod tidy;
mod unsafe_code;
mod valgrind;
mod walls;
mod web;
mod workspace;
mod wrapper;

use docs::Extent;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask CHORE, of
  test LIST [PART...]       run the parts of check, quick, test or long, and print how long each took
  workspace VERB [WORD...]  run cargo on the whole workspace with the features that all tests use
  lint                      run Clippy over the workspace
  tidy [--graph]            check the house rules, or print the graph of crates
  prose [--rust] [FILE...]  check the rules of docs/writing.md in pages, or in comments and messages of Rust files
  supply                    check the licences, sources and versions of other people's code (docs/dependencies.md)
  sanitize [PACKETS]        run generated C with sanitizers on streams of PACKETS packets, and the switch under valgrind (docs/unsafe.md)
  sbom [OPTION...]          print the bill of materials of the command, as CycloneDX; takes options of cargo tree, such as --features exact
  fmt                       format every Rust file
  bench compare|keep|draw   compare instruction counts of the last `make bench` with the kept ones, keep or draw them (docs/perf/history.md)
  chaos [OPTION...]         simulate faults in programs that keep state (docs/chaos.md); --seed N, --faults N, --system NAME
  soak SECONDS              put every program that keeps state under load, for SECONDS in all
  kills NUMBER              kill sweeps, switches, deployments and a loading cache NUMBER times in all, at random moments
  follow-docs [PAGE|--tests]  follow the pages that add an algorithm, in a copy, or run only the tests that they name
  same-bytes [keep|against FOLDER PROGRAM]  check that threads, or another version of the program, do not change results
  walls [OPTION...] [WORD]  find how large inputs may be: --memory SIZE, --seconds N; only limits whose names contain WORD
  web [FOLDER]              build the playground as WebAssembly and pages; FOLDER is target/web/pages by default
  test-web                  test the playground in Debian's chromium, beside the command that was built last
  check-portable [TARGET]   check the crates for WebAssembly, Windows and macOS
  fetch-cbmc|fetch-debian|fetch-dpdk|fetch-kernel|fetch-highs  fetch what tests need from other projects";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match &words[..] {
        ["test", list, parts @ ..] => test::run(list, parts),
        ["workspace", verb, arguments @ ..] => workspace::run(verb, arguments),
        ["lint"] => workspace::lint(),
        ["tidy", "--graph"] => tidy::graph(),
        ["tidy"] => tidy::check(),
        ["prose", words @ ..] => prose::run(words),
        ["supply"] => supply::run(),
        ["sanitize"] => sanitize::run("5000"),
        ["sanitize", packets] => sanitize::run(packets),
        ["sbom", options @ ..] => supply::sbom::write(options),
        ["chaos", options @ ..] => chaos::run(options),
        ["soak", seconds] => soak::run(seconds),
        ["kills", number] => kills::run(number),
        ["bench", "compare"] => bench::compare(),
        ["bench", "keep"] => bench::keep(),
        ["bench", "draw"] => bench::draw(),
        ["fmt"] => files::rustfmt(&[]).map(|()| "formatted".to_owned()),
        ["follow-docs"] => docs::follow(None, Extent::Whole),
        ["follow-docs", "--tests"] => docs::follow(None, Extent::Tests),
        ["follow-docs", page] => docs::follow(Some(page), Extent::Whole),
        ["same-bytes"] => same_bytes::test(),
        ["same-bytes", "keep", folder, program] => same_results::keep(Path::new(folder), Path::new(program)),
        ["same-bytes", "against", folder, program] => same_results::against(Path::new(folder), Path::new(program)),
        ["fetch-cbmc"] => cbmc::fetch(),
        ["fetch-debian"] => debian::fetch(),
        ["fetch-dpdk"] => packages::fetch(),
        ["fetch-highs"] => highs::fetch(),
        ["fetch-kernel"] => kernel::fetch(),
        ["walls", options @ ..] => walls::find(options),
        ["web", words @ ..] => web::run(words),
        ["test-web"] => web::test(),
        ["check-portable"] => portable::check(None),
        ["check-portable", target] => portable::check(Some(target)),
        _ => Err(vec![USAGE.to_owned()]),
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
