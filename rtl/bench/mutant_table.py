"""The faults of `make rtl-mutants`, by queue."""

from __future__ import annotations

from bench.mutants import Mutant, mutants_of
from bench.policy_mutants import POLICY_MUTANTS, POLICY_SHAPES
from bench.queues import Parameters, bbq_shape, front_shape
from bench.seer_mutants import SEER_MUTANTS, SEER_SHAPES
from bench.seer_nodes_mutants import SEER_NODES_MUTANTS, SEER_NODES_SHAPES
from bench.seer_phy_mutants import SEER_PHY_MUTANTS, SEER_PHY_SHAPES
from bench.swap_mutants import SWAP_MUTANTS, SWAP_SHAPES

# Small shapes, so that every state is reached soon.
SHAPES: dict[str, tuple[Parameters, ...]] = {
    # A level that the partition decides, memories below it, a rank that does not exist; a root
    # in a register; long lists in few buckets.
    "bbq": (
        bbq_shape(3, 2, 15, partitions=2, Ranks=3),
        bbq_shape(2, 4, 16),
        bbq_shape(1, 8, 63, partitions=2),
    ),
    "bbq_front": ({"Levels": 2, "Width": 4, "Entries": 15},),
    "bbq_front_queue": (front_shape(2, 4, 15),),
    "model_queue": ({"Entries": 16},),
    **SEER_SHAPES,
    **SEER_NODES_SHAPES,
    **SEER_PHY_SHAPES,
    **POLICY_SHAPES,
    **SWAP_SHAPES,
}


