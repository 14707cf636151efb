"""Plays operations.ops on the hardware of a policy and compares what leaves with answers.txt.

Operations go in as fast as they are accepted, and what comes out is taken with pauses. Run as a program it builds the
hardware with Verilator first. Both files are as `forebay conform` has them: an operation a line, and an answer a line.
"""

import os
import random
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge
from policy_layout import ARRIVE, ID, POLICIES, PORT, QUEUE, TIME

HERE = Path(__file__).resolve().parent
NAMES = ["now", "queue_index", "size", "value", "flow", "traffic_class", "processing", "slack", "remaining", "rank",
         "marks", "id"]
RULES = ["unclassified", "queue", "buffer", "overflow", "slots"]
PARAMETERS = 0x400
IN_FORCE = 0x044
# No operation waits so many cycles to be accepted, unless every packet of a large queue is dropped before.
PATIENCE = 100_000


def bits(word, *widths):
    """Parts of a word, the lowest first."""
    for width in widths:
        yield word & ((1 << width) - 1)
        word >>= width


def arriving(fields):
    """The word of a packet that arrives."""
    word, place = 0, 0
    for name, width in ARRIVE:
        assert fields[name] >> width == 0, f"{name} is {fields[name]}, which {width} bits do not hold"
        word |= fields[name] << place
        place += width
    return word


def expected(operations, answers):
    """What leaves in its order, and what each arrival drops."""
    departures, drops = [], []
    for operation, answer in zip(operations, answers, strict=True):
        words = answer.split(" |")[0].split()
        if operation[0] == "dequeue":
            if words[0] == "nothing":
                departures.append((1, int(operation[2]), None, None))
            else:
                number, _, marks = words[1].split(":")
                departures.append((0, int(operation[2]), int(number), int(marks)))
        elif operation[0] == "enqueue":
            group = [(1, int(pushed.split(":")[0])) for pushed in words[1:] if ":" in pushed]
            if words[0] == "refused":
                group.append((0, int(operation[12]), words[1]))
            if group:
                drops.append(sorted(group))
    return departures, drops


async def taken(dut, name, words, rng):
    """Takes a stream with pauses."""
    valid, ready, data = (getattr(dut, f"m_axis_{name}_{port}") for port in ("tvalid_o", "tready_i", "tdata_o"))
    while True:
        await FallingEdge(dut.clk_i)
        ready.value = rng.random() < 0.7
        await RisingEdge(dut.clk_i)
        if ready.value and valid.value:
            words.append(int(data.value))


async def given(dut, name, word):
    """Gives a word to a stream, until it is accepted."""
    valid, ready, data = (getattr(dut, f"s_axis_{name}_{port}") for port in ("tvalid_i", "tready_o", "tdata_i"))
    await FallingEdge(dut.clk_i)
    valid.value = 1
    data.value = word
    await RisingEdge(dut.clk_i)
    waited = 0
    while not ready.value:
        assert waited < PATIENCE, f"`{name}` is not accepted within {PATIENCE} cycles"
        waited += 1
        await RisingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    valid.value = 0


async def written(dut, address, word):
    """Writes a register; tells whether it was done."""
    await FallingEdge(dut.clk_i)
    dut.s_axil_awvalid_i.value, dut.s_axil_wvalid_i.value = 1, 1
    dut.s_axil_awaddr_i.value, dut.s_axil_wdata_i.value, dut.s_axil_wstrb_i.value = address, word, 15
    dut.s_axil_bready_i.value = 1
    waiting, is_done = {"aw", "w", "b"}, False
    while waiting:
        await RisingEdge(dut.clk_i)
        done = {name for name in ("aw", "w") if name in waiting and getattr(dut, f"s_axil_{name}ready_o").value}
        if dut.s_axil_bvalid_o.value:
            done.add("b")
            is_done = int(dut.s_axil_bresp_o.value) == 0
        waiting -= done
        await FallingEdge(dut.clk_i)
        for name in done & {"aw", "w"}:
            getattr(dut, f"s_axil_{name}valid_i").value = 0
    dut.s_axil_bready_i.value = 0
    return is_done


