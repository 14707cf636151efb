"""The faults in the part that is the same for all policies: `make rtl-nightly`, or `make rtl-mutants QUEUE=policy_core`.

Each is tried with policies of the tests that depend on the text.
"""

from __future__ import annotations

from bench.mutants import Mutant
from bench.queues import Parameters
from policy.test_policy_core import NAMES

# Each fault names the policies that it is tried with.
POLICY_SHAPES: dict[str, tuple[Parameters, ...]] = {"policy_core": ()}


def faults(file: str, *rows: tuple[str, str, str, str]) -> list[Mutant]:
    """Each: the policies that must find it, what it breaks, the text, the replacement."""
    return [
        Mutant("policy_core", f"policy/{file}.sv", text, replacement, breaks,
               tuple({"policy": NAMES.index(name)} for name in names.split()))
        for names, breaks, text, replacement in rows
    ]


POLICY_MUTANTS: list[Mutant] = [
    *faults(
        "policy_control",
        ("plain", "what has no queue is refused", "          end else if (!op.classified) begin",
         "          end else if (1'b0) begin"),
        ("plain", "a queue has so many places", "if (no_place) begin", "if (1'b0) begin"),
        ("lqd", "the buffer is asked first", "if (Buffered[op_i.queue_index] && buffer.case_valid) begin",
         "if (1'b0) begin"),
        ("lqd_bytes", "the buffer's case is the one that acts", "case_d  = buffer.case_index;", "case_d  = '0;"),
        ("lqd_bytes", "the queue is asked after its buffer", "finish = !queue.case_valid;", "finish = 1'b1;"),
        ("early", "the queue's case is the one that acts", "              case_d  = queue.case_index;",
         "              case_d  = '0;"),
        ("lqd_bytes", "actions begin with the first", "        step_d  = '0;\n        sure_d  = 1'b0;",
         "        sure_d  = 1'b0;"),
        ("two_judges", "a sure drop of the buffer is not one of the queue",
         "        step_d  = '0;\n        sure_d  = 1'b0;",
         "        step_d  = '0;"),
        ("early", "a chance is tried", "if (drops) at_d = StVictim;", "if (sure) at_d = StVictim;"),
        ("states", "only a sure drop goes on", "end else if (sure_q && now.again)", "end else if (now.again)"),
        ("srpt_bytes lqd_bytes", "a sure drop goes on while the condition holds", "end else if (sure_q && now.again)",
         "end else if (1'b0)"),
        ("early", "a trial takes a number", "asks   = 1'b1;", "asks   = 1'b0;"),
        ("lqd_bytes", "a packet that was dropped has no mark", "count_o.marked = present_q && !op_q.ticket.marks[0];",
         "count_o.marked = !op_q.ticket.marks[0];"),
        ("early", "a mark counts once", "present_q && !op_q.ticket.marks[0];", "present_q;"),
        ("early", "a notification waits for the next packet", "else notify_next_d[op_q.queue_index] = 1'b1;", "else ;"),
        ("early", "an owed notification is given", "event_o.marks[1] || notify_next_q[served_queue];",
         "event_o.marks[1];"),
        ("early", "an owed notification is given once", "notify_next_d[served_queue] = 1'b0;", ""),
        ("states", "a state changes", "if (modify) state_q <= now.state;", ""),
        ("states", "the port marks what it serves",
         "if (owner_q == OwnerPort) given_d[0] = 1'b1;\n            else ", ""),
        ("states", "the port's case of the queue that is served", "op_q.queue_index <= port.next_queue;",
         "op_q.queue_index <= '0;"),
        ("tail_drop", "who refuses itself is gone", "present_d       = present_q && !refuse;", ""),
        ("lqd", "another queue's victim is not the arriving packet",
         "present_q && victim_queue == op_q.queue_index;", "present_q;"),
        ("lqd", "the victim's queue is the buffer's choice",
         "owner_q == OwnerBuffer ? buffer.victim_queue : op_q.queue_index;", "op_q.queue_index;"),
        ("lqd", "a rule for each owner", "owner_q == OwnerBuffer ? RuleBuffer : RuleQueue;", "RuleQueue;"),
        ("srpt", "the arriving packet is sorted in first", "else if (!Waits) sort_in = 1'b1;",
         "else if (!Waits) refuse = 1'b1;"),
        ("srpt", "what is sorted in is not put in again", "if (!idle && (!present_q || entered_q)) at_d",
         "if (!idle && !present_q) at_d"),
        ("srpt_bytes", "of equal ranks the arriving packet leaves", "op_q.rank >= shown_rank_q;",
         "op_q.rank > shown_rank_q;"),
        ("srpt_bytes", "a victim's size is its own", "refuse ? op_q.ticket.size : shown_q.size;", "op_q.ticket.size;"),
        ("work", "a victim's work is its own", "ticket_work(refuse ? op_q.ticket : shown_q);",
         "ticket_work(op_q.ticket);"),
        ("lqd_bytes", "each victim is looked at", "          seen_d          = 1'b0;", ""),
        ("plain", "sizes are limits", "else if (overflows) begin  // 6.8", "else if (1'b0) begin"),
        ("states", "what overflows counts no more", "          take            = !idle;", "          take = 1'b0;"),
        ("plain", "nothing is accepted without room for what is told",
         "assign can_depart = depart_room_i && req_ready_i;",
         "assign can_depart = req_ready_i;"),
        ("lqd", "no victim without room for it", "assign can_drop   = drop_room_i && req_ready_i;",
         "assign can_drop   = req_ready_i;"),
        ("served", "the first packet is looked at", "op.kind == KindPull ? OpPeekMin : OpPeekMax;", "OpPeekMax;"),
        ("srpt_bytes served", "reset ends an operation", "      at_q          <= StIdle;\n", ""),
    ),
    *faults(
        "policy_counts",
        ("lqd", "the arriving packet counts in its buffer", "arriving_i && in_buffer && buffer ==",
         "1'b0 && in_buffer && buffer =="),
        ("lqd_bytes", "a buffer counts in its own unit", "buffer_q[b] + amount(BufferInBytes[b], size_i)",
         "buffer_q[b] + amount(1'b0, size_i)"),
        ("served", "what leaves counts no more", "queue_d[q]   = queue_q[q] - amount",
         "queue_d[q]   = queue_q[q] + 0 * amount"),
        ("plain", "as much as its size is in order", "queue_count_o[queue_i] > QueueSize",
         "queue_count_o[queue_i] >= QueueSize"),
        ("lqd_bytes", "a buffer's size is a limit",
         "(in_buffer && buffer_count_o[buffer] > BufferSize[buffer]);", "1'b0;"),
    ),
    *faults(
        "policy_work",
        ("work", "the arriving packet's work counts", "if (arriving_i) own[q]", "if (1'b0) own[q]"),
        ("work", "what leaves makes no more work", "sum_d[q] = sum_q[q] - SumWidth'(take_work_i);",
         "sum_d[q] = sum_q[q];"),
        ("work", "nothing is left of what is served", "served_i ? sum_q[q]", "1'b0 ? sum_q[q]"),
    ),
    *faults(
        "policy_outputs",
        ("srpt", "who was pushed out is told", "drop   = {id != first.id,", "drop   = {first.answered,"),
        ("served", "marks that a packet has are kept", "rsp_data_i.marks | first.marks", "first.marks"),
        ("served", "a mark that a packet had counts once", "first.marks & ~rsp_data_i.marks : '0;",
         "first.marks : '0;"),
        ("lqd", "what is told waits for the answer", "waiting && (!first.answered || answer);", "waiting;"),
    ),
    *faults(
        "policy_counters",
        ("served", "marks at arrival and at service count both",
         "= more[q][3'(WordMarked)] + {1'b0, served_marks_i[0]};",
         "= {1'b0, served_marks_i[0]};"),
    ),
    *faults(
        "policy_registers",
        ("early", "a parameter waits until nothing is under way", "    if (pending_q && quiet_i) begin",
         "    if (pending_q) begin"),
        ("early", "the pair is taken with the upper word", "param_d[p] = {data_q, low_q[p]};",
         "param_d[p] = {data_q, data_q};"),
        ("plain", "only parameters are written", "refused_q <= !known;", "refused_q <= 1'b0;"),
        ("early", "words are written whole", "is_parameter(s_axil_awaddr_i[12:3]) && &s_axil_wstrb_i;",
         "is_parameter(s_axil_awaddr_i[12:3]);"),
    ),
]
