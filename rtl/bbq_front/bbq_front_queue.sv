// A BBQ without latency behind the ports of every queue, one operation at a time. For users that
// must see the next element before they decide.
//
// Semantics: those of every queue (../README.md), at the lowest end. Throughput: an operation every
// two cycles, accepted in the cycles of dequeues. Latency: 2 cycles.
//
// Source: bbq_front.sv, BBQ (NSDI 2024), section 5 and appendix C. A dequeue or a peek passes in
// the cycle of its acceptance, an enqueue in the next one. The answer of a dequeue or peek is held
// for a cycle, so all answers have the same latency and keep their order.
//
// Limits: the lowest end only, one partition, and the limits of bbq_front.
module bbq_front_queue
  import forebay_queue_pkg::*;
#(
  parameter int unsigned Levels     = 2,
  parameter int unsigned Width      = 8,
  parameter int unsigned Entries    = 127,
  parameter int unsigned DataWidth  = 17,
  parameter int unsigned Partitions = 1,
  parameter bit          Parity     = 1'b0,
  // Width on the ports; at most as many bits as the tree has.
  parameter int unsigned RankWidth  = Levels * $clog2(Width),
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

  localparam int unsigned TreeWidth = Levels * $clog2(Width);

  if (Partitions != 1) begin : gen_no_partitions
    $error("bbq_front_queue has no partitions");
  end
  if (RankWidth > TreeWidth) begin : gen_no_rank
    $error("bbq_front_queue: RankWidth is more than the bits of the tree");
  end

  // ---- acceptance -------------------------------------------------------------------------

  typedef struct packed {
    op_e                       op;
    logic [PartitionWidth-1:0] partition_index;
    status_e                   refusal;           // StatusDone: the queue behind answers
    logic [RankWidth-1:0]      rank;
    logic [DataWidth-1:0]      data;
  } request_t;

  logic     accepted, granted, enqueue, serve, deq_ready;
  request_t request, request_q;

  assign req_ready_o = deq_ready;
  assign accepted    = req_valid_i && req_ready_o;
  assign enqueue     = req_op_i == OpEnqueue;
  assign serve       = req_op_i inside {OpDequeueMin, OpPeekMin};
  assign granted     = accepted && request.refusal == StatusDone;

  always_comb begin
    request = '{
      op: req_op_i, partition_index: req_partition_i, refusal: StatusDone, rank: req_rank_i,
      data: req_data_i
    };
    if (req_partition_i != '0) request.refusal = StatusOutOfRange;
    if (!(enqueue || serve)) request.refusal = StatusUnsupported;
  end

  // As of acceptance: an operation that is accepted and not yet in the queue behind counts.
  occupancy_counter #(
    .Entries(Entries)
  ) i_occupancy (
    .clk_i,
    .rst_i,
    .put_i (granted && enqueue && !full_o),
    .take_i(granted && req_op_i == OpDequeueMin && !empty_o),
    .full_o,
    .empty_o,
    .occupancy_o
  );

  // ---- the queue behind -------------------------------------------------------------------

  logic                  put_q, enq_done, deq_done;
  status_e               enq_status, deq_status;
  logic [TreeWidth-1:0]  deq_rank;
  logic [DataWidth-1:0]  deq_data;
  logic                  enq_ready, front_full, front_empty;
  logic [CountWidth-1:0] front_occupancy;

  always_ff @(posedge clk_i) begin
    put_q     <= granted && enqueue;
    request_q <= request;
  end

  bbq_front #(
    .Levels   (Levels),
    .Width    (Width),
    .Entries  (Entries),
    .DataWidth(DataWidth),
    .Parity   (Parity)
  ) i_front (
    .clk_i,
    .rst_i,
    .enq_valid_i     (put_q),
    .enq_ready_o     (enq_ready),
    .enq_rank_i      (TreeWidth'(request_q.rank)),
    .enq_data_i      (request_q.data),
    .enq_rsp_valid_o (enq_done),
    .enq_rsp_status_o(enq_status),
    .deq_valid_i     (req_valid_i && serve && req_partition_i == '0),
    .deq_peek_i      (req_op_i == OpPeekMin),
    .deq_ready_o     (deq_ready),
    .deq_rsp_valid_o (deq_done),
    .deq_rsp_status_o(deq_status),
    .deq_rsp_rank_o  (deq_rank),
    .deq_rsp_data_o  (deq_data),
    .full_o          (front_full),
    .empty_o         (front_empty),
    .occupancy_o     (front_occupancy),
    .error_o
  );

  // ---- answers ----------------------------------------------------------------------------

  // A dequeue is answered in the cycle in which an enqueue would enter.
  request_t answer_q;
  logic     accepted_q, answers_q, done;

  always_ff @(posedge clk_i) begin
    accepted_q <= accepted;
    answers_q  <= accepted_q && !rst_i;
    answer_q   <= request_q;
    if (deq_done) begin
      answer_q.refusal <= deq_status;
      answer_q.rank    <= RankWidth'(deq_rank);
      answer_q.data    <= deq_data;
    end
  end

  assign rsp_valid_o     = answers_q && !rst_i;
  assign rsp_op_o        = answer_q.op;
  assign rsp_partition_o = answer_q.partition_index;
  assign rsp_status_o    = enq_done ? enq_status : answer_q.refusal;
  assign done            = rsp_status_o == StatusDone;
  assign rsp_rank_o      = done ? answer_q.rank : '0;
  assign rsp_data_o      = done ? answer_q.data : '0;

  logic unused;
  assign unused = &{1'b0, deq_rank, enq_ready, front_full, front_empty, front_occupancy};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (!(put_q && !enq_ready)) else $error("an enqueue in a cycle of dequeues");
      assert (!(deq_ready && occupancy_o != front_occupancy)) else $error("the counts differ");
    end
  end
`endif

endmodule
