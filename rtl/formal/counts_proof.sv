// Proof of bbq_counts. Each operation has in cycle U the number of elements that the operations
// before it have left below its child. "4 or more" is set if and only if that number is 4 or more.
// This holds for any initial contents of the memory, and for any data of a read that meets a write.
// One arbitrary child is followed, which stands for all of them.
//
// Duties of the environment: the flags of equal children are right. empty_a_i is set for an enqueue
// whose child is empty, and never for a child that isn't. No operation dequeues from or peeks at an
// empty child, or enqueues into a full one.
module counts_proof #(
  parameter int unsigned Children   = 4,
  parameter int unsigned CountWidth = 3,
  parameter int unsigned Entries    = 6,
  parameter int unsigned Banks      = 1,
  localparam int unsigned AddrWidth = $clog2(Children)
) (
  input logic                 clk_i,
  input logic                 put_i,      // an operation in D: at most one of these
  input logic                 take_i,
  input logic                 look_i,
  input logic                 rst_i,      // every child is empty again
  input logic [AddrWidth-1:0] child_i,
  input logic                 empty_i,    // in A
  input logic [AddrWidth-1:0] followed_i  // the child that is followed
);

  // Operations by the cycle they are in: 1 is A, 2 is U, 3 is U + 1.
  logic                  started_q = 1'b0;
  logic [3:1]            active_q = '0;
  logic [2:1]            put_q = '0, take_q = '0;
  logic [AddrWidth-1:0]  child_q [1:3];
  logic [AddrWidth-1:0]  followed_q;
  logic [CountWidth-1:0] held_q;          // elements below the followed child
  logic [CountWidth-1:0] before_q [1:2];  // that number, before each operation
  logic [2:1]            same_a;
  logic                  high, wrong;
  logic [CountWidth-1:0] count;

  always_ff @(posedge clk_i) begin
    started_q   <= 1'b1;
    followed_q  <= followed_i;
    active_q    <= rst_i ? '0 : {active_q[2:1], put_i || take_i || look_i};
    put_q       <= rst_i ? '0 : {put_q[1], put_i};
    take_q      <= rst_i ? '0 : {take_q[1], take_i};
    child_q[1]  <= child_i;
    child_q[2]  <= child_q[1];
    child_q[3]  <= child_q[2];
    before_q[1] <= held_q;
    before_q[2] <= before_q[1];
    if (child_i == followed_i) held_q <= held_q + CountWidth'(put_i) - CountWidth'(take_i);
    if (rst_i) held_q <= '0;
  end

  for (genvar d = 1; d <= 2; d++) begin : gen_same
    assign same_a[d] = active_q[1+d] && child_q[1] == child_q[1+d];
  end

  bbq_counts #(
    .Children  (Children),
    .CountWidth(CountWidth),
    .Banks     (Banks)
  ) dut (
    .clk_i,
    .rst_i,
    .read_d_i (put_i || take_i || look_i),
    .child_d_i(child_i),
    .child_a_i(child_q[1]),
    .empty_a_i(empty_i),
    .same_a_i (same_a),
    .put_u_i  (put_q[2]),
    .take_u_i (take_q[2]),
    .child_u_i(child_q[2]),
    .high_u_o (high),
    .count_u_o(count),
    .error_u_o(wrong)
  );

  logic here_d, here_a, here_u;
  assign here_d = child_i == followed_i;
  assign here_a = active_q[1] && child_q[1] == followed_i;
  assign here_u = active_q[2] && child_q[2] == followed_i;

  always_comb begin
    if (!started_q) assume (rst_i);
    if (started_q) assume (followed_i == followed_q);
    assume (32'(child_i) < Children);
    assume (2'(put_i) + 2'(take_i) + 2'(look_i) <= 2'd1);
    if (put_i && here_d) assume (held_q < CountWidth'(Entries));
    if ((take_i || look_i) && here_d) assume (held_q != '0);
    if (here_a) assume (empty_i == (put_q[1] && before_q[1] == '0));
  end

  always_comb begin
    if (here_u) assert (count == before_q[2]);
    if (here_u) assert (high == (before_q[2] >= CountWidth'(4)));
    cover (here_u && count == CountWidth'(Entries) && take_q[2]);
    cover (here_u && count == CountWidth'(1) && take_q[2] && here_a && put_q[1] && empty_i);
  end

endmodule
