//! The parts of `make test`, and the lists that are run together.
//!
//! The parts that show mistakes soonest stand first. A part that needs more than a CPU minute has a reduced form in
//! `test`, and the whole one in `long`.

use super::part::Part;

/// The lists, by name.
pub(crate) const NAMES: [&str; 4] = ["check", "quick", "test", "long"];

/// The parts of a list.
pub(crate) fn parts_of(list: &str) -> Option<Vec<Part>> {
    Some(match list {
        "check" => CHECK.to_vec(),
        "quick" => [&CHECK[..1], RUST].concat(),
        "test" => [FETCHED, CHECK, LEDGER, RUST, OTHER_BUILDS, USED, HARDWARE].concat(),
        "long" => LONG.to_vec(),
        _ => return None,
    })
}

const fn part(
    name: &'static str,
    about: &'static str,
    command: &'static [&'static str],
    after: &'static [&'static str],
    cores: usize,
) -> Part {
    Part { name, about, command, after, cores }
}

/// Downloads, side by side with the parts that need none.
const FETCHED: &[Part] = &[
    part("fetch-kernel", "a kernel, and loaders of policies for it", &["cargo", "xtask", "fetch-kernel"], &[], 0),
    part(
        "fetch-debian",
        "a web application firewall's rules",
        &["cargo", "xtask", "fetch-debian"],
        &["fetch-kernel"],
        0,
    ),
    part("fetch-highs", "HiGHS", &["cargo", "xtask", "fetch-highs"], &["fetch-kernel"], 0),
    part("rtl-tools", "Verilator, cocotb and Yosys", &["make", "rtl-tools"], &["fetch-debian"], 0),
];

/// A mistake shows within a minute.
const CHECK: &[Part] = &[
    part("tidy", "house rules and formatting", &["cargo", "xtask", "tidy"], &[], 1),
    part("prose", "plain English in all pages", &["cargo", "xtask", "prose"], &["tidy"], 1),
    part("prose-rust", "plain English in Rust files", &["cargo", "xtask", "prose", "--rust"], &["prose"], 1),
    part("lint", "Clippy's warnings", &["cargo", "xtask", "lint"], &["fetch-kernel", "fetch-highs"], 2),
];

/// Every test in Rust.
const RUST: &[Part] = &[
    part(
        "build",
        "the workspace with its tests",
        &["cargo", "xtask", "workspace", "test", "--no-run"],
        &["fetch-kernel", "fetch-highs"],
        2,
    ),
    part(
        "rust",
        "every test in Rust, and the examples of the documentation",
        &["cargo", "xtask", "workspace", "test", "--no-fail-fast"],
        &["build", "fetch-debian", "rtl-tools"],
        1,
    ),
];

/// The sources of published numbers.
const LEDGER: &[Part] = &[part(
    "sources",
    "where published numbers come from; with the text of the papers, that they are there",
    &["python3", "xtask/sources/check.py", "--quiet", "--papers", "../shared/papers"],
    &[],
    1,
)];

/// Code that is built in another way.
const OTHER_BUILDS: &[Part] = &[
    part("supply", "licences and versions of other people's code", &["cargo", "xtask", "supply"], &["build"], 1),
    part("features", "libraries without their default features", &["make", "test-features"], &["rust"], 1),
];

/// Output that a user sees.
const USED: &[Part] = &[
    part("demo", "the demonstration", &["target/debug/forebay", "demo", "--out", "target/demo"], &["build"], 1),
    part("figures", "the published figures that take a few seconds each", &["make", "test-figures"], &["build"], 1),
    part(
        "report",
        "reports in a browser, with Debian's chromium",
        &["python3", "xtask/browser/report_page.py", "target/debug/forebay", "target/report"],
        &["build"],
        1,
    ),
    part(
        "pandas",
        "tables and flows of a network sweep, read by pandas alone",
        &["python3", "xtask/pandas/check.py", "target/debug/forebay", "target/pandas"],
        &["build"],
        1,
    ),
    part("python", "the Python package", &["make", "test-python"], &["build"], 1),
    part("site", "the parts that build the site", &["make", "test-site"], &["build"], 1),
    part("same-bytes", "one result on one and two threads", &["cargo", "xtask", "same-bytes"], &["build"], 1),
    part("kernel", "policies in a real kernel, some of the tests", &["make", "test-kernel"], &["build"], 1),
];

