"""Slurm on this machine alone, in a folder of its own: Debian's slurm-wlm and munge, started as root and ended again."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sinfo", "sbatch")
CONFIGURATION = """
ClusterName=forebay
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={port}
SlurmdPort={node_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def why_not() -> str | None:
    """Why there can be no node here."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin"
    missing = [name for name in PROGRAMS if shutil.which(name, path=path) is None]
    if missing:
        return f"{', '.join(missing)}: not installed; run: apt-get install slurm-wlm munge"
    return None if os.geteuid() == 0 else "munged and slurmd need root"


@contextmanager
def one_node(folder: Path) -> Iterator[None]:
    """While it lasts, Slurm's commands find the node by `SLURM_CONF`."""
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    host = socket.gethostname().split(".")[0]
    text = CONFIGURATION.format(host=host, folder=folder, cpus=os.cpu_count(), port=free_port(), node_port=free_port())
    (folder / "slurm.conf").write_text(text, encoding="utf-8")
    key = folder / "munge.key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    munge = ["munged", "--force", "--foreground", f"--key-file={key}", f"--socket={folder}/munge.socket"]
    munge += [f"--{name}-file={folder}/munge.{name}" for name in ("pid", "log", "seed")]
    before = os.environ.get("SLURM_CONF"), os.environ["PATH"]
    os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
    os.environ["PATH"] += ":/usr/sbin"
    running: list[subprocess.Popen[bytes]] = []
    try:
        for command in (munge, ["slurmctld", "-D", "-i"], ["slurmd", "-D"]):
            log = (folder / f"{command[0]}.out").open("wb")
            running.append(subprocess.Popen(command, stdout=log, stderr=log))
            if command is munge:
                wait(lambda: (folder / "munge.socket").exists())
        wait(lambda: " idle " in subprocess.run(["sinfo", "--noheader"], capture_output=True, text=True, check=False).stdout)
        yield
    finally:
        for process in reversed(running):
            process.terminate()
        for process in running:
            process.wait(timeout=30)
        os.environ["PATH"] = before[1]
        if before[0] is None:
            del os.environ["SLURM_CONF"]
        else:
            os.environ["SLURM_CONF"] = before[0]


def wait(is_ready: object, seconds: float = 60) -> None:
    """Until it is so."""
    end = time.monotonic() + seconds
    while not is_ready():  # type: ignore[operator]
        if time.monotonic() > end:
            raise TimeoutError("Slurm has not started")
        time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
