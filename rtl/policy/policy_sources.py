"""A policy of the tests as SystemVerilog: `policy_pkg` and `policy_rules`, which the compiler makes from policy text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from policy.policies import BUFFER, PORT, QUEUE, Case, Policy

OWNERS = {BUFFER: "OwnerBuffer", QUEUE: "OwnerQueue", PORT: "OwnerPort"}
KINDS = ("ActionDrop", "ActionMark", "ActionNotify", "ActionModify")

TYPES = """
  typedef enum logic [1:0] {OwnerBuffer, OwnerQueue, OwnerPort} owner_e;
  typedef enum logic [1:0] {ActionDrop, ActionMark, ActionNotify, ActionModify} action_e;
  typedef enum logic [2:0] {
    RuleUnclassified, RuleQueue, RuleBuffer, RuleOverflow, RuleSlots
  } rule_e;
  typedef enum logic [0:0] {KindArrive, KindPull} kind_e;

  typedef struct packed {
    logic [SizeWidth-1:0] size;
    logic [7:0]           value;
  } fields_t;

  typedef struct packed {
    logic [7:0] value;
  } kept_t;

  typedef struct packed {
    logic [IdWidth-1:0]   id;
    logic [1:0]           marks;
    logic [SizeWidth-1:0] size;
    kept_t                kept;
  } ticket_t;

  typedef struct packed {
    kind_e                 kind;
    logic                  classified;
    logic [QueueWidth-1:0] queue_index;
    logic [PortWidth-1:0]  port;
    logic [RankWidth-1:0]  rank;
    logic [TimeWidth-1:0]  now;
    fields_t               fields;
    ticket_t               ticket;
  } operation_t;

  function automatic fields_t served_fields(ticket_t ticket);
    served_fields.size  = ticket.size;
    served_fields.value = ticket.kept.value;
  endfunction

  function automatic logic [WorkWidth-1:0] ticket_work(ticket_t ticket);
    ticket_work = ticket.kept.value;
  endfunction
