// A fully ordered list in flip-flops: parallel compare and shift.
//
// Entry 0 has the lowest key; occupied cells have no gaps. An entry has a key (a time), a tag
// (what is looked for), a value that is kept with it, and a mark. Entries without a mark and
// those with one are two lists that share cells and order: F and X of Seer's Algorithm 1.
//
// Source: Seer (NSDI 2024), section 4 and figure 4. "Update of later entries": a new entry goes
// before all entries whose key is not below its own, and their keys rise by `req_push_i`, the
// time that the new packet takes on the link. All rise by the same, so the order stays.
//
// Operations, one at a time; counted from the cycle in which one is accepted:
// - insert: 3 cycles: compare with all cells, move those behind the place up, raise their keys;
//   into a full list nothing is put, but what is later rises, since the packet comes all the same;
// - delete the first entry with a tag, or the first entry: 2 cycles: compare, move down;
// - push, raise all keys: 3 cycles.
// After so many cycles the list is as it has to be, `rsp_valid_o` is 1 for one cycle, and the
// next operation can be accepted. `rsp_done_o`: it was put in, or it was found and deleted.
//
// At any time beside an operation:
// - the first entry is on the ports, from registers;
// - `ask_i`: the last and the first unmarked entry, in the next cycle (1 cycle) and until asked
//   again, as they were when asked;
// - `mark_i`: the entry that was the first unmarked one when last asked is marked, if it is still
//   there; who asks in the same cycle is told of the next one;
// - `find_tag_i`: the first entry with a tag, in the same cycle.
// Between the second and the third cycle of an insertion the new entry is there and later ones
// have not yet risen; order holds in every cycle.
//
// Limits: two comparators, an adder and two multiplexers per cell; area is linear in `Entries`,
// and the clock falls with it. Without `Wrap` no key may rise beyond the highest one. With it
// keys are times that wrap around: all keys at any time must be within half of their range.
module ordered_list
  import seer_pkg::*;
