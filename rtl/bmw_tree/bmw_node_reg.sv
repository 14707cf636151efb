// An autonomous node of a BMW-Tree in registers: executes the orders of its parent on its
// own.
//
// A push or pop takes one cycle. The orders for the children are then in registers, and
// the children execute them in the next cycle. A pop fills its gap at once with the
// lowest key of a child, including a key that is pushed into that child in this cycle. A
// child that executes a pop itself doesn't know its lowest key, so there are no two pops
// in consecutive cycles.
module bmw_node_reg #(
  parameter int unsigned Order      = 4,
  parameter int unsigned Places     = 1,  // in the subtree of an element, itself included
  parameter int unsigned RankWidth  = 8,
  parameter int unsigned StampWidth = 0,
  parameter int unsigned DataWidth  = 8,
  localparam int unsigned KeyWidth = RankWidth + StampWidth
) (
  input  logic                            clk_i,
  input  logic                            rst_i,
  input  logic                            valid_i,
  input  logic                            pop_i,
  input  logic [KeyWidth-1:0]             key_i,
  input  logic [DataWidth-1:0]            data_i,
  // The lowest key of this node and below, after a push in flight.
  output logic [KeyWidth-1:0]             lowest_key_o,
  output logic [DataWidth-1:0]            lowest_data_o,
  // To the children: valid_o says which. From the children: the lowest key below each.
  output logic [Order-1:0]                valid_o,
  output logic                            pop_o,
  output logic [KeyWidth-1:0]             key_o,
  output logic [DataWidth-1:0]            data_o,
  input  logic [Order-1:0][KeyWidth-1:0]  below_key_i,
  input  logic [Order-1:0][DataWidth-1:0] below_data_i
);

  localparam int unsigned CountWidth = $clog2(Places + 1);
  localparam int unsigned Pairs      = Order > 1 ? Order * (Order - 1) / 2 : 1;

  typedef struct packed {
    logic [Order-1:0][CountWidth-1:0] count;
    logic [Order-1:0][KeyWidth-1:0]   key;
    logic [Order-1:0][DataWidth-1:0]  data;
    logic [Pairs-1:0]                 sooner;
  } node_t;

  node_t                node_q, pushed, popped;
  logic                 push_valid, push_first, pop_valid;
  logic [Order-1:0]     push_element, pop_element;
  logic [KeyWidth-1:0]  lowest_key, refill_key, down_key;
  logic [DataWidth-1:0] lowest_data, refill_data, down_data;

  // Push.
  tree_node_push #(
    .Order    (Order),
    .Places   (Places),
    .RankWidth (RankWidth),
    .StampWidth(StampWidth),
    .DataWidth(DataWidth)
  ) u_push (
    .count_i       (node_q.count),
    .key_i         (node_q.key),
    .data_i        (node_q.data),
    .sooner_i      (node_q.sooner),
    .push_key_i    (key_i),
    .push_data_i   (data_i),
    .first_o       (push_first),
    .count_o       (pushed.count),
    .key_o         (pushed.key),
    .data_o        (pushed.data),
    .sooner_o      (pushed.sooner),
    .down_valid_o  (push_valid),
    /* verilator lint_off PINCONNECTEMPTY */  // resets clear every node
    .down_fresh_o  (),
    /* verilator lint_on PINCONNECTEMPTY */
    .down_element_o(push_element),
    .down_key_o    (down_key),
    .down_data_o   (down_data)
  );

  // Pop.
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
    .key_o    (lowest_key),
    .data_o   (lowest_data)
  );

  always_comb begin
    refill_key  = '0;
    refill_data = '0;
    for (int unsigned e = 0; e < Order; e++) begin
      if (pop_element[e]) begin
        refill_key  = refill_key | below_key_i[e];
        refill_data = refill_data | below_data_i[e];
      end
    end
  end

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
    .element_i     (pop_element),
    .refill_valid_i(pop_valid),
    .refill_key_i  (refill_key),
    .refill_data_i (refill_data),
    .key_o         (popped.key),
    .data_o        (popped.data),
    .sooner_o      (popped.sooner)
  );

  // To the parent.
  always_comb begin
    lowest_key_o  = lowest_key;
    lowest_data_o = lowest_data;
    if (valid_i && !pop_i && push_first) begin
      lowest_key_o  = key_i;
      lowest_data_o = data_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      node_q.count <= '0;
      valid_o      <= '0;
    end else begin
      if (valid_i) node_q <= pop_i ? popped : pushed;
      valid_o <= '0;
      if (valid_i && !pop_i && push_valid) valid_o <= push_element;
      if (valid_i && pop_i && pop_valid) valid_o <= pop_element;
    end
  end

  always_ff @(posedge clk_i) begin
    pop_o  <= pop_i;
    key_o  <= down_key;
    data_o <= down_data;
  end

`ifndef SYNTHESIS
  logic popped_q;
  always_ff @(posedge clk_i) begin
    popped_q <= !rst_i && valid_i && pop_i;
    if (!rst_i && valid_i && pop_i) assert (!popped_q && |node_q.count);
  end
`endif

endmodule
