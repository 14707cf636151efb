"""The faults in the part that joins two policies of one hardware: `make rtl-nightly`, or `make rtl-mutants QUEUE=policy_swap`.

Each is put into the hardware that `forebay compile --replace-by` makes of two policies of testdata/replace. Its program
`play` plays a stream with replacements, whose answers are compared with those of the reference engine.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from threading import Lock

from bench.build import TARGET, BuildError, tool_environment
from bench.lint import slang
from bench.mutants import JUDGES, Mutant, NotApplicable
from bench.queues import RTL, Parameters

ROOT = RTL.parent
# The first policy, its replacement, and the live parameters.
PAIRS = {"shared": ("shared", "strict", "K"), "bytes": ("bytes", "counts", "W")}
NAMES = list(PAIRS)
SWAP_SHAPES: dict[str, tuple[Parameters, ...]] = {"policy_swap": ()}
PROGRAM = re.compile(r"(pushed \d+:\d+):\d+")
"""The marks of a packet that is pushed out are not reported."""
LOCK = Lock()


def faults(file: str, *rows: tuple[str, str, str, str]) -> list[Mutant]:
    """Each: the pairs that must find it, what it breaks, the text, the replacement."""
    return [
        Mutant("policy_swap", f"policy/{file}.sv", text, replacement, breaks,
               tuple({"pair": NAMES.index(name)} for name in names.split()))
        for names, breaks, text, replacement in rows
    ]


SWAP_MUTANTS: list[Mutant] = [
    *faults(
        "policy_swap",
        ("shared", "what drains leaves first", "assign drains = next_pull_i[active_q] && waits_i",
         "assign drains = 1'b0 && waits_i"),
        ("shared", "a port waits for its own packets only", "waits_i[other][next_port_i[active_q]];", "waits_i[other] != '0;"),
        ("shared", "packets that arrive go to the policy in force", "assign drains = next_pull_i[active_q] && waits_i",
         "assign drains = waits_i"),
        ("bytes", "a decision waits for that of the policy that drains", "!drains && !busy_i[other];", "!drains;"),
        ("bytes", "a pull waits for the decision of the policy in force", "&& drains && !busy_i[active_q];", "&& drains;"),
        ("bytes", "a pull stays until it is taken", "pull_valid_o[other] && ready_i[other];", "pull_valid_o[other];"),
        ("shared", "a replacement waits until nothing is under way", "    if (replacing_q && quiet) begin",
         "    if (replacing_q) begin"),
        ("shared", "nothing is accepted before a replacement is made", "hold         = replacing_q || hold_i[active_q];",
         "hold         = hold_i[active_q];"),
        ("shared", "a replacement is refused while packets drain", "32'(other) && packets_i[other] == '0;", "32'(other);"),
        ("shared", "the policy in force does not replace itself", "wdata_q == 32'(other) && packets_i", "packets_i"),
        ("shared", "a refusal is told", "is_same || done ? RespOkay : RespError;", "RespOkay;"),
        ("shared", "asking for the policy in force is no refusal", "end else if (!is_same) refused_q", "end else refused_q"),
        ("shared", "each replacement is a version", "        version_q <= version_q + 1'b1;\n", ""),
        ("bytes", "a policy begins anew", "restart_o[other] = replacing_q && quiet && done;", "restart_o[other] = 1'b0;"),
        ("shared", "departures are told in the order of their decisions", ".data_i (departs_i[1]),", ".data_i (active_q),"),
        ("shared", "drops are told by the policy that decides", ".data_i (drops_i[1]),", ".data_i (1'b0),"),
        ("bytes", "parameters are those of the policy in force", "m_axil_awvalid_o[active_q] =", "m_axil_awvalid_o[0] ="),
        ("shared", "the counters of each policy are read", "? active_q : s_axil_araddr_i[14];", "? active_q : 1'b0;"),
    ),
    *faults(
        "policy_drain",
        ("shared", "a packet counts in the queue of its name", ": queue_q[q] + amount(QueueInBytes[q]);", ": queue_q[q];"),
        ("bytes", "a queue counts in its own unit", ": queue_q[q] + amount(QueueInBytes[q]);",
         ": queue_q[q] + amount(1'b0);"),
        ("shared", "what has left counts no more in the queue", "take_i ? queue_q[q] - amount(QueueInBytes[q])",
         "take_i ? queue_q[q]"),
        ("shared", "a packet counts in the queue's buffer", "if (shared && Buffered[to] && buffer", "if (1'b0 && buffer"),
        ("bytes", "only queues of a buffer count in it", "if (shared && Buffered[to] && buffer", "if (shared && buffer"),
        ("bytes", "a buffer counts in its own unit", ": buffer_q[b] + amount(BufferInBytes[b]);",
         ": buffer_q[b] + amount(1'b0);"),
        ("shared", "queues without a namesake count nowhere", "shared  = change && Shared[changed];", "shared  = change;"),
        ("shared", "a packet waits at its port", "port_q[p] <= take_i ? port_q[p] - 1'b1 : port_q[p] + 1'b1;",
         "port_q[p] <= port_q[p] + 1'b1;"),
    ),
    *faults(
        "policy_counts",
        ("shared", "the queue counts what drains", "queue_own[q] + queue_held_i[q];", "queue_own[q];"),
        ("shared", "the buffer counts what drains", "buffer_own[b] + buffer_held_i[b];", "buffer_own[b];"),
    ),
    *faults(
        "policy_control",
        ("bytes", "states go on", "      state_q       <= peer_i.state;\n", ""),
        ("shared", "a notification that is owed ends with its version",
         "      state_q       <= peer_i.state;\n      notify_next_q <= '0;", "      state_q       <= peer_i.state;"),
    ),
    *faults(
        "policy_registers",
        ("bytes", "parameters begin anew", "if (rst_i || restart_i) begin", "if (rst_i) begin"),
    ),
]


def make_play(folder: Path, assertions: bool) -> None:
    """Builds the program of a folder."""
    checks = "--assert" if assertions else ""
    done = subprocess.run(
        ["make", "--silent", "play", "OPTIMISE=-O0", f"CHECKS={checks}"],
        cwd=folder, env=tool_environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )
    if done.returncode:
        raise BuildError(done.stdout[-2000:])


@cache
def made(pair: int, assertions: bool) -> Path:
    """The folder of a pair, with its program, which finds no differences."""
    first, second, live = PAIRS[NAMES[pair]]
    folder = TARGET / "swap" / f"{first}-{int(assertions)}"
    shutil.rmtree(folder, ignore_errors=True)
    program = [os.environ["FOREBAY"]] if "FOREBAY" in os.environ else [
        os.environ.get("CARGO", "cargo"), "run", "--quiet", "--package", "forebay-cli", "--"]
    command = [*program, "compile", f"testdata/replace/{first}.oq", "--replace-by", f"testdata/replace/{second}.oq",
               "--live", live, "--target", "sv", "--output", str(folder)]
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise BuildError(done.stdout[-2000:])
    files = [str(folder / file) for file in (folder / "policy.f").read_text().split()]
    if wrong := slang("policy", files):
        raise BuildError(wrong)
    make_play(folder, assertions)
    if wrong := played(folder):
        raise BuildError(f"{first} without a fault: {wrong}")
    return folder


def played(folder: Path) -> str:
    """The mistakes in the answers of a folder's program; empty if they are right."""
    with (folder / "operations.ops").open() as operations:
        try:
            done = subprocess.run([folder / "play"], stdin=operations, text=True, capture_output=True, check=False,
                                  timeout=300)
        except subprocess.TimeoutExpired:
            return "it does not end"
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["it stopped"])[-1]
    right, found = (PROGRAM.sub(r"\1", text).splitlines() for text in ((folder / "answers.txt").read_text(), done.stdout))
    for number, (one, other) in enumerate(zip(right, found, strict=False), 1):
        if one != other:
            return f"operation {number}: {other}, and should be {one}"
    return "" if len(right) == len(found) else "answers are missing"


