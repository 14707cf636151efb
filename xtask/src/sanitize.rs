//! The C code that targets generate from policies, built with sanitizers and played: `c` and, where DPDK is installed,
//! `dpdk`. Each policy of `policies/` runs on streams of `forebay conform` with small, large and mixed numbers. Then
//! the software switch runs under valgrind.
//!
//! A folder in `target` has a `cc` that adds the sanitizers and stands first in PATH, so that `conform` builds with it.
//! Before anything else, two programs with a fault show that the sanitizers work.

use crate::files::{ChoreResult, all, root};
use crate::wrapper::before_path;
use crate::{program, valgrind};
use std::fs;
use std::process::{Command, Output};

/// Flags of the compiler. The first fault ends the program, and the comparison with it.
const FLAGS: &str = "-g -fsanitize=address,undefined -fno-sanitize-recover=all";

/// Programs that only sanitizers stop, and the messages expected from them.
const FAULTY: [(&str, &str); 2] = [
    ("int main(int n, char **v) { int a[2] = {0, 0}, *p = a; (void)v; return p[n + 1]; }", "stack-buffer-overflow"),
    ("int main(int n, char **v) { int most = 2147483647; (void)v; return (most + n) > 0; }", "signed integer overflow"),
];

/// Numbers of the packets in the streams.
const STREAMS: [&[&str]; 3] = [&[], &["--wide"], &["--small"]];

/// Runs the switch, and plays all policies, each stream with so many packets.
pub(crate) fn run(packets: &str) -> ChoreResult<String> {
    Ok(format!("{}\n{}", valgrind::run()?, policies_in_c(packets)?))
}

/// Builds and plays all policies.
fn policies_in_c(packets: &str) -> ChoreResult<String> {
    if Command::new("cc").arg("--version").output().is_err() {
        return Ok("skipped: sanitizers (there is no C compiler; install gcc)".to_owned());
    }
    let path = compiler().map_err(|error| vec![format!("target/sanitize: {error}")])?;
    find_faults(&path)?;
    let forebay = program::built()?;
    let has_dpdk =
        Command::new("pkg-config").args(["--exists", "libdpdk"]).status().is_ok_and(|status| status.success());
    if !has_dpdk {
        println!("skipped: DPDK's programs with sanitizers (DPDK is missing; run: cargo xtask fetch-dpdk)");
    }
    let targets = if has_dpdk { &["c", "dpdk"][..] } else { &["c"] };
    let policies: Vec<String> = all()?.into_iter().filter(|file| is_policy(file)).collect();
    let mut problems = Vec::new();
    for (policy, target) in policies.iter().flat_map(|policy| targets.iter().map(move |target| (policy, *target))) {
        // DPDK's programs take longer to build than to play.
        let streams = if target == "c" { &STREAMS[..] } else { &STREAMS[..1] };
        for stream in streams {
            let mut command = Command::new(&forebay);
            command.current_dir(root()).env("PATH", &path).env("CFLAGS", "-Og");
            // DPDK keeps its memory until the end.
            command.env("ASAN_OPTIONS", if target == "c" { "detect_leaks=1" } else { "detect_leaks=0" });
            command.args(["conform", policy, "--target", target, "--packets", packets, "--seed", "5"]).args(*stream);
            let output = command.output().map_err(|error| vec![format!("{}: {error}", forebay.display())])?;
            if !output.status.success() {
                problems.push(format!("{policy}, {target} {}: {}", stream.concat(), said(&output)));
            }
        }
    }
    if problems.is_empty() {
        Ok(format!(
            "sanitizers: nothing found in {} policies as {} ({packets} packets a stream)",
            policies.len(),
            targets.join(" and ")
        ))
    } else {
        Err(problems)
    }
}

/// Whether it is a policy with its script, and not a piece of one, that has one stage: targets reject several.
fn is_policy(file: &str) -> bool {
    let path = root().join(file);
    let has_one_stage = || fs::read_to_string(&path).is_ok_and(|text| !text.contains(".next("));
    let named = file.starts_with("policies/") && file.ends_with(".oq");
    named && path.with_extension("script").is_file() && has_one_stage()
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).trim().to_owned()).join("\n")
}

/// Makes the compiler with sanitizers; the PATH in which it stands first.
fn compiler() -> std::io::Result<String> {
    let folder = std::path::absolute(root().join("target/sanitize"))?;
    fs::create_dir_all(&folder)?;
    before_path(&folder, "cc", |real| format!("exec {} {FLAGS} \"$@\"\n", real.display()))
}

/// Checks that the sanitizers find the faults that they are for.
fn find_faults(path: &str) -> ChoreResult<()> {
    let folder = root().join("target/sanitize");
    let (source, program) = (folder.join("faulty.c"), folder.join("faulty"));
    for (text, expected) in FAULTY {
        fs::write(&source, text).map_err(|error| vec![format!("{}: {error}", source.display())])?;
        let built = Command::new(folder.join("cc")).env("PATH", path).arg("-o").arg(&program).arg(&source).output();
        let built = built.map_err(|error| vec![format!("cc: {error}")])?;
        if !built.status.success() {
            return Err(vec![format!("cc cannot build with {FLAGS}: {}", said(&built))]);
        }
        let output =
            Command::new(&program).output().map_err(|error| vec![format!("{}: {error}", program.display())])?;
        if output.status.success() || !said(&output).contains(expected) {
            return Err(vec![format!("the sanitizers do not find a fault that was made on purpose ({expected})")]);
        }
    }
    Ok(())
}
