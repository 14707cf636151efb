// A BBQ without latency: a small PIFO in front of it holds the lowest ranks. So a dequeue is
// answered at once and sees every element that was enqueued before.
//
// Semantics: exactly those of an ideal queue. Every dequeue takes the lowest rank in the queue, the
// earliest arrival among equals. Operations take effect in order of acceptance. Throughput: one
// enqueue and one dequeue in each system cycle of two clock cycles: the dequeue in the first
// (deq_ready_o), the enqueue in the second (enq_ready_o). Latency: each is answered in the next
// clock cycle. A dequeue may be a peek, which removes no element.
//
// How it works: the PIFO and the BBQ sort tokens, not elements. Each rank with elements has one
// token; the elements of a rank are a list in order of arrival. An arrival is appended to the list
// of its rank, or starts a list with a token, which enters the PIFO. If the PIFO overflows, the
// token with the highest rank moves to the BBQ. A dequeue takes the first element of the PIFO's
// first token. With the last element of a rank its token is removed, and the BBQ is asked for its
// best token. That token enters the PIFO a fixed time later, and may make it overflow again.
//
// Why tokens: elements that overflow, return and overflow again would get behind later arrivals of
// the same rank. A token can't, since no rank has two.
//
// README.md says why the PIFO never lacks the best token. FrontEntries tokens are as many as the
// system cycles from a request to the use of its answer. With one token fewer, a burst of dequeues
// finds the PIFO empty.
//
// Source: BBQ (NSDI 2024), section 5 and appendix C, where elements are sorted.
//
// Limits: each rank has a bit and two slot numbers that are read in the same cycle
// (bbq_front_lists.sv), so it suits at most some thousand ranks.
module bbq_front
  import forebay_queue_pkg::*;
#(
  parameter int unsigned Levels       = 2,
  parameter int unsigned Width        = 8,
  parameter int unsigned Entries      = 127,
  parameter int unsigned DataWidth    = 17,
  parameter int unsigned FrontEntries =
      bbq_front_pkg::front_entries(bbq_pkg::latency(Levels, Width, 1)),
  parameter bit          Parity       = 1'b0,
  localparam int unsigned RankWidth   = Levels * $clog2(Width),
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
  input  logic                  deq_peek_i,   // the element stays
  output logic                  deq_ready_o,
  output logic                  deq_rsp_valid_o,
  output status_e               deq_rsp_status_o,
  output logic [RankWidth-1:0]  deq_rsp_rank_o,
  output logic [DataWidth-1:0]  deq_rsp_data_o,
  output logic                  full_o,
  output logic                  empty_o,
  output logic [CountWidth-1:0] occupancy_o,
  output logic                  error_o
);

  localparam int unsigned SlotWidth  = $clog2(Entries);
  localparam int unsigned Latency    = bbq_pkg::latency(Levels, Width, 1);
  // A token moves to the BBQ if the PIFO is full of other tokens.
  localparam int unsigned Tokens     = Entries < 2 ** RankWidth ? Entries : 2 ** RankWidth;
  localparam int unsigned BbqEntries = Tokens < FrontEntries + 2 ? 2 : Tokens - FrontEntries;

  if (Latency % bbq_front_pkg::Phases == 0) begin : gen_latency
    $error("bbq_front: tokens must come back in the cycles of dequeues");
  end
