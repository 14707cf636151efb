// A pipelined sorting tree with a memory per level: the core of BMW-Tree and pHeap.
//
// Each node has Order elements, the root RootOrder. Each element has a node below it, except at the
// last level. An element's key is the lowest of its subtree. tree_node_push.sv, tree_node_pop.sv
// and tree_node_refill.sv describe an operation in a node, tree_level.sv the cooperation of levels.
// The root is in registers.
//
// A push takes one cycle, a pop two: the cycle after pop_i must be free of operations, with
// EveryOther also the cycle after push_i. The lowest of all is on lowest_*_o except in the cycle
// after pop_i. The user must push only while there is room, and pop only while the tree is not
// empty.
module sorting_tree #(
  parameter int unsigned Order      = 4,
  parameter int unsigned RootOrder  = Order,
  parameter int unsigned Levels     = 3,
  parameter int unsigned RankWidth  = 8,
  parameter int unsigned StampWidth = 0,
  parameter int unsigned DataWidth  = 8,
  parameter bit          FillLeft   = 1'b0,
  parameter bit          EveryOther = 1'b0,
  parameter bit          Parity     = 1'b0,
  localparam int unsigned KeyWidth = RankWidth + StampWidth
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic                 push_i,
  input  logic                 pop_i,
  input  logic [KeyWidth-1:0]  key_i,
  input  logic [DataWidth-1:0] data_i,
  output logic [RankWidth-1:0] lowest_rank_o,
  output logic [DataWidth-1:0] lowest_data_o,
  output logic                 error_o
);

  localparam int unsigned DigitWidth     = $clog2(Order);
  localparam int unsigned RootDigitWidth = $clog2(RootOrder);
  localparam int unsigned IndexWidth     = 1 + Levels * DigitWidth;

  // Slots of the subtree of an element of a level, itself included.
  function automatic int unsigned places(int unsigned level);
    int unsigned sum;
    sum = 0;
    for (int unsigned l = level; l < Levels; l++) sum = 1 + Order * sum;
    return sum;
  endfunction

  // Nodes of a level, as a power of 2.
  function automatic int unsigned nodes(int unsigned level);
    if (level == 0) return 1;
    return 1 << (RootDigitWidth + (level - 1) * DigitWidth);
  endfunction

  // Between levels: [l] is from level l down to the next, or, for `lowest`, up from level l.
  // Elements and indices are as wide as the widest; those of the last level are unused.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Levels-1:0]                 valid, pop, fresh, error;
  logic [Levels-1:0][IndexWidth-1:0] index, below;
  logic [Levels-1:0][Order-1:0]      element;
  logic [Levels-1:0][KeyWidth-1:0]   key;
  logic [Levels-1:0][DataWidth-1:0]  data;
  logic [Levels:0][KeyWidth-1:0]     lowest_key;
  logic [Levels:0][DataWidth-1:0]    lowest_data;
  /* verilator lint_on UNUSEDSIGNAL */

  assign lowest_key[Levels]  = '0;
  assign lowest_data[Levels] = '0;

  logic [RootOrder-1:0] root_element;
  assign element[0] = Order'(root_element);
  assign index[0]   = '0;
  assign below[0][IndexWidth-1:RootDigitWidth] = '0;
  if (RootDigitWidth > 0) begin : gen_root_digit
    tree_index #(
      .Order     (RootOrder),
      .IndexWidth(RootDigitWidth)
    ) u_below (
      .parent_i (1'b0),
      .element_i(root_element),
      .index_o  (below[0][RootDigitWidth-1:0])
    );
  end

  tree_root #(
    .Order     (RootOrder),
    .Places    (places(0)),
    .RankWidth (RankWidth),
    .StampWidth(StampWidth),
    .DataWidth (DataWidth),
    .FillLeft  (FillLeft)
  ) u_root (
    .clk_i,
    .rst_i,
    .push_i,
    .pop_i,
    .key_i,
    .data_i,
    .lowest_key_o (lowest_key[0]),
    .lowest_data_o(lowest_data[0]),
    .valid_o      (valid[0]),
    .fresh_o      (fresh[0]),
    .element_o    (root_element),
    .key_o        (key[0]),
    .data_o       (data[0]),
    .refill_key_i (lowest_key[1]),
    .refill_data_i(lowest_data[1])
  );
  assign pop[0]   = pop_i;
  assign error[0] = 1'b0;

  for (genvar l = 1; l < Levels; l++) begin : gen_level
    localparam int unsigned Banks       = l == 1 ? RootOrder : Order;
    localparam int unsigned Depth       = nodes(l - 1);
    localparam int unsigned ParentWidth = Depth > 1 ? $clog2(Depth) : 1;
    localparam int unsigned OwnWidth    = Depth * Banks > 1 ? $clog2(Depth) + $clog2(Banks) : 1;
    localparam int unsigned BelowWidth  = OwnWidth + DigitWidth;

    // The level below the root has one node above it, so that it reads at any time.
    logic                   read;
    logic [ParentWidth-1:0] read_parent;
    if (l == 1) begin : gen_first
      assign read        = 1'b1;
      assign read_parent = '0;
    end else begin : gen_other
      assign read        = valid[l-2];
      assign read_parent = below[l-2][ParentWidth-1:0];
    end

    if (OwnWidth < IndexWidth) begin : gen_index
      assign index[l][IndexWidth-1:OwnWidth] = '0;
    end
    if (BelowWidth < IndexWidth) begin : gen_below
      assign below[l][IndexWidth-1:BelowWidth] = '0;
    end

    tree_level #(
      .Order     (Order),
      .Places    (places(l)),
      .Banks     (Banks),
      .Depth     (Depth),
      .RankWidth (RankWidth),
      .StampWidth(StampWidth),
      .DataWidth (DataWidth),
      .FillLeft  (FillLeft),
      .EveryOther(EveryOther),
      .Parity    (Parity)
    ) u_level (
      .clk_i,
      .rst_i,
      .read_i       (read),
      .read_parent_i(read_parent),
      .valid_i      (valid[l-1]),
      .pop_i        (pop[l-1]),
      .fresh_i      (fresh[l-1]),
      .parent_i     (index[l-1][ParentWidth-1:0]),
      .element_i    (element[l-1][Banks-1:0]),
      .key_i        (key[l-1]),
      .data_i       (data[l-1]),
      .lowest_key_o (lowest_key[l]),
      .lowest_data_o(lowest_data[l]),
      .valid_o      (valid[l]),
      .pop_o        (pop[l]),
      .fresh_o      (fresh[l]),
      .index_o      (index[l][OwnWidth-1:0]),
      .element_o    (element[l]),
      .below_o      (below[l][BelowWidth-1:0]),
      .key_o        (key[l]),
      .data_o       (data[l]),
      .refill_key_i (lowest_key[l+1]),
      .refill_data_i(lowest_data[l+1]),
      .error_o      (error[l])
    );
  end

  assign lowest_rank_o = lowest_key[0][KeyWidth-1:StampWidth];
  assign lowest_data_o = lowest_data[0];
  assign error_o       = |error;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) assert (!valid[Levels-1]);
  end
`endif

endmodule