#(
  parameter int unsigned Entries    = 128,
  parameter int unsigned KeyWidth   = 16,
  parameter int unsigned TagWidth   = 17,
  parameter int unsigned ValueWidth = 11,
  parameter int unsigned PushWidth  = 11,
  parameter bit          Wrap       = 1'b0,
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

  // ---- the cells ---------------------------------------------------------------------------

  entry_t             cell_q [Entries];
  entry_t             cell_d [Entries];
  logic [Entries-1:0] used_q, used_d;

  // Marks, and which entry was the first unmarked one when last asked; they move with the cells.
  typedef struct packed {
    logic marked;
    logic asked;
  } flags_t;

  flags_t [Entries-1:0] flags_q, flags_d, flags;

  // ---- compare: in the cycle in which an operation is accepted -----------------------------

  typedef enum logic [1:0] {
    StepCompare = 2'd0,  // nothing to do, or an operation is being accepted
    StepMove    = 2'd1,
    StepRaise   = 2'd2
  } step_e;

  step_e                step_q;
  logic                 accepted, inserts, deletes, enters_q, delete_q;
  logic [Entries-1:0]   later, equal, hit, hit_q;
  entry_t               new_q;
  logic [PushWidth-1:0] push_q;

  assign req_ready_o = step_q == StepCompare && !rst_i;
  assign accepted    = req_valid_i && req_ready_o;
  assign inserts     = req_op_i == ListInsert;
  assign deletes     = req_op_i == ListDelete || req_op_i == ListDeleteFirst;

  // Whether `a` is earlier than `b`.
  function automatic logic earlier(input logic [KeyWidth-1:0] a, input logic [KeyWidth-1:0] b);
    logic [KeyWidth-1:0] difference;
    difference = a - b;
    return Wrap ? difference[KeyWidth-1] : a < b;
  endfunction

  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) begin
      // Vacant cells are behind all others.
      later[i] = !used_q[i] || !earlier(cell_q[i].key, req_key_i);
      equal[i] = used_q[i] && cell_q[i].tag == req_tag_i;
    end
    unique case (req_op_i)
      ListInsert:      hit = later;
      ListDelete:      hit = equal;
      ListDeleteFirst: hit = used_q & Entries'(1);
      default:         hit = '1;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (step_q == StepCompare) begin
      hit_q    <= hit;
      enters_q <= inserts && !full_o;
      delete_q <= deletes;
      new_q    <= {req_key_i, req_tag_i, req_value_i};
      push_q   <= req_push_i;
    end
    // What is later has moved up by one.
    if (step_q == StepMove && enters_q) hit_q <= hit_q << 1;
    unique case (step_q)
      StepCompare: step_q <= accepted ? StepMove : StepCompare;
      StepMove:    step_q <= delete_q ? StepCompare : StepRaise;
      default:     step_q <= StepCompare;
    endcase
    if (rst_i) step_q <= StepCompare;
  end

  // ---- move and raise ----------------------------------------------------------------------

  logic [Entries-1:0] from, unused_first;
  logic               move_up, move_down, raise;

  seer_first #(
    .Width(Entries)
  ) i_deleted (
    .bits_i (hit_q),
    .first_o(unused_first),
    .from_o (from)
  );

  assign move_up   = step_q == StepMove && enters_q;
  assign move_down = step_q == StepMove && delete_q;
  assign raise     = step_q == StepRaise;

  for (genvar i = 0; i < Entries; i++) begin : gen_cell
    entry_t lower, upper;
    flags_t flags_lower, flags_upper;
    logic   used_lower, used_upper;
    if (i == 0) begin : gen_first
      assign {lower, used_lower, flags_lower} = {new_q, 1'b1, 2'b00};
    end else begin : gen_other
      // The place of a new entry: the first cell that is later.
      assign {lower, used_lower, flags_lower} =
        hit_q[i-1] ? {cell_q[i-1], used_q[i-1], flags[i-1]} : {new_q, 1'b1, 2'b00};
    end
    if (i == Entries - 1) begin : gen_last
      assign {upper, used_upper, flags_upper} = '0;
    end else begin : gen_inner
      assign {upper, used_upper, flags_upper} = {cell_q[i+1], used_q[i+1], flags[i+1]};
    end

    always_comb begin
      {cell_d[i], used_d[i], flags_d[i]} = {cell_q[i], used_q[i], flags[i]};
      if (move_up && hit_q[i]) {cell_d[i], used_d[i], flags_d[i]} =
        {lower, used_lower, flags_lower};
      if (move_down && from[i]) {cell_d[i], used_d[i], flags_d[i]} =
        {upper, used_upper, flags_upper};
      if (raise && hit_q[i]) cell_d[i].key = cell_q[i].key + KeyWidth'(push_q);
    end
  end

  always_ff @(posedge clk_i) begin
    cell_q  <= cell_d;
    used_q  <= used_d;
    flags_q <= flags_d;
    if (rst_i) used_q <= '0;
  end

  // ---- answers of operations ---------------------------------------------------------------

  logic answer_q, done_q;

  always_ff @(posedge clk_i) begin
    answer_q <= move_down || raise;
    done_q   <= move_down ? |hit_q : enters_q;
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
    .take_i(move_down && |hit_q),
    .full_o,
    .empty_o,
    .occupancy_o
  );

  // ---- first, last and first unmarked ------------------------------------------------------

  entry_t             max_d, unmarked_d, max_q, unmarked_q;
  logic               max_valid_q, unmarked_valid_q;
  logic [Entries-1:0] marked, waiting, first_waiting, unused_waiting, above;

  for (genvar i = 0; i < Entries; i++) begin : gen_flags
    assign marked[i] = flags_q[i].marked || (mark_i && flags_q[i].asked);
    assign flags[i]  = {marked[i], ask_i ? first_waiting[i] : flags_q[i].asked};
  end

  assign waiting = used_q & ~marked;
  assign above   = used_q >> 1;

  seer_first #(
    .Width(Entries)
  ) i_unmarked (
    .bits_i (waiting),
    .first_o(first_waiting),
    .from_o (unused_waiting)
  );

  always_comb begin
    max_d      = '0;
    unmarked_d = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (used_q[i] && !above[i]) max_d |= cell_q[i];
      if (first_waiting[i]) unmarked_d |= cell_q[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (ask_i) begin
      {max_valid_q, max_q}           <= {used_q[0], max_d};
      {unmarked_valid_q, unmarked_q} <= {|waiting, unmarked_d};
    end
    if (rst_i) {max_valid_q, unmarked_valid_q} <= '0;
  end

  assign min_valid_o                                        = used_q[0];
  assign {min_key_o, min_tag_o, min_value_o}                = cell_q[0];
  assign max_valid_o                                        = max_valid_q;
  assign {max_key_o, max_tag_o, max_value_o}                = max_q;
  assign unmarked_valid_o                                   = unmarked_valid_q;
  assign {unmarked_key_o, unmarked_tag_o, unmarked_value_o} = unmarked_q;

  // ---- find --------------------------------------------------------------------------------

  logic [Entries-1:0]                          same;
  logic [Entries-1:0][KeyWidth+ValueWidth-1:0] sought;

  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) begin
      same[i]   = used_q[i] && cell_q[i].tag == find_tag_i;
      sought[i] = {cell_q[i].key, cell_q[i].value};
    end
  end

  seer_select #(
    .Words(Entries),
    .Width(KeyWidth + ValueWidth)
  ) i_found (
    .valid_i(same),
    .word_i (sought),
    .valid_o(find_hit_o),
    .word_o ({find_key_o, find_value_o})
  );

  logic unused;
  assign unused = &{1'b0, unused_first, unused_waiting};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      for (int unsigned i = 1; i < Entries; i++) begin
        assert (used_q[i-1] || !used_q[i]) else $error("a gap between entries");
        assert (!used_q[i] || !earlier(cell_q[i].key, cell_q[i-1].key))
          else $error("entries are out of order");
      end
    end
  end
`endif

endmodule
