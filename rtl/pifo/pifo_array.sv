// A sorted array in registers: the heart of a PIFO, also usable alone as a small front.
//
// Source: PIFO (Sivaraman et al., SIGCOMM'16) as described in BBQ (NSDI'24), sections 2
// and 6. Cell 0 holds the lowest key; occupied cells have no gaps. A new key is compared
// with all cells at once; cells behind its place move up by one, or down for a removal.
//
// Operations, any combination of insert_i and remove_i, or one of the others, each cycle:
// - insert_i: puts key_i and data_i behind all keys <= key_i, or with before_i before all
//   keys >= key_i.
// - remove_i: takes cell 0 away. Together with insert_i the array first loses cell 0, as
//   seen at first_*_o in that cycle, then gains the new element: the new element itself
//   is never the one that is removed. From an empty array nothing is removed.
// - extract_i: takes away the first element with a key >= key_i (before_i = 1), or the
//   last one with a key <= key_i (before_i = 0). There must be one.
// - look_i: finds the same element as extract_i, which stays.
// An insert_i without remove_i into a full array evicts: of the array and the new element,
// the last one in order leaves (highest key, the rearmost of equals) and is at evict_*_o
// in the cycle of the operation. That may be the new element.
//
// Timing, for an operation in cycle t: `Early` = 0: it reads and evicts in cycle t, first_*_o
// and full_o show it from t + 1. `Early` = 1: the key is compared in cycle t, and reading,
// evicting and moving are in cycle t + 1: everything is one cycle later, still one
// operation per cycle in order, at a better clock. answer_*_o is a pipeline behind it:
// what was inserted, extracted or looked at (0 for no such operation) is there in cycle
// t + 2, or t + 3 if `Early`.
//
// Limits: a comparator and a multiplexer per cell, and a key that fans out to all of them.
module pifo_array #(
  parameter int unsigned Entries   = 16,
  parameter int unsigned KeyWidth  = 9,
  parameter int unsigned DataWidth = 17,
  parameter bit          Early     = 1'b0
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic                 insert_i,
  input  logic                 remove_i,
  input  logic                 extract_i,
  input  logic                 look_i,
  input  logic                 before_i,
  input  logic [KeyWidth-1:0]  key_i,
  input  logic [DataWidth-1:0] data_i,
  output logic                 first_valid_o,
  output logic [KeyWidth-1:0]  first_key_o,
  output logic [DataWidth-1:0] first_data_o,
  output logic                 full_o,
  output logic                 evict_valid_o,
  output logic [KeyWidth-1:0]  evict_key_o,
  output logic [DataWidth-1:0] evict_data_o,
  output logic [KeyWidth-1:0]  answer_key_o,
  output logic [DataWidth-1:0] answer_data_o
);

  typedef struct packed {
    logic                 insert;
    logic                 remove;
    logic                 extract;
    logic                 look;
    logic                 strict;
    logic [KeyWidth-1:0]  key;
    logic [DataWidth-1:0] data;
  } operation_t;

  typedef struct packed {
    logic [KeyWidth-1:0]  key;
    logic [DataWidth-1:0] data;
  } element_t;

  // Elements are read in two steps: within groups of this size, then among groups.
  localparam int unsigned GroupSize = 16;
  localparam int unsigned Groups    = (Entries + GroupSize - 1) / GroupSize;

  operation_t wanted, op;
  assign wanted = {insert_i, remove_i, extract_i, look_i, before_i, key_i, data_i};

  logic     [Entries-1:0] vacant_q, vacant_d;
  element_t               cell_q [Entries];
  element_t               cell_d [Entries];
  logic     [Entries-1:0] up, down, load;

  // Which cells come before the key of `op`. Occupied cells are sorted and vacant ones
  // count as behind all keys, so that this is a run of ones from cell 0 on.
  logic [Entries-1:0] below;

  // Whether a cell comes before the key: one comparison, its last bit decides ties.
  function automatic logic comes_before(input logic empty, input logic [KeyWidth-1:0] stored,
                                        input logic [KeyWidth-1:0] key, input logic strictly);
    return {empty, stored, 1'b0} < {1'b0, key, !strictly};
  endfunction

  logic [Entries-1:0] compared;
  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) begin
      compared[i] = comes_before(vacant_q[i], cell_q[i].key, wanted.key, wanted.strict);
    end
  end

  if (Early) begin : gen_early
    operation_t op_q;
    logic       newest;
    // One bit longer at both ends, for the neighbours of the first and last cell.
    logic [Entries+1:0] around;
    logic [Entries-1:0] below_q, below_d;

    // The outcome of a comparison moves along with the cell that was compared.
    assign newest = comes_before(1'b0, op.key, wanted.key, wanted.strict);
    assign around = {1'b0, compared, 1'b0};
    always_comb begin
      for (int unsigned i = 0; i < Entries; i++) begin
        below_d[i] = load[i] ? newest : up[i] ? around[i] : down[i] ? around[i+2] : around[i+1];
      end
    end

    always_ff @(posedge clk_i) begin
      below_q <= below_d;
      op_q    <= wanted;
      if (rst_i) {op_q.insert, op_q.remove, op_q.extract, op_q.look} <= '0;
    end
    assign op    = op_q;
    assign below = below_q;
  end else begin : gen_at_once
    assign op    = wanted;
    assign below = compared;
  end

  // `place[i]`: the cell before cell i comes before the key.
  logic [Entries+1:0] place;
  assign place = {1'b0, below, 1'b1};

  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) begin
      up[i]   = op.insert && !op.remove && !place[i];
      load[i] = op.insert && (op.remove ? (i == 0 || place[i+1]) && !place[i+2]
                                        : place[i] && !place[i+1]);
      down[i] = (op.remove && (!op.insert || place[i+2]))
             || (op.extract && (op.strict ? !place[i+1] : !place[i+2]));
    end
  end

  for (genvar i = 0; i < Entries; i++) begin : gen_cell
    logic     vacant_lower, vacant_upper;
    element_t lower, upper;
    if (i == 0) begin : gen_first
      assign vacant_lower = 1'b1;
      assign lower        = '0;
    end else begin : gen_other
      assign vacant_lower = vacant_q[i-1];
      assign lower        = cell_q[i-1];
    end
    if (i == Entries - 1) begin : gen_last
      assign vacant_upper = 1'b1;
      assign upper        = '0;
    end else begin : gen_inner
      assign vacant_upper = vacant_q[i+1];
      assign upper        = cell_q[i+1];
    end
    assign vacant_d[i] = load[i] ? 1'b0
                       : up[i] ? vacant_lower : down[i] ? vacant_upper : vacant_q[i];
    assign cell_d[i]   = load[i] ? {op.key, op.data}
                       : up[i] ? lower : down[i] ? upper : cell_q[i];
  end

  always_ff @(posedge clk_i) begin
    vacant_q <= vacant_d;
    cell_q   <= cell_d;
    if (rst_i) vacant_q <= '1;
  end

  assign first_valid_o = !vacant_q[0];
  assign first_key_o   = cell_q[0].key;
  assign first_data_o  = cell_q[0].data;
  assign full_o        = !vacant_q[Entries-1];

  assign evict_valid_o = op.insert && !op.remove && full_o;
  assign evict_key_o   = below[Entries-1] ? op.key : cell_q[Entries-1].key;
  assign evict_data_o  = below[Entries-1] ? op.data : cell_q[Entries-1].data;

  logic     [Entries-1:0] picked;
  element_t               group_d [Groups];
  element_t               group_q [Groups];
  element_t               inserted_q, answer_d, answer_q;
  logic                   asked_q;

  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) begin
      picked[i] = op.strict ? place[i] && !place[i+1] : place[i+1] && !place[i+2];
    end
    for (int unsigned g = 0; g < Groups; g++) group_d[g] = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (picked[i]) group_d[i/GroupSize] |= cell_q[i];
    end
    answer_d = inserted_q;
    for (int unsigned g = 0; g < Groups; g++) begin
      if (asked_q) answer_d |= group_q[g];
    end
  end

  always_ff @(posedge clk_i) begin
    group_q    <= group_d;
    inserted_q <= op.insert ? {op.key, op.data} : '0;
    asked_q    <= op.extract || op.look;
    answer_q   <= answer_d;
  end

  assign answer_key_o  = answer_q.key;
  assign answer_data_o = answer_q.data;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && (op.extract || op.look)) begin
      assert (!(op.insert || op.remove)) else $error("an extraction beside another operation");
      assert (|(picked & ~vacant_q)) else $error("an extraction that finds nothing");
    end
  end
`endif

endmodule
