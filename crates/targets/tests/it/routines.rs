//! Actions that the user writes and links: called when the reference engine calls them, with the same numbers and packet.

use crate::program::{can_compile, made, options, run};
use forebay_conform::{Numbers, Recipe, expected, operations};
use forebay_core::registry::find;
use forebay_core::{Packet, Seed};
use forebay_engine::{Engine, Reference, Routines};
use forebay_lang::{Fixed, Overrides, Policy, analyse};
use forebay_targets::{TARGETS, TargetOptions};
use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::sync::{Arc, Mutex};

const POLICY: &str = "
extern action seen(value, depth);
extern action served();
a = Queue(4 pkts); b = Queue(600);
a.admPrio(x, y) = (x.value < y.value);
a.congestion(q) = (q.currSize > q.size, drop(1), seen(arriving.value / 3, q.currSize)).(arriving.marked, notify, seen(-1, 0.5));
out = Port(100, a, b);
out.postSchedAct = (true, mark, served());
";

/// Writes each call into the answers.
const USER: &str = r#"
#include <inttypes.h>
#include <stdio.h>
#include "oq_routines.h"

void oq_user_seen(const struct oq_fields *packet, oq_i64 value, oq_i64 depth)
{
	printf("seen %" PRId64 " %" PRId64 " %u %u\n", (int64_t)value, (int64_t)depth, packet->value, packet->marks);
}

void oq_user_served(const struct oq_fields *packet)
{
	printf("served %u %u\n", packet->value, packet->marks);
}
"#;

#[derive(Debug, Default)]
struct Written(Mutex<String>);

impl Routines for Written {
    fn call(&self, action: &str, arguments: &[Fixed], packet: &Packet) {
        let mut out = self.0.lock().unwrap();
        write!(out, "{action}").unwrap();
        arguments.iter().for_each(|number| write!(out, " {}", number.0).unwrap());
        let marks = u8::from(packet.marks.eligible_to_drop()) | u8::from(packet.marks.congested()) << 1;
        writeln!(out, " {} {marks}", packet.value).unwrap();
    }
}

fn policy() -> Policy {
    analyse(POLICY, &Overrides::new()).policy.unwrap()
}

#[test]
fn a_function_of_the_user_is_called_as_the_reference_calls_it() {
    if !can_compile() {
        return;
    }
    let policy = policy();
    let folder = made("c", &policy, &options());
    fs::write(folder.path().join("user.c"), USER).unwrap();
    let program = folder.path().join("program");
    let files = ["main.c", "user.c"].map(|file| folder.path().join(file));
    let compiled = Command::new("cc")
        .args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .args(files)
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let recipe = Recipe { packets: 3_000, cycles: true, numbers: Numbers::Mixed };
    let stream = operations(&policy, Seed(3).stream("routines"), recipe);
    let text: String = stream.iter().map(|operation| format!("{operation}\n")).collect();
    let found = run(&program, &["11"], &text);

    let written = Arc::new(Written::default());
    let own = forebay_engine::EngineOptions { policy_id: options().policy_id, seed: Seed(11) };
    let mut engine = Reference::new(&policy, own);
    engine.set_routines(written.clone());
    let mut right = Vec::new();
    for operation in &stream {
        let answer = expected(&mut engine, std::slice::from_ref(operation))[0].to_string();
        right.extend(std::mem::take(&mut *written.0.lock().unwrap()).lines().map(str::to_owned));
        right.push(answer);
    }
    let found: Vec<&str> = found.iter().map(|line| line.split(" |").next().unwrap()).collect();
    assert!(right.iter().filter(|line| line.starts_with("seen")).count() > 100);
    assert_eq!(found, right);
}

#[test]
fn programs_that_link_nothing_refuse_such_actions() {
    for (name, expected) in [
        ("bpf", "action seen: needs a function of your own, and a kernel verifies one whole program"),
        ("p4", "action seen: needs a function of your own, and a switch's queue does not run one"),
        ("sv", "action seen: needs a function of your own, and hardware contains only its own files"),
    ] {
        let target = find("target", TARGETS, name).unwrap();
        let said: Vec<String> =
            target.check(&policy(), &TargetOptions::default()).iter().map(ToString::to_string).collect();
        assert!(said.iter().any(|said| said.starts_with(expected)), "{name}: {said:?}");
    }
    let foreign = POLICY.replace("served()", "bedient_ä()");
    let foreign = analyse(&foreign, &Overrides::new()).policy.unwrap();
    let target = find("target", TARGETS, "c").unwrap();
    let said = target.check(&foreign, &TargetOptions::default())[0].to_string();
    assert!(said.contains("names of C functions do not have"), "{said}");
}
