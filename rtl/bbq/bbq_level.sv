// One level of the bitmap tree: chooses the child that an operation goes to, one
// operation per cycle, each exactly as if the one before it had finished.
//
// A node is a word of Guard bits per child: bit j of a child says "at least j elements
// below it", so that bit 1 is the bitmap of the paper and the others are an exact count
// up to Guard. A dequeue shifts the bits of its child down by one, an enqueue up. What
// comes in at the top of a dequeue is not known at once, since the whole count lies in a
// memory (bbq_counts.sv) and arrives two cycles later: until then the bit is 0, which is
// a lower bound, and then it is set if the count says so, wherever it has been shifted
// to by then. In two cycles at most two more dequeues can shift it, to bit 1, just in
// time. So the bitmap is exact in every cycle: nothing is speculated, nothing is
// discarded, and the next level starts as soon as the child is chosen (the paper waits
// for the counter and speculates on back-to-back dequeues; section 4.2, H2).
//
// Cycles: R0 read of the node presented, D = R0 + 2 choice, A = D + 1 conflicts with
// the operations ahead, U = D + 2 count known, D + 3 node and count written. With one
// node there is no memory, only a register, and D comes first.
module bbq_level
  import bbq_pkg::Guard;
  import bbq_pkg::Window;
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
  input  logic [5:3]            same_r1_i,
  input  logic                  blank_r1_i,
  // cycle D
  input  logic                  valid_d_i,
  input  logic                  enqueue_d_i,
  input  logic                  peek_d_i,
  input  logic                  highest_d_i,
  input  logic [NodeWidth-1:0]  node_d_i,
  input  logic [DigitWidth-1:0] digit_d_i,   // the child, for an enqueue
  input  logic [Width-1:0]      mask_d_i,    // the children of this partition
  input  logic [Window:1]       same_d_i,    // same node as the operation d ahead
  output logic [DigitWidth-1:0] digit_d_o,   // the child that was chosen
  // cycle A
  output logic                  empty_a_o,   // it was empty before this operation
  output logic [Window:1]       same_a_o,    // same child as the operation d ahead
  // cycle U
  output logic [CountWidth-1:0] count_u_o,   // of the child, before this operation
  output logic                  error_o
);

  typedef logic [Guard:1][Width-1:0] word_t;

  function automatic logic [ChildWidth-1:0] child_of(
    input logic [NodeWidth-1:0] node, input logic [DigitWidth-1:0] digit
  );
    return ChildWidth'({node, digit});
  endfunction

  // ---- cycle D: choose ----------------------------------------------------------------

  word_t            word_d, changed_d;
  logic [Width-1:0] first_d, chosen_d, update_d;
  logic             empty_d, dequeue_d;

  bbq_first_one #(
    .Width(Width)
  ) i_first_one (
    .bits_i   (word_d[1] & mask_d_i),
    .highest_i(highest_d_i),
    .one_o    (first_d)
  );

  assign chosen_d  = enqueue_d_i ? Width'(1) << digit_d_i : first_d;
  assign empty_d   = (word_d[1] & chosen_d) == '0;
  assign dequeue_d = !enqueue_d_i && !peek_d_i;
  assign update_d  = (valid_d_i && !peek_d_i) ? chosen_d : '0;

  always_comb begin
    digit_d_o = '0;
    for (int unsigned c = 0; c < Width; c++) begin
      if (chosen_d[c]) digit_d_o |= DigitWidth'(c);
    end
  end

  always_comb begin
    for (int unsigned j = 1; j <= Guard; j++) begin
      logic [Width-1:0] below, above;
      below = (j == 1) ? '1 : word_d[(j == 1) ? 1 : j - 1];
      above = (j == Guard) ? '0 : word_d[(j == Guard) ? Guard : j + 1];
      changed_d[j] = (word_d[j] & ~update_d) | (update_d & (enqueue_d_i ? below : above));
    end
  end

  // ---- cycle A: which of the operations ahead went to the same child? -----------------

  logic                  valid_a, enqueue_a, dequeue_a, empty_a;
  logic [NodeWidth-1:0]  node_a;
  logic [DigitWidth-1:0] digit_a;
  logic [Width-1:0]      chosen_a;
  logic [Window:1]       same_node_a;
  logic [DigitWidth-1:0] ahead_q [1:Window];  // what the operations ahead chose

  always_ff @(posedge clk_i) begin
    valid_a     <= valid_d_i && !rst_i;
    enqueue_a   <= valid_d_i && enqueue_d_i && !rst_i;
    dequeue_a   <= valid_d_i && dequeue_d && !rst_i;
    empty_a     <= empty_d;
    node_a      <= node_d_i;
    digit_a     <= digit_d_o;
    chosen_a    <= chosen_d;
    same_node_a <= same_d_i;
    ahead_q[1]  <= digit_a;
    for (int unsigned d = 2; d <= Window; d++) ahead_q[d] <= ahead_q[d-1];
  end

  always_comb begin
    for (int unsigned d = 1; d <= Window; d++) begin
      same_a_o[d] = same_node_a[d] && digit_a == ahead_q[d];
    end
  end

  assign empty_a_o = empty_a;

  // ---- cycle U: the count says whether Guard elements or more are left ----------------

  logic                 valid_u, enqueue_u, dequeue_u, same_u, high_u, counts_error;
  logic [NodeWidth-1:0] node_u;
  logic [ChildWidth-1:0] child_u;
  logic [Width-1:0]     chosen_u;

  always_ff @(posedge clk_i) begin
    valid_u   <= valid_a && !rst_i;
    enqueue_u <= enqueue_a && !rst_i;
    dequeue_u <= dequeue_a && !rst_i;
    same_u    <= same_a_o[1];
    node_u    <= node_a;
    child_u   <= child_of(node_a, digit_a);
    chosen_u  <= chosen_a;
  end

  bbq_counts #(
    .Children  (Nodes * Width),
    .CountWidth(CountWidth),
    .Parity    (Parity)
  ) i_counts (
    .clk_i,
    .read_d_i   (valid_d_i),
    .child_d_i  (child_of(node_d_i, digit_d_o)),
    .empty_a_i  (empty_a),
    .same_a_i   (same_a_o[3:2]),
    .valid_u_i  (valid_u),
    .enqueue_u_i(enqueue_u),
    .dequeue_u_i(dequeue_u),
    .same_u_i   (same_u),
    .child_u_i  (child_u),
    .high_u_o   (high_u),
    .count_u_o,
    .error_u_o  (counts_error)
  );

  // ---- the word after an operation: s1 in A, s2 in U, each with the late bit set ------

  // Where the late bit of the operation in U stands in s1: still on top, or one further
  // down if the operation in A dequeued from the same child. An enqueue there makes the
  // top bit known, so that the late one has no place any more.
  logic [Width-1:0] late_top_d, late_next_d, late_top_q, late_next_q;
  word_t            s1_q, s2_q, s1, s2;
  logic             follows_d;

  assign late_top_d  = (follows_d && dequeue_a) ? chosen_a & ~update_d : '0;
  assign late_next_d = (follows_d && dequeue_a && dequeue_d) ? chosen_a & update_d : '0;

  always_comb begin
    s1          = s1_q;
    s1[Guard]   = s1_q[Guard] | (high_u ? late_top_q : '0);
    s1[Guard-1] = s1_q[Guard-1] | (high_u ? late_next_q : '0);
    s2          = s2_q;
    s2[Guard]   = s2_q[Guard] | (high_u && dequeue_u ? chosen_u : '0);
  end

  always_ff @(posedge clk_i) begin
    late_top_q  <= late_top_d;
    late_next_q <= late_next_d;
    s1_q        <= changed_d;
    s2_q        <= s1;
    if (rst_i) begin
      late_top_q  <= '0;
      late_next_q <= '0;
      if (Nodes == 1) s1_q <= '0;
    end
  end

  // ---- where the word comes from ------------------------------------------------------

  if (Nodes == 1) begin : gen_register
    // The only node follows itself, with or without an operation in between.
    assign follows_d = 1'b1;
    assign word_d    = s1;
    assign error_o   = counts_error;
    logic unused;
    assign unused = ^{read_i, node_r0_i, same_r1_i, blank_r1_i, node_u, s2};
  end else begin : gen_memory
    logic                 write_s3_q, word_error;
    logic [NodeWidth-1:0] node_s3_q;

    always_ff @(posedge clk_i) begin
      write_s3_q <= (enqueue_u || dequeue_u) && !rst_i;
      node_s3_q  <= node_u;
    end

    assign follows_d = same_d_i[1];
    assign error_o   = counts_error || word_error;

    bbq_forward #(
      .Depth (Nodes),
      .Width ($bits(word_t)),
      .Parity(Parity)
    ) i_forward (
      .clk_i,
      .read_i,
      .raddr_i   (node_r0_i),
      .same_r1_i,
      .blank_r1_i,
      .valid_d_i,
      .same_d_i  (same_d_i[2:1]),
      .s1_i      (s1),
      .s2_i      (s2),
      .word_d_o  (word_d),
      .error_d_o (word_error),
      .write_s3_i(write_s3_q),
      .waddr_s3_i(node_s3_q)
    );
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!rst_i && valid_d_i) begin
      assert ($onehot(chosen_d)) else $error("a dequeue came to a node without elements");
    end
  end
`endif

endmodule
