// A sorted array in registers: the heart of a PIFO.
//
// Source: PIFO (Sivaraman et al., SIGCOMM'16) as described in BBQ (NSDI'24), sections 2 and 6. Cell
// 0 has the lowest key; occupied cells have no gaps. A new key is compared with all cells at once.
// Cells behind its position move up by one, or down for a removal.
//
// Operations, one each cycle:
// - insert_i: inserts key_i and data_i behind all keys <= key_i, or with before_i before all keys
//   >= key_i. There must be room.
// - extract_i: removes the first element with a key >= key_i (before_i = 1), or the last one with a
//   key <= key_i (before_i = 0). There must be one.
// - look_i: finds the same element as extract_i, and does not remove it.
//
// Timing, for an operation in cycle t: the key is compared in t, and reading and moving are in t +
// 1. The result of a comparison moves along with its cell, so the next operation can follow at
// once. answer_*_o is the element that was inserted, extracted or found (0 without an operation),
// in cycle t + 3.
//
// Limits: a comparator and a multiplexer per cell, and a key that fans out to all of them.
module pifo_array #(
  parameter int unsigned Entries   = 16,
  parameter int unsigned KeyWidth  = 9,
  parameter int unsigned DataWidth = 17
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic                 insert_i,
  input  logic                 extract_i,
  input  logic                 look_i,
  input  logic                 before_i,
  input  logic [KeyWidth-1:0]  key_i,
  input  logic [DataWidth-1:0] data_i,
  output logic [KeyWidth-1:0]  answer_key_o,
  output logic [DataWidth-1:0] answer_data_o
);

  typedef struct packed {
    logic                 insert;
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
  assign wanted = {insert_i, extract_i, look_i, before_i, key_i, data_i};

  logic     [Entries-1:0] vacant_q, vacant_d;
  element_t               cell_q [Entries];
  element_t               cell_d [Entries];
  logic     [Entries-1:0] up, down, load;

  // The cells before the key of `op`. Occupied cells are sorted and vacant ones count as behind all
  // keys, so this is a run of ones from cell 0 on.
  logic [Entries-1:0] below;

  // Whether a cell is before the key: one comparison, whose last bit decides ties.
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

  // The result of a comparison moves along with its cell. One bit more at both ends, for the
  // neighbours of the first and last cell.
  logic               newest;
  logic [Entries+1:0] around;
  logic [Entries-1:0] below_d;

  assign newest = comes_before(1'b0, op.key, wanted.key, wanted.strict);
  assign around = {1'b0, compared, 1'b0};
  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) begin
      below_d[i] = load[i] ? newest : up[i] ? around[i] : down[i] ? around[i+2] : around[i+1];
    end
  end

  always_ff @(posedge clk_i) begin
    below <= below_d;
    op    <= wanted;
    if (rst_i) {op.insert, op.extract, op.look} <= '0;
  end

  // `place[i]`: the cell before cell i is before the key.
  logic [Entries+1:0] place;
  assign place = {1'b0, below, 1'b1};

  always_comb begin
    for (int unsigned i = 0; i < Entries; i++) begin
      up[i]   = op.insert && !place[i];
      load[i] = op.insert && place[i] && !place[i+1];
      down[i] = op.extract && (op.strict ? !place[i+1] : !place[i+2]);
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
      assert (!op.insert) else $error("an extraction beside an insertion");
      assert (|(picked & ~vacant_q)) else $error("an extraction that finds nothing");
    end
    if (!rst_i && op.insert) begin
      assert (vacant_q[Entries-1]) else $error("a full array was given an element");
    end
  end
`endif

endmodule
