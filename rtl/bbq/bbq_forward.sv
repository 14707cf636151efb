// Words of a memory that are read, changed and written back, an operation in each cycle.
// Each operation sees the changes of all operations before it.
//
// An operation presents its address in cycle R0 and has its word in cycle D = R0 + 2. Its
// changed word is in the caller's register s1 in D + 1 and s2 in D + 2, from which it is
// written. A read presented in D + 2 or before doesn't see that write. So the word comes
// from the last of the four operations before that has the same address, if one has. The
// caller knows the addresses: same_r1_i[d] is set if the operation d cycles ahead is
// valid and has the same address (write forwarding; section 4.2, H1).
//
// Bits of a changed word may be known late. They are 0 in changed_d_i, and the caller
// sets them in s1_i and s2_i in the cycle in which they arrive. The word that an
// operation gets in that cycle lacks these bits, so the caller sets them there too.
module bbq_forward
  import bbq_pkg::Window;
#(
  parameter int unsigned Depth  = 16,
  parameter int unsigned Width  = 8,
  parameter bit          Parity = 1'b0,
  localparam int unsigned AddrWidth = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                 clk_i,
  // cycle R0
  input  logic                 read_i,
  input  logic [AddrWidth-1:0] raddr_i,
  // cycle R0 + 1; blank: the word is undefined before this operation, and reads as zero
  input  logic [Window:1]      same_r1_i,
  input  logic                 blank_r1_i,
  // cycle D
  output logic [Width-1:0]     word_d_o,
  output logic                 error_d_o,
  input  logic [Width-1:0]     changed_d_i,
  // cycle D + 1
  input  logic [Width-1:0]     s1_i,
  // cycle D + 2
  input  logic [Width-1:0]     s2_i,
  input  logic                 write_s2_i,
  input  logic [AddrWidth-1:0] waddr_s2_i
);

  logic [Width-1:0] s3_q, from_1_q, from_2_q, from_34_q, ram_word;

  // Each source is chosen a cycle before it is needed, and is zero if it isn't chosen. So
  // cycle D has no more than an OR.
  logic use_3, use_4, use_ram;
  assign use_3   = same_r1_i[3:1] == 3'b100;
  assign use_4   = same_r1_i == 4'b1000;
  assign use_ram = same_r1_i == '0 && !blank_r1_i;

  ram_1r1w #(
    .Depth (Depth),
    .Width (Width),
    .Parity(Parity)
  ) i_ram (
    .clk_i,
    .write_i(write_s2_i),
    .waddr_i(waddr_s2_i),
    .wdata_i(s2_i),
    .read_i,
    .raddr_i,
    .blank_i(!use_ram),
    .rdata_o(ram_word),
    .error_o(error_d_o)
  );

  always_ff @(posedge clk_i) begin
    s3_q      <= s2_i;
    from_34_q <= (s2_i & {Width{use_3}}) | (s3_q & {Width{use_4}});
    from_1_q  <= changed_d_i;
    from_2_q  <= s1_i;
    if (!same_r1_i[1]) from_1_q <= '0;
    if (same_r1_i[2:1] != 2'b10) from_2_q <= '0;
  end

`ifndef SYNTHESIS
  // Each source from which an operation may get its word.
  always_ff @(posedge clk_i) begin
    cover (same_r1_i[1]);
    cover (same_r1_i[2:1] == 2'b10);
    cover (use_3);
    cover (use_4);
    cover (use_ram);
    cover (same_r1_i == '0 && blank_r1_i);
  end
`endif

  assign word_d_o = from_1_q | from_2_q | from_34_q | ram_word;

endmodule
