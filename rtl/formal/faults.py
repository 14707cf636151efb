"""Puts faults into copies of the sources on purpose: for each a proof must find a trace.

A fault fails if it survives, if its text is not found exactly once, or if it does not compile.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from formal.proof import RTL, TARGET, Proof, run


@dataclass(frozen=True)
class Fault:
    """One fault, and the proof that must fail."""

    file: str
    """From rtl/."""
    text: str
    replacement: str
    breaks: str
    """The purpose of the text."""
    proof: Proof


def faulty_copy(fault: Fault) -> Path:
    """A copy of the file with the fault in it, in a folder of its own."""
    content = (RTL / fault.file).read_text()
    found = content.count(fault.text)
    if found != 1:
        raise ValueError(f"its text is {found} times in {fault.file}, not once")
    name = hashlib.sha256(f"{fault.text}\0{fault.replacement}".encode()).hexdigest()[:16]
    path = TARGET / "faults" / name / Path(fault.file).name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content.replace(fault.text, fault.replacement))
    return path


def is_there(fault: Fault) -> bool:
    """Whether its text is in its file, which the quick proofs check as well; reports if it is not."""
    try:
        faulty_copy(fault)
    except ValueError as error:
        print(f"FAILED  {fault.breaks}: {error}", flush=True)
        return False
    return True


def judge(fault: Fault) -> bool:
    """Runs the proof on the faulty copy, prints a line, and returns whether a trace was found."""
    if not is_there(fault):
        return False
    copy = faulty_copy(fault)
    verdict = run(fault.proof, f"faults/{copy.parent.name}/proof", {fault.file: copy})
    found = verdict.status == "FAIL"
    print(f"{'found' if found else 'FAILED':6} {verdict.seconds:6.1f} s  {fault.breaks}", flush=True)
    print(f"       {fault.proof.title}: {verdict.status}, {verdict.detail}", flush=True)
    return found
