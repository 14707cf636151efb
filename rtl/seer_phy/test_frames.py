"""Random frames through the coder, a link with the side channel, and the decoder: they arrive as they were sent."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import time
from pathlib import Path

import pytest

from bench.build import TARGET, VERILATOR, link_runtime, make_command, run_tool, tool_environment
from cosim.build import sources_of
from seer_phy.pcs import IDLES, encode, frames_of, receive, words_of
from seer_phy.side_channel import RECEIVER_LATENCY, SENDER_LATENCY

HEAVY = os.environ.get("FOREBAY_RTL_HEAVY") == "1"
FRAMES = 1_000_000 if HEAVY else 10_000
CHUNK = 10_000 if HEAVY else 2_000
LOADS = (0, 8, 64, 160, 256)
"""In how many of 256 cycles there is an FPM to send; 0: the sender is off."""
MAIN = Path(__file__).with_name("frames.cpp")
LATENCY = SENDER_LATENCY + RECEIVER_LATENCY


def build(width: int) -> Path:
    """The program that sends blocks through a link; kept until a source changes."""
    sources = sources_of("seer_phy_link")
    command = [
        str(VERILATOR), "--cc", "--exe", "--assert", "--prefix", "Vtop", "--top-module", "seer_phy_link",
        "--output-split", "0", "--x-initial", "unique", f"-GWidth={width}", "-GEntries=3",
        "-CFLAGS", f"-std=c++17 -DFPM_WIDTH={width}", "-Mdir", ".", *map(str, sources), str(MAIN),
    ]
    contents = b"".join(path.read_bytes() for path in [*sources, MAIN])
    folder = TARGET / "cosim" / f"frames-{hashlib.sha256(repr(command).encode() + contents).hexdigest()[:16]}"
    if not (folder / "done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        run_tool(command, folder)
        run_tool([*make_command("Vtop"), *(f"--assume-old={file}" for file in link_runtime(folder))], folder)
        (folder / "done").touch()
    return folder


def traffic(rng: random.Random, count: int) -> list[tuple[bytes, int]]:
    """Frames of 60 to 1,518 octets, mostly short, behind each as many octets of gap as it takes at least.

    Gaps of 9 are what a sender makes that holds 12 on average.
    """
    lengths = (range(60, 76), range(60, 300), range(60, 1519))
    return [
        (rng.randbytes(rng.choice(lengths[rng.choice((0, 0, 0, 1, 1, 2))])),
         rng.choice((9, 12, 12, 12, rng.randrange(12, 200))))
        for _ in range(count)
    ]


def to_file(blocks: list[int], path: Path) -> None:
    path.write_bytes(b"".join(block.to_bytes(9, "little") for block in blocks))


def from_file(path: Path) -> list[int]:
    data = path.read_bytes()
    return [int.from_bytes(data[at:at + 9], "little") for at in range(0, len(data), 9)]


@pytest.mark.parametrize("width", [44, 32])
def test_frames_arrive_as_they_were_sent(width: int) -> None:
    folder = build(width)
    rng = random.Random(width)
    start, frames, blocks, fpms = time.monotonic(), 0, 0, 0
    for number in range(FRAMES // CHUNK):
        load = LOADS[number % len(LOADS)]
        sent = traffic(rng, CHUNK)
        into = [encode(word) for word in words_of(sent)] + [encode(IDLES)] * (LATENCY + 4)
        to_file(into, folder / "in")
        done = subprocess.run(
            [folder / "Vtop", folder / "in", folder / "out", str(load), str(number)], env=tool_environment(),
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )
        assert done.returncode == 0, done.stdout
        changed, taken = map(int, done.stdout.split())
        assert (changed == 0) == (taken == 0) == (load == 0), f"load {load}: {changed} blocks changed, {taken} FPMs"
        out = from_file(folder / "out")
        assert out == into[:len(out)] and len(into) - len(out) <= LATENCY + 1
        assert list(frames_of(receive(out))) == [frame for frame, _ in sent], f"load {load}"
        frames, blocks, fpms = frames + CHUNK, blocks + len(out), fpms + taken
    print(f"{width} bits: {frames:,} frames in {blocks:,} blocks, {fpms:,} FPMs, {time.monotonic() - start:.0f} s")