/// Blocks of hardware.
const HARDWARE: &[Part] = &[
    part("rtl-lint", "Verilator's warnings", &["make", "rtl-lint"], &["rtl-tools"], 1),
    part(
        "rtl-queues",
        "random traffic on each eighth shape of each queue",
        &["make", "rtl-test-quick"],
        &["rtl-lint"],
        1,
    ),
    part("rtl-formal", "the fast proofs", &["make", "rtl-formal-quick"], &["rtl-lint"], 1),
    part("rtl-mutants", "each fourth fault put into the hardware", &["make", "rtl-mutants-quick"], &["rtl-queues"], 1),
    part("rtl-example", "a hardware queue in a C++ program", &["make", "rtl-example"], &["rtl-mutants"], 1),
    part("rtl-synth", "area and clock against their limits", &["make", "rtl-synth-quick"], &["rtl-lint"], 1),
];

/// Parts that take longer, whole.
const LONG: &[Part] = &[
    part("build", "the workspace with its tests", &["cargo", "xtask", "workspace", "test", "--no-run"], &[], 2),
    part(
        "rust",
        "the tests that are shorter in `test`",
        &[
            "env",
            "FOREBAY_LONG=1",
            "cargo",
            "xtask",
            "workspace",
            "test",
            "--test",
            "it",
            "--",
            "random_policies",
            "conform_hardware",
            "shards",
        ],
        &["build"],
        2,
    ),
    part(
        "assertions",
        "every test in Rust, with the assertions that cost half of the time",
        &[
            "env",
            "CARGO_PROFILE_DEV_DEBUG_ASSERTIONS=true",
            "CARGO_TARGET_DIR=target/assertions",
            "cargo",
            "xtask",
            "workspace",
            "test",
            "--no-fail-fast",
        ],
        &["build"],
        2,
    ),
    part("prove", "the heaps of policies in C, proved for up to seven packets", &["make", "prove"], &["build"], 2),
    part("sanitize", "every policy in C and in DPDK, with sanitizers", &["cargo", "xtask", "sanitize"], &["build"], 1),
    part("rtl-test", "every shape of every hardware queue, and all blocks", &["make", "rtl-test"], &[], 2),
    part("rtl-mutants", "every fault put into the hardware", &["make", "rtl-mutants"], &["rtl-test"], 2),
    part("kernel", "every test of policies in a real kernel", &["make", "kernel-test"], &["build"], 2),
    part("portable", "WebAssembly, Windows and macOS", &["cargo", "xtask", "check-portable"], &[], 2),
    part("follow-docs", "the pages that add an algorithm", &["cargo", "xtask", "follow-docs"], &["build"], 2),
    part(
        "python",
        "the Python package, with every scenario of the documentation",
        &["env", "FOREBAY_LONG=1", "make", "test-python"],
        &["build"],
        2,
    ),
    part("clusters", "sweeps of Python on Ray and Slurm", &["make", "test-clusters"], &["build"], 2),
    part("web", "the playground in Debian's chromium", &["make", "test-web"], &["build"], 2),
    part("deb", "the Debian package in a fresh root of Debian", &["make", "test-deb"], &[], 2),
    part("documentation", "the reference of every library, without warnings", &["make", "test-rustdoc"], &[], 2),
    part(
        "figures",
        "all published figures",
        &[
            "cargo",
            "run",
            "--quiet",
            "--release",
            "--package",
            "forebay-cli",
            "--",
            "repro",
            "--all",
            "--out",
            "target/repro",
        ],
        &[],
        2,
    ),
];
