// The tokens with the lowest ranks, sorted, in registers: the PIFO of bbq_front.
//
// A token stands for a rank and for all elements of this rank, a list in bbq_front_lists. It has
// the first element's data, the slots of the first element and of the one after it, and the slot of
// the last. A rank has at most one token, so no two tokens are equal.
//
// Operations, in the cycles of dequeues: take_i removes the first element of the first token, and
// the token too if that was its last element. insert_i inserts a token. In the cycles of enqueues:
// insert_i, or append_i to the token with rank_i (match_o: there is one). A token that finds no
// room pushes out the last token, or is spilled itself: spill_o.
//
// A read takes two cycles. After take_i, data and the next slot of a token arrive at list_*_i in
// the next cycle of dequeues. For a token inserted in a cycle of dequeues they arrive in the cycle
// after. The first token is complete in every cycle of dequeues.
//
// Timing: match_o and spill_o in the cycle of the operation; first_o shows its effect from the next
// cycle on. Limits: a comparator and a multiplexer for each token.
module bbq_front_array #(
  parameter int unsigned Tokens    = 7,
  parameter int unsigned RankWidth = 6,
  parameter int unsigned DataWidth = 17,
  parameter int unsigned SlotWidth = 7
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic                 enqueues_i,     // this is a cycle of enqueues
  input  logic [RankWidth-1:0] rank_i,
  input  logic                 insert_i,       // a token with rank_i and the inputs below
  input  logic [SlotWidth-1:0] slot_i,         // its first element
  input  logic [SlotWidth-1:0] tail_i,         // its last element
  input  logic                 next_known_i,   // next_i is the slot after the first; otherwise
  input  logic [SlotWidth-1:0] next_i,         // that slot is read, if there is one
  input  logic [DataWidth-1:0] data_i,         // of the first; read, in a cycle of dequeues
  input  logic                 append_i,       // the element at slot_i to the token with rank_i
  output logic                 match_o,
  output logic [SlotWidth-1:0] match_tail_o,   // the last element of that token
  input  logic                 take_i,
  output logic                 first_valid_o,
  output logic [RankWidth-1:0] first_rank_o,
  output logic [DataWidth-1:0] first_data_o,
  output logic [SlotWidth-1:0] first_slot_o,
  output logic                 first_only_o,   // it is the only element of its token
  output logic [SlotWidth-1:0] first_next_o,   // otherwise, the one after it
  output logic                 first_bad_o,    // the slot after it was read with an error
  output logic                 spill_valid_o,
  output logic [RankWidth-1:0] spill_rank_o,
  output logic [SlotWidth-1:0] spill_slot_o,
  output logic [SlotWidth-1:0] spill_tail_o,
  input  logic [DataWidth-1:0] list_data_i,
  input  logic [SlotWidth-1:0] list_next_i,
  input  logic                 list_bad_i
);

  typedef struct packed {
    logic [RankWidth-1:0] rank;
    logic [SlotWidth-1:0] slot;
    logic [SlotWidth-1:0] tail;
    logic                 known;     // next is right; no read changes it
    logic                 bad;
    logic [SlotWidth-1:0] next;
    logic                 taken;     // the next element is being read after a dequeue
    logic                 fresh;     // the first element is being read after an insertion
    logic [DataWidth-1:0] data;
  } token_t;

  logic   [Tokens-1:0] valid_q, valid_d;
  token_t              token_q [Tokens];
  token_t              token_d [Tokens];

  // ---- data that are read arrive at their token ---------------------------------------------

  token_t now [Tokens];

  always_comb begin
    for (int unsigned i = 0; i < Tokens; i++) begin
      now[i] = token_q[i];
      if (enqueues_i ? token_q[i].fresh : token_q[i].taken) begin
        now[i].data = list_data_i;
        if (!token_q[i].known) begin
          now[i].next = list_next_i;
          now[i].bad  = list_bad_i;
        end
        if (enqueues_i) now[i].fresh = 1'b0;
        else            now[i].taken = 1'b0;
      end
    end
  end

  assign first_valid_o = valid_q[0];
  assign first_rank_o  = now[0].rank;
  assign first_data_o  = now[0].data;
  assign first_slot_o  = now[0].slot;
  assign first_only_o  = now[0].slot == now[0].tail;
  assign first_next_o  = now[0].next;
  assign first_bad_o   = now[0].bad;

  // ---- tokens that match the rank -------------------------------------------------------------

  logic [Tokens-1:0] same;
  logic [Tokens+1:0] below;   // cell i is at i + 1; a run of ones, as the cells are sorted

  always_comb begin
    below        = '0;
    below[0]     = 1'b1;
    match_tail_o = '0;
    for (int unsigned i = 0; i < Tokens; i++) begin
      same[i]    = valid_q[i] && token_q[i].rank == rank_i;
      below[i+1] = valid_q[i] && token_q[i].rank < rank_i;
      if (same[i]) match_tail_o |= token_q[i].tail;
    end
  end
  assign match_o = |same;

  // ---- the tokens after an append or a dequeue, in their cells --------------------------------

  token_t changed [Tokens];
  logic   remove;

  assign remove = take_i && first_only_o;

  always_comb begin
    for (int unsigned i = 0; i < Tokens; i++) begin
      changed[i] = now[i];
      if (append_i && same[i]) begin
        changed[i].tail = slot_i;
        if (now[i].slot == now[i].tail) begin
          changed[i].next  = slot_i;
          changed[i].known = 1'b1;
          changed[i].bad   = 1'b0;
        end
      end
    end
    if (take_i) begin
      changed[0].slot  = now[0].next;
      changed[0].known = 1'b0;
      changed[0].taken = 1'b1;
    end
  end

  // ---- the tokens in their new cells ------------------------------------------------------------

  token_t newest;

  always_comb begin
    newest = '{
      rank: rank_i, slot: slot_i, tail: tail_i, known: next_known_i, bad: 1'b0, next: next_i,
      taken: 1'b0, fresh: !enqueues_i, data: data_i
    };
  end

  for (genvar i = 0; i < Tokens; i++) begin : gen_cell
    token_t lower, upper;
    logic   lower_valid, upper_valid;
    if (i == 0) begin : gen_first
      assign lower       = '0;
      assign lower_valid = 1'b0;
    end else begin : gen_other
      assign lower       = changed[i-1];
      assign lower_valid = valid_q[i-1];
    end
    if (i == Tokens - 1) begin : gen_last
      assign upper       = '0;
      assign upper_valid = 1'b0;
    end else begin : gen_inner
      assign upper       = changed[i+1];
      assign upper_valid = valid_q[i+1];
    end
    always_comb begin
      token_d[i] = changed[i];
      valid_d[i] = valid_q[i];
      if (remove && insert_i) begin
        if (below[i+2]) begin
          token_d[i] = upper;
        end else if (i == 0 || below[i+1]) begin
          token_d[i] = newest;
          valid_d[i] = 1'b1;
        end
      end else if (remove) begin
        token_d[i] = upper;
        valid_d[i] = upper_valid;
      end else if (insert_i && !below[i+1]) begin
        token_d[i] = below[i] ? newest : lower;
        valid_d[i] = below[i] || lower_valid;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    token_q <= token_d;
    valid_q <= valid_d;
    if (rst_i) valid_q <= '0;
  end

  assign spill_valid_o = insert_i && !remove && valid_q[Tokens-1];
  assign spill_rank_o  = below[Tokens] ? rank_i : now[Tokens-1].rank;
  assign spill_slot_o  = below[Tokens] ? slot_i : changed[Tokens-1].slot;
  assign spill_tail_o  = below[Tokens] ? tail_i : now[Tokens-1].tail;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i) begin
      assert (!(insert_i && match_o)) else $error("two tokens of one rank");
      assert (!(append_i && !match_o)) else $error("no token to append to");
      assert (!(take_i && (!valid_q[0] || now[0].fresh))) else $error("the best element is late");
      assert (!(take_i && enqueues_i)) else $error("a dequeue in a cycle of enqueues");
    end
  end
`endif

endmodule
