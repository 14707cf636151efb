// One level of the bitmap tree: chooses the child of each operation, one operation per
// cycle. Each choice is the same as if the operation before had finished.
//
// A node is a word of Guard bits per child. Bit j of a child is set if the child has at
// least j elements below. So bit 1 is the bitmap of the paper, and the bits together are
// an exact count up to Guard. A dequeue shifts the bits of its child down by one, an
// enqueue up.
//
// The new top bit of a dequeue is not known at once, since the whole count is in a memory
// (bbq_counts.sv) and arrives two cycles later. Until then the bit is 0, which is a lower
// bound; then the count sets it. Meanwhile only the operation just behind can have
// shifted the bit, from bit 3 to bit 2. The next operation already has the bit when it
// shifts it to bit 1. If the operation just behind was an enqueue, the late bit leaves
// the word and isn't needed: the enqueue has shifted up bits that were known. So the
// bitmap is exact in every cycle. Nothing is speculated or discarded, and the next level
// starts as soon as the child is chosen. (The paper waits for the counter and speculates
// on back-to-back dequeues; section 4.2, H2.)
//
// Cycles: R0: the node's read is presented. D = R0 + 2: choice. A = D + 1: conflicts with
// the operations ahead. U = D + 2: the count is known, node and count are written. With
// one node there is a register in place of the memory, and D is the first cycle.
module bbq_level
  import bbq_pkg::Guard;
  import bbq_pkg::Window;
  import bbq_pkg::action_t;
