// Drives bbq_front at full rate for many system cycles per call of its test.
//
// `requests_i` has a word for each of `Cycles` system cycles, and `answers_o` as many. A
// word of answers has the ports in two cycles. In the cycle of dequeues they have the
// answer to the enqueue of the system cycle before, and the state after it. In the cycle
// of enqueues they have the answer to the dequeue. The test writes requests, waits until
// `done_o` changes, and reads. The clock never stops in between.
module flat_front
  import forebay_queue_pkg::*;
#(
  parameter int unsigned Cycles    = 512,
  parameter int unsigned Levels    = 3,
  parameter int unsigned Width     = 8,
  parameter int unsigned Entries   = 511,
  parameter int unsigned DataWidth = 24,
  localparam int unsigned RankWidth  = Levels * $clog2(Width),
  localparam int unsigned CountWidth = $clog2(Entries + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic [Cycles*64-1:0] requests_i,
  output logic [Cycles*64-1:0] answers_o,
  output logic                 done_o
);

  typedef struct packed {
    logic [21:0] unused;
    logic        dequeue;
    logic        enqueue;
    logic [23:0] data;
    logic [15:0] rank;
  } request_t;

  // In the cycle of dequeues.
  typedef struct packed {
    logic [10:0] occupancy;
    logic        error;
    logic        empty;
    logic        full;
    logic        valid;
    logic [1:0]  status;
  } first_t;

  // In the cycle of enqueues.
  typedef struct packed {
    logic        error;
    logic        valid;
    logic [1:0]  status;
    logic [23:0] data;
    logic [15:0] rank;
  } second_t;

  typedef struct packed {
    logic [2:0] unused;
    first_t     first;
    second_t    second;
  } answer_t;

  localparam int unsigned IndexWidth = $clog2(Cycles);

  logic [IndexWidth-1:0] cycle_q;
  logic                  done_q = 1'b0;
  request_t              request;

  logic                  enq_ready, deq_ready, enq_valid, deq_valid, full, empty, error;
  status_e               enq_status, deq_status;
  logic [RankWidth-1:0]  rank;
  logic [DataWidth-1:0]  data;
  logic [CountWidth-1:0] occupancy;

  assign request = requests_i[32'(cycle_q)*64+:64];
  assign done_o  = done_q;

  bbq_front #(
    .Levels   (Levels),
    .Width    (Width),
    .Entries  (Entries),
    .DataWidth(DataWidth)
  ) i_front (
    .clk_i,
    .rst_i,
    .enq_valid_i     (request.enqueue),
    .enq_ready_o     (enq_ready),
    .enq_rank_i      (RankWidth'(request.rank)),
    .enq_data_i      (DataWidth'(request.data)),
    .enq_rsp_valid_o (enq_valid),
    .enq_rsp_status_o(enq_status),
    .deq_valid_i     (request.dequeue),
    .deq_peek_i      (1'b0),
    .deq_ready_o     (deq_ready),
    .deq_rsp_valid_o (deq_valid),
    .deq_rsp_status_o(deq_status),
    .deq_rsp_rank_o  (rank),
    .deq_rsp_data_o  (data),
    .full_o          (full),
    .empty_o         (empty),
    .occupancy_o     (occupancy),
    .error_o         (error)
  );

  first_t  first_q;
  second_t second;

  assign second = deq_valid
      ? {error, 1'b1, 2'(deq_status), 24'(data), 16'(rank)} : {error, 43'b0};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      cycle_q <= '0;
    end else if (deq_ready) begin
      first_q <= {11'(occupancy), error, empty, full, enq_valid,
                  enq_valid ? 2'(enq_status) : 2'b0};
    end else if (enq_ready) begin
      cycle_q <= 32'(cycle_q) == Cycles - 1 ? '0 : cycle_q + 1'b1;
      if (32'(cycle_q) == Cycles - 1) done_q <= !done_q;
    end
  end

  // Blocking, since a copy of so wide a vector in each cycle would take most of the time.
  // Only the test reads it.
  always @(posedge clk_i) begin
    if (enq_ready) answers_o[32'(cycle_q)*64+:64] = answer_t'({3'b0, first_q, second});
  end

endmodule
