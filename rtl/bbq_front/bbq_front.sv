// A BBQ without latency: a small PIFO in front of it holds the best elements, so that a
// dequeue is answered at once and sees every element that was put in before.
//
// Throughput: one enqueue and one dequeue in each system cycle of two clock cycles, the
// dequeue in the first (deq_ready_o), the enqueue in the second (enq_ready_o). Latency:
// each is answered in the next clock cycle. Operations take effect in order of
// acceptance, and every dequeue takes the lowest rank in the queue.
//
// How it works: an arrival goes into the PIFO; what overflows there, highest rank first,
// goes into the BBQ. A dequeue takes the best of the PIFO and asks the BBQ for its best,
// which comes into the PIFO a fixed time later and may overflow in turn. The BBQ has one
// operation in each clock cycle: in the first the request of a dequeue, or what overflows
// when a refill comes and nothing is dequeued; in the second what an arrival pushes out.
//
// Why the PIFO never lacks the best element: README.md. FrontEntries elements are as many
// as system cycles pass from a request to the use of its answer; with one fewer, a burst
// of dequeues finds the PIFO empty.
//
// Equal ranks: elements that wait in the BBQ and come back may have been passed by later
// arrivals of the same rank. StampWidth > 0 takes that many bits of the BBQ's rank for the
// number of the arrival, counted from the last time the queue was empty: while
// fifo_o = 1, equal ranks leave exactly in order of arrival.
//
// Source: BBQ (NSDI 2024), section 5 and appendix C. What is different: the PIFO is
// smaller by one, because a refill can be dequeued in the cycle in which it comes; the
// BBQ has room only for what the PIFO does not hold.
module bbq_front
  import forebay_queue_pkg::*;
#(
  parameter int unsigned Levels       = 2,
  parameter int unsigned Width        = 8,
  parameter int unsigned Entries      = 127,  // of the PIFO and the BBQ together
  parameter int unsigned DataWidth    = 17,
  parameter int unsigned StampWidth   = 0,
  parameter int unsigned FrontEntries =
      bbq_front_pkg::front_entries(bbq_pkg::latency(Levels, Width, 1)),
  parameter bit          Parity       = 1'b0,
  localparam int unsigned RankWidth   = Levels * $clog2(Width) - StampWidth,
  localparam int unsigned CountWidth  = $clog2(Entries + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic                  enq_valid_i,
  output logic                  enq_ready_o,
  input  logic [RankWidth-1:0]  enq_rank_i,
  input  logic [DataWidth-1:0]  enq_data_i,
  output logic                  enq_rsp_valid_o,
  output status_e               enq_rsp_status_o,
  input  logic                  deq_valid_i,
  output logic                  deq_ready_o,
  output logic                  deq_rsp_valid_o,
  output status_e               deq_rsp_status_o,
  output logic [RankWidth-1:0]  deq_rsp_rank_o,
  output logic [DataWidth-1:0]  deq_rsp_data_o,
  output logic                  full_o,
  output logic                  empty_o,
  output logic [CountWidth-1:0] occupancy_o,
  output logic                  fifo_o,
  output logic                  error_o
);

  localparam int unsigned KeyWidth   = RankWidth + StampWidth;
  localparam int unsigned BbqEntries = Entries - FrontEntries;
  localparam int unsigned Latency    = bbq_pkg::latency(Levels, Width, 1);

  if (Latency % bbq_front_pkg::Phases == 0) begin : gen_latency
    $error("bbq_front: refills must come in the cycles of dequeues");
  end
