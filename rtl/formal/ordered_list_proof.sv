// Proof of ordered_list: its cells, in every cycle, are those of the list below. That list counts
// the entries before a new one and inserts it there. It follows:
// - order: keys never fall from one entry to the next;
// - conservation: the list has the entries that were inserted and not deleted, each once. An entry
//   is inserted once if there was room, and each deletion that finds an entry removes one;
// - every accepted operation is answered, an insertion or a push after three cycles and a deletion
//   after two;
// - first, last, first unmarked and found entry are those of the list;
// - the module's own assertions (order, no gaps) hold.
//
// Assumed: a reset in the first cycle, and no key rises beyond the range, so keys of a push or an
// insertion leave room for it. Operations, questions and marks occur in any cycle, and reset at any
// time.
module ordered_list_proof
  import seer_pkg::*;
#(
  parameter int unsigned Entries     = 3,
  parameter int unsigned KeyWidth    = 3,
  parameter int unsigned TagWidth    = 1,
  parameter int unsigned ValueWidth  = 1,
  parameter int unsigned PushWidth   = 1,
  parameter int unsigned BankEntries = 2,
  localparam int unsigned CountWidth = $clog2(Entries + 1)
) (
  input logic                  clk_i,
  input logic                  rst_i,
  input logic                  req_valid_i,
  input list_op_e              req_op_i,
  input logic [KeyWidth-1:0]   req_key_i,
  input logic [TagWidth-1:0]   req_tag_i,
  input logic [ValueWidth-1:0] req_value_i,
  input logic [PushWidth-1:0]  req_push_i,
  input logic                  ask_i,
  input logic [TagWidth-1:0]   find_tag_i,
  input logic                  mark_i
);

  typedef struct packed {
    logic [KeyWidth-1:0]   key;
    logic [TagWidth-1:0]   tag;
    logic [ValueWidth-1:0] value;
  } entry_t;

  typedef struct packed {
    logic   valid;
    entry_t entry;
  } answer_t;

  answer_t               min, max, unmarked;
  logic                  ready, answered, done, find_hit, full, empty;
  logic [KeyWidth-1:0]   find_key;
  logic [ValueWidth-1:0] find_value;
  logic [CountWidth-1:0] occupancy;

  ordered_list #(
    .Entries    (Entries),
    .KeyWidth   (KeyWidth),
    .TagWidth   (TagWidth),
    .ValueWidth (ValueWidth),
    .PushWidth  (PushWidth),
    .BankEntries(BankEntries)
  ) dut (
    .clk_i,
    .rst_i,
    .req_valid_i,
    .req_ready_o     (ready),
    .req_op_i,
    .req_key_i,
    .req_tag_i,
    .req_value_i,
    .req_push_i,
    .rsp_valid_o     (answered),
    .rsp_done_o      (done),
    .ask_i,
    .min_valid_o     (min.valid),
    .min_key_o       (min.entry.key),
    .min_tag_o       (min.entry.tag),
    .min_value_o     (min.entry.value),
    .max_valid_o     (max.valid),
    .max_key_o       (max.entry.key),
    .max_tag_o       (max.entry.tag),
    .max_value_o     (max.entry.value),
    .unmarked_valid_o(unmarked.valid),
    .unmarked_key_o  (unmarked.entry.key),
    .unmarked_tag_o  (unmarked.entry.tag),
    .unmarked_value_o(unmarked.entry.value),
    .find_tag_i,
    .find_hit_o      (find_hit),
    .find_key_o      (find_key),
    .find_value_o    (find_value),
    .mark_i,
    .full_o          (full),
    .empty_o         (empty),
    .occupancy_o     (occupancy)
  );

  // ---- the list ----------------------------------------------------------------------------

  entry_t [Entries-1:0]  list_q, list;
  logic   [Entries-1:0]  marked_q, marks, marked;  // `marks`: all in this cycle, before any moves
  logic   [Entries-1:0]  asked_q, asks, asked;     // the entry of the last question
  logic [CountWidth-1:0] held_q = '0, held;

  // The operation in flight: its cycles so far, where it acts, and what it inserts.
  logic [1:0]            age_q = 2'd0;
  logic                  puts_q, takes_q, entered_q;
  logic [CountWidth-1:0] at, at_q;
  logic                  finds, finds_q;
  entry_t                new_q;
  logic [PushWidth-1:0]  push_q;
  logic                  accepted;

  assign accepted = req_valid_i && age_q == 2'd0 && !rst_i;

  // Where it acts: behind all lower keys, at the first with the tag, or at the first.
  always_comb begin
    at    = '0;
    finds = 1'b0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (i < 32'(held_q)) begin
        if (req_op_i == ListInsert && list_q[i].key < req_key_i) at = CountWidth'(i + 1);
        if (req_op_i == ListDelete && !finds && list_q[i].tag == req_tag_i) begin
          at    = CountWidth'(i);
          finds = 1'b1;
        end
        if (req_op_i == ListDeleteFirst) finds = 1'b1;
      end
    end
  end

  always_comb begin
    marks = marked_q | (mark_i ? asked_q : '0);
    asks  = ask_i ? '0 : asked_q;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (ask_i && i < 32'(held_q) && asks == '0 && !marks[i]) asks[i] = 1'b1;
    end
  end

  always_comb begin
    list   = list_q;
    marked = marks;
    asked  = asks;
    held   = held_q;
    if (age_q == 2'd1 && puts_q && held_q != CountWidth'(Entries)) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        if (32'(at_q) == i) begin
          list[i]   = new_q;
          {marked[i], asked[i]} = 2'b00;
        end
        if (32'(at_q) < i) begin
          list[i]   = list_q[i-1];
          {marked[i], asked[i]} = {marks[i-1], asks[i-1]};
        end
      end
      held = held_q + 1'b1;
    end
    if (age_q == 2'd1 && takes_q && finds_q) begin
      for (int unsigned i = 0; i + 1 < Entries; i++) begin
        if (32'(at_q) <= i) begin
          list[i]   = list_q[i+1];
          {marked[i], asked[i]} = {marks[i+1], asks[i+1]};
        end
      end
      if (held_q == CountWidth'(Entries)) asked[Entries-1] = 1'b0;
      held = held_q - 1'b1;
    end
    if (age_q == 2'd2) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        // Entries behind the new one; for a push, all entries.
        if (i >= 32'(at_q) + 32'(entered_q)) list[i].key = list_q[i].key + KeyWidth'(push_q);
      end
    end
  end

  logic    started_q = 1'b0, answered_q = 1'b0, done_q;
  answer_t max_q, unmarked_q;
  answer_t min_d, max_d, unmarked_d, found;

  always_comb begin
    {min_d, max_d, unmarked_d, found} = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (i < 32'(held_q)) begin
        if (i == 0) min_d = {1'b1, list_q[i]};
        max_d = {1'b1, list_q[i]};
        if (!unmarked_d.valid && !marks[i]) unmarked_d = {1'b1, list_q[i]};
        if (!found.valid && list_q[i].tag == find_tag_i) found = {1'b1, list_q[i]};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    list_q    <= list;
    marked_q  <= marked;
    asked_q   <= asked;
    held_q    <= rst_i ? '0 : held;
    if (accepted) begin
      puts_q  <= req_op_i == ListInsert;
      takes_q <= req_op_i == ListDelete || req_op_i == ListDeleteFirst;
      at_q    <= at;
      finds_q <= finds;
      new_q   <= {req_key_i, req_tag_i, req_value_i};
      push_q  <= req_push_i;
    end
    if (age_q == 2'd1) entered_q <= puts_q && held_q != CountWidth'(Entries);
    age_q      <= rst_i ? 2'd0 : accepted ? 2'd1 : age_q == 2'd1 && !takes_q ? 2'd2 : 2'd0;
    answered_q <= !rst_i && ((age_q == 2'd1 && takes_q) || age_q == 2'd2);
    done_q     <= age_q == 2'd1 ? finds_q : entered_q;
    if (ask_i) {max_q, unmarked_q} <= {max_d, unmarked_d};
    if (rst_i) {max_q.valid, unmarked_q.valid} <= '0;
  end

  // ---- assumptions -------------------------------------------------------------------------

  always_comb begin
    if (!started_q) assume (rst_i);
    if (accepted && (req_op_i == ListInsert || req_op_i == ListPush) && max_d.valid)
      assume (32'(max_d.entry.key) + 32'(req_push_i) < 2 ** KeyWidth);
  end

  // ---- properties --------------------------------------------------------------------------

  // The cells of all banks.
  logic   [Entries-1:0] used, is_marked, is_asked;
  entry_t [Entries-1:0] cells;

  for (genvar i = 0; i < Entries; i++) begin : gen_cell
    assign used[i]  = dut.gen_bank[i/BankEntries].i_bank.used_q[i%BankEntries];
    assign cells[i] = dut.gen_bank[i/BankEntries].i_bank.cell_q[i%BankEntries];
    assign {is_marked[i], is_asked[i]} =
      dut.gen_bank[i/BankEntries].i_bank.flags_q[i%BankEntries];
  end

  always_comb begin
    if (started_q) begin
      assert (ready == (age_q == 2'd0 && !rst_i));
      assert (occupancy == held_q);
      assert (full == (held_q == CountWidth'(Entries)));
      assert (empty == (held_q == '0));
      for (int unsigned i = 0; i < Entries; i++) begin
        assert (used[i] == (i < 32'(held_q)));
        if (i < 32'(held_q)) begin
          assert (cells[i] == list_q[i]);
          assert (is_marked[i] == marked_q[i]);
          assert (is_asked[i] == asked_q[i]);
        end
        if (i > 0 && i < 32'(held_q)) assert (list_q[i-1].key <= list_q[i].key);
      end
      assert (answered == (answered_q && !rst_i));
      if (answered) assert (done == done_q);
      assert (min.valid == min_d.valid && (!min.valid || min.entry == min_d.entry));
      assert (max.valid == max_q.valid && (!max.valid || max.entry == max_q.entry));
      assert (unmarked.valid == unmarked_q.valid);
      if (unmarked.valid) assert (unmarked.entry == unmarked_q.entry);
      assert (find_hit == found.valid);
      if (find_hit) assert (find_key == found.entry.key && find_value == found.entry.value);
    end
  end

  // ---- covers: the proof is not vacuous ----------------------------------------------------

  always_comb begin
    cover (started_q && full && max.valid && max.entry.key == '1);
    cover (started_q && age_q == 2'd2 && entered_q && at_q == '0 && held_q == CountWidth'(Entries));
    cover (started_q && answered && !done);
    cover (started_q && unmarked.valid && min.valid && unmarked.entry.key != min.entry.key);
  end

endmodule
