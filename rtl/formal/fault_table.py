"""The faults of `make rtl-formal`."""

from __future__ import annotations

from formal.faults import Fault
from formal.proof import Proof
from formal.proofs import COUNTS, FORWARD, LINKS, free_list, ordered_list, queue, seer_cache, seer_phy

FIRST_ONE_PROOF = Proof("first_one_proof", "combinational", (("Width", 8),))
# Without the invariant a bounded proof finds the same; induction starts from no reset.
FREE_LIST_PROOF = Proof("free_list_proof", "bounded", free_list(5), 16)
LINKS_PROOF = Proof("links_proof", "unbounded", LINKS)
FORWARD_PROOF = Proof("forward_proof", "unbounded", FORWARD)
COUNTS_PROOF = Proof("counts_proof", "unbounded", COUNTS)
QUEUE_PROOF = Proof("queue_proof", "bounded", queue(1, 2, 3), 16)
DEEPER_PROOF = Proof("queue_proof", "bounded", queue(2, 2, 4), 16)
LIST_PROOF = ordered_list("unbounded", 3)
TARGET_PROOF = seer_cache("bounded", 1, 1, 28)
SETS_PROOF = seer_cache("bounded", 1, 2, 28, 3)
PHY_PROOF = seer_phy("bounded", 25, 16)

FAULTS: list[Fault] = [
    Fault("bbq/bbq_first_one.sv", "alone[7-i] = 1'b1", "alone[i] = 1'b1", "the highest end", FIRST_ONE_PROOF),
    Fault("bbq/bbq_free_list.sv", "unused_q == AddrWidth'(Entries - 1)", "unused_q == AddrWidth'(Entries - 2)",
          "the last place that was never used", FREE_LIST_PROOF),
    Fault("bbq/bbq_free_list.sv", "arrives_q && last_q + 2'(give_ready) == 2'(r)", "arrives_q && last_q == 2'(r)",
          "a place given back beside one that arrives", FREE_LIST_PROOF),
    Fault("bbq/bbq_free_list.sv", "!held_q[2] && !give_i && some_q", "held_q == 3'd0 && !give_i && some_q",
          "the memory is asked early enough", FREE_LIST_PROOF),
    Fault("bbq/bbq_links.sv", "hit_now || hit_last", "hit_now", "a link written with the read", LINKS_PROOF),
    Fault("bbq/bbq_links.sv", "hit_now ? wlink_i : wlink_q", "hit_last ? wlink_q : wlink_i",
          "the later of two writes", LINKS_PROOF),
    Fault("bbq/bbq_forward.sv", "same_r1_i == 4'b1000", "1'b0", "forwarding over four operations", FORWARD_PROOF),
    Fault("bbq/bbq_forward.sv", "same_r1_i[3:1] == 3'b100", "same_r1_i[3]", "the latest of several writers",
          FORWARD_PROOF),
    Fault("bbq/bbq_counts.sv", "same_a_i == 2'b10 ? after_q : '0", "'0", "a count of two operations ago", COUNTS_PROOF),
    Fault("bbq/bbq_counts.sv", "use_ram = same_a_i == '0 && !empty_a_i", "use_ram = same_a_i == '0", "a child that was empty", COUNTS_PROOF),
    Fault("bbq/bbq_buckets.sv", "changed_b.first = bucket_b.second", "changed_b.first = bucket_b.last",
          "who is next among equals", QUEUE_PROOF),
    Fault("bbq/bbq_buckets.sv", "if (put_b) changed_b.prior = bucket_b.last;", "",
          "who comes before the last", QUEUE_PROOF),
    Fault("common/occupancy_counter.sv", "occupancy_q == CountWidth'(Entries - 1)", "occupancy_q == CountWidth'(Entries)",
          "full in time", QUEUE_PROOF),
    Fault("bbq/bbq.sv", "action_q[c] <= rst_i ? '0 : action_q[c-1]", "action_q[c] <= action_q[c-1]",
          "reset of what is on its way", QUEUE_PROOF),
    Fault("bbq/bbq_level.sv", "same_a_i[d] && digit_a == ahead_q[d]", "same_a_i[d]",
          "which operations went to the same child", DEEPER_PROOF),
    Fault("seer/ordered_list_bank.sv", "    if (move_up_i) hit_q <= (hit_q << 1) | Entries'(hit_before_i);\n", "",
          "who is later has moved", LIST_PROOF),
    Fault("seer/ordered_list.sv", "enters_q <= inserts && !full_o;", "enters_q <= inserts;", "a full list", LIST_PROOF),
    Fault("seer/ordered_list_bank.sv", "assign upper = {used_q[i+1], flags[i+1], cell_q[i+1]};",
          "assign upper = {used_q[i+1], flags_q[i+1], cell_q[i+1]};", "a mark beside a deletion", LIST_PROOF),
    Fault("seer/ordered_list.sv", "assign above = lowest[b+1];", "assign above = '0;", "cells go back to the bank below", LIST_PROOF),
    Fault("seer/ordered_list_bank.sv", "!earlier(cell_q[i].key, key_i);", "earlier(key_i, cell_q[i].key);",
          "equal keys are later", LIST_PROOF),
    Fault("seer/seer_manager.sv", "fits && !scan_asked_i;", "fits;", "nothing is fetched twice", TARGET_PROOF),
    Fault("seer/seer_manager.sv", "new_valid && earlier(new_arrival, last_arrival_q);", "new_valid;",
          "only for what is wanted earlier", TARGET_PROOF),
    Fault("seer/seer_manager.sv", "assign in_a       = scan_used_i && scan_here_i && found;",
          "assign in_a       = scan_used_i && found;", "what is on its way does not leave", TARGET_PROOF),
    Fault("seer/seer_manager.sv", "later      = !last_q || difference[TimeWidth+IdWidth-1];", "later      = !last_q;",
          "who is wanted last leaves", SETS_PROOF),
    Fault("seer/ordered_list_bank.sv", "later[i] = !used_q[i] || !earlier", "later[i] = !earlier",
          "behind the last entry", LIST_PROOF),
    Fault("seer_phy/seer_phy_rx.sv", "{across_fpm, whole_fpm}),", "{whole_fpm, across_fpm}),",
          "FPMs in their order", PHY_PROOF),
    Fault("seer_phy/seer_phy_tx.sv", "across && this_blank_q && next_blank_q;", "across && this_blank_q;",
          "an error character behind a word", PHY_PROOF),
    Fault("seer_phy/seer_phy_tx.sv", "assign wants_whole  = whole_q && !early_q;", "assign wants_whole  = whole_q;",
          "one word in a place", PHY_PROOF),
    Fault("seer_phy/seer_phy_rx.sv", "clears_next_q <= across_fpm;", "clears_next_q <= 1'b0;",
          "idle characters where a word ends", PHY_PROOF),
    Fault("seer_phy/seer_phy_tx.sv", "across_uses_q ? word_q >> {split_octets_q, 3'b0} : '0;", "'0;",
          "the rest of a word", PHY_PROOF),
]