MUTANTS: list[Mutant] = [
    *mutants_of(
        "model_queue", "bench/fixtures/model_queue.sv",
        ("order among equal ranks", "sorted_q[i].rank <= req_rank_i", "sorted_q[i].rank < req_rank_i"),
        ("what is taken is gone", "if (i >= place) sorted_q[i] <= sorted_q[i+1];",
         "if (i > place) sorted_q[i] <= sorted_q[i+1];"),
    ),
    *mutants_of(
        "bbq", "bbq/bbq_forward.sv",
        ("forwarding from one operation ahead", "from_1_q  <= changed_d_i;", "from_1_q  <= '0;"),
        ("forwarding from two ahead", "from_2_q  <= s1_i;", "from_2_q  <= '0;"),
        ("forwarding from three ahead", "(s2_i & {Width{use_3}})", "(s2_i & {Width{1'b0}})"),
        ("forwarding from four ahead", "(s3_q & {Width{use_4}})", "(s3_q & {Width{1'b0}})"),
        ("the latest of several is forwarded", "if (same_r1_i[2:1] != 2'b10) from_2_q <= '0;",
         "if (!same_r1_i[2]) from_2_q <= '0;"),
        ("words never written read as zero", "&& !blank_r1_i", ""),
    ),
    *mutants_of(
        "bbq", "bbq/bbq_level.sv",
        ("the late bit in s1", "s1[Guard]   = s1_q[Guard] | (top_late_q & {Width{high_u}});", ""),
        ("the late bit that was shifted down", "s1[Guard-1] = s1_q[Guard-1] | (next_late_q & {Width{high_u}});", ""),
        ("the late bit in s2", "s2[Guard]   = s2_q[Guard] | (chosen_u & {Width{high_u}});", ""),
        ("the late bit of a word from memory",
         "word_d[Guard]   = word[Guard] | (word_top_late_q & {Width{high_u}});", ""),
        ("children are compared, not only nodes", "same_a_i[d] && digit_a == ahead_q[d]", "same_a_i[d]"),
        ("only the partition's children", "word_d[1] & mask_d_i", "word_d[1]"),
        ("reset of the root", "if (Nodes == 1) s1_q <= '0;", ""),
        ("the direction of the search", ".highest_i(action_d_i.highest)", ".highest_i(1'b0)"),
    ),
    *mutants_of(
        "bbq", "bbq/bbq_counts.sv",
        ("forwarding of a count from one ahead", "use_after_q <= same_a_i[1];", "use_after_q <= 1'b0;"),
        ("forwarding of a count from two ahead", "same_a_i == 2'b10 ? after_q : '0;", "'0;"),
        ("the waterlevel bit, by one", "take_u_i ? at_least_5", "take_u_i ? at_least_3"),
        ("a count that was never written is zero", "use_ram = same_a_i == '0 && !empty_a_i;",
         "use_ram = same_a_i == '0;"),
    ),
    *mutants_of(
        "bbq", "bbq/bbq_buckets.sv",
        ("the second becomes the first", "changed_b.first = bucket_b.second;", "changed_b.first = bucket_b.last;"),
        ("the second of two", "if (put_b && one_q) changed_b.second = free_b;", ""),
        ("a late second place", "second_late_b && !take_first_b && !(put_b && one_q)", "1'b0"),
        ("a late last but one", "prior_late_b && !take_last_b && !put_b", "1'b0"),
        ("late places of the operation two ahead", "late_b <= {1'b0, ask_next_1, 1'b0, ask_previous_1};",
         "late_b <= '0;"),
        ("a link from a late place", "prior_late_1 ? previous_b2 : prior_1", "prior_1"),
        ("the latest arrival at the highest end", "element_b = bucket_b.last;", "element_b = bucket_b.first;"),
        ("one element, not two", "count_r1_i == CountWidth'(1);", "count_r1_i == CountWidth'(2);"),
    ),
    *mutants_of(
        "bbq", "bbq/bbq_links.sv",
        ("a link written with its read", "hit_now || hit_last;", "hit_now;"),
        ("a link written after its read", "hit_now || hit_last;", "hit_last;"),
    ),
    *mutants_of(
        "bbq", "bbq/bbq_free_list.sv",
        ("all places are used", "unused_q == AddrWidth'(Entries - 1)", "unused_q == AddrWidth'(Entries - 2)"),
        ("a place given back while one arrives", "last_q + 2'(give_ready) == 2'(r)", "last_q == 2'(r)"),
        ("the stack's height", "({AddrWidth{fetch}} | AddrWidth'(spill))", "AddrWidth'(spill)"),
        ("reset of the places in use", "used_up_q <= 1'b0;", ""),
    ),
    *mutants_of(
        "bbq", "common/occupancy_counter.sv",
        ("full, by one", "occupancy_q == CountWidth'(Entries - 1)", "occupancy_q == CountWidth'(Entries - 2)"),
        ("empty, by one", "occupancy_q == CountWidth'(1)", "occupancy_q == CountWidth'(2)"),
    ),
    *mutants_of(
        "bbq", "bbq/bbq_admission.sv",
        ("what stays in a partition", "some_q[partition_i] <= two;", "some_q[partition_i] <= 1'b0;"),
        ("two or more in a partition", "two && held != CountWidth'(2)", "two"),
        ("ranks that do not exist", " && (!enqueue || 64'(rank_i) < 64'(Ranks))", ""),
    ),
    *mutants_of(
        "bbq", "bbq/bbq.sv",
        ("nodes never used are empty", "blank_q <= !touched_q[top];", "blank_q <= 1'b0;"),
        ("reset forgets which nodes were used", "if (rst_i) touched_q <= '0;", ""),
        ("reset drops answers", "valid_q[c-1] && !rst_i;", "valid_q[c-1];"),
        ("reset drops operations in flight", "rst_i ? '0 : action_q[c-1];", "action_q[c-1];"),
    ),
    *mutants_of(
        "bbq_front", "bbq_front/bbq_front.sv",
        ("an arrival meets its rank's token on the way back", "assign meets_refill = refill_a_q && rank_a_q == enq_rank_i;",
         "assign meets_refill = 1'b0;"),
        ("the last element of a list on the way back", "tail_b_q   <= put && meets_refill ? slot : tail_a_q;",
         "tail_b_q   <= tail_a_q;"),
        ("a token goes with its last element only", "ask_q        <= take && first_only;", "ask_q        <= take;"),
        ("what overflows goes into the BBQ", "spill_q      <= spill_valid && !rst_i;",
         "spill_q      <= spill_valid && !rst_i && !spill_q;"),
        ("a peek leaves what it sees", "assign take        = found && !deq_peek_i;", "assign take        = found;"),
    ),
    *mutants_of(
        "bbq_front_queue", "bbq_front/bbq_front_queue.sv",
        ("only enqueues are put in", "put_q     <= granted && enqueue;", "put_q     <= granted;"),
        ("a peek asks for no more than a peek", "(req_op_i == OpPeekMin)", "(1'b0)"),
        ("a peek does not count", "granted && req_op_i == OpDequeueMin && !empty_o", "granted && serve && !empty_o"),
        ("other ends are refused", "if (!(enqueue || serve)) request.refusal = StatusUnsupported;", ""),
        ("a full queue is said to be", "assign rsp_status_o    = enq_done ? enq_status : answer_q.refusal;",
         "assign rsp_status_o    = answer_q.refusal;"),
    ),
    *mutants_of(
        "bbq_front", "bbq_front/bbq_front_array.sv",
        ("what arrives may overflow itself", "spill_rank_o  = below[Tokens] ? rank_i : now[Tokens-1].rank;",
         "spill_rank_o  = now[Tokens-1].rank;"),
        ("an arrival behind the only element of its token", "changed[i].known = 1'b1;", "changed[i].known = 1'b0;"),
    ),
    *mutants_of(
        "bbq_front", "bbq_front/bbq_front_lists.sv",
        ("the end of a list in the BBQ", ".wdata_i(park_i ? park_tail_i : slot_o)", ".wdata_i(park_tail_i)"),
        ("reset of the tokens in the BBQ", "if (rst_i)   parked_q <= '0;", ""),
    ),
    *SEER_MUTANTS,
    *SEER_NODES_MUTANTS,
    *SEER_PHY_MUTANTS,
    *POLICY_MUTANTS,
    *SWAP_MUTANTS,
]
