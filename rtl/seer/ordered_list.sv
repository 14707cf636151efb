// A fully ordered list in flip-flops: parallel compare and shift.
//
// Entry 0 has the lowest key; occupied cells have no gaps. An entry has a key (a time), a tag (to
// find it), a value that is kept with it, and a mark. Entries without a mark and those with one are
// two lists that share cells and order: F and X of Seer's Algorithm 1.
//
// Source: Seer (NSDI 2024), section 4 and figure 4. "Update of later entries": a new entry is
// inserted before all entries whose key is not below its own. Their keys rise by `req_push_i`, the
// time that the new packet takes on the link. All rise by the same, so the order stays.
//
// Operations, one at a time; counted from the cycle in which one is accepted:
// - insert: 3 cycles: compare with all cells, move those behind the position up, raise their keys.
//   A full list inserts nothing, but later keys rise, since the packet arrives all the same;
// - delete the first entry with a tag, or the first entry: 2 cycles: compare, move down;
// - push, raise all keys: 3 cycles.
// After these cycles the list is in its new state, `rsp_valid_o` is 1 for one cycle, and the next
// operation can be accepted. `rsp_done_o`: the entry was inserted, or was found and deleted.
//
// At any time beside an operation:
// - the first entry is on the ports, from registers;
// - `ask_i`: the last and the first unmarked entry, as they were in that cycle, from the next cycle
//   until the next `ask_i`;
// - `mark_i`: marks the entry that was the first unmarked one at the last `ask_i`, if it is still
//   there. An `ask_i` in the same cycle gets the entry after it;
// - `find_tag_i`: the first entry with a tag, in the same cycle.
// Between the second and the third cycle of an insertion the new entry is in the list and later
// keys have not risen yet. The order holds in every cycle.
//
// The cells are in banks of `BankEntries` (`ordered_list_bank`). This module joins the banks and
// controls them. The size of a bank has no visible effect.
//
// Limits: area is linear in `Entries`, and the clock rate falls with it. Without `Wrap` no key may
// rise beyond the highest one. With `Wrap` keys are times that wrap around: all keys at any time
// must be within half of their range.
module ordered_list
  import seer_pkg::*;
