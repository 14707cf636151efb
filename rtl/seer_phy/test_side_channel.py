"""Properties of the models: the coder is the standard's, words survive errors, and gaps have room for FPMs."""

from __future__ import annotations

import itertools
import random

import pytest

from seer_phy.block_traffic import IDLE_BLOCK, codes, flips, sequence
from seer_phy.pcs import (
    CODES, CONTROL, ERROR, ERRORS, FORMATS, IDLES, LOCAL_FAULT, LOW_POWER, START, TERMINATE, Word,
    decode, encode, frames_of, kind_of, words_of,
)
from seer_phy.pcs import receive as receive_words
from seer_phy.side_channel import FOUND, check, fpm_of, head, legal, octets_of, receive, send, slots_of, word_of

WIDTHS = (32, 40, 44, 48)


def gap_of(lane: int, least: int) -> list[int]:
    """The blocks from the last data of a frame whose terminate character is on a lane to the start of the next."""
    frames = [(bytes(range(64 + lane)), least), (bytes(64), 12)]
    blocks = [encode(word) for word in words_of(frames)]
    ends = [index for index, block in enumerate(blocks) if head(block)[0] == "T"]
    starts = [index for index, block in enumerate(blocks) if kind_of(block) == "S"]
    return blocks[ends[0] - 1:starts[1] + 1]


def sent_in(blocks: list[int], width: int) -> int:
    """How many FPMs leave in a gap if there is always one."""
    data = [0b10] * (FOUND + 1)
    blocks = [*data, *blocks, *data]
    sent = send(blocks, [1] * len(blocks), [True] * len(blocks), width)
    assert receive(sent.blocks, [True] * len(blocks), width).blocks[:-FOUND] == blocks[:-FOUND]
    return len(sent.taken)


# ---- the coder ------------------------------------------------------------------------------------


def test_blocks_of_the_standard() -> None:
    assert encode(IDLES) == CONTROL | 0x1E << 2
    assert encode(ERRORS) >> 10 == sum(0x1E << 7 * code for code in range(8))
    start = Word(0x01, bytes([START, *range(1, 8)]))
    assert encode(start) == CONTROL | int.from_bytes(bytes([0x78, *range(1, 8)]), "little") << 2
    late = Word(0x1F, bytes([0x07] * 4 + [START, 1, 2, 3]))
    assert encode(late) == CONTROL | int.from_bytes(bytes([0x33, 0, 0, 0, 0, 1, 2, 3]), "little") << 2
    end = Word(0xFE, bytes([9, TERMINATE] + [0x07] * 6))
    assert encode(end) == CONTROL | int.from_bytes(bytes([0x99, 9, 0, 0, 0, 0, 0, 0]), "little") << 2
    fault = bytes([0x55, 0, 0, 1, 0, 0, 0, 1])
    assert encode(LOCAL_FAULT) == CONTROL | int.from_bytes(fault, "little") << 2


def test_words_survive_the_coder() -> None:
    rng = random.Random(1)
    for lanes in FORMATS.values():
        for _ in range(200):
            octets = bytes(
                {"S": START, "T": TERMINATE, "O": rng.choice([0x9C, 0x5C]), "C": rng.choice(list(CODES))}.get(
                    kind, rng.getrandbits(8))
                for kind in lanes
            )
            word = Word(sum((kind != "D") << lane for lane, kind in enumerate(lanes)), octets)
            assert decode(encode(word)) == word
            assert head(encode(word))[0] == "" or legal(encode(word))
    assert decode(encode(Word(0xFF, bytes([0x07] * 7 + [0x42])))) == ERRORS


# ---- room ------------------------------------------------------------------------------------------


def test_room_of_the_shortest_gap() -> None:
    """Of 12 characters or as many more as the next start needs, by the lane of the terminate character."""
    room = [[sum(len(head(block)[1]) for block in gap_of(lane, 12)) for lane in range(8)]]
    assert room == [[11, 13, 12, 11, 10, 13, 12, 11]]
    sent = {width: [sent_in(gap_of(lane, 12), width) for lane in range(8)] for width in WIDTHS}
    assert sent[32] == [2] * 8
    assert sent[40] == [1, 2, 2, 1, 1, 2, 2, 1]
    assert sent[44] == sent[48] == [1] * 8


def test_room_of_gaps_of_twelve_on_average() -> None:
    """A sender that counts deficits may leave 9."""
    shortest = {width: [sent_in(gap_of(lane, 9), width) for lane in range(8)] for width in WIDTHS}
    assert shortest[32] == [2, 2, 1, 1, 2, 1, 1, 1]
    assert shortest[40] == shortest[44] == [1] * 8


def test_an_fpm_leaves_in_each_idle_block() -> None:
    for width in WIDTHS:
        assert sent_in([0b10, *[IDLE_BLOCK] * 50, 0b10], width) == 50


def test_slots_do_not_share_octets() -> None:
    rng = random.Random(2)
    for octets in (5, 6, 7):
        slots = slots_of(sequence(rng, 2_000), octets)
        places = [place for slot in slots for place in slot]
        assert len(places) == len(set(places)) and all(slot[-1][0] - slot[0][0] in (0, 1) for slot in slots)


