"""Requests and answers as pairs of 64-bit words, in the layout of flat.sv.

Values that are compared millions of times are kept as whole numbers. Names and fields are only for
people, when values differ.
"""

from __future__ import annotations

from bench.reference import Op, Status

# First word of a request. The second is data, and a time above it.
PARTITION = 32
OP = 48
VALID = 1 << 51
RESET = 1 << 52
TIME = 32

# First word of an answer, with partition and operation as above. The second is data, and the
# occupancy above it.
STATUS = 51
ANSWER = 1 << 54
FULL = 1 << 55
EMPTY = 1 << 56
ERROR = 1 << 57
READY = 1 << 58
OCCUPANCY = 32

LOW = (1 << 32) - 1
# The part of the first word of an answer that is independent of operations.
STATE = FULL | EMPTY | ERROR | READY

Request = tuple[int, int]


def request(op: int, partition: int, rank: int, data: int, time: int = 0) -> Request:
    """An operation that is offered to the queue."""
    return rank | partition << PARTITION | op << OP | VALID, data | time << TIME


def op_name(op: int) -> str:
    return Op(op).name.lower().replace("_", "-") if op in list(Op) else f"operation-{op}"


def describe_request(low: int, high: int) -> str:
    """A request for people."""
    if low & RESET:
        return "reset"
    if not low & VALID:
        return "nothing"
    text = f"{op_name(low >> OP & 7)} partition {low >> PARTITION & 0xFFFF}"
    if low >> OP & 7 == Op.ENQUEUE:
        text += f" rank {low & LOW} data {high & LOW:#x}"
    return text


def describe_answer(low: int, high: int) -> str:
    """The part of an answer word that is about an operation, for people."""
    if not low & ANSWER:
        return "no answer"
    number = low >> STATUS & 7
    status = Status(number).name.lower().replace("_", "-") if number in list(Status) else f"status-{number}"
    return (
        f"{op_name(low >> OP & 7)} partition {low >> PARTITION & 0xFFFF}: {status} "
        f"rank {low & LOW} data {high & LOW:#x}"
    )


def describe_state(low: int, high: int) -> str:
    """The part of an answer word that is about the whole queue, for people."""
    return (
        f"full={int(bool(low & FULL))} empty={int(bool(low & EMPTY))} "
        f"occupancy={high >> OCCUPANCY} error={int(bool(low & ERROR))}"
    )