async def played(dut, operations):
    """Plays operations, one after the other; tells which replacements were made."""
    replaced = []
    for operation in operations:
        dut.now_i.value = int(operation[1]) & ((1 << TIME) - 1)
        if operation[0] == "enqueue":
            await given(dut, "arrive", arriving(dict(zip(NAMES, map(int, operation[1:]), strict=True))))
        elif operation[0] == "dequeue":
            await given(dut, "pull", int(operation[2]))
        elif operation[0] == "set":
            address, units = PARAMETERS + 8 * int(operation[2]), int(operation[3])
            assert await written(dut, address, units & 0xFFFFFFFF)
            assert await written(dut, address + 4, units >> 32 & 0xFFFFFFFF)
        elif operation[0] == "replace" and POLICIES > 1:
            replaced.append("replaced" if await written(dut, IN_FORCE, int(operation[2])) else "draining")
        else:
            raise ValueError(f"hardware does not know `{operation[0]}`")
    return replaced


@cocotb.test()
async def the_policy_does_what_the_engine_does(dut):
    operations = [line.split() for line in (HERE / "operations.ops").read_text().splitlines() if line.strip()]
    answers = (HERE / "answers.txt").read_text().splitlines()
    right, dropped = expected(operations, answers)
    rng = random.Random(1)
    for port in ("arrive_tvalid", "pull_tvalid", "arrive_tdata", "pull_tdata"):
        getattr(dut, f"s_axis_{port}_i").value = 0
    for port in ("awvalid", "wvalid", "arvalid", "bready", "rready", "awaddr", "araddr", "wdata", "wstrb"):
        getattr(dut, f"s_axil_{port}_i").value = 0
    dut.now_i.value = 0
    dut.rst_i.value = 1
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    for _ in range(4):
        await FallingEdge(dut.clk_i)
    dut.rst_i.value = 0
    departures, drops = [], []
    cocotb.start_soon(taken(dut, "depart", departures, rng))
    cocotb.start_soon(taken(dut, "drop", drops, rng))
    replaced = await played(dut, operations)
    right_ones = [answer for operation, answer in zip(operations, answers) if operation[0] == "replace"]
    assert replaced == right_ones, "a replacement is made that should be refused, or the other way round"
    wanted = sum(map(len, dropped))
    for _ in range(5000):
        if len(departures) >= len(right) and len(drops) >= wanted:
            break
        await RisingEdge(dut.clk_i)
    found = []
    for word in departures:
        number, _, port, marks, none = bits(word, ID, QUEUE, PORT, 2, 1)
        found.append((none, port, None if none else number, None if none else marks))
    for place, (one, other) in enumerate(zip(found, right)):
        assert one == other, f"departure {place + 1} is {one}, and should be {other}"
    assert len(found) == len(right), f"{len(found)} departures, and not {len(right)}"
    assert len(drops) == wanted, f"{len(drops)} drops, and not {wanted}"
    words = iter(drops)
    for group in dropped:
        seen = []
        for _ in group:
            number, _, rule, pushed = bits(next(words), ID, QUEUE, 3, 1)
            seen.append((1, number) if pushed else (0, number, RULES[rule]))
        assert sorted(seen) == group, f"an arrival drops {sorted(seen)}, and should {group}"
    cocotb.log.info("%d operations, %d departures, %d drops: as the engine", len(operations), len(found), wanted)


def main():
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    files = (HERE / "policy.f").read_text().split()
    runner = get_runner("verilator")
    # The Python package `verilator` leaves this empty, so that larger designs do not compile.
    os.environ["MAKEFLAGS"] = "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"
    options = ["--assert", "-Wno-fatal"]
    runner.build(sources=[HERE / file for file in files], hdl_toplevel="policy", build_args=options,
                 build_dir=HERE / "built", always=True)
    os.environ["PYTHONPATH"] = f"{HERE}:{os.environ.get('PYTHONPATH', '')}"
    results = runner.test(hdl_toplevel="policy", test_module="test_policy", build_dir=HERE / "built", test_dir=HERE)
    tests, failed = get_results(results)
    if failed or not tests:
        raise SystemExit(f"{failed} of {tests} tests failed")


if __name__ == "__main__":
    main()
