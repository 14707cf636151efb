"""The faults of `make rtl-mutants` in the blocks of Seer."""

from __future__ import annotations

from bench.mutants import Mutant, mutants_of
from bench.queues import Parameters

SEER_SHAPES: dict[str, tuple[Parameters, ...]] = {
    "ordered_list": (
        {"Entries": 13, "KeyWidth": 7, "TagWidth": 3, "ValueWidth": 8, "PushWidth": 3, "Wrap": 1},
        {"Entries": 29, "KeyWidth": 8, "TagWidth": 5, "ValueWidth": 4, "PushWidth": 4, "Wrap": 0},
    ),
}

SEER_MUTANTS: list[Mutant] = [
    *mutants_of(
        "ordered_list", "seer/seer_first.sv",
        ("a one in any group below", "step < Groups; step *= 2", "step < 2; step *= 2"),
        ("the first within a group", "(i % Size == 0 || !inside_group[i-1])", "1'b1"),
        ("all from the first on", "inside_group[i] || earlier[i/Size]", "inside_group[i]"),
    ),
    *mutants_of(
        "ordered_list", "seer/ordered_list.sv",
        ("times wrap around", "return Wrap ? difference[KeyWidth-1] : a < b;", "return a < b;"),
        ("before equal keys", "!earlier(cell_q[i].key, req_key_i);", "earlier(req_key_i, cell_q[i].key);"),
        ("vacant cells are behind", "later[i] = !used_q[i] || !earlier", "later[i] = !earlier"),
        ("deletions look at entries only", "equal[i] = used_q[i] && cell_q", "equal[i] = cell_q"),
        ("only the first goes", "ListDeleteFirst: hit = used_q & Entries'(1);", "ListDeleteFirst: hit = used_q;"),
        ("nothing enters a full list", "enters_q <= inserts && !full_o;", "enters_q <= inserts;"),
        ("what is later has moved", "if (step_q == StepMove && enters_q) hit_q <= hit_q << 1;", ""),
        ("a push raises all", "default:         hit = '1;", "default:         hit = later;"),
        ("a deletion has no third cycle", "delete_q ? StepCompare : StepRaise;", "StepRaise;"),
        ("a new entry is unmarked", "flags[i-1]} : {new_q, 1'b1, 2'b00};", "flags[i-1]} : {new_q, 1'b1, 2'b10};"),
        ("keys rise by what was pushed", "cell_q[i].key + KeyWidth'(push_q);", "cell_q[i].key + KeyWidth'(1);"),
        ("a mark moves with its cell", "{cell_q[i+1], used_q[i+1], flags[i+1]};",
         "{cell_q[i+1], used_q[i+1], flags_q[i+1]};"),
        ("reset empties the list", "if (rst_i) used_q <= '0;", ""),
        ("what was deleted is told", "move_down ? |hit_q : enters_q;", "move_down || enters_q;"),
        ("the last entry", "if (used_q[i] && !above[i]) max_d", "if (used_q[i] && above[i]) max_d"),
        ("the first unmarked", "assign waiting = used_q & ~marked;", "assign waiting = used_q;"),
        ("answers stay until asked again", "    if (ask_i) begin\n      {max_valid_q", "    begin\n      {max_valid_q"),
        ("found among entries only", "same[i] = used_q[i] && cell_q", "same[i] = cell_q"),
        ("what was asked for moves with its cell", "ask_i ? first_waiting[i] : flags_q[i].asked;", "first_waiting[i];"),
        ("what is asked with a mark", "(mark_i && flags_q[i].asked);", "1'b0;"),
    ),
]
