// The Bitmapped Bucket Queue: an exact integer priority queue, one operation per cycle.
//
// A tree of bitmaps has Levels levels, and its nodes have Width bits. It finds the lowest or
// highest rank that holds elements. Each rank has a bucket, a list of its elements in order of
// arrival. Partitions (their number need not be a power of two) share the elements and divide the
// ranks. The index of a partition is the upper part of the path in the tree.
//
// Throughput: one operation of any kind in each cycle. Latency: bbq_pkg::latency. This is 2 *
// Levels + 5 cycles from acceptance to answer, or two less for each level but the first that the
// partition alone decides. Answers can't be held back.
//
// Source: Atre, Sadok, Sherry, "BBQ: A Fast and Scalable Integer Priority Queue for Hardware Packet
// Scheduling" (NSDI 2024), sections 3 and 4, appendices A and B. bbq_level.sv and bbq_buckets.sv
// describe the differences.
//
// Limits: Width is a power of two; ranks are bounded (docs/rtl.md: bbq_window).
module bbq
  import forebay_queue_pkg::*;
#(
  parameter int unsigned Levels     = 2,
  parameter int unsigned Width      = 8,
  parameter int unsigned Entries    = 127,
  parameter int unsigned DataWidth  = 17,
  parameter int unsigned Partitions = 1,
  // Ranks of each partition that exist. Other ranks are answered "out of range".
  parameter int unsigned Ranks      = Width ** Levels / 2 ** $clog2(Partitions),
  parameter int unsigned RankWidth  = Ranks > 1 ? $clog2(Ranks) : 1,
  parameter bit          Parity     = 1'b0,
  localparam int unsigned PartitionWidth = Partitions > 1 ? $clog2(Partitions) : 1,
  localparam int unsigned CountWidth     = $clog2(Entries + 1)
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic                      req_valid_i,
  output logic                      req_ready_o,
  input  op_e                       req_op_i,
  input  logic [PartitionWidth-1:0] req_partition_i,
  input  logic [RankWidth-1:0]      req_rank_i,
  input  logic [DataWidth-1:0]      req_data_i,
  output logic                      rsp_valid_o,
  output op_e                       rsp_op_o,
  output status_e                   rsp_status_o,
  output logic [PartitionWidth-1:0] rsp_partition_o,
  output logic [RankWidth-1:0]      rsp_rank_o,
  output logic [DataWidth-1:0]      rsp_data_o,
  output logic                      full_o,
  output logic                      empty_o,
  output logic [CountWidth-1:0]     occupancy_o,
  output logic                      error_o
);

  import bbq_pkg::Window;
  import bbq_pkg::action_t;

  localparam int unsigned Counter    = CountWidth > 1 ? CountWidth : 2;
  localparam int unsigned Digit      = $clog2(Width);
  localparam int unsigned PathWidth  = Levels * Digit;          // the path in the tree
  localparam int unsigned IndexBits  = $clog2(Partitions);      // of the path: the partition
  localparam int unsigned RankBits   = PathWidth - IndexBits;   // of the path: the rank
  localparam int unsigned Steered    = bbq_pkg::steered(Levels, Width, Partitions);
  localparam int unsigned Searched   = Levels - Steered;        // levels with bitmaps
  localparam int unsigned TopNodes   = Width ** Steered;
  localparam int unsigned MaskBits   = IndexBits - Steered * Digit;  // of the first digit
  localparam int unsigned Latency    = bbq_pkg::latency(Levels, Width, Partitions);
  localparam int unsigned First      = Steered > 0 ? 3 : 1;     // cycle D of the first level
  localparam int unsigned Leaf       = First + 2 * (Searched - 1);
  localparam int unsigned Turn       = Leaf + 3;                // cycle B of the buckets

  if (Levels < 1 || Levels > 6) begin : gen_levels
    $error("bbq: Levels must be 1 to 6");
  end
  if (Width < 2 || Width > 32 || Width != 2 ** Digit) begin : gen_width
    $error("bbq: Width must be 2, 4, 8, 16 or 32");
  end
  if (DataWidth < 1) begin : gen_data_width
    $error("bbq: DataWidth must be 1 or more");
  end
  if (Entries < 1) begin : gen_entries
    $error("bbq: Entries must be 1 or more");
  end
  if (Partitions < 1 || IndexBits > PathWidth) begin : gen_partitions
    $error("bbq: Partitions must be 1 to Width ** Levels");
  end
  if (2 ** RankWidth < Ranks) begin : gen_rank_width
    $error("bbq: RankWidth must hold Ranks - 1");
  end
  if (Ranks < 1 || Ranks > 2 ** RankBits) begin : gen_ranks
    $error("bbq: Ranks must be 1 to Width ** Levels / Partitions (rounded up to a power of two)");
  end

  // ---- acceptance -------------------------------------------------------------------------

  status_e status;
  logic    accepted;

  assign req_ready_o = !rst_i;
  assign accepted    = req_valid_i && req_ready_o;

  bbq_admission #(
    .Entries   (Entries),
    .Partitions(Partitions),
    .Ranks     (Ranks),
    .RankWidth (RankWidth)
  ) i_admission (
    .clk_i,
    .rst_i,
    .valid_i    (req_valid_i),
    .op_i       (req_op_i),
    .partition_i(req_partition_i),
    .rank_i     (req_rank_i),
    .status_o   (status),
    .full_o,
    .empty_o,
    .occupancy_o
  );

  action_t action;
  assign action.put     = req_op_i == OpEnqueue;
  assign action.take    = req_op_i == OpDequeueMin || req_op_i == OpDequeueMax;
  assign action.active  = status == StatusDone;
  assign action.highest = req_op_i == OpDequeueMax || req_op_i == OpPeekMax;

  // ---- the pipeline's registers beside an operation -----------------------------------------

  // In cycle c after its acceptance an operation is at index c.
  logic                  valid_q  [1:Latency];  // will be answered
  action_t               action_q [1:Latency];  // all zero: not admitted
  op_e                   op_q     [1:Latency];
  status_e               status_q [1:Latency];
  logic [PartitionWidth-1:0] partition_q [1:Latency];
  logic [PathWidth-1:0]  path_q   [1:Latency];
  logic [PathWidth-1:0]  path_d   [2:Latency];
  logic [DataWidth-1:0]  data_q   [1:Latency];
  logic [PathWidth-1:0]  path;

  assign path = PathWidth'((PathWidth + PartitionWidth)'(req_partition_i) << RankBits) |
                (PathWidth'(req_rank_i) & PathWidth'(2 ** RankBits - 1));

  always_ff @(posedge clk_i) begin
    valid_q[1]  <= accepted;
    action_q[1] <= accepted && status == StatusDone ? action : '0;
    op_q[1]     <= req_op_i;
    status_q[1] <= status;
    path_q[1]   <= path;
    partition_q[1] <= req_partition_i;
    data_q[1]   <= req_data_i;
    for (int unsigned c = 2; c <= Latency; c++) begin
      valid_q[c]  <= valid_q[c-1] && !rst_i;
      action_q[c] <= rst_i ? '0 : action_q[c-1];
      op_q[c]     <= op_q[c-1];
      status_q[c] <= status_q[c-1];
      path_q[c]   <= path_d[c];
      partition_q[c] <= partition_q[c-1];
      data_q[c]   <= data_q[c-1];
    end
  end

  // ---- the levels ---------------------------------------------------------------------------

  logic [Digit-1:0]      digit   [Searched];   // chosen, in D of each level
  logic                  empty_a [Searched];   // the child was empty
  logic [Window:1]       same_a  [Searched];   // conflicts of the children, in A
  logic [Window:1]       same_u  [Searched];   // and the cycle after
  logic [Counter-1:0]    count_u [Searched];
  logic [Searched-1:0]   level_error;

  // Conflicts of the first level's nodes, in the cycle before D and in A.
  logic [Window:1]  top_same_r1, top_same_a;
  logic             top_blank_r1;
  logic [Width-1:0] top_mask;

  if (Steered == 0) begin : gen_root
    // There is one node, so every operation ahead is at this node.
    for (genvar d = 1; d <= Window; d++) begin : gen_ahead
      assign top_same_a[d] = action_q[First+1+d].active;
    end
    assign top_same_r1  = '0;
    assign top_blank_r1 = 1'b0;
  end else begin : gen_steered
    localparam int unsigned TopWidth = Steered * Digit;
    logic [TopWidth-1:0] top;
    logic [TopNodes-1:0] touched_q;  // nodes that have held an element since reset
    logic                blank_q;
    logic [Window:1]     same_node, same_q, same_qq;

    // Cycle 1: the read is presented; cycle 2: R1; cycle 3: D; cycle 4: A.
    assign top = path_q[1][PathWidth-1-:TopWidth];
    always_ff @(posedge clk_i) begin
      if (action_q[1].active) touched_q[top] <= 1'b1;
      blank_q <= !touched_q[top];
      same_q  <= same_node;
      same_qq <= same_q;
      if (rst_i) touched_q <= '0;
    end
    for (genvar d = 1; d <= Window; d++) begin : gen_ahead
      assign same_node[d] = action_q[2+d].active &&
          path_q[2][PathWidth-1-:TopWidth] == path_q[2+d][PathWidth-1-:TopWidth];
    end
    assign top_same_r1  = same_node;
    assign top_same_a   = same_qq;
    assign top_blank_r1 = blank_q;
  end

  if (MaskBits == 0) begin : gen_no_mask
    assign top_mask = '1;
  end else begin : gen_mask
    localparam int unsigned Group = Width >> MaskBits;
    logic [MaskBits-1:0] group;
    assign group = path_q[First][PathWidth-1-Steered*Digit-:MaskBits];
    for (genvar c = 0; c < Width; c++) begin : gen_child
      assign top_mask[c] = group == MaskBits'(c / Group);
    end
  end

  for (genvar l = 0; l < Searched; l++) begin : gen_level
    localparam int unsigned D         = First + 2 * l;
    localparam int unsigned Above     = (Steered + l) * Digit;   // bits of the node's path
    localparam int unsigned Nodes     = Width ** (Steered + l);
    localparam int unsigned NodeWidth = Nodes > 1 ? $clog2(Nodes) : 1;

    logic [NodeWidth-1:0] node_r0, node_d;
    logic                 read, blank_r1;
    logic [Window:1]      same_r1, same_node_a;
    logic [Width-1:0]     mask;

    if (Nodes == 1) begin : gen_only
      assign node_d = '0;
    end else begin : gen_node
      assign node_d = path_q[D][PathWidth-1-:Above];
    end

    if (l == 0) begin : gen_first
      if (Nodes == 1) begin : gen_only
        assign node_r0 = '0;
      end else begin : gen_node
        assign node_r0 = path_q[1][PathWidth-1-:Above];
      end
      assign read        = action_q[1].active;
      assign blank_r1    = top_blank_r1;
      assign same_r1     = top_same_r1;
      assign same_node_a = top_same_a;
      assign mask        = top_mask;
    end else begin : gen_next
      // The node is the child chosen above, in the same cycle.
      if (Above == Digit) begin : gen_second
        assign node_r0 = digit[l-1];
      end else begin : gen_deeper
        assign node_r0 = {path_q[D-2][PathWidth-1-:Above-Digit], digit[l-1]};
      end
      assign read     = action_q[D-2].active;
      assign blank_r1 = empty_a[l-1];
      assign same_r1  = same_a[l-1];
      assign mask     = '1;
      always_ff @(posedge clk_i) begin
        same_node_a <= same_u[l-1];
      end
    end

    // The digit of an enqueue is known from its rank. The digit of a dequeue enters the path here.
    always_comb begin
      path_d[D+1] = path_q[D];
      path_d[D+1][PathWidth-1-Above-:Digit] = digit[l];
    end
    assign path_d[D+2] = path_q[D+1];

    bbq_level #(
      .Width     (Width),
      .Nodes     (Nodes),
      .CountWidth(Counter),
      .Parity    (Parity)
    ) i_level (
      .clk_i,
      .rst_i,
      .read_i    (read),
      .node_r0_i (node_r0),
      .same_r1_i (same_r1),
      .blank_r1_i(blank_r1),
      .action_d_i(action_q[D]),
      .node_d_i  (node_d),
      .digit_d_i (path_q[D][PathWidth-1-Above-:Digit]),
      .mask_d_i  (mask),
      .digit_d_o (digit[l]),
      .same_a_i  (same_node_a),
      .empty_a_o (empty_a[l]),
      .same_a_o  (same_a[l]),
      .count_u_o (count_u[l]),
      .error_o   (level_error[l])
    );

    always_ff @(posedge clk_i) begin
      same_u[l] <= same_a[l];
    end
  end

  for (genvar c = 2; c <= Latency; c++) begin : gen_path
    if (c == Latency) begin : gen_answer
      assign path_d[c] = action_q[c-1].active ? path_q[c-1] : '0;
    end else if (c <= First || c > Leaf + 2) begin : gen_pass
      assign path_d[c] = path_q[c-1];
    end
  end

  // ---- the buckets ----------------------------------------------------------------------------

  logic                 empty_u, data_error, buckets_error;
  logic [DataWidth-1:0] taken;

  always_ff @(posedge clk_i) begin
    empty_u <= empty_a[Searched-1];
  end

  bbq_buckets #(
    .Buckets   (Width ** Levels),
    .Entries   (Entries),
    .DataWidth (DataWidth),
    .CountWidth(Counter),
    .Parity    (Parity)
  ) i_buckets (
    .clk_i,
    .rst_i,
    .read_i     (action_q[Leaf+1].active),
    .bucket_r0_i(path_q[Leaf+1]),
    .same_r1_i  (same_u[Searched-1]),
    .empty_r1_i (empty_u),
    .count_r1_i (count_u[Searched-1]),
    .action_b_i (action_q[Turn]),
    .bucket_b_i (path_q[Turn]),
    .data_b1_i  (data_q[Turn+1]),
    .data_b3_o  (taken),
    .data_error_b3_o(data_error),
    .error_o    (buckets_error)
  );

  // ---- the answer -------------------------------------------------------------------------------

  logic given_q, taken_q, error_q;

  always_ff @(posedge clk_i) begin
    given_q <= action_q[Latency-1].put;
    taken_q <= action_q[Latency-1].active && !action_q[Latency-1].put;
    error_q <= ((|level_error) || buckets_error) && !rst_i;
  end

  assign rsp_valid_o     = valid_q[Latency] && !rst_i;
  assign rsp_op_o        = op_q[Latency];
  assign rsp_status_o    = status_q[Latency];
  assign rsp_partition_o = partition_q[Latency];
  assign rsp_rank_o      = RankWidth'(path_q[Latency] & PathWidth'(2 ** RankBits - 1));
  assign rsp_data_o      = (data_q[Latency] & {DataWidth{given_q}}) |
                           (taken & {DataWidth{taken_q}});
  // Errors of data are reported beside the data, all other errors in the cycle after the read.
  assign error_o         = error_q || data_error;

endmodule
