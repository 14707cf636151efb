//! Numbers as SystemVerilog, in one cycle and as a pipeline, simulated by Verilator and held equal to the language.

use super::net::{Id, Net, Op};
use super::numbers::{Numbers, Value};
use super::numbers_tests::{Signals, any, bounds, number};
use super::pipeline::Pipeline;
use super::scope::member;
use super::text::Text;
use super::wires::wires;
use forebay_core::Seed;
use forebay_lang::Fixed;
use forebay_lang::ir::{Num, PacketField, Read};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const EXPRESSIONS: usize = 24;
const VECTORS: usize = 1_000;
const SIGNALS: [PacketField; 5] =
    [PacketField::Value, PacketField::Size, PacketField::Rank, PacketField::Flow, PacketField::Class];

/// Reads a line of signals for each cycle, and prints what comes out.
const MAIN: &str = "#include \"Vcheck.h\"\n#include <cinttypes>\n#include <cstdio>\nint main() {\n  Vcheck top;\n  \
    int64_t of;\n  while (true) {\n    for (int i = 0; i < 5; i++) {\n      if (std::scanf(\"%\" SCNd64, &of) != 1) return 0;\n      \
    top.signals_i[i] = of;\n    }\n    top.clk_i = 0;\n    top.eval();\n    for (int i = 0; i < COUNT; i++) \
    std::printf(\"%\" PRId64 \" %\" PRId64 \" \", (int64_t)top.wires_o[i], (int64_t)top.pipeline_o[i]);\n    \
    std::printf(\"\\n\");\n    top.clk_i = 1;\n    top.eval();\n  }\n}\n";

/// The folder of Verilator's package, as `make rtl-tools` fetches it.
fn verilator() -> Option<PathBuf> {
    let lib = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/rtl/venv/lib");
    let versions = fs::read_dir(lib).into_iter().flatten().flatten();
    let found = versions.map(|entry| entry.path().join("site-packages/verilator")).find(|root| root.is_dir());
    if found.is_none() {
        // The test harness shows it with --nocapture.
        let _ = writeln!(std::io::stderr(), "skipped: there is no Verilator; `make rtl-tools` fetches it");
    }
    found
}

/// A module that computes all numbers twice, in units of 1/65,536; and the cycles of its pipeline.
fn module(net: &Net, results: &[Id]) -> (String, u32) {
    let pipeline = Pipeline::new(net, results);
    let mut out = Text::default();
    out.line("module check (");
    out.line("  input logic clk_i, input logic signed [63:0] signals_i [5],");
    out.line(&format!("  output logic signed [63:0] wires_o [{EXPRESSIONS}],"));
    out.line(&format!("  output logic signed [63:0] pipeline_o [{EXPRESSIONS}]"));
    out.line(");");
    for (place, field) in SIGNALS.iter().enumerate() {
        out.line(&format!("  logic signed [63:0] {0}; assign {0} = signals_i[{place}];", member(*field)));
    }
    out.line("  if (1) begin : gen_wires");
    wires(&mut out, net, results);
    for (place, id) in results.iter().enumerate() {
        let value = super::wires::number(net, *id, 64, &|id| format!("n{}", id.0));
        out.line(&format!("    assign wires_o[{place}] = {value};"));
    }
    out.line("  end\n  if (1) begin : gen_pipeline\n  logic en; assign en = 1'b1;");
    pipeline.write(&mut out);
    for (place, id) in results.iter().enumerate() {
        out.line(&format!("    assign pipeline_o[{place}] = {};", pipeline.result(*id, 64)));
    }
    out.line("  end\nendmodule");
    (out.text().to_owned(), pipeline.depth)
}

fn build(root: &Path, folder: &Path, module: &str) -> PathBuf {
    fs::write(folder.join("check.sv"), module).unwrap();
    fs::write(folder.join("main.cpp"), MAIN).unwrap();
    let rtl = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rtl/policy");
    let output = Command::new(root.join("bin/verilator_bin"))
        .env("VERILATOR_ROOT", root)
        .current_dir(folder)
        .args([
            "--cc",
            "--exe",
            "--build",
            "-Wall",
            "-Wno-UNUSEDSIGNAL",
            "--output-split",
            "0",
            "--top-module",
            "check",
        ])
        // The package leaves this empty, so that larger designs do not compile.
        .args(["-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O0 OPT_GLOBAL=-O0"])
        .args(["-CFLAGS", &format!("-DCOUNT={EXPRESSIONS}"), "-Mdir", "made", "check.sv", "main.cpp"])
        .args([format!("{rtl}/policy_delay.sv"), format!("{rtl}/policy_divider.sv")])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{said}\n{module}");
    folder.join("made/Vcheck")
}

#[test]
fn hardware_computes_what_the_language_says() {
    let Some(root) = verilator() else { return };
    let rng = &mut Seed(7).stream("hardware");
    let (mut net, mut results, mut expressions): (Net, Vec<Id>, Vec<Num>) = (Net::default(), Vec::new(), Vec::new());
    while results.len() < EXPRESSIONS {
        let expression = number(rng, 2);
        let Ok(Value::Node { id, whole }) = (Numbers { net: &mut net, scope: &Signals }).number(&expression) else {
            continue;
        };
        results.push(net.add(Op::Up(id, if whole { 16 } else { 0 })).unwrap());
        expressions.push(expression);
    }
    let (text, depth) = module(&net, &results);
    let depth = usize::try_from(depth).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let program = build(&root, folder.path(), &text);
    let vectors: Vec<Vec<Fixed>> =
        (0..VECTORS + depth).map(|_| SIGNALS.iter().map(|field| any(*field, rng)).collect()).collect();
    let line = |vector: &Vec<Fixed>| {
        let units =
            vector.iter().zip(SIGNALS).map(|(value, field)| value.0 >> if bounds(field).whole { 16 } else { 0 });
        units.map(|units| units.to_string()).collect::<Vec<_>>().join(" ") + "\n"
    };
    let input: String = vectors.iter().map(line).collect();
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Vec<i64>> =
        said.lines().map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect()).collect();
    assert_eq!(lines.len(), vectors.len());
    for (cycle, vector) in vectors.iter().enumerate().take(VECTORS) {
        let read = |read: Read| {
            let place = SIGNALS.iter().position(|field| matches!(read, Read::Packet(_, of) if of == *field)).unwrap();
            vector[place]
        };
        for (place, expression) in expressions.iter().enumerate() {
            let right = Fixed::floor(expression.value(&mut |what| read(what))).0;
            let found = [lines[cycle][2 * place], lines[cycle + depth][2 * place + 1]];
            assert_eq!(found, [right; 2], "{expression} of {vector:?}");
        }
    }
}
