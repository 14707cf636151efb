// One level of a pipelined sorting tree below its root: node memories, and the one
// processing unit that works on them.
//
// An operation passes through level after level, one cycle later each, and spends two
// cycles in each:
// - execute: a push changes its node. A pop removes the lowest key, which fills the gap that the
//   same pop left in the node above. The orders for the level below go down.
// - write: a pop's gap is filled by the level below, which executes that pop now. The node is
//   written.
// The cycle after a pop must be free, since only then is its node complete.
//
// Memory takes two cycles to read, but the node is known only one cycle before it is executed. So
// the nodes below each element of the level above have a memory of their own (Banks), and all
// memories are read one cycle before the node is known. If one of the three operations before has
// changed a node, the node is not in memory yet when it is read, and is forwarded.
//
// A node whose parent has nothing below it is empty regardless of its memory (`fresh`), so the
// memory never needs to be cleared.
module tree_level #(
  parameter int unsigned Order       = 4,
  parameter int unsigned Places      = 1,  // in the subtree of an element, itself included
  parameter int unsigned Banks       = 4,  // elements of a node above
  parameter int unsigned Depth       = 1,  // nodes of the level above, as a power of 2
  parameter int unsigned RankWidth   = 8,
  parameter int unsigned StampWidth  = 0,
  parameter int unsigned DataWidth   = 8,
  parameter bit          FillLeft    = 1'b0,
  parameter bit          EveryOther  = 1'b0,  // no operations in consecutive cycles
  parameter bit          Parity      = 1'b0,
  localparam int unsigned KeyWidth    = RankWidth + StampWidth,
  localparam int unsigned ParentWidth = Depth > 1 ? $clog2(Depth) : 1,
  // A node's index: that of the node above, then the element of it. One bit at least.
  localparam int unsigned IndexWidth  = Depth * Banks > 1 ? $clog2(Depth) + $clog2(Banks) : 1,
  localparam int unsigned BelowWidth  = IndexWidth + $clog2(Order)
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  // The node above that will be executed in the next cycle.
  input  logic                   read_i,
  input  logic [ParentWidth-1:0] read_parent_i,
  // From the level above, which executes: the order, and below which element.
  input  logic                   valid_i,
  input  logic                   pop_i,
  input  logic                   fresh_i,
  input  logic [ParentWidth-1:0] parent_i,
  input  logic [Banks-1:0]       element_i,
  input  logic [KeyWidth-1:0]    key_i,
  input  logic [DataWidth-1:0]   data_i,
  // To the level above, for the gap of the pop that is executed here.
  output logic [KeyWidth-1:0]    lowest_key_o,
  output logic [DataWidth-1:0]   lowest_data_o,
  // To the level below, and (below_o) its node.
  output logic                   valid_o,
  output logic                   pop_o,
  output logic                   fresh_o,
  output logic [IndexWidth-1:0]  index_o,
  output logic [Order-1:0]       element_o,
  output logic [BelowWidth-1:0]  below_o,
  output logic [KeyWidth-1:0]    key_o,
  output logic [DataWidth-1:0]   data_o,
  // From the level below, for the gap of the pop that is written here.
  input  logic [KeyWidth-1:0]    refill_key_i,
  input  logic [DataWidth-1:0]   refill_data_i,
  output logic                   error_o
);

  localparam int unsigned CountWidth = $clog2(Places + 1);
  localparam int unsigned Pairs      = Order > 1 ? Order * (Order - 1) / 2 : 1;

  typedef struct packed {
    logic [Order-1:0][CountWidth-1:0] count;
    logic [Order-1:0][KeyWidth-1:0]   key;
    logic [Order-1:0][DataWidth-1:0]  data;
    logic [Pairs-1:0]                 sooner;
  } node_t;

  // Where a node is: the node above, and the element (one-hot) whose memory it is in.
  typedef struct packed {
    logic [ParentWidth-1:0] parent;
    logic [Banks-1:0]       element;
  } place_t;

  // Operations in flight: in execute, in write, and one and two cycles after write. Those
  // after write are here for forwarding only.
  logic   valid_q, pop_q, fresh_q, write_q, write_pop_q, done_q;
  place_t place, place_q, write_place_q, done_place_q;
  node_t  write_node_q, write_node, done_node_q, gone_node_q;

  // Memories.
  node_t [Banks-1:0] memory_node;
  logic  [Banks-1:0] memory_error;

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    tree_bank #(
      .Depth (Depth),
      .Width ($bits(node_t)),
      .Parity(Parity)
    ) u_bank (
      .clk_i,
      .write_i(write_q && write_place_q.element[b]),
      .waddr_i(write_place_q.parent),
      .node_i (write_node),
      .read_i,
      .raddr_i(read_parent_i),
      .node_o (memory_node[b]),
      .error_o(memory_error[b])
    );
  end

  // The position of the next operation's node. It is in the youngest of the operations that will be
  // one, two and three cycles ahead, or else in a memory.
  logic             same_ahead, same_write, same_done, from_write_q, from_done_q, from_gone_q;
  logic [Banks-1:0] from_memory_q;

  assign place      = '{parent: parent_i, element: element_i};
  assign same_ahead = !EveryOther && valid_q && place == place_q;
  assign same_write = write_q && place == write_place_q;
  assign same_done  = done_q && place == done_place_q;

  always_ff @(posedge clk_i) begin
    from_write_q  <= same_ahead;
    from_done_q   <= same_write && !same_ahead;
    from_gone_q   <= same_done && !same_write && !same_ahead;
    from_memory_q <= same_done || same_write || same_ahead ? '0 : element_i;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= 1'b0;
      write_q <= 1'b0;
      done_q  <= 1'b0;
    end else begin
      valid_q <= valid_i;
      write_q <= valid_q;
      done_q  <= write_q;
    end
  end

  // Execute.
  logic [KeyWidth-1:0]  key_q;
  logic [DataWidth-1:0] data_q;
  node_t                node, pushed, popped;
  logic                 push_valid, pop_valid;
  logic [Order-1:0]     push_element, pop_element;

  always_ff @(posedge clk_i) begin
    pop_q   <= pop_i;
    fresh_q <= fresh_i && !pop_i;
    place_q <= place;
    key_q   <= key_i;
    data_q  <= data_i;
  end

  always_comb begin
    node = '0;
    if (from_write_q) node = node | write_node_q;
    if (from_done_q) node = node | done_node_q;
    if (from_gone_q) node = node | gone_node_q;
    for (int unsigned b = 0; b < Banks; b++) begin
      if (from_memory_q[b]) node = node | memory_node[b];
    end
    if (fresh_q) node.count = '0;
  end

  tree_node_push #(
    .Order     (Order),
    .Places    (Places),
    .RankWidth (RankWidth),
    .StampWidth(StampWidth),
    .DataWidth (DataWidth),
    .FillLeft  (FillLeft)
  ) u_push (
    .count_i       (node.count),
    .key_i         (node.key),
    .data_i        (node.data),
    .sooner_i      (node.sooner),
    .push_key_i    (key_q),
    .push_data_i   (data_q),
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
    .count_i  (node.count),
    .key_i    (node.key),
    .data_i   (node.data),
    .sooner_i (node.sooner),
    .count_o  (popped.count),
    .element_o(pop_element),
    .below_o  (pop_valid),
    .key_o    (lowest_key_o),
    .data_o   (lowest_data_o)
  );
  assign popped.key    = node.key;
  assign popped.data   = node.data;
  assign popped.sooner = node.sooner;

  assign valid_o   = valid_q && (pop_q ? pop_valid : push_valid);
  assign pop_o     = pop_q;
  assign element_o = pop_q ? pop_element : push_element;

  tree_index #(
    .ParentWidth(ParentWidth),
    .Order      (Banks),
    .IndexWidth (IndexWidth)
  ) u_index (
    .parent_i (place_q.parent),
    .element_i(place_q.element),
    .index_o
  );

  tree_index #(
    .ParentWidth(IndexWidth),
    .Order      (Order),
    .IndexWidth (BelowWidth)
  ) u_below (
    .parent_i (index_o),
    .element_i(element_o),
    .index_o  (below_o)
  );

  // Write.
  logic [Order-1:0] gap_q;
  logic             refill_q;

  always_ff @(posedge clk_i) begin
    write_pop_q   <= pop_q;
    write_place_q <= place_q;
    write_node_q  <= pop_q ? popped : pushed;
    gap_q         <= pop_element;
    refill_q      <= pop_valid;
    done_place_q  <= write_place_q;
    done_node_q   <= write_node;
    gone_node_q   <= done_node_q;
  end

  node_t refilled;
  assign refilled.count = write_node_q.count;

  tree_node_refill #(
    .Order    (Order),
    .CountWidth(CountWidth),
    .RankWidth (RankWidth),
    .StampWidth(StampWidth),
    .DataWidth(DataWidth)
  ) u_refill (
    .count_i       (write_node_q.count),
    .key_i         (write_node_q.key),
    .data_i        (write_node_q.data),
    .sooner_i      (write_node_q.sooner),
    .element_i     (gap_q),
    .refill_valid_i(refill_q),
    .refill_key_i,
    .refill_data_i,
    .key_o         (refilled.key),
    .data_o        (refilled.data),
    .sooner_o      (refilled.sooner)
  );
  assign write_node = write_pop_q ? refilled : write_node_q;

  // A word of a memory was used and failed its parity.
  always_ff @(posedge clk_i) begin
    error_o <= !rst_i && valid_q && !fresh_q && |(from_memory_q & memory_error);
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && valid_q) begin
      assert (!(write_q && (write_pop_q || EveryOther)));
      assert (!pop_q || |node.count);
    end
  end
`endif

endmodule
