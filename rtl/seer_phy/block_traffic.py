"""Blocks at random: frames with gaps of all lengths and alignments, and blocks that no link should carry."""

from __future__ import annotations

import random

from seer_phy.pcs import (
    CODES, CONTROL, DATA, ERROR, ERRORS, FORMATS, IDLES, LOCAL_FAULT, LOW_POWER, TERMINATES, Word, encode,
)
from seer_phy.side_channel import word_of

IDLE_BLOCK = encode(IDLES)
STARTS = (0x78, 0x33)


def frame(rng: random.Random) -> list[int]:
    """A start, some data, a terminate block."""
    blocks = [CONTROL | rng.choice(STARTS) << 2]
    blocks[0] |= rng.getrandbits(24) << 2 + 40
    for _ in range(rng.choice([0, 1, 2, 8])):
        # Data that would be idles, words or types if they were control blocks.
        payload = rng.choice([0, rng.getrandbits(64), 0x1E | rng.getrandbits(56) << 8, 0xFF])
        blocks.append(DATA | payload << 2)
    lane = rng.randrange(8)
    return [*blocks, CONTROL | (TERMINATES[lane] | rng.getrandbits(8 * lane + 1) >> 1 << 8) << 2]


def codes(rng: random.Random) -> int:
    """A block of control characters: all alike, or some of them errors, low power or reserved."""
    kind = rng.choice([0x1E, 0x1E, 0x33, 0x4B, *TERMINATES])
    choice = rng.choice([[0], [CODES[ERROR]], [CODES[LOW_POWER]], [0, CODES[ERROR]], list(CODES.values())])
    payload = kind
    for lane, what in enumerate(FORMATS[kind]):
        if what == "C":
            payload |= rng.choice(choice) << 8 + 7 * lane
    return CONTROL | payload << 2


def strange(rng: random.Random) -> int:
    """A block that is rare between frames, or wrong."""
    kind = rng.choice(list(FORMATS))
    return rng.choice([
        encode(LOCAL_FAULT), encode(ERRORS), encode(Word(0xFF, bytes([LOW_POWER] * 8))), codes(rng), codes(rng),
        rng.getrandbits(66), wide_word(rng), CONTROL | (kind | rng.getrandbits(56) << 8) << 2,
        CONTROL | kind << 2, CONTROL | kind << 2,
    ])


def wide_word(rng: random.Random) -> int:
    """An idle block with the word of the longest possible FPM: it has too many bits for shorter ones."""
    return IDLE_BLOCK | int.from_bytes(word_of(rng.getrandbits(48), 7), "little") << 10


def sequence(rng: random.Random, count: int) -> list[int]:
    """At least `count` blocks, some of which a link carries and some not."""
    blocks: list[int] = []
    while len(blocks) < count:
        strangeness, longest = rng.choice([0, 0, 0.1, 0.7]), rng.choice([0, 1, 2, 30])
        for _ in range(10):
            blocks += frame(rng) if rng.random() >= strangeness else [strange(rng)]
            blocks += [IDLE_BLOCK] * rng.randrange(longest + 1)
    return blocks


def flips(rng: random.Random, count: int) -> list[int]:
    """Errors on the line for each block, after the descrambler: each occurs up to three times."""
    rate = rng.choice([0, 0, 0, 0.01, 0.1])
    line = 0
    for index in range(count):
        if rng.random() < rate:
            at = 66 * index + rng.randrange(66)
            line |= 1 << at if at % 66 < 2 else sum(1 << scrambled(at, ahead) for ahead in (0, 39, 58))
    return [line >> 66 * index & (1 << 66) - 1 for index in range(count)]


def scrambled(at: int, ahead: int) -> int:
    """The bit of the line so many scrambled bits behind another; headers are not scrambled."""
    payload_bit = at // 66 * 64 + at % 66 - 2 + ahead
    return payload_bit // 64 * 66 + payload_bit % 64 + 2
