"""The physical coding sublayer of 10GBASE-R: frames, XGMII words of eight octets, 66-bit blocks, and back.

Source: IEEE 802.3, clause 46 (XGMII, start on lane 0 or 4) and clause 49 (figure 49-7, table 49-1,
the state diagrams of figures 49-16 and 49-17). Blocks are integers whose bit i is bit i of the
standard: header in bits 1 and 0, block type from bit 2 on. Limits: no scrambler, no test
patterns, no hi_ber.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

DATA, CONTROL = 0b10, 0b01
IDLE, LOW_POWER, START, TERMINATE, ERROR, SEQUENCE, SIGNAL = 0x07, 0x06, 0xFB, 0xFD, 0xFE, 0x9C, 0x5C

CODES = {
    IDLE: 0x00, LOW_POWER: 0x06, ERROR: 0x1E,
    0x1C: 0x2D, 0x3C: 0x33, 0x7C: 0x4B, 0xBC: 0x55, 0xDC: 0x66, 0xF7: 0x78,
}
"""The 7-bit control code of each control character."""
CHARACTERS = {code: character for character, code in CODES.items()}
O_CODES = {SEQUENCE: 0x0, SIGNAL: 0xF}
O_CHARACTERS = {code: character for character, code in O_CODES.items()}
TERMINATES = (0x87, 0x99, 0xAA, 0xB4, 0xCC, 0xD2, 0xE1, 0xFF)
"""Block types of a terminate character on lane 0 to 7."""

FORMATS = {
    0x1E: "CCCCCCCC", 0x2D: "CCCCODDD", 0x33: "CCCCSDDD", 0x66: "ODDDSDDD", 0x55: "ODDDODDD", 0x78: "SDDDDDDD",
    0x4B: "ODDDCCCC",
    **{kind: "D" * lane + "T" + "C" * (7 - lane) for lane, kind in enumerate(TERMINATES)},
}
"""The contents of the eight lanes, by block type."""
TYPES = {lanes: kind for kind, lanes in FORMATS.items()}


class Word(NamedTuple):
    """Eight octets; bit i of `control` says that octet i is a control character."""

    control: int
    octets: bytes


IDLES = Word(0xFF, bytes([IDLE] * 8))
ERRORS = Word(0xFF, bytes([ERROR] * 8))
LOCAL_FAULT = Word(0x11, bytes([SEQUENCE, 0, 0, 1] * 2))


def lanes_of(word: Word) -> str:
    """The contents of each lane, as in FORMATS; `?` is not a character of the standard."""
    lanes = ""
    for lane, octet in enumerate(word.octets):
        if not word.control >> lane & 1:
            lanes += "D"
        else:
            control = "C" if octet in CODES else "O" if octet in O_CODES else "?"
            lanes += {START: "S", TERMINATE: "T"}.get(octet, control)
    return lanes


def encode(word: Word) -> int:
    """The block of a word; errors for a word without a format."""
    if word.control == 0:
        return DATA | int.from_bytes(word.octets, "little") << 2
    lanes = lanes_of(word)
    if lanes not in TYPES:
        return encode(ERRORS)
    payload = TYPES[lanes]
    for lane, (kind, octet) in enumerate(zip(lanes, word.octets, strict=True)):
        if kind == "C":
            payload |= CODES[octet] << 8 + 7 * lane
        elif kind == "O":
            payload |= O_CODES[octet] << (32 if lane == 0 else 36)
        elif kind == "D":
            payload |= octet << 8 * place_of_data(lanes, lane)
    return CONTROL | payload << 2


def place_of_data(lanes: str, lane: int) -> int:
    """The octet of the payload: data before a terminate character make room for the block type."""
    return lane + 1 if "T" in lanes else lane


def decode(block: int) -> Word:
    """The word of a block; errors for a block that is not in the standard. Unused bits are ignored."""
    payload = block >> 2
    octets = payload.to_bytes(8, "little")
    if block & 3 == DATA:
        return Word(0, octets)
    lanes = FORMATS.get(octets[0])
    if block & 3 != CONTROL or lanes is None:
        return ERRORS
    control, found = 0, []
    for lane, kind in enumerate(lanes):
        if kind == "D":
            found.append(octets[place_of_data(lanes, lane)])
            continue
        control |= 1 << lane
        if kind == "C":
            found.append(CHARACTERS.get(payload >> 8 + 7 * lane & 0x7F))
        elif kind == "O":
            found.append(O_CHARACTERS.get(payload >> (32 if lane == 0 else 36) & 0xF))
        else:
            found.append(START if kind == "S" else TERMINATE)
    return ERRORS if None in found else Word(control, bytes(found))


def kind_of(block: int) -> str:
    """R_TYPE: S, C, D, T, or E for invalid blocks and for control characters with an error among them."""
    if block & 3 == DATA:
        return "D"
    word = decode(block)
    lanes = lanes_of(word)
    if word == ERRORS or lanes == "CCCCCCCC" and ERROR in word.octets:
        return "E"
    return "S" if "S" in lanes else "T" if "T" in lanes else "C"


AFTER = {
    # From each state of the receiver, by the kind of the next block.
    "C": {"C": "C", "S": "D"}, "D": {"D": "D", "T": "T"}, "T": {"C": "C", "S": "D"},
    "E": {"C": "C", "D": "D", "T": "T"},
}


def receive(blocks: Sequence[int]) -> Iterator[Word]:
    """The receiver's state diagram: words of all blocks but the last, errors where the order is not that of frames."""
    state = "C"
    kinds = [kind_of(block) for block in blocks]
    for block, kind, following in zip(blocks, kinds, kinds[1:]):
        state = AFTER[state].get(kind, "E")
        if state == "T" and following not in "SC":
            state = "E"
        yield ERRORS if state == "E" else decode(block)


# ---- frames -------------------------------------------------------------------------------------

PREAMBLE = bytes([0x55] * 6 + [0xD5])


def words_of(frames: Iterable[tuple[bytes, int]]) -> list[Word]:
    """Frames, each with the least number of idle and terminate characters behind it; starts are on lane 0 or 4."""
    octets, control = bytearray(IDLES.octets), bytearray([1] * 8)
    for frame, gap in frames:
        gap += -(len(octets) + 8 + len(frame) + gap) % 4
        octets += bytes([START]) + PREAMBLE + frame + bytes([TERMINATE]) + bytes([IDLE] * (gap - 1))
        control += bytes([1]) + bytes(7 + len(frame)) + bytes([1]) * gap
    more = -len(octets) % 8 + 16
    octets += bytes([IDLE] * more)
    control += bytes([1]) * more
    masks = {bytes(mask >> lane & 1 for lane in range(8)): mask for mask in range(256)}
    octets, control = bytes(octets), bytes(control)
    return [Word(masks[control[at:at + 8]], octets[at:at + 8]) for at in range(0, len(octets), 8)]


def frames_of(words: Iterable[Word]) -> Iterator[bytes | None]:
    """The arriving frames: a frame without its preamble, or None for one that was cut or has an error."""
    frame: bytearray | None = None
    for word in words:
        if word.control == 0 and frame is not None:
            frame += word.octets
            continue
        for lane, octet in enumerate(word.octets):
            if not word.control >> lane & 1:
                if frame is not None:
                    frame.append(octet)
            elif octet == START:
                frame = bytearray()
            elif frame is not None:
                yield bytes(frame[len(PREAMBLE):]) if octet == TERMINATE else None
                frame = None
