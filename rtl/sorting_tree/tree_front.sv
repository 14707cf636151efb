// The ports of a tree queue: decides every operation's status, and sends the tree only
// pushes and pops that will succeed.
//
// An operation accepted in cycle a is in a register in cycle a + 1, where the tree
// executes it. lowest_key_i and lowest_data_i are then the lowest of the tree, and are
// undefined if it is empty. Occupancy is counted on acceptance, so `full` and `empty`
// never depend on operations in flight in the tree.
//
// Pace, which depends on the operations before and never on the offered one:
// - default: a pop takes two cycles, everything else one. Answer in a + 2.
// - EveryOther: everything takes two cycles. Answer in a + 2.
// - HoldPops: everything takes one cycle, except that the second of two pops in
//   consecutive cycles waits for one cycle in the register. Answer in a + 3, with or
//   without that wait.
//
// With StampWidth > 0 each key is its rank and the number of pushes before it.
module tree_front
  import forebay_queue_pkg::*;
#(
  parameter int unsigned Entries    = 84,
  parameter int unsigned RankWidth  = 8,
  parameter int unsigned StampWidth = 0,
  parameter int unsigned DataWidth  = 8,
  parameter bit          EveryOther = 1'b0,
  parameter bit          HoldPops   = 1'b0,
  localparam int unsigned KeyWidth       = RankWidth + StampWidth,
  localparam int unsigned OccupancyWidth = $clog2(Entries + 1)
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic                      req_valid_i,
  output logic                      req_ready_o,
  input  op_e                       req_op_i,
  input  logic                      req_partition_i,
  input  logic [RankWidth-1:0]      req_rank_i,
  input  logic [DataWidth-1:0]      req_data_i,
  output logic                      rsp_valid_o,
  output op_e                       rsp_op_o,
  output logic                      rsp_partition_o,
  output status_e                   rsp_status_o,
  output logic [RankWidth-1:0]      rsp_rank_o,
  output logic [DataWidth-1:0]      rsp_data_o,
  output logic                      full_o,
  output logic                      empty_o,
  output logic [OccupancyWidth-1:0] occupancy_o,
  // To and from the tree.
  output logic                      push_o,
  output logic                      pop_o,
  output logic [KeyWidth-1:0]       key_o,
  output logic [DataWidth-1:0]      data_o,
  input  logic [RankWidth-1:0]      lowest_rank_i,
  input  logic [DataWidth-1:0]      lowest_data_i
);

  typedef struct packed {
    op_e                  op;
    logic                 partition;
    status_e              status;
    logic [RankWidth-1:0] rank;
    logic [DataWidth-1:0] data;
  } operation_t;

  // Acceptance.
  logic    accept, push, pop;
  status_e status;

  assign accept = req_valid_i && req_ready_o;
  assign push   = accept && req_op_i == OpEnqueue && status == StatusDone;
  assign pop    = accept && req_op_i == OpDequeueMin && status == StatusDone;

  always_comb begin
    status = StatusDone;
    unique case (req_op_i)
      OpEnqueue: if (full_o) status = StatusFull;
      OpDequeueMin, OpPeekMin: if (empty_o) status = StatusEmpty;
      default: status = StatusUnsupported;
    endcase
    if (req_partition_i && status != StatusUnsupported) status = StatusOutOfRange;
  end

  occupancy_counter #(
    .Entries(Entries)
  ) u_occupancy (
    .clk_i,
    .rst_i,
    .put_i (push),
    .take_i(pop),
    .full_o,
    .empty_o,
    .occupancy_o
  );

  // The register in front of the tree.
  logic       valid_q, push_q, pop_q, issue;
  operation_t operation_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= 1'b0;
      push_q  <= 1'b0;
      pop_q   <= 1'b0;
    end else if (accept || issue) begin
      valid_q <= accept;
      push_q  <= push;
      pop_q   <= pop;
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      operation_q <= '{
        op: req_op_i,
        partition: req_partition_i,
        status: status,
        rank: req_rank_i,
        data: req_data_i
      };
    end
  end

  assign push_o = push_q && issue;
  assign pop_o  = pop_q && issue;
  assign data_o = operation_q.data;

  if (StampWidth == 0) begin : gen_rank
    assign key_o = operation_q.rank;
  end else begin : gen_stamp
    logic [StampWidth-1:0] stamp_q;
    always_ff @(posedge clk_i) begin
      if (rst_i) stamp_q <= '0;
      else if (push_o) stamp_q <= stamp_q + 1'b1;
    end
    assign key_o = {operation_q.rank, stamp_q};
  end

  // The answer.
  operation_t answer, rsp_q;
  logic       rsp_valid_q;

  always_comb begin
    answer = operation_q;
    if (operation_q.status != StatusDone) begin
      answer.rank = '0;
      answer.data = '0;
    end else if (operation_q.op != OpEnqueue) begin
      answer.rank = lowest_rank_i;
      answer.data = lowest_data_i;
    end
  end

  if (HoldPops) begin : gen_hold
    // An operation that did not wait in front of the tree waits behind it.
    logic       popped_q, held, waited_q, early_valid_q;
    operation_t early_q;

    assign held        = pop_q && popped_q;
    assign issue       = valid_q && !held;
    assign req_ready_o = !rst_i && !held;

    always_ff @(posedge clk_i) begin
      popped_q <= !rst_i && pop_o;
      waited_q <= !rst_i && held;
      early_valid_q <= !rst_i && issue && !waited_q;
      early_q <= answer;
      rsp_valid_q <= !rst_i && ((issue && waited_q) || early_valid_q);
      rsp_q <= waited_q ? answer : early_q;
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (!rst_i) assert (!(waited_q && (early_valid_q || !issue)));
    end
`endif
  end else begin : gen_pace
    assign issue       = valid_q;
    assign req_ready_o = !rst_i && !(EveryOther ? valid_q : pop_q);

    always_ff @(posedge clk_i) begin
      rsp_valid_q <= !rst_i && issue;
      rsp_q <= answer;
    end
  end

  assign rsp_valid_o     = rsp_valid_q && !rst_i;
  assign rsp_op_o        = rsp_q.op;
  assign rsp_partition_o = rsp_q.partition;
  assign rsp_status_o    = rsp_q.status;
  assign rsp_rank_o      = rsp_q.rank;
  assign rsp_data_o      = rsp_q.data;

endmodule