#(
  parameter int unsigned Width      = 8,
  parameter int unsigned Nodes      = 1,
  parameter int unsigned CountWidth = 4,
  parameter bit          Parity     = 1'b0,
  localparam int unsigned NodeWidth  = Nodes > 1 ? $clog2(Nodes) : 1,
  localparam int unsigned DigitWidth = $clog2(Width),
  localparam int unsigned ChildWidth = $clog2(Nodes * Width)
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  // cycle R0 (unused with one node)
  input  logic                  read_i,
  input  logic [NodeWidth-1:0]  node_r0_i,
  // cycle R0 + 1; blank: this node was empty before this operation
  input  logic [Window:1]       same_r1_i,   // same node as the operation d ahead
  input  logic                  blank_r1_i,
  // cycle D
  input  action_t               action_d_i,
  input  logic [NodeWidth-1:0]  node_d_i,
  input  logic [DigitWidth-1:0] digit_d_i,   // the child, for an enqueue
  input  logic [Width-1:0]      mask_d_i,    // the children of this partition
  output logic [DigitWidth-1:0] digit_d_o,   // the child that was chosen
  // cycle A
  input  logic [Window:1]       same_a_i,    // same node as the operation d ahead
  output logic                  empty_a_o,   // the child was empty before this operation
  output logic [Window:1]       same_a_o,    // same child as the operation d ahead
  // cycle U
  output logic [CountWidth-1:0] count_u_o,   // of the child, before this operation
  output logic                  error_o
);

  typedef logic [Guard:1][Width-1:0] word_t;

  function automatic logic [ChildWidth-1:0] child_of(
    input logic [NodeWidth-1:0] node, input logic [DigitWidth-1:0] below
  );
    return ChildWidth'({node, below});
  endfunction

  // ---- cycle D: choose ----------------------------------------------------------------

  word_t            word_d, changed_d;
  logic [Width-1:0] first_d, chosen_d, up_d, down_d;
  logic             empty_d;
  logic [DigitWidth-1:0] index_d;

  bbq_first_one #(
    .Width(Width)
  ) i_first_one (
    .bits_i   (word_d[1] & mask_d_i),
    .highest_i(action_d_i.highest),
    .one_o    (first_d),
    .index_o  (index_d)
  );

  assign up_d     = action_d_i.put ? Width'(1) << digit_d_i : '0;
  assign down_d   = action_d_i.take ? first_d : '0;
  assign chosen_d = action_d_i.put ? Width'(1) << digit_d_i : first_d;
  assign empty_d  = (word_d[1] & up_d) == '0 && action_d_i.put;

  assign digit_d_o = action_d_i.put ? digit_d_i : index_d;

  always_comb begin
    for (int unsigned j = 1; j <= Guard; j++) begin
      logic [Width-1:0] below, above;
      below = (j == 1) ? '1 : word_d[(j == 1) ? 1 : j - 1];
      above = (j == Guard) ? '0 : word_d[(j == Guard) ? Guard : j + 1];
      changed_d[j] = (word_d[j] & ~up_d & ~down_d) | (up_d & below) | (down_d & above);
    end
  end

  // ---- cycle A: which of the operations ahead went to the same child? -----------------

  logic                  put_a, take_a, empty_a;
  logic [NodeWidth-1:0]  node_a;
  logic [DigitWidth-1:0] digit_a;
  logic [Width-1:0]      chosen_a;
  logic [DigitWidth-1:0] ahead_q [1:Window];  // the choices of the operations ahead

  always_ff @(posedge clk_i) begin
    put_a       <= action_d_i.put && !rst_i;
    take_a      <= action_d_i.take && !rst_i;
    empty_a     <= empty_d;
    node_a      <= node_d_i;
    digit_a     <= digit_d_o;
    chosen_a    <= chosen_d;
    ahead_q[1]  <= digit_a;
    for (int unsigned d = 2; d <= Window; d++) ahead_q[d] <= ahead_q[d-1];
  end

  always_comb begin
    for (int unsigned d = 1; d <= Window; d++) begin
      same_a_o[d] = same_a_i[d] && digit_a == ahead_q[d];
    end
  end

  assign empty_a_o = empty_a;

  // ---- cycle U: the count says whether Guard elements or more are left ----------------

  logic                  put_u, take_u, high_u, counts_error;
  logic [NodeWidth-1:0]  node_u;
  logic [ChildWidth-1:0] child_u;
  logic [Width-1:0]      chosen_u;

  always_ff @(posedge clk_i) begin
    put_u    <= put_a && !rst_i;
    take_u   <= take_a && !rst_i;
    node_u   <= node_a;
    child_u  <= child_of(node_a, digit_a);
    chosen_u <= take_a ? chosen_a : '0;
  end

  bbq_counts #(
    .Children  (Nodes * Width),
    .CountWidth(CountWidth),
    .Banks     (Width > 8 && Nodes > 1 ? 4 : 1),
    .Parity    (Parity)
  ) i_counts (
    .clk_i,
    .rst_i,
    .read_d_i (action_d_i.active),
    .child_d_i(child_of(node_d_i, digit_d_o)),
    .child_a_i(child_of(node_a, digit_a)),
    .empty_a_i(empty_a),
    .same_a_i (same_a_o[2:1]),
    .put_u_i  (put_u),
    .take_u_i (take_u),
    .child_u_i(child_u),
    .high_u_o (high_u),
    .count_u_o,
    .error_u_o(counts_error)
  );

  // ---- the word after an operation: s1 in A, s2 in U, each with the late bit set ------

  // Position of the late bit of the operation in U within s1: still on top, or one lower
  // if the operation in A dequeued from the same child. After an enqueue in A the top bit
  // is known, and the late bit has left the word.
  logic [Width-1:0] late_d, top_late_d, next_late_d, top_late_q, next_late_q;
  word_t            s1_q, s2_q, s1, s2;
  logic             follows_d;

  assign late_d      = take_a ? chosen_a : '0;
  assign top_late_d  = follows_d ? late_d & ~up_d & ~down_d : '0;
  assign next_late_d = follows_d ? late_d & down_d : '0;

  always_comb begin
    s1          = s1_q;
    s1[Guard]   = s1_q[Guard] | (top_late_q & {Width{high_u}});
    s1[Guard-1] = s1_q[Guard-1] | (next_late_q & {Width{high_u}});
    s2          = s2_q;
    s2[Guard]   = s2_q[Guard] | (chosen_u & {Width{high_u}});
  end

  always_ff @(posedge clk_i) begin
    top_late_q  <= top_late_d;
    next_late_q <= next_late_d;
    s1_q        <= changed_d;
    s2_q        <= s1;
    if (rst_i) begin
      top_late_q  <= '0;
      next_late_q <= '0;
      if (Nodes == 1) s1_q <= '0;
    end
  end

  // ---- source of the word -------------------------------------------------------------

  if (Nodes == 1) begin : gen_register
    // The only node follows itself, with or without an operation in between.
    assign follows_d = 1'b1;
    assign word_d    = s1;
    assign error_o   = counts_error;
    logic unused;
    assign unused = ^{read_i, node_r0_i, same_r1_i, blank_r1_i, node_u, s2};
  end else begin : gen_memory
    logic             word_error, follows_q;
    logic [Width-1:0] word_top_late_q, word_next_late_q;
    word_t            word;

    // The late bits of the word itself. If the word is that of the operation just ahead,
    // they are as in s1. If it is that of the operation before, they are as in s2.
    always_ff @(posedge clk_i) begin
      follows_q        <= same_r1_i[1];
      word_next_late_q <= same_r1_i[1] ? next_late_d : '0;
      if (same_r1_i[1])      word_top_late_q <= top_late_d;
      else if (same_r1_i[2]) word_top_late_q <= late_d;
      else                   word_top_late_q <= '0;
    end

    always_comb begin
      word_d          = word;
      word_d[Guard]   = word[Guard] | (word_top_late_q & {Width{high_u}});
      word_d[Guard-1] = word[Guard-1] | (word_next_late_q & {Width{high_u}});
    end

    assign follows_d = follows_q;
    assign error_o   = counts_error || (word_error && action_d_i.active);

    bbq_forward #(
      .Depth (Nodes),
      .Width ($bits(word_t)),
      .Parity(Parity)
    ) i_forward (
      .clk_i,
      .read_i,
      .raddr_i    (node_r0_i),
      .same_r1_i,
      .blank_r1_i,
      .word_d_o   (word),
      .error_d_o  (word_error),
      .changed_d_i(changed_d),
      .s1_i       (s1),
      .s2_i       (s2),
      .write_s2_i (put_u || take_u),
      .waddr_s2_i (node_u)
    );
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && action_d_i.active && !action_d_i.put) begin
      assert ($onehot(first_d)) else $error("a dequeue came to a node without elements");
    end
    // The late bit, set and not set, in each position to which it may be shifted, and
    // overtaken.
    cover (|top_late_q && high_u);
    cover (|top_late_q && !high_u);
    cover (|next_late_q && high_u);
    cover (|next_late_q && !high_u);
    cover (follows_d && |(late_d & down_d) && |next_late_q && high_u);  // down to bit 1
    cover (follows_d && |(late_d & up_d));
    cover (take_u && high_u && !(|top_late_q) && !(|next_late_q));
  end
`endif

endmodule
