"""The faults in the side channel of Seer: `make rtl-nightly`, or `make rtl-mutants QUEUE=seer_phy_link`."""

from __future__ import annotations

from bench.mutants import Mutant, mutants_of
from bench.queues import Parameters

# Two words in the shortest gap; the paper's FPM.
SEER_PHY_SHAPES: dict[str, tuple[Parameters, ...]] = {
    "seer_phy_link": (
        {"Width": 32, "TimeWidth": 16, "Entries": 3},
        {"Width": 44, "TimeWidth": 16, "Entries": 3},
    ),
}

SEER_PHY_MUTANTS: list[Mutant] = [
    *mutants_of(
        "seer_phy_link", "seer_phy/seer_phy_pkg.sv",
        ("control blocks only", "if (head[1:0] == Control) begin", "begin"),
        ("room begins behind the terminate character", "first: data + 4'd1};", "first: data + 4'd2};"),
        ("the frame of a start block", "(room.kind != RoomStart || octet < 5)",
         "(room.kind != RoomStart || octet < 6)"),
        ("what has other characters is not blank", "(block[65:2] & mask_of(room)) == '0;", "1'b1;"),
        ("error characters are legal", "7'h1e, 7'h2d", "7'h1f, 7'h2d"),
        ("zeros before the first code", "legal_code(found[8+7*c+:7]) : found[8+7*c+:7] == '0;",
         "legal_code(found[8+7*c+:7]) : 1'b1;"),
        ("zeros are no word", "CheckOffset = 8'h9d;", "CheckOffset = 8'h00;"),
        ("every bit of a message is checked", "i < WordWidth - 8; i++", "i < WordWidth - 26; i++"),
    ),
    *mutants_of(
        "seer_phy_link", "seer_phy/seer_phy_slots.sv",
        ("behind the rest of a word", "first_i + 4'(rest_i);", "first_i;"),
        ("as long as a whole one has room", "begin_at <= 4'(8 - Octets);", "begin_at <= 4'(7 - Octets);"),
        ("no word goes from idle to idle", "kind_i == RoomTerminate && next_kind_i == RoomIdle;",
         "kind_i == RoomIdle && next_kind_i == RoomIdle;"),
        ("a start block has less room", "(to_start && left >= 4'(Octets - StartRoom));", "to_start;"),
        ("no rest of a word that begins there", "goes_on && left != '0;", "goes_on;"),
        ("what is left of a word", "3'(Octets) - left[2:0] : '0;", "3'(Octets) - left[2:0] - 3'd1 : '0;"),
    ),
    *mutants_of(
        "seer_phy_link", "seer_phy/seer_phy_tx.sv",
        ("only over idle characters", "whole_q         <= whole && this_blank_q;", "whole_q         <= whole;"),
        ("also in the next block", "across && this_blank_q && next_blank_q;", "across && this_blank_q;"),
        ("one word in a place", "assign wants_whole  = whole_q && !early_q;", "assign wants_whole  = whole_q;"),
        ("two words in a block", "assign wants_next   = whole && this_blank_q;", "assign wants_next   = 1'b0;"),
        ("switched off", "block_valid_i && enable_i && !rst_i &&", "block_valid_i && !rst_i &&"),
        ("an early word stays early", "early_q        <= taken && !wants_whole && !wants_across;",
         "early_q        <= taken && !wants_whole;"),
        ("the first place first", "taken && wants_across && !wants_whole;", "taken && wants_across;"),
        ("the rest of a word", "across_uses_q ? word_q >> {split_octets_q, 3'b0} : '0;", "'0;"),
        ("nothing is written twice", "early_word_q   <= early_q ? word_q : '0;",
         "if (early_q) early_word_q <= word_q;"),
        ("blocks from before a reset", "{next_q, this_q, plan_q}    <= '0;", "{next_q, this_q} <= '0;"),
    ),
    *mutants_of(
        "seer_phy_link", "seer_phy/seer_phy_rx.sv",
        ("the check", "return word >> 8 * (Octets - 1) == WordWidth'(check_of(message)) &&", "return"),
        ("zeros above an FPM", "&& message >> Width == '0;", ";"),
        ("the second part of a word", "assign across_word = begin_q | rest_word_q;", "assign across_word = begin_q;"),
        ("idle characters again where it begins", "across_sound_q ||\n                                   !judged",
         "!judged"),
        ("and where it ends", "clears_next_q <= across_fpm;", "clears_next_q <= 1'b0;"),
        ("damaged words become idle",
         "whole_sound_q || across_sound_q ||\n                                   !judged_legal_q);",
         "whole_sound_q || across_sound_q);"),
        ("control characters are not damaged", "whole_word_q != '0 && !cut_legal_q;", "whole_word_q != '0;"),
        ("a part that is not there is not damaged", "(begin_q != '0 && !cut_legal_q)", "!cut_legal_q"),
        ("a block passes without it", "assign clears     = enable_i && (", "assign clears     = ("),
        ("the earlier FPM first", "{across_fpm, whole_fpm}),", "{whole_fpm, across_fpm}),"),
    ),
    *mutants_of(
        "seer_phy_link", "seer_phy/seer_phy_queue.sv",
        ("two at once", "second  = put_i[0] ? after(tail_q) : tail_q;", "second  = tail_q;"),
        ("nothing enters a full queue", "kept[0] = put_i[0] && count_q != CountWidth'(Entries);",
         "kept[0] = put_i[0];"),
        ("the last place is for one", "!(put_i[0] && count_q == CountWidth'(Entries - 1));", "1'b1;"),
        ("places are used again", "place == AddrWidth'(Entries - 1) ? '0", "place == AddrWidth'(Entries - 2) ? '0"),
        ("all that are lost are told", "2'(put_i[1] && !kept[1]);", "2'd0;"),
    ),
]
