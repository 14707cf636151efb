// A rolling window of ranks over a BBQ: for ranks that rise for ever.
//
// Each of `Partitions` logical queues has two partitions of one BBQ, each with a span of 2 **
// SpanWidth ranks. The primary covers the ranks from the base of the window on, the secondary the
// next span. When a dequeue-min reaches the secondary, the primary is empty. Then the window moves
// by one span, and the two swap roles.
//
// Ranks outside the window: with Clamp they go to the nearest rank of the window. A rank before the
// window is served next, behind equals of the window's first rank, and a rank beyond the window is
// served last. The answers of later dequeues give the rank as it was enqueued. Without Clamp, ranks
// outside are answered "out of range". The window of an empty queue moves to the rank of the
// enqueue: the rank is in the second half if it is ahead. Among ranks within the window the order
// is exact.
//
// Throughput: one operation of any kind in each cycle. Latency: bbq_pkg::latency + 1. Operations
// take effect in order of acceptance; base, counts and statuses are decided in the cycle of
// acceptance.
//
// Source: BBQ (NSDI 2024), appendix D, after Eiffel's circular queue. The paper leaves choices
// open; here they are as in the software model, crates/sched/src/queues/rolling_window.rs.
//
// Limits: the base and two counters for each logical queue are registers. If a full queue does not
// admit an enqueue, its window does not move.
module bbq_window
  import forebay_queue_pkg::*;