"""

PORTS = """\
  input  owner_e                             owner_i,
  input  logic [QueueWidth-1:0]              queue_i,
  input  logic [PortWidth-1:0]               port_i,
  input  fields_t                            fields_i,
  input  logic                               present_i,
  input  logic [CaseWidth-1:0]               case_i,
  input  logic [StepWidth-1:0]               step_i,
  input  logic [Queues-1:0][CountWidth-1:0]  queue_count_i,
  input  logic [Buffers-1:0][CountWidth-1:0] buffer_count_i,
  input  logic [Queues-1:0][SumWidth-1:0]    queue_work_i,
  input  logic [Queues-1:0]                  queue_packets_i,
  input  state_t                             state_i,
  input  logic [Parameters-1:0][63:0]        param_i,
  input  logic [TimeWidth-1:0]               now_i,
  output logic                               case_valid_o,
  output logic [CaseWidth-1:0]               case_o,
  output logic                               last_o,
  output action_e                            action_o,
  output logic [64:0]                        chance_o,
  output logic                               again_o,
  output state_t                             state_o,
  output logic [QueueWidth-1:0]              victim_queue_o,
  output logic                               next_valid_o,
  output logic [QueueWidth-1:0]              next_queue_o"""


def packed(width: str, values: Iterable[int]) -> str:
    """A packed array; the last element is first."""
    return "{" + ", ".join(f"{width}'({value})" for value in reversed(list(values))) + "}"


def bits(values: Iterable[bool]) -> str:
    digits = "".join("01"[value] for value in reversed(list(values)))
    return f"{len(digits)}'b{digits}"


def package(policy: Policy) -> str:
    """`policy_pkg.sv`"""
    queues, buffers = policy.queues, policy.buffers
    parameters, states = policy.parameters or (0,), policy.states or (0,)
    numbers = {
        "Queues": len(queues), "Ports": len(policy.ports), "Buffers": max(1, len(buffers)),
        "Parameters": len(parameters), "LiveParameters": len(policy.parameters), "PolicyId": 1,
        "Capacity": policy.capacity, **policy.widths(),
    }
    sizes = [buffer.size for buffer in buffers] or [0]
    tables = {
        "logic [Queues-1:0][PortWidth-1:0] PortOf": packed("PortWidth", (queue.port for queue in queues)),
        "logic [Queues-1:0] Buffered": bits(queue.buffer is not None for queue in queues),
        "logic [Queues-1:0][BufferWidth-1:0] BufferOf": packed("BufferWidth", (queue.buffer or 0 for queue in queues)),
        "logic [Queues-1:0] QueueInBytes": bits(queue.in_bytes for queue in queues),
        "logic [Buffers-1:0] BufferInBytes": bits([buffer.in_bytes for buffer in buffers] or [False]),
        "logic [Queues-1:0][CountWidth-1:0] QueueSize": packed("CountWidth", (queue.size for queue in queues)),
        "logic [Buffers-1:0][CountWidth-1:0] BufferSize": packed("CountWidth", sizes),
        "logic [Queues-1:0][PacketsWidth-1:0] QueuePlaces": packed("PacketsWidth", (queue.places for queue in queues)),
        "logic [Queues-1:0] VictimReverse": bits(queue.reverse for queue in queues),
        "logic [Parameters-1:0][63:0] ParameterInit": "{" + ", ".join(f"64'd{v}" for v in reversed(parameters)) + "}",
        "logic [3:0][63:0] RandomInit": "{" + ", ".join(f"64'h{word:x}" for word in reversed(policy.random)) + "}",
        "logic [63:0] Digest": "64'h0123_4567_89ab_cdef",
        "bit Waits": f"1'b{int(policy.waits)}",
        "logic [0:0][15:0] StateInit" if len(states) == 1 else f"logic [{len(states) - 1}:0][15:0] StateInit":
            packed("16", states),
    }
    lines = [f"  localparam int unsigned {name} = {value};" for name, value in numbers.items()]
    lines += [f"  localparam {name} =\n      {value};" for name, value in tables.items()]
    state = f"\n  typedef logic [{len(states) - 1}:0][15:0] state_t;\n"
    return (
        "// The numbers and types of a policy of the tests, made by policy_sources.py.\n"
        "/* verilator lint_off UNUSEDPARAM */\n/* verilator lint_off UNUSEDSIGNAL */\npackage policy_pkg;\n\n"
        + "\n".join(lines) + "\n" + state + TYPES
        + "\nendpackage\n/* verilator lint_on UNUSEDPARAM */\n/* verilator lint_on UNUSEDSIGNAL */\n"
    )


def expression(text: str) -> str:
    """In SystemVerilog: every number has 65 bits."""
    text = re.sub(r"(?<![\w])(\d+)", r"65'd\1", text)
    return text.replace(" and ", " && ").replace(" or ", " || ").replace("SURE", "Sure")


def choice(queues: list[int], longest: bool, target: str) -> list[str]:
    """Statements that set `target` to one of these queues that has packets."""
    lines = []
    for at in queues:
        better = f"queue_count_i[{at}] > most" if longest else "!found"
        lines += [f"      if (queue_packets_i[{at}] && ({better} || !found)) begin",
                  f"        {target} = QueueWidth'({at});", f"        most = queue_count_i[{at}];",
                  "        found = 1'b1;", "      end"]
    return lines


def rules(policy: Policy) -> str:
    """`policy_rules.sv`"""
    names = {
        "here": "queue_count_i[queue_i]", "work": "queue_work_i[queue_i]",
        "all": "Buffered[queue_i] ? buffer_count_i[BufferOf[queue_i]] : '0",
        "size": "fields_i.size", "value": "fields_i.value", "now": "now_i",
        **{f"state{at}": f"state_i[{at}]" for at in range(len(policy.states))},
        **{f"param{at}": f"param_i[{at}]" for at in range(len(policy.parameters))},
    }
    out = ["// The rules of a policy of the tests, made by policy_sources.py.", "module policy_rules",
           "  import policy_pkg::*;", "(", PORTS, ");", "",
           "  localparam logic [64:0] Sure = 65'h1_0000_0000_0000_0000;", ""]
    out += [f"  logic [64:0] {name};" for name in names]
    out += [""] + [f"  assign {name} = 65'({value});" for name, value in names.items()]
    out += ["", "  function automatic logic [64:0] pick(logic when, logic [64:0] a, logic [64:0] b);",
            "    return when ? a : b;", "  endfunction", "", "  always_comb begin",
            "    case_valid_o = 1'b0;", "    case_o       = '0;", "    last_o       = 1'b1;",
            "    action_o     = ActionDrop;", "    chance_o     = '0;", "    again_o      = 1'b0;",
            "    state_o      = state_i;"]
    for owner, at, cases in policy.conditions():
        own = {
            BUFFER: f"Buffered[queue_i] && BufferOf[queue_i] == BufferWidth'({at})",
            QUEUE: f"queue_i == QueueWidth'({at})", PORT: f"port_i == PortWidth'({at})",
        }[owner]
        out.append(f"    if (owner_i == {OWNERS[owner]} && {own}) begin")
        for place in reversed(range(len(cases))):
            out += [f"      if ({expression(cases[place].when)}) begin", "        case_valid_o = 1'b1;",
                    f"        case_o       = CaseWidth'({place});", "      end"]
        for place, case in enumerate(cases):
            out += case_lines(place, case)
        out.append("    end")
    out += ["  end", "", "  always_comb begin : choose_victim", "    logic found;", "    logic [CountWidth-1:0] most;",
            "    found = 1'b0;", "    most  = '0;", "    victim_queue_o = queue_i;"]
    for at, buffer in enumerate(policy.buffers):
        if buffer.longest:
            queues = [place for place, queue in enumerate(policy.queues) if queue.buffer == at]
            out += [f"    if (Buffered[queue_i] && BufferOf[queue_i] == BufferWidth'({at})) begin",
                    *choice(queues, True, "victim_queue_o"), "    end"]
    out += ["  end", "", "  always_comb begin : choose_next", "    logic found;", "    logic [CountWidth-1:0] most;",
            "    found = 1'b0;", "    most  = '0;", "    next_queue_o = '0;"]
    for at, port in enumerate(policy.ports):
        queues = [place for place, queue in enumerate(policy.queues) if queue.port == at]
        out += [f"    if (port_i == PortWidth'({at})) begin", *choice(queues, port.longest, "next_queue_o"), "    end"]
    out += ["    next_valid_o = found;", "  end", "", "  // Inputs that this policy does not read.", "  logic unused;",
            "  assign unused = &{present_i, param_i, state_i, case_i, step_i, now, size, value, all, here, work};",
            "", "endmodule"]
    return "\n".join(out) + "\n"


def case_lines(place: int, case: Case) -> list[str]:
    """The contents of a case."""
    present = " && present_i" if case.arriving else ""
    again = f"({expression(case.when)}){present}" if case.lifted else "1'b0"
    out = [f"      if (case_i == CaseWidth'({place})) begin", f"        again_o = {again};"]
    for step, action in enumerate(case.actions):
        out += [f"        if (step_i == StepWidth'({step})) begin", "          last_o   = 1'b0;",
                f"          action_o = {KINDS[action.kind]};"]
        if action.kind == 0:
            out.append(f"          chance_o = {expression(action.amount)};")
        if action.kind == 3:
            out.append(f"          state_o[{action.state}] = 16'({expression(action.amount)});")
        out.append("        end")
    return [*out, "      end"]