`ifndef FOREBAY_FRONT_ANY_SIZE
  if (FrontEntries < bbq_front_pkg::front_entries(Latency)) begin : gen_front
    $error("bbq_front: FrontEntries is too few for this latency");
  end
`endif
  if (Entries < FrontEntries + 2) begin : gen_entries
    $error("bbq_front: Entries must be FrontEntries + 2 or more");
  end
  if (StampWidth >= Levels * $clog2(Width)) begin : gen_stamps
    $error("bbq_front: StampWidth leaves no rank");
  end

  // ---- acceptance -------------------------------------------------------------------------

  logic                  enqueues_q;   // this cycle is for enqueues
  logic                  arrive, put, leave, take;
  logic [CountWidth-1:0] occupancy_q, occupancy_d;
  logic                  full_q, empty_q;

  assign deq_ready_o = !enqueues_q && !rst_i;
  assign enq_ready_o = enqueues_q && !rst_i;
  assign leave       = deq_valid_i && deq_ready_o;
  assign arrive      = enq_valid_i && enq_ready_o;
  assign take        = leave && !empty_q;
  assign put         = arrive && !full_q;
  assign occupancy_d = occupancy_q + CountWidth'(put) - CountWidth'(take);

  always_ff @(posedge clk_i) begin
    enqueues_q  <= !enqueues_q;
    occupancy_q <= occupancy_d;
    full_q      <= occupancy_d == CountWidth'(Entries);
    empty_q     <= occupancy_d == '0;
    if (rst_i) begin
      enqueues_q  <= 1'b0;
      occupancy_q <= '0;
      full_q      <= 1'b0;
      empty_q     <= 1'b1;
    end
  end

  assign full_o      = full_q;
  assign empty_o     = empty_q;
  assign occupancy_o = occupancy_q;

  logic [KeyWidth-1:0] arrival_key;

  if (StampWidth > 0) begin : gen_stamp
    logic [StampWidth-1:0] stamp;
    bbq_front_stamp #(.StampWidth(StampWidth)) i_stamp (
      .clk_i,
      .rst_i,
      .empty_i (empty_q),
      .put_i   (put),
      .stamp_o (stamp),
      .unique_o(fifo_o)
    );
    assign arrival_key = {enq_rank_i, stamp};
  end else begin : gen_no_stamp
    assign fifo_o      = 1'b0;
    assign arrival_key = enq_rank_i;
  end

  // ---- the PIFO ---------------------------------------------------------------------------

  logic                 refill_valid, direct, first_valid, spill_valid;
  logic [KeyWidth-1:0]  refill_key, first_key, spill_key;
  logic [DataWidth-1:0] refill_data, first_data, spill_data;

  logic                 pifo_full;
  logic [KeyWidth-1:0]  answer_key;
  logic [DataWidth-1:0] answer_data;

  // A refill that is the best of all is dequeued without entering the PIFO.
  assign direct = take && refill_valid && (!first_valid || refill_key <= first_key);

  pifo_array #(
    .Entries  (FrontEntries),
    .KeyWidth (KeyWidth),
    .DataWidth(DataWidth)
  ) i_pifo (
    .clk_i,
    .rst_i,
    .insert_i     (put || (refill_valid && !direct)),
    .remove_i     (take && !direct),
    .extract_i    (1'b0),
    .look_i       (1'b0),
    .before_i     (!enqueues_q),   // a refill is more often the older one of equals
    .key_i        (enqueues_q ? arrival_key : refill_key),
    .data_i       (enqueues_q ? enq_data_i : refill_data),
    .first_valid_o(first_valid),
    .first_key_o  (first_key),
    .first_data_o (first_data),
    .full_o       (pifo_full),
    .evict_valid_o(spill_valid),
    .evict_key_o  (spill_key),
    .evict_data_o (spill_data),
    .answer_key_o (answer_key),
    .answer_data_o(answer_data)
  );

  // ---- answers ----------------------------------------------------------------------------

  logic                 enq_answer_q, deq_answer_q, enq_full_q, deq_done_q;
  logic [RankWidth-1:0] rank_q;
  logic [DataWidth-1:0] data_q;

  always_ff @(posedge clk_i) begin
    enq_answer_q <= arrive;
    enq_full_q   <= full_q;
    deq_answer_q <= leave;
    deq_done_q   <= take;
    rank_q       <= RankWidth'((direct ? refill_key : first_key) >> StampWidth);
    data_q       <= direct ? refill_data : first_data;
    if (!take) begin
      rank_q <= '0;
      data_q <= '0;
    end
  end

  assign enq_rsp_valid_o  = enq_answer_q;
  assign enq_rsp_status_o = enq_full_q ? StatusFull : StatusDone;
  assign deq_rsp_valid_o  = deq_answer_q;
  assign deq_rsp_status_o = deq_done_q ? StatusDone : StatusEmpty;
  assign deq_rsp_rank_o   = rank_q;
  assign deq_rsp_data_o   = data_q;

  // ---- the BBQ ----------------------------------------------------------------------------

  logic                 ask_q, spill_q;
  logic [KeyWidth-1:0]  spill_key_q;
  logic [DataWidth-1:0] spill_data_q;

  always_ff @(posedge clk_i) begin
    ask_q        <= take;
    spill_q      <= spill_valid && !rst_i;
    spill_key_q  <= spill_key;
    spill_data_q <= spill_data;
  end

  logic                              bbq_ready, rsp_valid, rsp_partition, bbq_full, bbq_empty;
  op_e                               rsp_op;
  status_e                           rsp_status;
  logic [$clog2(BbqEntries + 1)-1:0] bbq_occupancy;

  bbq #(
    .Levels   (Levels),
    .Width    (Width),
    .Entries  (BbqEntries),
    .DataWidth(DataWidth),
    .Parity   (Parity)
  ) i_bbq (
    .clk_i,
    .rst_i,
    .req_valid_i    (ask_q || spill_q),
    .req_ready_o    (bbq_ready),
    .req_op_i       (ask_q ? OpDequeueMin : OpEnqueue),
    .req_partition_i(1'b0),
    .req_rank_i     (spill_key_q),
    .req_data_i     (spill_data_q),
    .rsp_valid_o    (rsp_valid),
    .rsp_op_o       (rsp_op),
    .rsp_status_o   (rsp_status),
    .rsp_partition_o(rsp_partition),
    .rsp_rank_o     (refill_key),
    .rsp_data_o     (refill_data),
    .full_o         (bbq_full),
    .empty_o        (bbq_empty),
    .occupancy_o    (bbq_occupancy),
    .error_o
  );

  assign refill_valid = rsp_valid && rsp_op == OpDequeueMin && rsp_status == StatusDone;

  logic unused;
  assign unused = &{1'b0, pifo_full, answer_key, answer_data, bbq_ready, rsp_partition, bbq_full, bbq_empty, bbq_occupancy};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (!(take && !first_valid && !refill_valid)) else $error("the best element is late");
      assert (!(refill_valid && enqueues_q)) else $error("a refill in the cycle of an arrival");
      assert (!(ask_q && spill_q)) else $error("two operations for the BBQ");
      assert (!(spill_q && bbq_full)) else $error("the BBQ has no room for what overflows");
    end
  end
`endif

endmodule
