//! Devices that this machine's kernel may lack, in a virtual machine with a kernel that has them. `make kernel-test` runs this.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at what it did not expect, and say why it skips"
)]

mod devices;
mod found;
mod network;

use forebay_linux::machine::{Machine, Parts};
use std::time::Duration;

/// The machine is emulated, and slower beside other work.
const TIMEOUT: Duration = Duration::from_secs(900);

/// The tests of [`devices`] and [`found`] again, all of them, in this program in the machine.
#[test]
fn all_devices_are_tried_in_a_machine() {
    let machine = Parts::find().and_then(Machine::new);
    let mut machine = match machine {
        Ok(machine) => machine,
        Err(why) => {
            println!("skipped: {why}");
            return;
        }
    };
    machine.program("kernel", &std::env::current_exe().unwrap()).unwrap();
    let output =
        machine.run("kernel --nocapture --test-threads=1 devices:: found:: >/dev/ttyS1 2>&1\n", TIMEOUT).unwrap();
    let said = String::from_utf8_lossy(&output.written);
    assert!(said.contains("test result: ok. 13 passed"), "{said}\n{}", output.console);
    assert!(!said.contains("skipped:"), "{said}");
}
