"""Random frames through the coder, a link with the side channel, and the decoder.

The frames arrive as they were sent, and a decoder that knows nothing of Seer sees only idle characters between them. This
holds for the decoder behind the receiver under any load, and for a partner without a receiver while the sender is off.
"""

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
from seer_phy.pcs import IDLE, IDLES, START, TERMINATE, Word, encode, frames_of, receive, words_of
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
    """Frames of 60 to 1,518 octets, mostly short. Behind each are at least the required octets of gap.

    A sender that keeps 12 on average makes gaps of 9.
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


def through(folder: Path, blocks: list[int], load: int, seed: int) -> tuple[list[int], list[int], int, int]:
    """The blocks on the line and behind the receiver; how many blocks differ on the line, how many FPMs were sent."""
    files = [folder / name for name in ("in", "line", "out")]
    to_file(blocks, files[0])
    done = subprocess.run(
        [folder / "Vtop", *files, str(load), str(seed)], env=tool_environment(),
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )
    assert done.returncode == 0, done.stdout
    changed, taken = map(int, done.stdout.split())
    return from_file(files[1]), from_file(files[2]), changed, taken


def is_quiet(words: list[Word]) -> bool:
    """A decoder sees only frames with idle characters between them."""
    usual = {IDLE, START, TERMINATE}
    return all(word == IDLES or usual.issuperset(octet for lane, octet in enumerate(word.octets) if word.control >> lane & 1)
               for word in words)


@pytest.mark.parametrize("width", [44, 32])
def test_frames_arrive_as_they_were_sent(width: int) -> None:
    folder = build(width)
    rng = random.Random(width)
    start, frames, blocks, fpms = time.monotonic(), 0, 0, 0
    for number in range(FRAMES // CHUNK):
        load = LOADS[number % len(LOADS)]
        sent = traffic(rng, CHUNK)
        into = [encode(word) for word in words_of(sent)] + [encode(IDLES)] * (LATENCY + 4)
        line, out, changed, taken = through(folder, into, load, number)
        assert (changed == 0) == (taken == 0) == (load == 0), f"load {load}: {changed} blocks changed, {taken} FPMs"
        assert out == into[:len(out)] and len(into) - len(out) <= LATENCY + 1
        words = list(receive(out))
        assert list(frames_of(words)) == [frame for frame, _ in sent], f"load {load}"
        assert is_quiet(words), f"load {load}"
        # A partner without a receiver: with the sender off, all is as with a receiver.
        assert load or line == into[:len(line)] and len(line) > len(out)
        frames, blocks, fpms = frames + CHUNK, blocks + len(out), fpms + taken
    print(f"{width} bits: {frames:,} frames in {blocks:,} blocks, {fpms:,} FPMs, {time.monotonic() - start:.0f} s")


def test_a_partner_without_a_receiver_gets_no_frame_that_was_not_sent() -> None:
    """If the sender is on anyway, the decoder of the partner finds errors and loses frames; none arrives altered."""
    folder = build(44)
    sent = traffic(random.Random(1), 500)
    into = [encode(word) for word in words_of(sent)] + [encode(IDLES)] * (LATENCY + 4)
    for load in LOADS[1:]:
        line, _, changed, _ = through(folder, into, load, load)
        words = list(receive(line))
        remaining = iter([frame for frame, _ in sent])
        whole = [frame for frame in frames_of(words) if frame is not None]
        assert changed and not is_quiet(words)
        assert all(frame in remaining for frame in whole), f"load {load}"
        assert len(whole) < len(sent), f"load {load}"
