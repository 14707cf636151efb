"""Proves the heaps of policies in C for small sizes, by the bounded model checker CBMC and heap_proof.c beside this file.

Usage: heaps.py FOREBAY FOLDER [--packets N]. For each policy of policies/ whose queues need a heap: its comparators are total orders
of packets with any contents. The heap itself has the same text in all policies. Each operation on each heap of up to N
packets (7), with any keys, leaves a heap of the right packets, and reads or writes nothing outside of an array. Faults that are put
into the heap are found. FOLDER has the program `cbmc` (`cargo xtask fetch-cbmc`); without it this is skipped, and a message says so.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Shortest remaining work first: any order of eight packets is one by their work.
GENERIC = "srpt"
PLACES = 8

# Products and quotients of 64-bit numbers are hard for such a checker: a proof that takes longer, in seconds, is left open.
LONGEST = 120
OPEN = "OPEN"

# Faults of the heap, with an operation, a number of packets and a slot by which each is found.
FAULTS = [
    ("parent = (place - 1) / 2;", "parent = place / 2;", ("goes_in", 6, 0)),
    ("if (child >= count)", "if (child > count)", ("is_moved", 5, 2)),
    ("if (child + 1 < count) {", "if (child + 2 < count) {", ("goes_out", 4, 0)),
    ("oq_{heap}_up(base, count);", "", ("goes_in", 3, 0)),
    ("\toq_{heap}_up(base, OQ_PACKET(slot).place[0]);\n", "", ("is_moved", 4, 2)),
    ("\toq_{heap}_down(base, OQ_PACKET(slot).place[0], count);\n", "", ("is_moved", 4, 0)),
    ("\tOQ_PACKET(last).place[0] = place;\n", "", ("goes_out", 4, 1)),
    ("OQ_PACKET(other).place[0] = place;", ";", ("goes_in", 4, 0)),
]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("forebay", type=Path)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--packets", type=int, default=7)
    given = arguments.parse_args()
    cbmc = (given.folder / "cbmc").resolve()
    if not cbmc.exists():
        print("skipped: proofs of the heaps in C (CBMC is not there; run: cargo xtask fetch-cbmc)")
        return 0
    begin = time.monotonic()
    heaps = [heap for policy in sorted((ROOT / "policies").glob("*.oq")) for heap in heaps_of(given.forebay, policy, given.folder)]
    generic = [heap for heap in heaps if heap[0].name == GENERIC]
    jobs = [(source, name, "order", 3, 0) for source, name in heaps]
    for source, name in generic:
        jobs += [(source, name, "goes_in", count, 0) for count in range(given.packets + 1)]
        places = [(count, place) for count in range(1, given.packets + 1) for place in range(count)]
        jobs += [(source, name, function, *place) for function in ("front", "goes_out", "is_moved") for place in places]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(pool.map(lambda job: proved(cbmc, *job), jobs))
        found = list(pool.map(lambda fault: is_found(cbmc, generic[0], *fault, given.folder), FAULTS))
    left = [f"{job[0].name} ({job[1]})" for job, what in zip(jobs, said) if what == OPEN]
    failed = [f"{job[0].name}, {' '.join(map(str, job[1:]))}: {what}" for job, what in zip(jobs, said) if what not in ("SUCCESSFUL", OPEN)]
    if [job for job, what in zip(jobs, said) if what == OPEN and job[2] != "order"]:
        failed.append(f"a proof of the heap did not end in {LONGEST} s")
    missed = [f"a fault is not found: {fault[1] or 'without'} {fault[0].strip()}" for fault, is_there in zip(FAULTS, found) if not is_there]
    for problem in failed + missed:
        print(f"error: {problem}", file=sys.stderr)
    seconds = time.monotonic() - begin
    if left:
        print(f"open after {LONGEST} s each: whether these comparators are total orders: {', '.join(left)}")
    print(
        f"proved: {len(heaps) - len(left)} of {len(heaps)} comparators, of {len({heap[0] for heap in heaps})} policies, are total orders; the heap in C for up to {given.packets} packets, "
        f"with {len(jobs) - len(heaps)} proofs; {len(FAULTS)} faults are found ({seconds:.0f} s)"
        if not failed + missed
        else f"{len(failed)} of {len(jobs)} proofs failed, {len(missed)} of {len(FAULTS)} faults were not found"
    )
    return 1 if failed + missed else 0


def heaps_of(forebay: Path, policy: Path, folder: Path) -> list[tuple[Path, str]]:
    """The folder of a policy's program, with room for few packets, and the names of its heaps."""
    source = folder / "policies" / policy.stem
    command = [forebay, "compile", policy, "--target", "c", "--output", source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        # Policies with several stages are for engines alone.
        return []
    sizes = source / "oq_sizes.h"
    text = sizes.read_text(encoding="utf-8")
    for name, value in {"CAPACITY": PLACES, "SLOTS": PLACES, "SLOT_MASK": PLACES - 1, "PLACES": PLACES, "PLACE_MASK": PLACES - 1, "HEAP_STEPS": 4}.items():
        text = re.sub(rf"(#define OQ_{name}) \d+u", rf"\1 {value}u", text)
    sizes.write_text(text, encoding="utf-8")
    orders = (source / "oq_orders.h").read_text(encoding="utf-8")
    return [(source, name) for name in re.findall(r"oq_(\w+)_first\(oq_u32 a, oq_u32 b\)\n", orders)]


def proved(cbmc: Path, source: Path, heap: str, function: str, count: int, place: int) -> str:
    """The verdict of CBMC on one proof."""
    end = heap.split("_", 1)[0]
    index = {"service": 0, "victims": 1}[end]
    command = [cbmc, HERE / "heap_proof.c", "-I", source, f"-DHEAP={heap}", f"-DARRAY=oq_{end}_heap", f"-DINDEX={index}"]
    command += [f"-DCOUNT={count}", f"-DPLACE={place}", "--function", function, "--unwind", str(PLACES + 1), "--unwinding-assertions"]
    command += ["--bounds-check", "--pointer-check", "--slice-formula"]
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return OPEN
    said = done.stdout.strip().splitlines() or ["it said nothing"]
    failures = [line for line in said if line.endswith("FAILURE")]
    return said[-1].removeprefix("VERIFICATION ") if not failures else failures[0]


def is_found(cbmc: Path, heap: tuple[Path, str], right: str, wrong: str, proof: tuple[str, int, int], folder: Path) -> bool:
    """Whether a fault in the heap makes this proof fail."""
    source, name = heap
    copy = folder / "faults" / re.sub(r"\W+", "-", right + wrong).strip("-")
    copy.mkdir(parents=True, exist_ok=True)
    for header in source.glob("*.h"):
        text = header.read_text(encoding="utf-8")
        if header.name == "oq_orders.h":
            right = right.replace("{heap}", name)
            before, own, after = text.partition(f"int oq_{name}_up(")
            assert right in after, right
            text = before + own + after.replace(right, wrong, 1)
        (copy / header.name).write_text(text, encoding="utf-8")
    return proved(cbmc, copy, name, *proof).endswith("FAILURE")


if __name__ == "__main__":
    sys.exit(main())