#(
  parameter int unsigned Entries     = 128,
  parameter int unsigned KeyWidth    = 16,
  parameter int unsigned TagWidth    = 17,
  parameter int unsigned ValueWidth  = 11,
  parameter int unsigned PushWidth   = 11,
  parameter bit          Wrap        = 1'b0,
  parameter int unsigned BankEntries = 64,
  localparam int unsigned CountWidth = $clog2(Entries + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  req_valid_i,
  output logic                  req_ready_o,
  input  list_op_e              req_op_i,
  input  logic [KeyWidth-1:0]   req_key_i,    // of an insertion
  input  logic [TagWidth-1:0]   req_tag_i,    // of an insertion or a deletion
  input  logic [ValueWidth-1:0] req_value_i,  // of an insertion
  input  logic [PushWidth-1:0]  req_push_i,   // of an insertion or a push
  output logic                  rsp_valid_o,
  output logic                  rsp_done_o,
  input  logic                  ask_i,
  output logic                  min_valid_o,
  output logic [KeyWidth-1:0]   min_key_o,
  output logic [TagWidth-1:0]   min_tag_o,
  output logic [ValueWidth-1:0] min_value_o,
  output logic                  max_valid_o,
  output logic [KeyWidth-1:0]   max_key_o,
  output logic [TagWidth-1:0]   max_tag_o,
  output logic [ValueWidth-1:0] max_value_o,
  output logic                  unmarked_valid_o,
  output logic [KeyWidth-1:0]   unmarked_key_o,
  output logic [TagWidth-1:0]   unmarked_tag_o,
  output logic [ValueWidth-1:0] unmarked_value_o,
  input  logic [TagWidth-1:0]   find_tag_i,
  output logic                  find_hit_o,
  output logic [KeyWidth-1:0]   find_key_o,
  output logic [ValueWidth-1:0] find_value_o,
  input  logic                  mark_i,
  output logic                  full_o,
  output logic                  empty_o,
  output logic [CountWidth-1:0] occupancy_o
);

  typedef struct packed {
    logic [KeyWidth-1:0]   key;
    logic [TagWidth-1:0]   tag;
    logic [ValueWidth-1:0] value;
  } entry_t;

  // As on the ports of the banks.
  typedef struct packed {
    logic   used;
    logic   marked;
    logic   asked;
    entry_t entry;
  } slot_t;

  // ---- the steps of an operation: a cycle each ---------------------------------------------

  typedef enum logic [1:0] {
    StepCompare = 2'd0,  // nothing to do, or an operation is being accepted
    StepMove    = 2'd1,
    StepRaise   = 2'd2
  } step_e;

  step_e                step_q;
  logic                 accepted, inserts, deletes, enters_q, delete_q;
  logic                 move_up, move_down, raise;
  entry_t               new_q;
  logic [PushWidth-1:0] push_q;

  assign req_ready_o = step_q == StepCompare && !rst_i;
  assign accepted    = req_valid_i && req_ready_o;
  assign inserts     = req_op_i == ListInsert;
  assign deletes     = req_op_i == ListDelete || req_op_i == ListDeleteFirst;

  assign move_up   = step_q == StepMove && enters_q;
  assign move_down = step_q == StepMove && delete_q;
  assign raise     = step_q == StepRaise;

  always_ff @(posedge clk_i) begin
    if (step_q == StepCompare) begin
      enters_q <= inserts && !full_o;
      delete_q <= deletes;
      new_q    <= {req_key_i, req_tag_i, req_value_i};
      push_q   <= req_push_i;
    end
    unique case (step_q)
      StepCompare: step_q <= accepted ? StepMove : StepCompare;
      StepMove:    step_q <= delete_q ? StepCompare : StepRaise;
      default:     step_q <= StepCompare;
    endcase
    if (rst_i) step_q <= StepCompare;
  end

  // ---- the cells ---------------------------------------------------------------------------

  localparam int unsigned Banks = (Entries + BankEntries - 1) / BankEntries;

  slot_t  [Banks-1:0]                          lowest, highest;
  logic   [Banks-1:0]                          hit, hit_from, waiting, waiting_from;
  entry_t [Banks-1:0]                          last_here, unmarked_here;
  logic   [Banks-1:0]                          found_hit;
  logic   [Banks-1:0][KeyWidth+ValueWidth-1:0] found_here;

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    slot_t below, above;
    logic  hit_before, waiting_before;
    if (b == 0) begin : gen_first
      assign below                        = '0;
      assign {hit_before, waiting_before} = '0;
    end else begin : gen_other
      assign below          = highest[b-1];
      assign hit_before     = hit_from[b-1];
      assign waiting_before = waiting_from[b-1];
    end
    if (b == Banks - 1) begin : gen_last
      assign above = '0;
    end else begin : gen_inner
      assign above = lowest[b+1];
    end

    ordered_list_bank #(
      .Entries   (b == Banks - 1 ? Entries - b * BankEntries : BankEntries),
      .KeyWidth  (KeyWidth),
      .TagWidth  (TagWidth),
      .ValueWidth(ValueWidth),
      .PushWidth (PushWidth),
      .Wrap      (Wrap)
    ) i_bank (
      .clk_i,
      .rst_i,
      .below_i         (below),
      .above_i         (above),
      .lowest_o        (lowest[b]),
      .highest_o       (highest[b]),
      .compare_i       (step_q == StepCompare),
      .op_i            (req_op_i),
      .key_i           (req_key_i),
      .tag_i           (req_tag_i),
      .move_up_i       (move_up),
      .move_down_i     (move_down),
      .raise_i         (raise),
      .new_i           (new_q),
      .push_i          (push_q),
      .hit_before_i    (hit_before),
      .hit_o           (hit[b]),
      .mark_i,
      .ask_i,
      .waiting_before_i(waiting_before),
      .max_o           (last_here[b]),
      .waiting_o       (waiting[b]),
      .unmarked_o      (unmarked_here[b]),
      .find_tag_i,
      .find_hit_o      (found_hit[b]),
      .found_o         (found_here[b])
    );
  end

  logic [Banks-1:0] unused_hit, unused_waiting;

  seer_first #(
    .Width(Banks)
  ) i_hit (
    .bits_i (hit),
    .first_o(unused_hit),
    .from_o (hit_from)
  );

  seer_first #(
    .Width(Banks)
  ) i_waiting (
    .bits_i (waiting),
    .first_o(unused_waiting),
    .from_o (waiting_from)
  );

  // ---- answers of operations ---------------------------------------------------------------

  logic answer_q, done_q;

  always_ff @(posedge clk_i) begin
    answer_q <= move_down || raise;
    done_q   <= move_down ? |hit : enters_q;
    if (rst_i) answer_q <= 1'b0;
  end

  assign rsp_valid_o = answer_q && !rst_i;
  assign rsp_done_o  = done_q;

  occupancy_counter #(
    .Entries(Entries)
  ) i_occupancy (
    .clk_i,
    .rst_i,
    .put_i (move_up),
    .take_i(move_down && |hit),
    .full_o,
    .empty_o,
    .occupancy_o
  );

  // ---- first, last and first unmarked ------------------------------------------------------

  entry_t max_d, unmarked_d, max_q, unmarked_q;
  logic   unmarked_valid_d, max_valid_q, unmarked_valid_q;

  always_comb begin
    max_d = '0;
    for (int unsigned b = 0; b < Banks; b++) max_d |= last_here[b];
  end

  seer_select #(
    .Words(Banks),
    .Width(KeyWidth + TagWidth + ValueWidth)
  ) i_unmarked (
    .valid_i(waiting),
    .word_i (unmarked_here),
    .valid_o(unmarked_valid_d),
    .word_o (unmarked_d)
  );

  always_ff @(posedge clk_i) begin
    if (ask_i) begin
      {max_valid_q, max_q}           <= {lowest[0].used, max_d};
      {unmarked_valid_q, unmarked_q} <= {unmarked_valid_d, unmarked_d};
    end
    if (rst_i) {max_valid_q, unmarked_valid_q} <= '0;
  end

  assign min_valid_o                                        = lowest[0].used;
  assign {min_key_o, min_tag_o, min_value_o}                = lowest[0].entry;
  assign max_valid_o                                        = max_valid_q;
  assign {max_key_o, max_tag_o, max_value_o}                = max_q;
  assign unmarked_valid_o                                   = unmarked_valid_q;
  assign {unmarked_key_o, unmarked_tag_o, unmarked_value_o} = unmarked_q;

  // ---- find --------------------------------------------------------------------------------

  seer_select #(
    .Words(Banks),
    .Width(KeyWidth + ValueWidth)
  ) i_found (
    .valid_i(found_hit),
    .word_i (found_here),
    .valid_o(find_hit_o),
    .word_o ({find_key_o, find_value_o})
  );

  logic unused;
  assign unused = &{1'b0, unused_hit, unused_waiting, hit_from[Banks-1], waiting_from[Banks-1],
                    highest[Banks-1], lowest[0]};

endmodule
