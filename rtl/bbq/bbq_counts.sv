// Subtree occupancy counters of one level (section 4.2 and appendix B), behind the choice
// of the child. Two cycles later they report to bbq_level.sv whether a child still holds
// Guard elements or more after a dequeue.
//
// A child is chosen in cycle D. In U = D + 2 its count is read, changed and written. Each
// count has a waterlevel bit, "4 or more", so no wide compare is between the memory and
// the guard bits (appendix B.2, where the bit is "2 or more").
//
// The memory may be split into banks by the lower bits of the child's number, which
// arrive last. All banks are read at the upper bits, and the lower bits choose between
// the banks a cycle later. This shortens the longest path of wide nodes.
module bbq_counts #(
  parameter int unsigned Children   = 8,
  parameter int unsigned CountWidth = 4,
  parameter int unsigned Banks      = 1,
  parameter bit          Parity     = 1'b0,
  localparam int unsigned AddrWidth = Children > 1 ? $clog2(Children) : 1,
  localparam int unsigned BankBits  = $clog2(Banks)
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  // cycle D
  input  logic                  read_d_i,
  input  logic [AddrWidth-1:0]  child_d_i,
  // cycle A = D + 1; empty: the child was empty before this operation
  input  logic [AddrWidth-1:0]  child_a_i,
  input  logic                  empty_a_i,
  input  logic [2:1]            same_a_i,
  // cycle U = D + 2
  input  logic                  put_u_i,
  input  logic                  take_u_i,
  input  logic [AddrWidth-1:0]  child_u_i,
  output logic                  high_u_o,
  output logic [CountWidth-1:0] count_u_o,
  output logic                  error_u_o
);

  typedef struct packed {
    logic                  high;   // count >= 4
    logic [CountWidth-1:0] count;
  } counter_t;

  counter_t ram_word, before_u, after_u, after_q, early_q;
  logic     use_after_q, ram_error;

  counter_t [Banks-1:0] bank_word;
  logic     [Banks-1:0] bank_error;
  logic                 use_ram;
  assign use_ram = same_a_i == '0 && !empty_a_i;

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic chosen_a, chosen_u;
    if (Banks == 1) begin : gen_only
      assign chosen_a = 1'b1;
      assign chosen_u = 1'b1;
    end else begin : gen_one_of
      assign chosen_a = child_a_i[BankBits-1:0] == BankBits'(b);
      assign chosen_u = child_u_i[BankBits-1:0] == BankBits'(b);
    end

    ram_1r1w #(
      .Depth (Children / Banks),
      .Width ($bits(counter_t)),
      .Parity(Parity)
    ) i_ram (
      .clk_i,
      .write_i((put_u_i || take_u_i) && chosen_u),
      .waddr_i(child_u_i[AddrWidth-1:BankBits]),
      .wdata_i(after_u),
      .read_i (read_d_i),
      .raddr_i(child_d_i[AddrWidth-1:BankBits]),
      .blank_i(!use_ram || !chosen_a),
      .rdata_o(bank_word[b]),
      .error_o(bank_error[b])
    );
  end

  logic unused;  // bits of the numbers that each bank uses
  assign unused = ^{child_d_i, child_a_i};

  always_comb begin
    ram_word = '0;
    for (int unsigned b = 0; b < Banks; b++) ram_word |= bank_word[b];
  end
  assign ram_error = |bank_error;

  // As in bbq_forward.sv, for the two operations ahead whose writes a read may miss.
  always_ff @(posedge clk_i) begin
    after_q     <= after_u;
    early_q     <= same_a_i == 2'b10 ? after_q : '0;
    use_after_q <= same_a_i[1];
  end

  assign before_u = (after_q & {$bits(counter_t){use_after_q}}) | early_q | ram_word;

  // Three more bits than needed, so that the compares can be written for any width.
  logic [CountWidth+2:0] wide;
  logic                  at_least_3, at_least_5;
  assign wide       = (CountWidth + 3)'(before_u.count);
  assign at_least_3 = (|wide[CountWidth+2:2]) || (&wide[1:0]);
  assign at_least_5 = (|wide[CountWidth+2:3]) || (wide[2] && (|wide[1:0]));

  always_comb begin
    after_u.count = before_u.count + ({CountWidth{take_u_i}} | CountWidth'(put_u_i));
    after_u.high  = put_u_i ? at_least_3 : (take_u_i ? at_least_5 : before_u.high);
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    cover (same_a_i[1]);
    cover (same_a_i == 2'b10);
    cover (same_a_i == '0 && !empty_a_i);
    cover (empty_a_i && same_a_i != '0);
  end
`endif

  assign high_u_o  = before_u.high;
  assign count_u_o = before_u.count;
  // A peek reads a count too, and passes it on to the operations behind.
  logic read_a, read_u;
  always_ff @(posedge clk_i) begin
    read_a <= read_d_i && !rst_i;
    read_u <= read_a && !rst_i;
  end

  assign error_u_o = ram_error && read_u;

endmodule
