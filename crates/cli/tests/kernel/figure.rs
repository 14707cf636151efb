//! Figure 6 of OpenQueue: FIFO through heaps beside the kernel's, in a machine of its own.

use std::process::Command;

#[test]
#[ignore = "it takes minutes; make kernel-nightly runs it"]
fn every_row_of_figure_6_is_as_stated() {
    let mut forebay = Command::new(env!("CARGO_BIN_EXE_forebay"));
    let output = forebay.args(["repro", "openqueue/figure-6"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(2) && said.contains("is missing") {
        println!("skipped: {said}");
        return;
    }
    assert_eq!(output.status.code(), Some(0), "{said}{}", String::from_utf8_lossy(&output.stdout));
}