#(
  parameter int unsigned Levels     = 2,
  parameter int unsigned Width      = 8,
  parameter int unsigned Entries    = 127,
  parameter int unsigned RankWidth  = 32,   // of the ranks on the ports
  parameter int unsigned DataWidth  = 17,
  parameter int unsigned Partitions = 1,
  parameter bit          Clamp      = 1'b1,
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
  // One cycle after acceptance: the rank of that enqueue was outside the window, and was clamped or
  // rejected. Count these to learn how often it occurs.
  output logic                      before_o,
  output logic                      beyond_o,
  output logic                      full_o,
  output logic                      empty_o,
  output logic [CountWidth-1:0]     occupancy_o,
  output logic                      error_o
);

  localparam int unsigned SpanWidth = Levels * $clog2(Width) - $clog2(Partitions) - 1;
  localparam int unsigned BaseWidth = RankWidth - SpanWidth;
  localparam int unsigned Halves    = 2 * Partitions;
  localparam int unsigned HalfWidth = $clog2(Halves);
  localparam int unsigned Latency   = bbq_pkg::latency(Levels, Width, Halves);
  // An element whose rank may have been clamped keeps its own rank beside it.
  localparam int unsigned Carried   = DataWidth + (Clamp ? RankWidth : 0);

  if (Levels * $clog2(Width) < $clog2(Partitions) + 2) begin : gen_span
    $error("bbq_window: a half must have two ranks or more");
  end
  if (RankWidth < SpanWidth + 2) begin : gen_rank
    $error("bbq_window: RankWidth must hold four spans or more");
  end

  // ---- acceptance -------------------------------------------------------------------------

  logic                      accepted, enqueue, lowest, known, in_range, outside;
  logic                      put, take, moves, serve_secondary;
  logic                      primary, half, early, late;
  logic [1:0]                some;        // whether the halves hold elements
  logic [PartitionWidth-1:0] partition;
  logic [BaseWidth-1:0]      base, last, base_put, last_put;
  logic                      place_half;
  logic [SpanWidth-1:0]      place;
  status_e                   status;

  assign req_ready_o = !rst_i;
  assign accepted    = req_valid_i && !rst_i;
  assign enqueue     = req_op_i == OpEnqueue;
  assign lowest      = req_op_i == OpDequeueMin || req_op_i == OpPeekMin;
  assign known       = enqueue || lowest || req_op_i == OpDequeueMax || req_op_i == OpPeekMax;
  assign in_range    = 32'(req_partition_i) < Partitions;
  // An unknown partition uses the state of the first one, without effect.
  assign partition   = in_range ? req_partition_i : '0;

  // Each half has a count, and bits for "one or more" and "two or more". So the state after a
  // dequeue is known without waiting for the count.
  logic [BaseWidth-1:0]  base_q  [Partitions];
  logic [BaseWidth-1:0]  last_q  [Partitions];   // the second span of the window, if any
  logic [CountWidth-1:0] count_q [Partitions][2];
  logic [1:0]            some_q  [Partitions];
  logic [1:0]            two_q   [Partitions];

  assign base    = base_q[partition];
  assign last    = last_q[partition];
  assign some    = some_q[partition];
  assign primary = base[0];

  bbq_window_place #(
    .RankWidth(RankWidth),
    .SpanWidth(SpanWidth)
  ) i_place (
    .none_i  (some == '0),
    .base_i  (base),
    .last_i  (last),
    .rank_i  (req_rank_i),
    .base_o  (base_put),
    .last_o  (last_put),
    .half_o  (place_half),
    .place_o (place),
    .before_o(early),
    .beyond_o(late)
  );

  // The lowest is in the primary half if it has any elements, the highest in the secondary.
  assign serve_secondary = lowest ? !some[primary] : some[!primary];
  assign half            = enqueue ? place_half : primary ^ serve_secondary;
  assign outside         = early || late;

  always_comb begin
    if (!known)                                         status = StatusUnsupported;
    else if (!in_range || (enqueue && !Clamp && outside)) status = StatusOutOfRange;
    else if (enqueue && full_o)                         status = StatusFull;
    else if (!enqueue && some == '0)                    status = StatusEmpty;
    else                                                status = StatusDone;
  end

  assign put   = accepted && status == StatusDone && enqueue;
  assign take  = accepted && status == StatusDone &&
                 (req_op_i == OpDequeueMin || req_op_i == OpDequeueMax);
  assign moves = take && lowest && serve_secondary;

  // An enqueue whose rank is outside, and not clamped.
  logic refused;
  assign refused = accepted && enqueue && in_range && !Clamp;

  always_ff @(posedge clk_i) begin
    if (put) begin
      base_q[partition] <= base_put;
      last_q[partition] <= last_put;
    end else if (moves) begin
      base_q[partition] <= last;
      last_q[partition] <= last == '1 ? last : last + 1'b1;
    end
    for (int unsigned h = 0; h < 2; h++) begin
      if (put && half == 1'(h)) begin
        count_q[partition][h] <= count_q[partition][h] + 1'b1;
        some_q[partition][h]  <= 1'b1;
        two_q[partition][h]   <= some[h];
      end else if (take && half == 1'(h)) begin
        count_q[partition][h] <= count_q[partition][h] - 1'b1;
        some_q[partition][h]  <= two_q[partition][h];
        two_q[partition][h]   <= two_q[partition][h] &&
                                 count_q[partition][h] != CountWidth'(2);
      end
    end
    if (rst_i) begin
      for (int unsigned p = 0; p < Partitions; p++) begin
        base_q[p]     <= '0;
        last_q[p]     <= BaseWidth'(1);
        count_q[p][0] <= '0;
        count_q[p][1] <= '0;
        some_q[p]     <= '0;
        two_q[p]      <= '0;
      end
    end
  end

  // ---- the whole queue --------------------------------------------------------------------

  occupancy_counter #(
    .Entries(Entries)
  ) i_occupancy (
    .clk_i,
    .rst_i,
    .put_i (put),
    .take_i(take),
    .full_o,
    .empty_o,
    .occupancy_o
  );

  logic before_q, beyond_q;

  always_ff @(posedge clk_i) begin
    before_q <= early && (put || refused);
    beyond_q <= late && (put || refused);
    if (rst_i) begin
      before_q <= 1'b0;
      beyond_q <= 1'b0;
    end
  end

  assign before_o = before_q;
  assign beyond_o = beyond_q;

  // ---- state that waits for the answer of the BBQ ---------------------------------------------

  // Stage 1 is beside the request, the last one beside the answer.
  localparam int unsigned Last = Latency + 1;

  logic                      valid_q     [1:Last];
  op_e                       op_q        [1:Last];
  status_e                   status_q    [1:Last];
  logic [PartitionWidth-1:0] partition_q [1:Last];
  logic [BaseWidth-1:0]      span_q      [1:Last];   // of the half of the request
  logic                      half_q;
  logic [SpanWidth-1:0]      place_q;
  logic [RankWidth-1:0]      rank_q;
  logic [DataWidth-1:0]      data_q;

  always_ff @(posedge clk_i) begin
    valid_q[1]     <= accepted;
    op_q[1]        <= req_op_i;
    status_q[1]    <= status;
    partition_q[1] <= req_partition_i;
    span_q[1]      <= enqueue ? req_rank_i[RankWidth-1:SpanWidth]
                              : base + BaseWidth'(serve_secondary);
    for (int unsigned c = 2; c <= Last; c++) begin
      valid_q[c]     <= valid_q[c-1] && !rst_i;
      op_q[c]        <= op_q[c-1];
      status_q[c]    <= status_q[c-1];
      partition_q[c] <= partition_q[c-1];
      span_q[c]      <= span_q[c-1];
    end
    half_q  <= half;
    place_q <= place;
    rank_q  <= req_rank_i;
    data_q  <= req_data_i;
  end

  // ---- the BBQ ------------------------------------------------------------------------------

  logic                  bbq_ready, bbq_valid, bbq_full, bbq_empty;
  op_e                   bbq_op;
  status_e               bbq_status;
  logic [HalfWidth-1:0]  bbq_half;
  logic [SpanWidth-1:0]  bbq_rank;
  logic [Carried-1:0]    carried, bbq_data;
  logic [CountWidth-1:0] bbq_occupancy;

  bbq #(
    .Levels    (Levels),
    .Width     (Width),
    .Entries   (Entries),
    .DataWidth (Carried),
    .Partitions(Halves),
    .Parity    (Parity)
  ) i_bbq (
    .clk_i,
    .rst_i,
    .req_valid_i    (valid_q[1] && status_q[1] == StatusDone),
    .req_ready_o    (bbq_ready),
    .req_op_i       (op_q[1]),
    .req_partition_i(HalfWidth'({partition_q[1], half_q})),
    .req_rank_i     (place_q),
    .req_data_i     (carried),
    .rsp_valid_o    (bbq_valid),
    .rsp_op_o       (bbq_op),
    .rsp_status_o   (bbq_status),
    .rsp_partition_o(bbq_half),
    .rsp_rank_o     (bbq_rank),
    .rsp_data_o     (bbq_data),
    .full_o         (bbq_full),
    .empty_o        (bbq_empty),
    .occupancy_o    (bbq_occupancy),
    .error_o
  );

  // ---- the answer ---------------------------------------------------------------------------

  logic [RankWidth-1:0] rank;

  if (Clamp) begin : gen_carried
    assign carried = {rank_q, data_q};
    assign rank    = bbq_data[Carried-1-:RankWidth];
  end else begin : gen_known
    assign carried = data_q;
    assign rank    = {span_q[Last], bbq_rank};
  end

  assign rsp_valid_o     = valid_q[Last] && !rst_i;
  assign rsp_op_o        = op_q[Last];
  assign rsp_status_o    = status_q[Last];
  assign rsp_partition_o = partition_q[Last];
  assign rsp_rank_o      = status_q[Last] == StatusDone ? rank : '0;
  assign rsp_data_o      = status_q[Last] == StatusDone ? bbq_data[DataWidth-1:0] : '0;

  logic unused;
  assign unused = &{1'b0, rank_q, span_q[Last], bbq_rank, bbq_ready, bbq_op, bbq_half, bbq_full,
                    bbq_empty, bbq_occupancy};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && valid_q[Last] && status_q[Last] == StatusDone) begin
      assert (bbq_valid && bbq_status == StatusDone) else $error("a half is not what was counted");
    end
  end
`endif

endmodule
