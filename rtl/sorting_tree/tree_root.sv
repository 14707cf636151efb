// The root of a sorting tree with level memories: one node in registers.
//
// A push takes one cycle. A pop takes two: in the second the level below fills the gap,
// and no other operation is possible. lowest_*_o is defined at any other time, if the
// tree is not empty.
module tree_root #(
  parameter int unsigned Order      = 4,
  parameter int unsigned Places     = 1,  // in the subtree of an element, itself included
  parameter int unsigned RankWidth  = 8,
  parameter int unsigned StampWidth = 0,
  parameter int unsigned DataWidth  = 8,
  parameter bit          FillLeft   = 1'b0,
  localparam int unsigned KeyWidth = RankWidth + StampWidth
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic                 push_i,
  input  logic                 pop_i,
  input  logic [KeyWidth-1:0]  key_i,
  input  logic [DataWidth-1:0] data_i,
  output logic [KeyWidth-1:0]  lowest_key_o,
  output logic [DataWidth-1:0] lowest_data_o,
  // To the level below; see tree_level.sv.
  output logic                 valid_o,
  output logic                 fresh_o,
  output logic [Order-1:0]     element_o,
  output logic [KeyWidth-1:0]  key_o,
  output logic [DataWidth-1:0] data_o,
  input  logic [KeyWidth-1:0]  refill_key_i,
  input  logic [DataWidth-1:0] refill_data_i
);

  localparam int unsigned CountWidth = $clog2(Places + 1);
  localparam int unsigned Pairs      = Order > 1 ? Order * (Order - 1) / 2 : 1;

  typedef struct packed {
    logic [Order-1:0][CountWidth-1:0] count;
    logic [Order-1:0][KeyWidth-1:0]   key;
    logic [Order-1:0][DataWidth-1:0]  data;
    logic [Pairs-1:0]                 sooner;
  } node_t;

  node_t            node_q, pushed, popped, refilled;
  logic             push_valid, pop_valid, gap_valid_q, refill_q;
  logic [Order-1:0] push_element, pop_element, gap_q;

  tree_node_push #(
    .Order     (Order),
    .Places    (Places),
    .RankWidth (RankWidth),
    .StampWidth(StampWidth),
    .DataWidth (DataWidth),
    .FillLeft  (FillLeft)
  ) u_push (
    .count_i       (node_q.count),
    .key_i         (node_q.key),
    .data_i        (node_q.data),
    .sooner_i      (node_q.sooner),
    .push_key_i    (key_i),
    .push_data_i   (data_i),
    /* verilator lint_off PINCONNECTEMPTY */  // unused below this node
    .first_o       (),
    /* verilator lint_on PINCONNECTEMPTY */
    .count_o       (pushed.count),
    .key_o         (pushed.key),
    .data_o        (pushed.data),
    .sooner_o      (pushed.sooner),
    .down_valid_o  (push_valid),
    .down_fresh_o  (fresh_o),
    .down_element_o(push_element),
    .down_key_o    (key_o),
    .down_data_o   (data_o)
  );

  tree_node_pop #(
    .Order     (Order),
    .CountWidth(CountWidth),
    .KeyWidth  (KeyWidth),
    .DataWidth (DataWidth)
  ) u_pop (
    .count_i  (node_q.count),
    .key_i    (node_q.key),
    .data_i   (node_q.data),
    .sooner_i (node_q.sooner),
    .count_o  (popped.count),
    .element_o(pop_element),
    .below_o  (pop_valid),
    .key_o    (lowest_key_o),
    .data_o   (lowest_data_o)
  );
  assign popped.key    = node_q.key;
  assign popped.data   = node_q.data;
  assign popped.sooner = node_q.sooner;

  tree_node_refill #(
    .Order    (Order),
    .CountWidth(CountWidth),
    .RankWidth (RankWidth),
    .StampWidth(StampWidth),
    .DataWidth(DataWidth)
  ) u_refill (
    .count_i       (node_q.count),
    .key_i         (node_q.key),
    .data_i        (node_q.data),
    .sooner_i      (node_q.sooner),
    .element_i     (gap_q),
    .refill_valid_i(refill_q),
    .refill_key_i,
    .refill_data_i,
    .key_o         (refilled.key),
    .data_o        (refilled.data),
    .sooner_o      (refilled.sooner)
  );
  assign refilled.count = node_q.count;

  assign valid_o   = pop_i ? pop_valid : push_i && push_valid;
  assign element_o = pop_i ? pop_element : push_element;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      gap_valid_q  <= 1'b0;
      node_q.count <= '0;
    end else begin
      gap_valid_q <= pop_i;
      if (push_i) node_q <= pushed;
      if (pop_i) node_q <= popped;
      if (gap_valid_q) node_q <= refilled;
    end
  end

  always_ff @(posedge clk_i) begin
    gap_q    <= pop_element;
    refill_q <= pop_valid;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (32'(push_i) + 32'(pop_i) + 32'(gap_valid_q) <= 1);
      assert (!pop_i || |node_q.count);
    end
  end
`endif

endmodule
