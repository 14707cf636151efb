"""The faults in two nodes back to back: `make rtl-nightly`, or `make rtl-mutants QUEUE=seer_nodes`."""

from __future__ import annotations

from bench.mutants import Mutant, mutants_of
from bench.queues import Parameters

SEER_NODES_SHAPES: dict[str, tuple[Parameters, ...]] = {"seer_nodes": ({"Sets": 64, "Entries": 16, "Packets": 1024},)}

SEER_NODES_MUTANTS: list[Mutant] = [
    *mutants_of(
        "seer_nodes", "seer_nodes/seer_nodes_pkg.sv",
        ("the second half of a block", "second = '{kind: WordData, data: block[65:34]};\n    end else",
         "second = '{kind: WordData, data: block[33:2]};\n    end else"),
        ("a start on the second half", "StartSecond: second = '{kind: WordStart,", "StartSecond: second = '{kind: WordData,"),
        ("the gap behind a packet", "PacketOctets  = 276;", "PacketOctets  = 280;"),
    ),
    *mutants_of(
        "seer_nodes", "seer_nodes/seer_nodes_port.sv",
        ("frames follow on either half", "assign start_o        = left_q < IndexWidth'(2)",
         "assign start_o        = left_q < IndexWidth'(1)"),
        ("no control packet on an idle link", "some_i && !idle_q && !after_control_q;", "some_i && !after_control_q;"),
        ("a control packet is shorter", "begins_control ? ControlLength : DataLength;", "DataLength;"),
    ),
    *mutants_of(
        "seer_nodes", "seer_nodes/seer_nodes_gate.sv",
        ("who comes later waits", "assign opens    = !close_i && (!closed_q || open_i);", "assign opens    = 1'b1;"),
        ("who came before passes", "some && (opens || older != '0);", "some && opens;"),
        ("who came with the decision is later", "waiting - CountWidth'(came_q_i)", "waiting"),
    ),
    *mutants_of(
        "seer_nodes", "seer_nodes/seer_nodes_neighbour.sv",
        ("strict priority", "assign chosen = !some[0];", "assign chosen = some[1];"),
        ("the notification of who leaves is taken before", "localparam int unsigned TakenAt    = 6;",
         "localparam int unsigned TakenAt    = 2;"),
        ("who finds the link idle", "{chosen, before_i || !from_idle};", "{chosen, 1'b1};"),
        ("time counts in words", "lane && may_start, 2'b0}", "1'b0, 2'b0}"),
        ("how many a control packet carries", "FpmsWidth'(PerControl) : FpmsWidth'(fpms);",
         "FpmsWidth'(PerControl) : FpmsWidth'(PerControl);"),
    ),
    *mutants_of(
        "seer_nodes", "seer_nodes/seer_nodes_ingress.sv",
        ("delays count from the start behind the carrier", "start_lane ? TimeWidth'(4) : '0", "'0"),
        ("a packet has come when its gap is over", "ending_q <= ended && end_lane;", "ending_q <= 1'b0;"),
        ("a control packet pushes all back", "pushes_q <= started && carried_q != '0;", "pushes_q <= 1'b0;"),
        ("its notifications are handed on once", "carried_q <= frame_d.control ? frame_d.carries : '0;",
         "if (frame_d.control) carried_q <= frame_d.carries;"),
        ("control packets are no packets", "assign ended = block_valid_i && ends && !frame_d.control;",
         "assign ended = block_valid_i && ends;"),
        ("notifications wait for the start", "assign fpm_ready_o = opens_q && !pushes_q && left_q == '0;",
         "assign fpm_ready_o = !pushes_q && left_q == '0;"),
    ),
    *mutants_of(
        "seer_nodes", "seer_nodes/seer_nodes_target.sv",
        ("a control packet's length", "SizeWidth'(ControlOctets)", "SizeWidth'(PacketOctets)"),
        ("only misses are fetched", "answer_o && answer_where_o == StateAway", "answer_o && answer_where_o != StateHere"),
    ),
    *mutants_of(
        "seer_nodes", "seer_nodes/seer_nodes_store.sv",
        ("a fetch takes its time", "{now_q + cycles_i, ask_data_i}", "{now_q + cycles_i - 1'b1, ask_data_i}"),
        ("what waits is not forgotten", "(early == '0 || early[TimeWidth-1])", "early == '0"),
    ),
]
