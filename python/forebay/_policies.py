"""Policies in OpenQueue, by the command that is part of this package."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._command import command
from ._errors import FileError, ForebayError, argument_error


@dataclass(frozen=True)
class Diagnostic:
    """What is wrong with a policy, or what should be known of it.

    Attributes
    ----------
    severity : str
        ``"error"``, ``"warning"`` or ``"note"``.
    code : str
        A short name for the kind of mistake.
    message : str
        What is wrong.
    line, column : int
        Where, from 1.
    help : str or None
        What to write instead.
    """

    severity: str
    code: str
    message: str
    line: int
    column: int
    help: str | None

    def __str__(self) -> str:
        more = f"; {self.help}" if self.help else ""
        return f"{self.line}:{self.column}: {self.severity}: {self.message}{more}"


def check(policy: str | Path, *, target: str | None = None, params: Mapping[str, Any] | None = None) -> list[Diagnostic]:
    """Say what is wrong with a policy, and what a target cannot express of it.

    Parameters
    ----------
    policy : str or Path
        A path, or the text of a policy (a `str` with a line break or a semicolon).
    target : str, optional
        Like ``"c"``, ``"bpf"``, ``"p4"`` or ``"sv"``.
    params : dict, optional
        Values of the policy's constants.

    Returns
    -------
    list of Diagnostic
        Empty if nothing is wrong.
    """
    arguments = ["check", "--format", "json", *_params(params)]
    if target is not None:
        arguments += ["--target", target]
    found = _with_file(policy, arguments, may_fail=True)
    try:
        reports = json.loads(found.stdout)
    except ValueError:
        raise _failed(found) from None
    return [
        Diagnostic(
            report["severity"],
            report["code"],
            report["message"],
            report["start"]["line"],
            report["start"]["column"],
            report["help"],
        )
        for report in reports
    ]


def explain(name: str | Path) -> str:
    """Say what a policy does, or what a name is that forebay knows: a queue, a cache policy, a field of scenarios.

    Parameters
    ----------
    name : str or Path
        A path or text of a policy, or a name like ``"sp-pifo"``.
    """
    if isinstance(name, Path) or _is_policy_text(name):
        return str(_with_file(name, ["explain"]).stdout)
    return str(_called(["explain", name]).stdout)


def compile(  # noqa: A001
    policy: str | Path, *, target: str, params: Mapping[str, Any] | None = None, options: Mapping[str, Any] | None = None
) -> dict[str, str]:
    """Make a program of a policy: C, DPDK, BPF, P4 or SystemVerilog.

    Parameters
    ----------
    policy : str or Path
        A path or the text of a policy.
    target : str
        Which program (`forebay.names("targets")`).
    params : dict, optional
        Values of the policy's constants.
    options : dict, optional
        Options of the target, like ``{"queues": 8}`` (docs/targets.md).

    Returns
    -------
    dict of str to str
        The names of files, and their texts.
    """
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["compile", "--target", target, "--output", folder, *_params(params)]
        for option, value in (options or {}).items():
            arguments += [f"--{option.replace('_', '-')}"] + ([] if value is True else [str(value)])
        _with_file(policy, arguments)
        files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in files}


def _params(params: Mapping[str, Any] | None) -> list[str]:
    return [part for name, value in (params or {}).items() for part in ("--param", f"{name}={value}")]


def _is_policy_text(policy: str | Path) -> bool:
    return isinstance(policy, str) and ("\n" in policy or ";" in policy)


def _with_file(policy: str | Path, arguments: list[str], *, may_fail: bool = False) -> subprocess.CompletedProcess[str]:
    if not _is_policy_text(policy):
        return _called([*arguments, str(policy)], may_fail=may_fail)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.oq"
        path.write_text(str(policy), encoding="utf-8")
        return _called([*arguments, str(path)], may_fail=may_fail, hidden=f"{folder}/")


def _called(arguments: list[str], *, may_fail: bool = False, hidden: str = "") -> subprocess.CompletedProcess[str]:
    done = subprocess.run([str(command()), *arguments], capture_output=True, text=True, encoding="utf-8", check=False)
    if hidden:
        done.stdout, done.stderr = done.stdout.replace(hidden, ""), done.stderr.replace(hidden, "")
    if done.returncode != 0 and not may_fail:
        raise _failed(done)
    return done


def _failed(done: subprocess.CompletedProcess[str]) -> ForebayError:
    said = done.stderr.strip() or f"the command ended with status {done.returncode}"
    said = said.removeprefix("error: ")
    return FileError(said) if "No such file" in said or "no such file" in said else argument_error("policy", said)