# ---- words -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_wrong_bits_are_found(width: int) -> None:
    """Up to three in a word; and idles with up to two wrong bits are no word."""
    octets = octets_of(width)
    word = int.from_bytes(word_of(random.Random(3).getrandbits(width), octets), "little")
    # The check is linear, so that one word stands for all.
    weights = [check_of_bits(1 << bit, octets) for bit in range(8 * octets)]
    assert check_of_bits(word, octets) == check_of_bits(0, octets) ^ check(0)
    for count in (1, 2, 3):
        for bits in itertools.combinations(weights, count):
            flipped = 0
            for bit in bits:
                flipped ^= bit
            assert flipped != 0 and (count == 3 or flipped != check(0))


def check_of_bits(word: int, octets: int) -> int:
    """By how much a check is wrong, without the offset."""
    message = word & (1 << 8 * (octets - 1)) - 1
    return check(message) ^ check(0) ^ word >> 8 * (octets - 1)


@pytest.mark.parametrize("width", WIDTHS)
def test_control_characters_are_no_words(width: int) -> None:
    """Errors and low power idles at all positions of a gap; and any characters in one slot."""
    octets, rng = octets_of(width), random.Random(4)
    for lane, least in itertools.product(range(8), (9, 12, 20, 28)):
        blocks = gap_of(lane, least)
        for code, begin in itertools.product((CODES[ERROR], CODES[LOW_POWER]), range(len(blocks))):
            filled = blocks[:begin] + [fill(block, code) for block in blocks[begin:]]
            assert all(legal(block) for block in filled)
            for slot in slots_of(filled, octets):
                assert fpm_of(octets_at(filled, slot), width) is None
    for _ in range(5_000):
        blocks = [codes(rng), IDLE_BLOCK, codes(rng)]
        slots = [slot for slot in slots_of(blocks, octets) if any(octets_at(blocks, slot))]
        inside = {place for slot in slots for place in slot}
        others = any(octets_at(blocks, [(index, at) for index, block in enumerate(blocks) for at in head(block)[1]
                                        if (index, at) not in inside]))
        if len(slots) == 1 and not others:
            assert fpm_of(octets_at(blocks, slots[0]), width) is None


def octets_at(blocks: list[int], places: list[tuple[int, int]]) -> bytes:
    return bytes(blocks[index] >> 2 + 8 * at & 0xFF for index, at in places)


def fill(block: int, code: int) -> int:
    """With another control character instead of idle."""
    kind = block >> 2 & 0xFF
    if block & 3 != CONTROL:
        return block
    return block | sum(code << 10 + 7 * lane for lane, what in enumerate(FORMATS[kind]) if what == "C")


# ---- both ends -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_what_was_sent_is_received(width: int) -> None:
    """Blocks of a link, with faults and errors between frames, leave as they entered, with all FPMs."""
    rng = random.Random(5)
    for _ in range(20):
        blocks = [block for block in sequence(rng, 500) if legal(block)]
        blocks = [block for block in blocks if not head(block)[0] or block == encode(ERRORS) or not holds_codes(block)]
        on = [True] * len(blocks)
        sent = send(blocks, [rng.getrandbits(width) for _ in blocks], on, width)
        got = receive(sent.blocks, on, width)
        fpms = [fpm for found in got.fpms for fpm in found]
        assert got.blocks[:-FOUND] == blocks[:-FOUND] and not any(got.damaged)
        assert fpms == sent.taken[:len(fpms)] and len(sent.taken) - len(fpms) <= 2 * FOUND
        assert send(blocks, [1] * len(blocks), [False] * len(blocks), width).blocks == blocks


def holds_codes(block: int) -> bool:
    return any(octets_at([block], [(0, at) for at in head(block)[1]]))


@pytest.mark.parametrize("width", WIDTHS)
def test_a_decoder_behind_the_receiver_sees_codes_of_the_standard(width: int) -> None:
    """Any input: FPMs, wrong bits on the line, blocks that no link should carry."""
    rng = random.Random(6)
    for _ in range(20):
        blocks = sequence(rng, 500)
        on = [True] * len(blocks)
        sent = send(blocks, [rng.getrandbits(width) for _ in blocks], on, width)
        line = [block ^ wrong for block, wrong in zip(sent.blocks, flips(rng, len(blocks)))]
        got = receive(line, on, width).blocks[:-FOUND]
        assert not all(legal(block) for block in line) and all(legal(block) for block in got)


def test_who_takes_no_fpms_out_loses_frames() -> None:
    """The reason to switch off the sender until the other end is known to have a receiver."""
    frames = [(bytes([number] * 64), 12) for number in range(100)]
    blocks = [encode(word) for word in words_of(frames)]
    sent = send(blocks, [(1 << 44) - 1] * len(blocks), [True] * len(blocks), 44)
    assert list(frames_of(receive_words(blocks))) == [frame for frame, _ in frames]
    assert not [frame for frame in frames_of(receive_words(sent.blocks)) if frame is not None]