`ifndef FOREBAY_FRONT_ANY_SIZE
  if (FrontEntries < bbq_front_pkg::front_entries(Latency)) begin : gen_front
    $error("bbq_front: FrontEntries is too few for this latency");
  end
`endif
  if (FrontEntries < 2) begin : gen_two
    $error("bbq_front: FrontEntries must be 2 or more");
  end
  if (Entries < 2) begin : gen_entries
    $error("bbq_front: Entries must be 2 or more");
  end

  // ---- acceptance -------------------------------------------------------------------------

  logic                  enqueues_q;   // this cycle is for enqueues
  logic                  arrive, put, leave, found, take;

  assign deq_ready_o = !enqueues_q && !rst_i;
  assign enq_ready_o = enqueues_q && !rst_i;
  assign leave       = deq_valid_i && deq_ready_o;
  assign arrive      = enq_valid_i && enq_ready_o;
  assign found       = leave && !empty_o;
  assign take        = found && !deq_peek_i;
  assign put         = arrive && !full_o;

  always_ff @(posedge clk_i) begin
    enqueues_q <= rst_i ? 1'b0 : !enqueues_q;
  end

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

  // ---- the token that returns -----------------------------------------------------------------

  // The BBQ answers with the token in a cycle of dequeues. In that cycle its list is looked up, in
  // the next its first element is read, and in the one after the token enters the PIFO.
  logic                 refill_valid, refill_a_q, refill_b_q, known_b_q, meets_refill;
  logic [RankWidth-1:0] refill_rank, rank_a_q, rank_b_q;
  logic [SlotWidth-1:0] slot_a_q, tail_a_q, slot_b_q, tail_b_q, next_b_q;

  // ---- the destination of an arrival ----------------------------------------------------------

  logic                 match, parked, begins;
  logic [SlotWidth-1:0] slot, parked_tail, match_tail, refill_head, refill_tail;

  assign meets_refill = refill_a_q && rank_a_q == enq_rank_i;
  assign begins       = !match && !meets_refill && !parked;

  always_ff @(posedge clk_i) begin
    refill_a_q <= refill_valid && !rst_i;
    rank_a_q   <= refill_rank;
    slot_a_q   <= refill_head;
    tail_a_q   <= refill_tail;

    refill_b_q <= refill_a_q && !rst_i;
    rank_b_q   <= rank_a_q;
    slot_b_q   <= slot_a_q;
    tail_b_q   <= put && meets_refill ? slot : tail_a_q;
    known_b_q  <= put && meets_refill && slot_a_q == tail_a_q;
    next_b_q   <= slot;
  end

  // ---- the PIFO ---------------------------------------------------------------------------

  logic                 first_valid, first_only, first_bad, spill_valid;
  logic [RankWidth-1:0] first_rank, spill_rank;
  logic [DataWidth-1:0] first_data, list_data;
  logic [SlotWidth-1:0] first_slot, first_next, spill_slot, spill_tail, list_next;
  logic                 list_bad;

  bbq_front_array #(
    .Tokens   (FrontEntries),
    .RankWidth(RankWidth),
    .DataWidth(DataWidth),
    .SlotWidth(SlotWidth)
  ) i_array (
    .clk_i,
    .rst_i,
    .enqueues_i   (enqueues_q),
    .rank_i       (enqueues_q ? enq_rank_i : rank_b_q),
    .insert_i     (enqueues_q ? put && begins : refill_b_q),
    .slot_i       (enqueues_q ? slot : slot_b_q),
    .tail_i       (enqueues_q ? slot : tail_b_q),
    .next_known_i (!enqueues_q && known_b_q),
    .next_i       (next_b_q),
    .data_i       (enq_data_i),
    .append_i     (put && match),
    .match_o      (match),
    .match_tail_o (match_tail),
    .take_i       (take),
    .first_valid_o(first_valid),
    .first_rank_o (first_rank),
    .first_data_o (first_data),
    .first_slot_o (first_slot),
    .first_only_o (first_only),
    .first_next_o (first_next),
    .first_bad_o  (first_bad),
    .spill_valid_o(spill_valid),
    .spill_rank_o (spill_rank),
    .spill_slot_o (spill_slot),
    .spill_tail_o (spill_tail),
    .list_data_i  (list_data),
    .list_next_i  (list_next),
    .list_bad_i   (list_bad)
  );

  // ---- the lists ----------------------------------------------------------------------------

  logic list_error;

  bbq_front_lists #(
    .Entries  (Entries),
    .RankWidth(RankWidth),
    .DataWidth(DataWidth),
    .Parity   (Parity)
  ) i_lists (
    .clk_i,
    .rst_i,
    .write_i     (put),
    .data_i      (enq_data_i),
    .slot_o      (slot),
    .link_i      (put && !begins),
    .link_slot_i (match ? match_tail : meets_refill ? tail_a_q : parked_tail),
    .read_i      (enqueues_q ? refill_a_q : take && !first_only),
    .read_slot_i (enqueues_q ? slot_a_q : first_next),
    .read_data_o (list_data),
    .read_next_o (list_next),
    .read_bad_o  (list_bad),
    .free_i      (take),
    .free_slot_i (first_slot),
    .park_i      (spill_valid),
    .park_rank_i (spill_rank),
    .park_head_i (spill_slot),
    .park_tail_i (spill_tail),
    .fetch_i     (refill_valid),
    .fetch_rank_i(refill_rank),
    .fetch_head_o(refill_head),
    .fetch_tail_o(refill_tail),
    .look_rank_i (enq_rank_i),
    .parked_o    (parked),
    .look_tail_o (parked_tail),
    .extend_i    (put && parked),
    .error_o     (list_error)
  );

  // ---- answers ----------------------------------------------------------------------------

  logic                 enq_answer_q, deq_answer_q, enq_full_q, deq_done_q, link_error_q;
  logic [RankWidth-1:0] rank_q;
  logic [DataWidth-1:0] data_q;

  always_ff @(posedge clk_i) begin
    enq_answer_q <= arrive;
    enq_full_q   <= full_o;
    deq_answer_q <= leave;
    deq_done_q   <= found;
    rank_q       <= found ? first_rank : '0;
    data_q       <= found ? first_data : '0;
    link_error_q <= take && !first_only && first_bad;
  end

  assign enq_rsp_valid_o  = enq_answer_q && !rst_i;
  assign enq_rsp_status_o = enq_full_q ? StatusFull : StatusDone;
  assign deq_rsp_valid_o  = deq_answer_q && !rst_i;
  assign deq_rsp_status_o = deq_done_q ? StatusDone : StatusEmpty;
  assign deq_rsp_rank_o   = rank_q;
  assign deq_rsp_data_o   = data_q;

  // ---- the BBQ ----------------------------------------------------------------------------

  logic                 ask_q, spill_q;
  logic [RankWidth-1:0] spill_rank_q;

  always_ff @(posedge clk_i) begin
    ask_q        <= take && first_only;
    spill_q      <= spill_valid && !rst_i;
    spill_rank_q <= spill_rank;
  end

  logic                              bbq_ready, rsp_valid, rsp_partition, rsp_data;
  logic                              bbq_full, bbq_empty, bbq_error;
  op_e                               rsp_op;
  status_e                           rsp_status;
  logic [$clog2(BbqEntries + 1)-1:0] bbq_occupancy;

  bbq #(
    .Levels   (Levels),
    .Width    (Width),
    .Entries  (BbqEntries),
    .DataWidth(1),
    .Parity   (Parity)
  ) i_bbq (
    .clk_i,
    .rst_i,
    .req_valid_i    (ask_q || spill_q),
    .req_ready_o    (bbq_ready),
    .req_op_i       (ask_q ? OpDequeueMin : OpEnqueue),
    .req_partition_i(1'b0),
    .req_rank_i     (spill_rank_q),
    .req_data_i     (1'b0),
    .rsp_valid_o    (rsp_valid),
    .rsp_op_o       (rsp_op),
    .rsp_status_o   (rsp_status),
    .rsp_partition_o(rsp_partition),
    .rsp_rank_o     (refill_rank),
    .rsp_data_o     (rsp_data),
    .full_o         (bbq_full),
    .empty_o        (bbq_empty),
    .occupancy_o    (bbq_occupancy),
    .error_o        (bbq_error)
  );

  assign refill_valid = rsp_valid && rsp_op == OpDequeueMin && rsp_status == StatusDone;
  assign error_o      = bbq_error || list_error || link_error_q;

  logic unused;
  assign unused = &{1'b0, first_valid, bbq_ready, rsp_partition, rsp_data, bbq_full, bbq_empty,
                    bbq_occupancy};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (!(refill_valid && enqueues_q)) else $error("a token comes back in a cycle of enqueues");
      assert (!(ask_q && spill_q)) else $error("two operations for the BBQ");
      assert (!(spill_q && bbq_full)) else $error("the BBQ has no room for what overflows");
      assert (!(put && (32'(match) + 32'(meets_refill) + 32'(parked)) > 1))
        else $error("a rank has two tokens");
    end
  end
`endif

endmodule
