"""The proofs: `python -m formal quick|all|faults [NAME]`, started by the Makefile."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor

from formal.fault_table import FAULTS
from formal.faults import is_there, judge
from formal.proof import Proof, run
from formal.proofs import PROOFS


def prove(proof: Proof) -> bool:
    """Runs one proof and prints a line about it."""
    verdict = run(proof)
    passed = verdict.status == "PASS"
    times = f"{verdict.seconds:6.1f} s ({verdict.cpu:>3} s of processor)"
    print(f"{'proven' if passed else 'FAILED':6} {times}  {proof.title}", flush=True)
    if not passed:
        print(f"       {verdict.status}: {verdict.detail}\n       see target/rtl/formal/{proof.name}", flush=True)
    return passed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("quick", "all", "faults"))
    parser.add_argument("name", nargs="?", default="", help="only proofs or faults with this in their names")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    name = arguments.name
    proofs = [proof for proof in PROOFS if proof.quick or arguments.what != "quick"]
    # `make rtl-formal` looks for a name among the proofs first, and then among the faults.
    names = [proof.title for proof in proofs] + [fault.breaks for fault in FAULTS if arguments.what != "quick"]
    if not any(name in title for title in names):
        sys.exit(f"nothing here has {name} in its name; there are\n  " + "\n  ".join(names))
    with ThreadPoolExecutor(arguments.jobs) as pool:
        if arguments.what == "faults":
            chosen = [fault for fault in FAULTS if name in fault.proof.title or name in fault.breaks]
            results = list(pool.map(judge, chosen))
            print(f"{sum(results)} of {len(results)} faults found")
        else:
            proofs = [proof for proof in proofs if name in proof.title]
            results = list(pool.map(prove, proofs))
            print(f"{sum(results)} of {len(results)} proofs hold")
            results += [is_there(fault) for fault in FAULTS]
    if not all(results):
        sys.exit(1)


if __name__ == "__main__":
    main()
