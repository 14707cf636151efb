// Subtree occupancy counters of one level (section 4.2 and appendix B), behind the
// choice of the child: they tell bbq_level.sv, two cycles late, whether a child that was
// dequeued from still holds Guard elements or more.
//
// A child is chosen in cycle D, its count is read, changed in U = D + 2, and written in
// U + 1. With each count goes its waterlevel bit, "4 or more", so that no wide compare
// stands between the memory and the guard bits (appendix B.2; there it is "2 or more").
module bbq_counts #(
  parameter int unsigned Children   = 8,
  parameter int unsigned CountWidth = 4,
  parameter bit          Parity     = 1'b0,
  localparam int unsigned AddrWidth = Children > 1 ? $clog2(Children) : 1
) (
  input  logic                 clk_i,
  // cycle D
  input  logic                 read_d_i,
  input  logic [AddrWidth-1:0] child_d_i,
  // cycle A = D + 1; empty: the child was empty before this operation
  input  logic                 empty_a_i,
  input  logic [3:2]           same_a_i,
  // cycle U = D + 2
  input  logic                 valid_u_i,
  input  logic                 enqueue_u_i,
  input  logic                 dequeue_u_i,
  input  logic                 same_u_i,
  input  logic [AddrWidth-1:0] child_u_i,
  output logic                 high_u_o,
  output logic [CountWidth-1:0] count_u_o,
  output logic                 error_u_o
);

  typedef struct packed {
    logic                  high;   // count >= 4
    logic [CountWidth-1:0] count;
  } counter_t;

  counter_t ram_word, before_u, after_u, after_q, later_q, early_d, early_q;
  logic     early_sel_q, ram_error, write_q;
  logic [AddrWidth-1:0] waddr_q;

  ram_1r1w #(
    .Depth (Children),
    .Width ($bits(counter_t)),
    .Parity(Parity)
  ) i_ram (
    .clk_i,
    .write_i(write_q),
    .waddr_i(waddr_q),
    .wdata_i(after_q),
    .read_i (read_d_i),
    .raddr_i(child_d_i),
    .rdata_o(ram_word),
    .error_o(ram_error)
  );

  always_comb begin
    if (empty_a_i)        early_d = '0;
    else if (same_a_i[2]) early_d = after_q;
    else                  early_d = later_q;
  end

  always_comb begin
    if (same_u_i)         before_u = after_q;
    else if (early_sel_q) before_u = early_q;
    else                  before_u = ram_word;
  end

  // Three bits more than needed let the compares below be written for any width.
  logic [CountWidth+2:0] wide;
  logic                  at_least_3, at_least_5;
  assign wide       = (CountWidth + 3)'(before_u.count);
  assign at_least_3 = (|wide[CountWidth+2:2]) || (&wide[1:0]);
  assign at_least_5 = (|wide[CountWidth+2:3]) || (wide[2] && (|wide[1:0]));

  always_comb begin
    after_u = before_u;
    if (enqueue_u_i) begin
      after_u.count = before_u.count + 1'b1;
      after_u.high  = at_least_3;
    end else if (dequeue_u_i) begin
      after_u.count = before_u.count - 1'b1;
      after_u.high  = at_least_5;
    end
  end

  always_ff @(posedge clk_i) begin
    early_q     <= early_d;
    early_sel_q <= empty_a_i || (|same_a_i);
    after_q     <= after_u;
    later_q     <= after_q;
    write_q     <= enqueue_u_i || dequeue_u_i;
    waddr_q     <= child_u_i;
  end

  assign high_u_o  = before_u.high;
  assign count_u_o = before_u.count;
  assign error_u_o = ram_error && valid_u_i && !same_u_i && !early_sel_q;

endmodule
