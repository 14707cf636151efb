"""The side channel of Seer, whole sequences of blocks at a time: positions of FPMs, sender, receiver.

Source: Seer (NSDI 2024), section 5. Each part says what a sender or receiver does in which cycle;
`rtl/seer_phy` must do the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from seer_phy.pcs import CHARACTERS, CONTROL, TERMINATES

POLYNOMIAL, OFFSET = 0x107, 0x9D
SENDER_LATENCY, RECEIVER_LATENCY = 5, 6
PLANNED, FOUND = 3, 5
"""How many blocks behind the arriving one is the block in which words are placed and found."""
Place = tuple[int, int]
"""A block of the sequence and an octet of its payload."""


# ---- rooms and slots ------------------------------------------------------------------------------


def head(block: int) -> tuple[str, range]:
    """T, E or S for a block with room for words, otherwise nothing, and the octets of its room."""
    kind = block >> 2 & 0xFF
    if block & 3 != CONTROL:
        return "", range(0)
    if kind in TERMINATES:
        return "T", range(TERMINATES.index(kind) + 1, 8)
    return {0x1E: ("E", range(1, 8)), 0x33: ("S", range(1, 5))}.get(kind, ("", range(0)))


def octets_of(width: int) -> int:
    """Octets of the word that carries so many bits, with its check."""
    return max(5, -(-width // 8) + 1)


def slots_of(blocks: Sequence[int], octets: int) -> list[list[Place]]:
    """The positions of all words, in order: runs of room, divided into pieces."""
    runs: list[list[Place]] = []
    before = ""
    for index, block in enumerate(blocks):
        kind, room = head(block)
        places = [(index, octet) for octet in room]
        if before + kind in ("TE", "TS", "ES"):
            runs[-1] += places
        elif kind in ("T", "E"):
            runs.append(places)
        before = kind
    return [run[at:at + octets] for run in runs for at in range(0, len(run) - octets + 1, octets)]


def blank(block: int) -> bool:
    """The block has only idle characters in its room."""
    _, room = head(block)
    return not any(octet_of(block, at) for at in room)


def legal(block: int) -> bool:
    """Its room is as an encoder sends it: control codes of the standard with zeros before or behind them."""
    kind, room = head(block)
    bits = sum(octet_of(block, at) << 8 * at for at in room) >> 8
    codes = [bits >> 7 * code & 0x7F for code in range(8)]
    present = {"T": range(room.start, 8), "E": range(8), "S": range(4), "": range(0)}[kind]
    return all(codes[code] in CHARACTERS if code in present else codes[code] == 0 for code in range(8))


def octet_of(block: int, at: int) -> int:
    return block >> 2 + 8 * at & 0xFF


# ---- words ------------------------------------------------------------------------------------------


def check(message: int) -> int:
    """The remainder of the message times x^8, and the offset."""
    rest = message << 8
    while rest.bit_length() > 8:
        rest ^= POLYNOMIAL << rest.bit_length() - 9
    return rest ^ OFFSET


def word_of(fpm: int, octets: int) -> bytes:
    return fpm.to_bytes(octets - 1, "little") + bytes([check(fpm)])


def fpm_of(word: bytes, width: int) -> int | None:
    """None if it is not a word."""
    fpm = int.from_bytes(word[:-1], "little")
    return fpm if fpm >> width == 0 and check(fpm) == word[-1] else None


# ---- the sender ---------------------------------------------------------------------------------------


@dataclass
class Sent:
    """The output of a sender."""

    blocks: list[int]
    ready: list[bool] = field(default_factory=list)
    """While block i arrives: an FPM would be taken."""
    taken: list[int] = field(default_factory=list)


def send(blocks: Sequence[int], offers: Sequence[int | None], enabled: Sequence[bool], width: int) -> Sent:
    """`offers[i]` and `enabled[i]` are those of the cycle in which block i arrives.

    The offered FPM gets the first free slot among those that begin in the planned block and those that lie
    whole in the one behind it, if all its octets have been idle characters.
    """
    octets = octets_of(width)
    begins: dict[int, list[list[Place]]] = {}
    for slot in slots_of(blocks, octets):
        if all(blank(blocks[index]) for index, _ in slot):
            begins.setdefault(slot[0][0], []).append(slot)
    sent = Sent(list(blocks))
    used: set[Place] = set()
    for coming in range(len(blocks)):
        whole = [slot for slot in begins.get(coming - PLANNED + 1, []) if slot[-1][0] == slot[0][0]]
        free = [slot for slot in begins.get(coming - PLANNED, []) + whole if slot[0] not in used]
        sent.ready.append(bool(free) and enabled[coming])
        offer = offers[coming]
        if sent.ready[-1] and offer is not None:
            used.add(free[0][0])
            sent.taken.append(offer)
            for (block, at), octet in zip(free[0], word_of(offer, octets), strict=True):
                sent.blocks[block] |= octet << 2 + 8 * at
    return sent


# ---- the receiver --------------------------------------------------------------------------------------


@dataclass
class Received:
    """The output of a receiver."""

    blocks: list[int]
    fpms: list[list[int]]
    """FPMs found while block i arrives."""
    damaged: list[int]


def receive(blocks: Sequence[int], enabled: Sequence[bool], width: int) -> Received:
    """`enable` counts when words are found that begin in a block, and for that block."""
    count = len(blocks)
    got = Received(list(blocks), [[] for _ in range(count)], [0] * count)
    looked_at = [index + FOUND < count and enabled[index + FOUND] for index in range(count)]
    cleared = {index for index in range(count) if not legal(blocks[index])}
    for slot in slots_of(blocks, octets_of(width)):
        first = slot[0][0]
        if not looked_at[first]:
            continue
        word = bytes(octet_of(blocks[index], at) for index, at in slot)
        fpm = fpm_of(word, width)
        if fpm is not None:
            got.fpms[first + FOUND].append(fpm)
            cleared |= {index for index, _ in slot}
        elif any(octet and not legal(blocks[index]) for (index, _), octet in zip(slot, word, strict=True)):
            got.damaged[first + FOUND] += 1
    for index in cleared:
        if looked_at[index]:
            for at in head(blocks[index])[1]:
                got.blocks[index] &= ~(0xFF << 2 + 8 * at)
    return got
