// Proof of bbq as a whole. Every answer, and the occupancy, full and empty of every cycle, are
// those of the list below. That list has the elements in order of partition, rank and arrival, and
// finishes each operation in the cycle in which it is accepted. It follows:
// - an element is dequeued at most once, only if it was enqueued, and with its rank;
// - the lowest end is the lowest rank, the earliest arrival among equals, and the highest end is
//   the highest rank, the latest arrival;
// - every accepted operation is answered exactly bbq_pkg::latency cycles later, and there are no
//   other answers;
// - error_o is never set.
//
// Without Steady, only a reset in the first cycle is assumed. Any operation arrives in any cycle,
// including unsupported ones and ranks and partitions that don't exist. Reset occurs at any time.
// Memories have any initial contents, and return any data for a read that meets a write. One bit of
// data is enough, since no decision depends on data: if two elements are confused, some trace shows
// it.
module queue_proof
  import forebay_queue_pkg::*;
#(
  parameter int unsigned Levels     = 1,
  parameter int unsigned Width      = 2,
  parameter int unsigned Entries    = 3,
  parameter int unsigned DataWidth  = 1,
  parameter int unsigned Partitions = 1,
  parameter int unsigned Ranks      = Width ** Levels / 2 ** $clog2(Partitions),
  parameter bit          Parity     = 1'b0,
  // Only enqueues and dequeues of both ends, one in every cycle, and no second reset. With this
  // restriction a proof reaches further.
  parameter bit          Steady     = 1'b0,
  localparam int unsigned RankWidth      = Ranks > 1 ? $clog2(Ranks) : 1,
  localparam int unsigned PartitionWidth = Partitions > 1 ? $clog2(Partitions) : 1,
  localparam int unsigned CountWidth     = $clog2(Entries + 1),
  localparam int unsigned Latency        = bbq_pkg::latency(Levels, Width, Partitions)
) (
  input logic                      clk_i,
  input logic                      rst_i,
  input logic                      req_valid_i,
  input op_e                       req_op_i,
  input logic [PartitionWidth-1:0] req_partition_i,
  input logic [RankWidth-1:0]      req_rank_i,
  input logic [DataWidth-1:0]      req_data_i
);

  typedef struct packed {
    logic                      valid;
    op_e                       op;
    status_e                   status;
    logic [PartitionWidth-1:0] partition;
    logic [RankWidth-1:0]      rank;
    logic [DataWidth-1:0]      data;
  } answer_t;

  typedef struct packed {
    logic [PartitionWidth-1:0] partition;
    logic [RankWidth-1:0]      rank;
    logic [DataWidth-1:0]      data;
  } element_t;

  localparam int unsigned KeyWidth = PartitionWidth + RankWidth;

  answer_t answer;
  logic    ready, full, empty, wrong;
  logic [CountWidth-1:0] occupancy;

  bbq #(
    .Levels    (Levels),
    .Width     (Width),
    .Entries   (Entries),
    .DataWidth (DataWidth),
    .Partitions(Partitions),
    .Ranks     (Ranks),
    .Parity    (Parity)
  ) dut (
    .clk_i,
    .rst_i,
    .req_valid_i,
    .req_ready_o    (ready),
    .req_op_i,
    .req_partition_i,
    .req_rank_i,
    .req_data_i,
    .rsp_valid_o    (answer.valid),
    .rsp_op_o       (answer.op),
    .rsp_status_o   (answer.status),
    .rsp_partition_o(answer.partition),
    .rsp_rank_o     (answer.rank),
    .rsp_data_o     (answer.data),
    .full_o         (full),
    .empty_o        (empty),
    .occupancy_o    (occupancy),
    .error_o        (wrong)
  );

  // ---- the list: the right effect of each operation ------------------------------------------

  element_t [Entries-1:0] list_q, list;
  logic [CountWidth-1:0]  held_q = '0, held;
  logic                   put, take, look, highest, exists, found;
  logic [CountWidth-1:0]  at;          // where it inserts or removes
  answer_t                expected;

  assign put     = req_op_i == OpEnqueue;
  assign take    = req_op_i == OpDequeueMin || req_op_i == OpDequeueMax;
  assign look    = req_op_i == OpPeekMin || req_op_i == OpPeekMax;
  assign highest = req_op_i == OpDequeueMax || req_op_i == OpPeekMax;
  assign exists  = 32'(req_partition_i) < Partitions && (!put || 32'(req_rank_i) < Ranks);

  always_comb begin
    at    = '0;
    found = 1'b0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (i < 32'(held_q)) begin
        if (put) begin
          // Behind all elements that are not above it.
          if (KeyWidth'({list_q[i].partition, list_q[i].rank}) <= {req_partition_i, req_rank_i})
            at = CountWidth'(i + 1);
        end else if (list_q[i].partition == req_partition_i && (highest || !found)) begin
          at    = CountWidth'(i);
          found = 1'b1;
        end
      end
    end
  end

  always_comb begin
    expected           = '0;
    expected.valid     = req_valid_i && !rst_i;
    expected.op        = req_op_i;
    expected.partition = req_partition_i;
    if (!put && !take && !look)                   expected.status = StatusUnsupported;
    else if (!exists)                             expected.status = StatusOutOfRange;
    else if (put && held_q == CountWidth'(Entries)) expected.status = StatusFull;
    else if (!put && !found)                      expected.status = StatusEmpty;
    else                                          expected.status = StatusDone;
    if (expected.status == StatusDone) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        if (!put && at == CountWidth'(i)) begin
          expected.rank = list_q[i].rank;
          expected.data = list_q[i].data;
        end
      end
      if (put) {expected.rank, expected.data} = {req_rank_i, req_data_i};
    end
  end

  always_comb begin
    list = list_q;
    held = held_q;
    if (expected.valid && expected.status == StatusDone && put) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        if (at == CountWidth'(i)) list[i] = {req_partition_i, req_rank_i, req_data_i};
        if (32'(at) < i) list[i] = list_q[i-1];
      end
      held = held_q + 1'b1;
    end
    if (expected.valid && expected.status == StatusDone && take) begin
      for (int unsigned i = 0; i + 1 < Entries; i++) begin
        if (32'(at) <= i) list[i] = list_q[i+1];
      end
      held = held_q - 1'b1;
    end
  end

  logic    started_q = 1'b0;
  answer_t due_q [1:Latency];

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    list_q    <= list;
    held_q    <= rst_i ? '0 : held;
    due_q[1]  <= expected;
    for (int unsigned c = 2; c <= Latency; c++) begin
      due_q[c]       <= due_q[c-1];
      due_q[c].valid <= due_q[c-1].valid && !rst_i;
    end
  end

  // ---- properties ----------------------------------------------------------------------------

  answer_t due;
  assign due = due_q[Latency];

  always_comb begin
    if (!started_q) assume (rst_i);
    if (Steady && started_q) assume (!rst_i);
    if (Steady) assume (req_valid_i && (put || take));
  end

  always_comb begin
    if (started_q) begin
      assert (ready == !rst_i);
      assert (occupancy == held_q);
      assert (full == (held_q == CountWidth'(Entries)));
      assert (empty == (held_q == '0));
      assert (!wrong);
      assert (answer.valid == (due.valid && !rst_i));
      if (answer.valid) begin
        assert (answer.op == due.op);
        assert (answer.status == due.status);
        assert (answer.rank == due.rank);
        assert (answer.data == due.data);
        assert (answer.partition == due.partition);
      end
    end
  end

  // ---- covers: the proof is not vacuous ------------------------------------------------------

  logic done;
  assign done = started_q && due.valid && due.status == StatusDone;

  always_comb begin
    cover (done && due.op == OpDequeueMin && due.rank != '0);
    cover (done && due.op == OpDequeueMax && due.data != '0);
    cover (done && due.op == OpPeekMax);
    cover (started_q && due.valid && due.status == StatusFull);
    // Two dequeues in a row.
    cover (done && due.op == OpDequeueMin && due_q[Latency-1].valid &&
           due_q[Latency-1].op == OpDequeueMin &&
           due_q[Latency-1].status == StatusDone && due_q[Latency-1].data != due.data);
  end

endmodule