def judge_swap(mutant: Mutant, _: tuple[Parameters, ...], assertions: bool) -> str:
    """Puts a fault into the hardware of one pair after the other; says why it was found, or nothing."""
    name = Path(mutant.file).name
    for parameters in mutant.on:
        with LOCK:
            original = made(parameters["pair"], assertions)
        place = f"{SWAP_MUTANTS.index(mutant)}-{parameters['pair']}-{int(assertions)}"
        folder = TARGET / "mutants" / "swap" / place
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(original, folder, copy_function=shutil.copy2)
        (folder / "play").unlink()
        # Each policy has its own copy of its files.
        files = [folder / name, *(folder / name.replace("policy_", f"policy{policy}_", 1) for policy in (0, 1))]
        files = [file for file in files if file.exists()]
        if not files:
            raise NotApplicable(f"there is no {name}")
        for file in files:
            text = file.read_text()
            if text.count(mutant.text) != 1:
                raise NotApplicable(f"its text is {text.count(mutant.text)} times in {file.name}, not once")
            file.write_text(text.replace(mutant.text, mutant.replacement))
        make_play(folder, assertions)
        wrong = played(folder)
        shutil.rmtree(folder)
        if wrong:
            return wrong
    return ""


JUDGES["policy_swap"] = judge_swap
