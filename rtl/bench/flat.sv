// Drives one queue for many clock cycles per call of the bench.
//
// `requests_i` has `Cycles` request words and `answers_o` as many answer words, both in
// the layout of words.py. The bench writes requests, lets `Cycles` clock cycles pass
// until `done_o` changes, and reads the ports of each cycle. In every cycle the next
// request word is on the ports. That cycle consumes the word, unless the queue should
// have accepted it and was not ready. The clock never stops in between, so the queue sees
// one uninterrupted stream of cycles.
//
// Macros choose the queue: QUEUE (its module), QUEUE_PARAMETERS (`.Name(value)` separated
// by commas), QUEUE_PORTS (its ports beside those of every queue).
module flat
  import forebay_queue_pkg::*;
#(
  parameter int unsigned Cycles = 512,
  parameter int unsigned Entries = 16,
  parameter int unsigned PartitionWidth = 1,
  parameter int unsigned RankWidth = 8,
  parameter int unsigned DataWidth = 16,
  localparam int unsigned OccupancyWidth = $clog2(Entries + 1)
) (
  input  logic                  clk_i /* verilator public_flat_rw */,
  input  logic [Cycles*128-1:0] requests_i /* verilator public_flat_rw */,
  output logic [Cycles*128-1:0] answers_o /* verilator public_flat_rd */,
  output logic                  done_o /* verilator public_flat_rd */
);

  typedef struct packed {
    logic [31:0] req_time;
    logic [31:0] data;
    logic [10:0] unused;
    logic        rst;
    logic        valid;
    logic [2:0]  op;
    logic [15:0] partition;
    logic [31:0] rank;
  } request_t;

  typedef struct packed {
    logic [31:0] occupancy;
    logic [31:0] data;
    logic [4:0]  unused;
    logic        ready;
    logic        error;
    logic        empty;
    logic        full;
    logic        valid;
    logic [2:0]  status;
    logic [2:0]  op;
    logic [15:0] partition;
    logic [31:0] rank;
  } answer_t;

  localparam int unsigned IndexWidth = $clog2(Cycles);

  logic [IndexWidth-1:0] cycle_q = '0;
  logic [IndexWidth-1:0] next_q = '0;
  logic                  done_q = 1'b0;

  request_t request;
  answer_t  answer;

  logic                      ready, rsp_valid, full, empty, error;
  op_e                       rsp_op;
  status_e                   rsp_status;
  logic [PartitionWidth-1:0] rsp_partition;
  logic [RankWidth-1:0]      rsp_rank;
  logic [DataWidth-1:0]      rsp_data;
  logic [OccupancyWidth-1:0] occupancy;

  assign request = requests_i[32'(next_q)*128+:128];
  assign done_o  = done_q;

  `QUEUE #(
    `QUEUE_PARAMETERS
  ) i_queue (
    .clk_i,
    .rst_i          (request.rst),
    .req_valid_i    (request.valid),
    .req_ready_o    (ready),
    .req_op_i       (op_e'(request.op)),
    .req_partition_i(PartitionWidth'(request.partition)),
    .req_rank_i     (RankWidth'(request.rank)),
    .req_data_i     (DataWidth'(request.data)),
    .rsp_valid_o    (rsp_valid),
    .rsp_op_o       (rsp_op),
    .rsp_partition_o(rsp_partition),
    .rsp_status_o   (rsp_status),
    .rsp_rank_o     (rsp_rank),
    .rsp_data_o     (rsp_data),
    .full_o         (full),
    .empty_o        (empty),
    .occupancy_o    (occupancy),
    .error_o        (error)
    `QUEUE_PORTS
  );

  // Values beside an answer that is not valid are undefined, and not compared.
  always_comb begin
    answer = '0;
    if (rsp_valid) begin
      answer.valid     = 1'b1;
      answer.op        = rsp_op;
      answer.status    = rsp_status;
      answer.partition = 16'(rsp_partition);
      answer.rank      = 32'(rsp_rank);
      answer.data      = 32'(rsp_data);
    end
    answer.ready     = ready;
    answer.full      = full;
    answer.empty     = empty;
    answer.error     = error;
    answer.occupancy = 32'(occupancy);
  end

  // Blocking, since a copy of so wide a vector in each cycle would take most of the time.
  // Only the bench reads it.
  always @(posedge clk_i) answers_o[32'(cycle_q)*128+:128] = answer;

  always_ff @(posedge clk_i) begin
    if (32'(cycle_q) == Cycles - 1) begin
      cycle_q <= '0;
      next_q  <= '0;
      done_q  <= !done_q;
    end else begin
      cycle_q <= cycle_q + 1'b1;
      if (request.rst || !request.valid || ready) next_q <= next_q + 1'b1;
    end
  end

endmodule
