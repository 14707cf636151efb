//! The DPDK program of a policy: built, and run with `--measure`.

use super::Counted;
use forebay::error::{Result, UserError};
use forebay_conform::datapath::dpdk::{EAL, MISSING, is_there};
use forebay_core::Seed;
use forebay_core::registry::find;
use forebay_lang::Policy;
use forebay_targets::headers::Mapping;
use forebay_targets::{TARGETS, TargetOptions};
use std::process::{Command, Output};
use tempfile::TempDir;

/// What each run measures.
const PACKETS: u32 = 100_000;
/// The priority is the Type of Service, the second byte of IP; the flow is in the last byte of UDP's source port.
const FIELDS: [&str; 2] = ["class=ip[1:1]", "flow=udp[1:1]"];

/// A program in a folder that goes away with it.
pub(super) struct Program {
    folder: TempDir,
}

/// Why it cannot be measured here.
pub(super) fn missing() -> Option<String> {
    (!is_there()).then(|| MISSING.to_owned())
}

impl Program {
    /// Compiles a policy, and builds the program.
    pub(super) fn build(policy: &Policy) -> Result<Self> {
        let mut mapping = Mapping::default();
        for field in FIELDS {
            let (field, source) = Mapping::read_setting(field).map_err(|error| UserError::new(error.to_string()))?;
            mapping.set(field, source);
        }
        let target = find("target", TARGETS, "dpdk").map_err(|error| UserError::new(error.to_string()))?;
        let files =
            target.emit(policy, &TargetOptions { mapping, ..TargetOptions::default() }).map_err(|refusals| {
                let reasons: Vec<String> = refusals.iter().map(ToString::to_string).collect();
                UserError::new(reasons.join("; "))
            })?;
        let folder = tempfile::tempdir().map_err(|error| UserError::at("a temporary folder", error.to_string()))?;
        for file in files {
            let path = folder.path().join(file.name);
            std::fs::write(&path, file.text).map_err(|error| UserError::io(&path, "written", &error))?;
        }
        let output = Command::new("make").arg("--silent").current_dir(folder.path()).output();
        said("the program cannot be built", &output.map_err(|_| UserError::new(MISSING))?)?;
        Ok(Self { folder })
    }

    /// Measures a run in which `departures` packets leave for 32 arrivals. On average, `burst` packets have the same priority.
    pub(super) fn measure(&self, departures: u32, burst: u32, seed: Seed) -> Result<Counted> {
        self.measure_packets(PACKETS, departures, burst, seed)
    }

    pub(super) fn measure_packets(&self, packets: u32, departures: u32, burst: u32, seed: Seed) -> Result<Counted> {
        let numbers = [packets, departures, burst].map(|number| number.to_string());
        let [packets, departures, burst] = numbers.each_ref().map(String::as_str);
        let mut command = Command::new(self.folder.path().join("policy"));
        command.args(EAL).args(["--", "--json", "--measure", packets, "--leave", departures, "--burst", burst]);
        let output = command.args(["--seed", &seed.0.to_string()]).output();
        let text = said(
            "the program does not run",
            &output.map_err(|error| UserError::at("the program", error.to_string()))?,
        )?;
        serde_json::from_str(text.trim())
            .map_err(|error| UserError::new(format!("the program says `{}`: {error}", text.trim())))
    }
}

/// What a command has written; or why it failed.
fn said(what: &str, output: &Output) -> Result<String> {
    let errors = String::from_utf8_lossy(&output.stderr);
    let line = errors.lines().find(|line| line.contains("error")).or(errors.lines().next());
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(UserError::at(what, line.unwrap_or("it gave no reason")))
    }
}
