//! The core needs nothing of its host but what `oq_base.h` says: no library, and masks that fit their arrays.

use crate::program::{can_compile, files};
use crate::random_policy::random_policy;
use forebay_core::Seed;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A host as strict as a kernel: every index is masked, with a mask that must be that of the array.
const HOST: &str = r#"
#define OQ_AT(array, index, mask) \
    (array)[((index) & (mask)) + 0 * sizeof(char[sizeof(array) / sizeof((array)[0]) == (mask) + 1ul ? 1 : -1])]
#define OQ_GLOBAL __attribute__((noinline))
#define OQ_LOOP(i, bound) for (unsigned i = 0; i < (bound); i++)
static volatile unsigned zero;
#define OQ_UNKNOWN(x) ((x) + zero)
void dropped(unsigned slot, unsigned rule);
#define OQ_DROP(slot, rule) dropped(slot, rule)
#include "oq_core.h"
#include "oq_fields.h"

unsigned host(unsigned long now, const struct oq_fields *fields, unsigned port)
{
    struct oq_fields read;
    oq_init(now);
    oq_read_fields(&read, port, port, port, port);
    oq_enqueue(now, &read);
    return oq_enqueue(now, fields) + oq_dequeue(now, port) + oq_cycle(now, port);
}
"#;

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The names that an object needs from elsewhere.
fn needs(folder: &Path) -> Vec<String> {
    let listed = run(Command::new("nm").args(["-u", "host.o"]).current_dir(folder));
    listed.lines().filter_map(|line| line.split_whitespace().last()).map(str::to_owned).collect()
}

#[test]
fn the_core_needs_no_library_and_masks_fit_their_arrays() {
    if !can_compile() {
        return;
    }
    for seed in 0..12 {
        let folder = files(&random_policy(&mut Seed(seed).stream("policies")));
        fs::write(folder.path().join("host.c"), HOST).unwrap();
        run(Command::new("cc")
            .args(["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-nostdinc", "-fno-pic"])
            .args(["-fno-stack-protector", "-Wframe-larger-than=512", "-Wvla", "-c", "host.c"])
            .current_dir(folder.path()));
        let missing = needs(folder.path());
        assert!(missing.iter().all(|name| name == "dropped"), "seed {seed}: {missing:?}");
    }
}
