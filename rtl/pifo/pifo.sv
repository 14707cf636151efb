// PIFO: a priority queue as one sorted array of registers.
//
// Source: Sivaraman et al., Programmable Packet Scheduling at Line Rate, SIGCOMM'16, as
// described in BBQ (NSDI'24), sections 2 and 6. The array is sorted by partition, then by
// rank. So the comparators that find the position of an insertion also find the ends of a
// logical PIFO, without a priority encoder over the whole array.
//
// One operation per cycle. An operation that is accepted in cycle t is compared with all
// cells in t + 1, moves them in t + 2, and is answered in cycle t + 4.
//
// Limits: area is linear in `Entries`, and the clock rate falls with it. There is no
// memory and no parity, so error_o is always 0. Every rank of `RankWidth` bits exists.
module pifo
  import forebay_queue_pkg::*;
#(
  parameter int unsigned Entries    = 64,
  parameter int unsigned RankWidth  = 9,
  parameter int unsigned DataWidth  = 17,
  parameter int unsigned Partitions = 1,
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
  output logic [PartitionWidth-1:0] rsp_partition_o,
  output status_e                   rsp_status_o,
  output logic [RankWidth-1:0]      rsp_rank_o,
  output logic [DataWidth-1:0]      rsp_data_o,
  output logic                      full_o,
  output logic                      empty_o,
  output logic [CountWidth-1:0]     occupancy_o,
  output logic                      error_o
);

  // Cycles from acceptance to answer.
  localparam int unsigned Latency  = 4;
  localparam int unsigned KeyWidth = RankWidth + (Partitions > 1 ? PartitionWidth : 0);

  typedef struct packed {
    op_e                       op;
    logic [PartitionWidth-1:0] partition_index;
    status_e                   status;
  } heading_t;

  logic accepted, enqueue, dequeue, peek, at_min, in_range, nothing, done;
  assign req_ready_o = !rst_i;
  assign accepted    = req_valid_i && req_ready_o;
  assign enqueue     = req_op_i == OpEnqueue;
  assign dequeue     = req_op_i inside {OpDequeueMin, OpDequeueMax};
  assign peek        = req_op_i inside {OpPeekMin, OpPeekMax};
  assign at_min      = req_op_i inside {OpDequeueMin, OpPeekMin};

  // Operations are granted on arrival, by counts that are ahead of the array.
  status_e status;

  always_comb begin
    status = StatusDone;
    if (enqueue && full_o) status = StatusFull;
    if (!enqueue && nothing) status = StatusEmpty;
    if (!in_range) status = StatusOutOfRange;
    if (!(enqueue || dequeue || peek)) status = StatusUnsupported;
  end
  assign done = accepted && status == StatusDone;

  occupancy_counter #(
    .Entries(Entries)
  ) u_occupancy (
    .clk_i,
    .rst_i,
    .put_i (done && enqueue),
    .take_i(done && dequeue),
    .full_o,
    .empty_o,
    .occupancy_o
  );

  if (Partitions > 1) begin : gen_partitions
    logic [CountWidth-1:0] count_q [Partitions];
    logic [CountWidth-1:0] count_d;

    always_comb begin
      in_range = 1'b0;
      count_d  = '0;
      for (int unsigned p = 0; p < Partitions; p++) begin
        if (req_partition_i == PartitionWidth'(p)) begin
          in_range = 1'b1;
          count_d |= count_q[p];
        end
      end
      nothing = count_d == '0;
      if (enqueue) count_d = count_d + 1'b1;
      if (dequeue) count_d = count_d - 1'b1;
    end

    always_ff @(posedge clk_i) begin
      for (int unsigned p = 0; p < Partitions; p++) begin
        if (done && req_partition_i == PartitionWidth'(p)) count_q[p] <= count_d;
        if (rst_i) count_q[p] <= '0;
      end
    end
  end else begin : gen_whole
    assign in_range = req_partition_i == '0;
    assign nothing  = empty_o;
  end

  // The first stage: the action of the array.
  logic                 insert_q, extract_q, look_q, before_q;
  logic [RankWidth-1:0] rank_q;
  logic [KeyWidth-1:0]  key;
  logic [DataWidth-1:0] data_q;
  heading_t             heading_q [Latency];
  logic [Latency-1:0]   valid_q;

  always_ff @(posedge clk_i) begin
    insert_q  <= done && enqueue;
    extract_q <= done && dequeue;
    look_q    <= done && peek;
    before_q  <= at_min;
    rank_q    <= enqueue ? req_rank_i : at_min ? '0 : '1;
    data_q    <= req_data_i;
    heading_q[0] <= {req_op_i, req_partition_i, status};
    for (int unsigned i = 1; i < Latency; i++) heading_q[i] <= heading_q[i-1];
    valid_q <= {valid_q[Latency-2:0], accepted};
    if (rst_i) begin
      insert_q  <= 1'b0;
      extract_q <= 1'b0;
      look_q    <= 1'b0;
      valid_q   <= '0;
    end
  end

  if (Partitions > 1) begin : gen_key
    assign key = {heading_q[0].partition_index, rank_q};
  end else begin : gen_rank
    assign key = rank_q;
  end

  logic [KeyWidth-1:0] answer_key;

  pifo_array #(
    .Entries(Entries),
    .KeyWidth(KeyWidth),
    .DataWidth(DataWidth)
  ) u_array (
    .clk_i,
    .rst_i,
    .insert_i(insert_q),
    .extract_i(extract_q),
    .look_i(look_q),
    .before_i(before_q),
    .key_i(key),
    .data_i(data_q),
    .answer_key_o(answer_key),
    .answer_data_o(rsp_data_o)
  );

  // The upper part of the key is the partition, which is known here.
  logic unused;
  assign unused = ^answer_key;

  assign rsp_valid_o     = valid_q[Latency-1] && !rst_i;
  assign rsp_op_o        = heading_q[Latency-1].op;
  assign rsp_partition_o = heading_q[Latency-1].partition_index;
  assign rsp_status_o    = heading_q[Latency-1].status;
  assign rsp_rank_o      = answer_key[RankWidth-1:0];

  assign error_o     = 1'b0;

endmodule
